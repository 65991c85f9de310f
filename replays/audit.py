"""The audit of a game: what anyone can check without the rules (verify.py), and what the rules themselves say."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from events.canonical import canonical, digest
from events.entries import (
    ActionTaken,
    ComponentSetName,
    GameAborted,
    GameSettled,
    GameStarted,
    Sealed,
    SeatWithdrawn,
)
from events.game import fold, follow, ruleset_of
from games.chance import Chance
from games.kernel import Fact, InvalidSetup, Refusal, Registry, Ruleset, UnknownRuleset
from replays.heads import Head, Trust, check_signed, check_witness
from replays.record import Record
from replays.sound import sound_entries
from replays.verify import (
    Check,
    Fault,
    NotChecked,
    check_commitment,
    check_random,
    opened_seed,
    run_check,
    verdict,
    verify,
)

RULE_CHECKS = ("facts", "states", "components", "outcome")
BY_RULES = (ActionTaken, GameStarted, SeatWithdrawn)
"""What follows by the rules, facts and chances."""
ENDED_BY_END = (ActionTaken, SeatWithdrawn, GameAborted)
"""What nobody can do once a game is over."""


class Audit(msgspec.Struct, frozen=True):
    """What an audit found: the verdict on the whole, each check, and what the game's chances are worth."""

    verdict: str
    checks: list[dict[str, Any]]
    fairness: str | None


def audit(
    record: Record,
    rulesets: Registry,
    server_seed: bytes | None = None,
    trust: Trust | None = None,
    witness: Sequence[Head] | None = None,
) -> Audit:
    """Audit a record. For a game that is not settled yet, the server's seed must be told.

    The signature is checked if the auditor says whose it trusts, and heads that were kept if any are given.
    """
    entries, fairness = sound_entries(record), None
    if entries is None:
        checks = verify(record, server_seed)
        checks += [Check(name, "not_checked", None, "the record's form is broken") for name in RULE_CHECKS]
    else:
        seed = opened_seed(record) or server_seed
        replay = Replay(entries, rulesets, seed)
        checks = [Check("chain", "pass"), Check("schema", "pass")]
        checks.append(run_check("commitment", check_commitment, record, seed))
        checks.append(
            Check("random", "pass") if replay.drew_all else run_check("random", check_random, record, seed)
        )
        checks += [run_check(name, getattr(replay, name)) for name in RULE_CHECKS]
        fairness = replay.game.fairness
    checks += check_heads(record, trust, witness, readable=checks[1].verdict == "pass")
    return Audit(verdict(checks), [check._asdict() for check in checks], fairness)


def check_heads(
    record: Record, trust: Trust | None, witness: Sequence[Head] | None, *, readable: bool
) -> list[Check]:
    """Checks 9 and 10, as far as they apply."""
    wanted: list[tuple[str, Callable[..., None], tuple[Any, ...]]] = []
    if trust is not None:
        wanted.append(("signature", check_signed, (record, trust)))
    if witness is not None:
        wanted.append(("witness", check_witness, (record, witness, trust or Trust({}))))
    if not readable:
        return [Check(name, "not_checked", None, "the record's form is broken") for name, _, _ in wanted]
    return [run_check(name, checker, *given) for name, checker, given in wanted]


def settlement(record: Record, rulesets: Registry, server_seed: bytes) -> dict[str, Any]:
    """What `game_settled` tells of its audit: what was found, and the head of the log that was audited."""
    found = audit(record, rulesets, server_seed)
    head = {member: record["head"][member] for member in ("seq", "hash")}
    return {**msgspec.structs.asdict(found), "head": head}


class Replay:
    """A record played again by the rules, once, with what was found on the way."""

    def __init__(self, entries: list[Sealed], rulesets: Registry, server_seed: bytes | None) -> None:
        created, *others = entries
        self.rulesets = rulesets
        self.server_seed = server_seed
        self.seed: bytes | None = None
        self.labels: list[str] = []
        """Every chance that the rules drew."""
        self.game = fold(None, created, rulesets)
        self.missing_rules: str | None = None
        self.wrong_facts: Fault | None = None
        self.wrong_state: Fault | None = None
        self.wrong_end: Fault | None = None
        try:
            self.wrong_facts = self._judge_creation(ruleset_of(self.game, rulesets))
        except UnknownRuleset as unknown:
            self.missing_rules = unknown.message
        self._play(others)

    def _play(self, entries: list[Sealed]) -> None:
        for sealed in entries:
            state = None if self.wrong_facts else self._play_again(sealed)
            self.wrong_end = self.wrong_end or self._judge_end(sealed)
            try:
                if state is None:
                    self.game = fold(self.game, sealed, self.rulesets)
                else:
                    self.game = follow(self.game, sealed, state)
                reached = None if self.game.state is None else digest(self.game.state)
            except Exception as error:  # there is no telling how facts break that no rules gave
                fault = Fault(sealed.seq, f"its facts cannot be applied: {error}")
                self.wrong_facts = self.wrong_facts or fault
                self.wrong_state = self.wrong_state or fault
                self.wrong_end = self.wrong_end or fault
                return
            if self.wrong_state is None and reached != sealed.entry.state:
                self.wrong_state = Fault(sealed.seq, "its facts lead to another state than the one recorded")

    def _judge_creation(self, ruleset: Ruleset[Any, Any]) -> Fault | None:
        """Is it a game that these rules can begin, with every option filled in?"""
        try:
            ruleset.check_seats(self.game.created.seats)
            options = ruleset.read_options(self.game.created.options)
        except InvalidSetup as refusal:
            return Fault(1, f"the rules refuse it: {refusal.code}")
        if canonical(options) != canonical(self.game.created.options):
            return Fault(1, "its options are not those in force")
        return None

    def _play_again(self, sealed: Sealed) -> Any:
        """The state after an entry, if the rules give exactly its facts and chances from the state before."""
        data = sealed.data
        if self.server_seed is None or not isinstance(data, BY_RULES):
            return None
        if self.seed is None:  # nobody brings entropy to a game that has begun
            self.seed = self.game.seed(self.server_seed)
        chance = Chance(self.seed)
        try:
            facts, state = self._rules_give(ruleset_of(self.game, self.rulesets), sealed, chance)
            if canonical(facts) != canonical(data.facts):
                raise Fault(sealed.seq, "the rules give other facts")
            draws = chance.draws
            if (draws or data.random) and canonical(draws) != canonical(data.random):
                raise Fault(sealed.seq, "the rules draw other chances")
        except Fault as fault:
            self.wrong_facts = fault
        except Refusal as refusal:
            self.wrong_facts = Fault(sealed.seq, f"the rules refuse it: {refusal.code}")
        except Exception as error:  # so does playing on from a forged state
            self.wrong_facts = Fault(sealed.seq, f"the rules cannot play it: {error}")
        else:
            self.labels += [draw.label for draw in draws]
            return state
        return None

    def _rules_give(
        self, ruleset: Ruleset[Any, Any], sealed: Sealed, chance: Chance
    ) -> tuple[list[Fact[Any]], Any]:
        """The facts that follow by the rules, and the state they lead to."""
        game, data = self.game, sealed.data
        if isinstance(data, ActionTaken):
            action = ruleset.read_action(data.action)
            course = ruleset.play(game.state, sealed.entry.actor["seat"], action, chance)
            return course.facts, course.state
        if isinstance(data, GameStarted):
            options = ruleset.read_options(game.created.options)
            facts = ruleset.setup(options, game.created.seats, chance, game.position)
            return facts, ruleset.fold(None, facts)
        facts = ruleset.withdraw(game.state, data.seat, data.cause)
        return facts, ruleset.fold(game.state, facts)

    @property
    def drew_all(self) -> bool:
        """Are the recorded chances the ones that the rules drew from the seed, each label once?"""
        played = self.server_seed is not None and not (self.wrong_facts or self.missing_rules)
        return played and len(set(self.labels)) == len(self.labels)

    def _judge_end(self, sealed: Sealed) -> Fault | None:
        """Is nothing played after the end, and is the settled outcome the one the rules gave?"""
        game, data = self.game, sealed.data
        over = game.status in ("ended", "aborted")
        if over and isinstance(data, ENDED_BY_END):
            return Fault(sealed.seq, "something was done after the end")
        if isinstance(data, GameSettled):
            if not over:
                return Fault(sealed.seq, "the game was settled before it had ended")
            outcome = None if game.aborted else game.outcome
            if canonical(outcome) != canonical(data.outcome):
                return Fault(sealed.seq, "the outcome is not the one the rules gave")
        return None

    # -- the verdicts ---------------------------------------------------------------------------------------------

    def facts(self) -> None:
        self._need_rules()
        if self.server_seed is None:
            raise NotChecked("the game is not settled: its seed is not open")
        _raise(self.wrong_facts)

    def states(self) -> None:
        self._need_rules()
        _raise(self.wrong_state)

    def components(self) -> None:
        """The component set is the one that the game's options choose, and we hold it."""
        created, named = self.game.created, self.game.created.component_set
        held = [
            ComponentSetName(known.name, known.sha256)
            for ruleset in self.rulesets
            if ruleset.name == created.ruleset
            and (self.missing_rules or ruleset.version == created.ruleset_version)
            for known in ruleset.component_sets.values()
        ]
        if named not in held:
            self._need_rules()
        if named not in held or named.name != created.options.get("component_set"):
            raise Fault(1, f"{named.name!r} with this hash is no component set of this game")

    def outcome(self) -> None:
        self._need_rules()
        _raise(self.wrong_end)
        if self.game.status not in ("ended", "aborted"):
            raise NotChecked("the game has not ended")

    def _need_rules(self) -> None:
        if self.missing_rules:
            raise NotChecked(self.missing_rules)


def _raise(fault: Fault | None) -> None:
    if fault:
        raise fault

"""The audit of a game: what anyone can check without the rules (verify.py), and what the rules themselves say."""

from typing import Any

import msgspec

from events.canonical import canonical, digest
from events.entries import (
    ActionTaken,
    GameAborted,
    GameSettled,
    GameStarted,
    MalformedEntry,
    Sealed,
    SeatWithdrawn,
)
from events.game import BrokenLog, Game, fold, ruleset_of
from games.chance import Chance, Draw
from games.kernel import Fact, Refusal, Registry, Ruleset, UnknownRuleset
from replays.record import Record, entries_of
from replays.verify import Check, Fault, NotChecked, opened_seed, run_check, verdict, verify

RULE_CHECKS = ("facts", "states", "components", "outcome")


class Audit(msgspec.Struct, frozen=True):
    """What an audit found: the verdict on the whole, each check, and what the game's chances are worth."""

    verdict: str
    checks: list[dict[str, Any]]
    fairness: str | None


def audit(record: Record, rulesets: Registry, server_seed: bytes | None = None) -> Audit:
    """Audit a record. For a game that is not settled yet, the server's seed must be told."""
    checks = verify(record, server_seed)
    seed = server_seed or opened_seed(record)
    fairness = None
    if any(check.verdict != "pass" for check in checks[:2]):
        checks += [Check(name, "not_checked", None, "the record's form is broken") for name in RULE_CHECKS]
    else:
        replay = Replay(record, rulesets, seed)
        checks += [run_check(name, getattr(replay, name)) for name in RULE_CHECKS]
        fairness = replay.fairness
    return Audit(verdict(checks), [check._asdict() for check in checks], fairness)


class Replay:
    """A record played again by the rules, once, with what was found on the way."""

    def __init__(self, record: Record, rulesets: Registry, server_seed: bytes | None) -> None:
        self.rulesets = rulesets
        self.server_seed = server_seed
        self.created = record["entries"][0]["data"]
        self.missing_rules: str | None = None
        self.wrong_facts: Fault | None = None
        self.wrong_state: Fault | None = None
        self.wrong_end: Fault | None = None
        self.game: Game | None = None
        try:
            self._play(entries_of(record))
        except UnknownRuleset as unknown:
            self.missing_rules = unknown.message
        self.fairness = self.game.fairness if self.game else None

    def _play(self, entries: list[Sealed]) -> None:
        for sealed in entries:
            self.wrong_facts = self.wrong_facts or self._judge_facts(sealed)
            self.wrong_end = self.wrong_end or self._judge_end(sealed)
            try:
                self.game = fold(self.game, sealed, self.rulesets)
            except (
                BrokenLog,
                MalformedEntry,
                msgspec.ValidationError,
                LookupError,
                TypeError,
                ValueError,
            ) as error:
                fault = Fault(sealed.seq, f"its facts cannot be applied: {error}")
                self.wrong_facts = self.wrong_facts or fault
                self.wrong_state = self.wrong_state or fault
                self.wrong_end = self.wrong_end or fault
                return
            state = self.game.state
            if self.wrong_state is None and state is not None and digest(state) != sealed.entry.state:
                self.wrong_state = Fault(sealed.seq, "its facts lead to another state than the one recorded")

    def _judge_facts(self, sealed: Sealed) -> Fault | None:
        """Do the rules give exactly the recorded facts and chances from the state before?"""
        data = sealed.data
        if self.game is None or not isinstance(data, GameStarted | ActionTaken | SeatWithdrawn):
            return None
        if self.server_seed is None:
            return None
        try:
            facts, draws = self._decide(ruleset_of(self.game, self.rulesets), self.game, sealed)
        except UnknownRuleset:
            raise
        except Refusal as refusal:
            return Fault(sealed.seq, f"the rules refuse it: {refusal.code}")
        except Exception as error:  # so does playing on from a forged state
            return Fault(sealed.seq, f"the rules cannot play it: {error}")
        if canonical(facts) != canonical(data.facts):
            return Fault(sealed.seq, "the rules give other facts")
        if canonical(draws) != canonical(data.random):
            return Fault(sealed.seq, "the rules draw other chances")
        return None

    def _decide(
        self, ruleset: Ruleset[Any, Any], game: Game, sealed: Sealed
    ) -> tuple[list[Fact[Any]], tuple[Draw, ...]]:
        assert self.server_seed is not None
        chance = Chance(game.seed(self.server_seed))
        data = sealed.data
        if isinstance(data, GameStarted):
            options = ruleset.read_options(game.created.options)
            facts = ruleset.setup(options, game.created.seats, chance, game.position)
        elif isinstance(data, ActionTaken):
            action = ruleset.read_action(data.action)
            facts = ruleset.decide(game.state, sealed.entry.actor["seat"], action, chance)
        else:
            facts = ruleset.withdraw(game.state, data.seat, data.cause)
        return facts, chance.draws

    def _judge_end(self, sealed: Sealed) -> Fault | None:
        """Is nothing played after the end, and is the settled outcome the one the rules gave?"""
        game, data = self.game, sealed.data
        if game is None:
            return None
        over = game.status in ("ended", "aborted")
        if over and isinstance(data, ActionTaken | SeatWithdrawn | GameAborted):
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
        """The component set is one that we hold."""
        named = self.created["component_set"]
        versions = [ruleset for ruleset in self.rulesets if ruleset.name == self.created["ruleset"]]
        if not versions:
            raise NotChecked(f"no version of {self.created['ruleset']!r} is known here")
        held = [ruleset.component_sets.get(named["name"]) for ruleset in versions]
        if not any(known and known.sha256 == named["sha256"] for known in held):
            raise Fault(1, f"{named['name']!r} with this hash is no component set we hold")

    def outcome(self) -> None:
        self._need_rules()
        _raise(self.wrong_end)
        if self.game is None or self.game.status not in ("ended", "aborted"):
            raise NotChecked("the game has not ended")

    def _need_rules(self) -> None:
        if self.missing_rules:
            raise NotChecked(self.missing_rules)


def _raise(fault: Fault | None) -> None:
    if fault:
        raise fault

"""Rule replay: a recorded game played again by its rules, entry by entry, and compared with what the log says."""

from typing import Any

from msgspec.structs import replace

from events.canonical import canonical
from events.consequences import adjudication, opening, withdrawal
from events.entries import (
    ActionTaken,
    Carved,
    ComponentSetName,
    GameAborted,
    GameAdjudicated,
    GamePaused,
    GameResumed,
    GameSettled,
    GameStarted,
    PauseAgreed,
    SeatHandedOver,
    SeatWithdrawn,
    TakenBack,
    TimeAdded,
)
from events.game import Game, fold, follow, ruleset_of
from events.takebacks import check_take_back
from games.chance import Chance
from games.kernel import Fact, InvalidSetup, Refusal, Registry, Ruleset, UnknownRuleset
from replays.audit.clock_checks import check_clocks_by_rules
from replays.audit.digests import Digests
from replays.audit.verify import Fault, NotChecked

BY_RULES = (ActionTaken, GameStarted, SeatWithdrawn, GameAdjudicated)
"""What follows by the rules, facts and chances."""
ONLY_BEFORE_THE_END = (
    ActionTaken,
    TakenBack,
    SeatWithdrawn,
    SeatHandedOver,
    TimeAdded,
    PauseAgreed,
    GamePaused,
    GameResumed,
    GameAdjudicated,
    GameAborted,
)
"""What nobody can do once a game is over."""


class RuleReplay:
    """A record played again by the rules, once, with what was found on the way."""

    def __init__(self, entries: list[Carved], rulesets: Registry, server_seed: bytes | None) -> None:
        created, *others = entries
        self.rulesets = rulesets
        self.server_seed = server_seed
        self.seed: bytes | None = None
        self.digests = Digests()
        self.labels: list[str] = []
        """Every chance that the rules drew."""
        self._game = fold(None, created, rulesets)
        self._latest, self._state = created, self._game.state
        """Where the game stands since; of actions that the rules give, nothing else is kept without a clock by old terms."""
        self.ruleset: Ruleset[Any, Any] | None = None
        self.missing_rules: str | None = None
        self.wrong_facts: Fault | None = None
        self.wrong_state: Fault | None = None
        self.wrong_end: Fault | None = None
        self.wrong_clock: Fault | None = None
        self.wrong_signature: Fault | None = None
        self.broken_off: Fault | None = None
        self.before_settlement: tuple[Fault | None, str] | None = None
        """What was wrong with the end, and the game's status, when it was settled."""
        try:
            self.ruleset = ruleset_of(self.game, rulesets)
            self.wrong_facts = self._judge_creation(self.ruleset)
        except UnknownRuleset as unknown:
            self.missing_rules = unknown.message
        self._play(others)

    def _play(self, entries: list[Carved]) -> None:
        for carved in entries:
            state = None if self.wrong_facts else self._play_again(carved)
            try:
                self.wrong_clock = self.wrong_clock or check_clocks_by_rules(self._game, carved)
                self.wrong_signature = self.wrong_signature or _judge_signature(self._game, carved)
                if state is None:
                    self.wrong_end = self.wrong_end or self._judge_end(carved)
                    self._game = fold(self.game, carved, self.rulesets)
                    state = self._game.state
                    self.wrong_end = self.wrong_end or _judge_judgement(carved, state)
                elif self._game.created.clock or not self._game.old_terms:
                    self._game = follow(self._game, carved, state, carved.data.facts)
                self._latest, self._state = carved, state
                reached = None if state is None else self.digests.of(state)
            except Exception as error:  # there is no telling how facts break that no rules gave
                fault = Fault(carved.seq, f"its facts cannot be applied: {error}")
                self.wrong_facts = self.wrong_facts or fault
                self.wrong_state = self.wrong_state or fault
                self.wrong_end = self.wrong_end or fault
                self.broken_off = fault
                return
            if self.wrong_state is None and reached != carved.entry.state:
                self.wrong_state = Fault(carved.seq, "its facts lead to another state than the one recorded")

    @property
    def game(self) -> Game:
        """The game as far as it was played again."""
        return replace(self._game, version=self._latest.seq, hash=self._latest.hash, state=self._state)

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

    def _play_again(self, carved: Carved) -> Any:
        """Play an entry again, and note if the rules give other facts or chances than it has.

        Returns the state that an action led to; None where nothing was played, or the state must be folded.
        """
        data = carved.data
        if isinstance(data, TakenBack) and self.ruleset:
            self.wrong_facts = self._judge_take_back(carved)
        if self.server_seed is None or self.ruleset is None or not isinstance(data, BY_RULES):
            return None
        if self.seed is None:  # nobody brings entropy to a game that has begun
            self.seed = self.game.seed(self.server_seed)
        chance = Chance(self.seed)
        try:
            facts, state = self._rules_give(self.ruleset, carved, chance)
            if canonical(facts) != canonical(data.facts):
                raise Fault(carved.seq, "the rules give other facts")
            draws = chance.draws
            if (draws or data.random) and canonical(draws) != canonical(data.random):
                raise Fault(carved.seq, "the rules draw other chances")
        except Fault as fault:
            self.wrong_facts = fault
        except Refusal as refusal:
            self.wrong_facts = Fault(carved.seq, f"the rules refuse it: {refusal.code}")
        except Exception as error:  # so does playing on from a forged state
            self.wrong_facts = Fault(carved.seq, f"the rules cannot play it: {error}")
        else:
            if draws:
                self.labels += [draw.label for draw in draws]
            return state
        return None

    def _judge_take_back(self, carved: Carved) -> Fault | None:
        """May the seat return there, within its turn and without having learned anything?"""
        try:
            check_take_back(self.game, carved.data.seat, carved.data.to, self.rulesets)
        except Refusal as refusal:
            return Fault(carved.seq, f"the rules refuse it: {refusal.code}")
        except Exception as error:  # so does going back from a forged state
            return Fault(carved.seq, f"the rules cannot take it back: {error}")
        return None

    def _rules_give(
        self, ruleset: Ruleset[Any, Any], carved: Carved, chance: Chance
    ) -> tuple[list[Fact[Any]], Any]:
        """The facts that follow by the rules, and the state they lead to if it is known (it is after an action)."""
        data = carved.data
        if isinstance(data, ActionTaken):
            action = ruleset.read_action(data.action)
            course = ruleset.play(self._state, carved.entry.actor["seat"], action, chance)
            return course.facts, course.state
        if isinstance(data, GameStarted):
            return opening(ruleset, self._game, chance).facts, None
        if isinstance(data, GameAdjudicated):
            return adjudication(ruleset, self._game, self._state, data.outcome["winners"]), None
        return withdrawal(ruleset, self._game, self._state, data.seat, data.cause), None

    @property
    def drew_all(self) -> bool:
        """Are the recorded chances the ones that the rules drew from the seed, each label once?"""
        played = self.server_seed is not None and not (self.wrong_facts or self.missing_rules)
        return played and len(set(self.labels)) == len(self.labels)

    def _judge_end(self, carved: Carved) -> Fault | None:
        """Is nothing played after the end, and is the settled outcome the one the rules gave?"""
        game, data = self.game, carved.data
        over = game.status in ("ended", "aborted")
        if over and isinstance(data, ONLY_BEFORE_THE_END):
            return Fault(carved.seq, "something was done after the end")
        if isinstance(data, GameSettled):
            self.before_settlement = (self.wrong_end, game.status)
            if not over:
                return Fault(carved.seq, "the game was settled before it had ended")
            outcome = None if game.aborted else game.outcome
            if canonical(outcome) != canonical(data.outcome):
                return Fault(carved.seq, "the outcome is not the one the rules gave")
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
            ComponentSetName(component_set.name, component_set.sha256)
            for ruleset in self.rulesets
            if ruleset.name == created.ruleset
            and (self.missing_rules or ruleset.version == created.ruleset_version)
            for component_set in ruleset.component_sets.values()
        ]
        if named not in held:
            self._need_rules()
        if named not in held or named.name != created.options.get("component_set"):
            raise Fault(1, f"{named.name!r} with this hash is no component set of this game")

    def outcome(self) -> None:
        self._judge_outcome(self.wrong_end, self.game.status)

    def outcome_before_settlement(self) -> None:
        """`outcome`, as it was when the game was settled."""
        self._judge_outcome(*self.before_settlement or (self.wrong_end, self.game.status))

    def _judge_outcome(self, wrong_end: Fault | None, status: str) -> None:
        self._need_rules()
        _raise(wrong_end)
        if status not in ("ended", "aborted"):
            raise NotChecked("the game has not ended")

    def clocks(self) -> None:
        """Nobody acted late or was withdrawn too soon. (Without the rules, `verify.py` says what can be said.)"""
        self._need_rules()
        _raise(self.wrong_clock)
        if self.broken_off:
            raise NotChecked(f"entry {self.broken_off.entry}: {self.broken_off.detail}")

    def _need_rules(self) -> None:
        if self.missing_rules:
            raise NotChecked(self.missing_rules)


def _judge_signature(before: Game, carved: Carved) -> Fault | None:
    """Was the decision that is signed the one that the seat was asked?"""
    data = carved.data
    if not isinstance(data, ActionTaken) or not data.signed or data.signed.index:
        return None
    if before.decisions.get(carved.entry.actor["seat"]) != data.signed.decision:
        return Fault(carved.seq, "what is signed was not the seat's decision")
    return None


def _judge_judgement(carved: Carved, state: Any) -> Fault | None:
    """Is the outcome that an adjudication tells the one that its facts led to?"""
    data = carved.data
    if isinstance(data, GameAdjudicated) and canonical(state.outcome) != canonical(data.outcome):
        return Fault(carved.seq, "its outcome is not the one of its facts")
    return None


def _raise(fault: Fault | None) -> None:
    if fault:
        raise fault

"""What a ruleset is. The rest of the system plays any game through this face and knows the rules of none.

A game is a sequence of facts. `decide` says which facts follow from an action, `evolve` applies one fact to a
state, and the same `evolve` applies redacted facts to a view. Nothing here knows a clock, a network or a store.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast

import msgspec

from games.chance import Chance, Stream
from games.components import ComponentSet

Seat = int
Viewer = int | None
"""Who looks: a seat, or None for a spectator."""


class Refusal(Exception):
    """Something that is not allowed, with a code for programs and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class IllegalAction(Refusal):
    """The rules refuse this action; nothing has changed."""


class InvalidSetup(Refusal):
    """No game can begin like this: `invalid_options`, `invalid_seats` or `invalid_position`."""


class UnknownRuleset(Refusal):
    """No such game, or not in that version."""


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended: several winners share the win, none means that nobody won."""

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...]
    tiebreak: str | None = None


class GameState(Protocol):
    """What every game's state has, besides its own zones."""

    @property
    def options(self) -> Any: ...
    @property
    def phase(self) -> str: ...
    @property
    def to_act(self) -> tuple[Seat, ...]: ...
    @property
    def players(self) -> Sequence[Any]: ...
    @property
    def outcome(self) -> Outcome | None: ...


S = TypeVar("S", bound=GameState)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_snake_case):
    """What a player asks for. The class name in snake_case is its `type` on the wire."""

    phases: ClassVar[frozenset[str]]
    """The phases this action belongs to; in any other it is refused as `wrong_phase`."""


class Fact(
    msgspec.Struct, Generic[S], frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_snake_case
):
    """Something that happened: its members, what it does to a state, and what of it is hidden from whom."""

    def apply(self, state: S) -> S:
        """The state after this fact. Given a view and a redacted fact, the view after it."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class

    def seen_by(self, viewer: Viewer) -> Self:
        """This fact as a viewer may see it: hidden members are null."""
        return self


A = TypeVar("A", bound=Action)


class Course(Generic[S]):
    """Facts as they happen, and the state they have led to so far."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.facts: list[Fact[S]] = []

    def happens(self, fact: Fact[S]) -> None:
        """Note a fact and move the state on."""
        self.facts.append(fact)
        self.state = fact.apply(self.state)


class Bot(ABC, Generic[S, A]):
    """A built-in player. It sees what its seat sees and nothing else."""

    @abstractmethod
    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        """One of the legal actions of a seat that is to act."""


class Ruleset(ABC, Generic[S, A]):
    """One version of one game. A released (name, version) is frozen: a changed rule is a new version."""

    name: ClassVar[str]
    version: ClassVar[int]
    seat_counts: ClassVar[range]
    names: ClassVar[Mapping[str, Mapping[str, str]]]
    """Words for people, by language (`en`, `fr`), then by id; the game's own title under its ruleset name."""
    sentences: ClassVar[Mapping[str, Mapping[str, Any]]] = MappingProxyType({})
    """How the game's facts are told to people, by language, then by the fact's type."""
    state_type: ClassVar[type[Any]]
    options_type: ClassVar[type[msgspec.Struct]]
    """Every option with its default; `component_set` among them."""
    action_types: ClassVar[tuple[type[Action], ...]]
    fact_types: ClassVar[tuple[type[Fact[Any]], ...]]
    component_sets: Mapping[str, ComponentSet[Any]]

    # -- the rules, each game's own ---------------------------------------------------------------------------

    @abstractmethod
    def setup(
        self, options: Any, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[S]]:
        """The opening facts of a game with these options (as `read_options` gives them)."""

    @abstractmethod
    def carry_out(self, state: S, seat: Seat, action: A, chance: Chance) -> Course[S]:
        """What follows from an action that is timely: the action's own refusals, then its facts."""

    @abstractmethod
    def end_now(self, state: S, winners: tuple[Seat, ...], reason: str) -> Fact[S]:
        """The game's `game_ended` as things stand."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> list[A]:
        """Every action `decide` accepts from this seat, in canonical form; a view of that seat gives the same."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> S:
        """The state as a viewer may see it: hidden zones are null, their counts stay."""

    @abstractmethod
    def greedy_bot(self) -> Bot[S, A]:
        """A built-in player that plays sensibly."""

    # -- defaults that a game may replace ---------------------------------------------------------------------

    def canonical(self, state: S, seat: Seat, action: A) -> A:
        """The one form of this action that the list of legal actions holds; total, also where it will be refused."""
        return action

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """An action, as it was sent, as others may see it: its type alone."""
        return action if viewer == seat else {"type": action["type"]}

    # -- what all games share -----------------------------------------------------------------------------------

    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> list[Fact[S]]:
        """The facts that follow from an action; raises IllegalAction and changes nothing if it is refused."""
        return self.play(state, seat, action, chance).facts

    def play(self, state: S, seat: Seat, action: A, chance: Chance) -> Course[S]:
        """`decide`, with the state that the facts lead to."""
        self.check_timely(state, seat, action)
        return self.carry_out(state, seat, action, chance)

    def check_timely(self, state: S, seat: Seat, action: A) -> None:
        """The refusals common to all games, in their fixed order."""
        if state.phase == "ended":
            raise IllegalAction("game_over", "The game is over.")
        if seat not in state.to_act:
            raise IllegalAction("not_your_turn", f"Seat {seat} is not to act now.")
        if state.phase not in action.phases:
            kind = action.__struct_config__.tag
            raise IllegalAction("wrong_phase", f"`{kind}` does not belong to the phase `{state.phase}`.")

    def evolve(self, state: S, fact: Fact[S]) -> S:
        """The state after one fact; a view after a redacted fact."""
        return fact.apply(state)

    def fold(self, state: S | None, facts: Iterable[Fact[S]]) -> S:
        """The state after all these facts; a game's first fact needs no state before it."""
        for fact in facts:
            state = fact.apply(state)  # type: ignore[arg-type]  # game_set_up alone may follow None, and replaces it
        if state is None:
            raise ValueError("no facts, no state")
        return state

    def redact(self, fact: Fact[S], viewer: Viewer) -> Fact[S]:
        """A fact as a viewer may see it."""
        return fact.seen_by(viewer)

    def bot(self, level: str) -> Bot[S, A]:
        """A built-in player by level: `random` or `greedy`."""
        match level:
            case "random":
                return RandomBot(self)
            case "greedy":
                return self.greedy_bot()
        raise Refusal("unknown_bot", f"There is no bot {level!r}; choose one of {', '.join(BOT_LEVELS)}.")

    def withdraw(self, state: S, seat: Seat, cause: str) -> list[Fact[S]]:
        """A seat gives up or runs out of time: the same in all games."""
        others = tuple(s for s in range(len(state.players)) if s != seat)
        if len(others) == 1:
            return [self.end_now(state, others, cause)]
        vacated: Fact[S] = self._seat_vacated(seat, cause)
        state = vacated.apply(state)
        staying = tuple(s for s, player in enumerate(state.players) if player.vacated is None)
        return [vacated, self.end_now(state, staying, "last_player")] if len(staying) == 1 else [vacated]

    def _seat_vacated(self, seat: Seat, cause: str) -> Fact[S]:
        for fact_type in self.fact_types:
            if fact_type.__struct_config__.tag == "seat_vacated":
                return fact_type(seat=seat, cause=cause)
        raise TypeError(f"{self.name} is for more than two players and has no fact `seat_vacated`")

    # -- reading what comes from outside ------------------------------------------------------------------------

    def read_action(self, raw: Any) -> A:
        """An action from its JSON value: `unknown_action` and `malformed_action` are decided here, by shape alone."""
        if not isinstance(raw, dict):
            raise IllegalAction("malformed_action", "An action is a JSON object.")
        kind = raw.get("type")
        action_type = self._actions_by_type.get(kind) if isinstance(kind, str) else None
        if action_type is None:
            known = ", ".join(self._actions_by_type)
            raise IllegalAction("unknown_action", f"An action's `type` is one of: {known}.")
        try:
            return cast(A, msgspec.convert(raw, action_type))
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed_action", f"`{kind}`: {error}.") from None

    def read_fact(self, raw: Any) -> Fact[S]:
        """A fact from its JSON value, as the log holds it."""
        return self.read_facts([raw])[0]

    def read_facts(self, raw: Sequence[Any]) -> Sequence[Fact[S]]:
        """The facts of an entry, as the log holds them, or typed as they were decided."""
        if not raw or isinstance(raw[0], Fact):
            return raw
        return cast(Sequence[Fact[S]], msgspec.convert({"facts": raw}, self._facts_of_an_entry).facts)

    def read_state(self, raw: Any) -> S:
        """A full state or a view from its JSON value."""
        return cast(S, msgspec.convert(raw, self.state_type))

    def read_options(self, raw: Mapping[str, Any] | None) -> Any:
        """The options in force, defaults filled in; refuses unknown members, values and component sets."""
        try:
            options = msgspec.convert({} if raw is None else raw, self.options_type)
        except msgspec.ValidationError as error:
            raise InvalidSetup("invalid_options", f"Options of {self.name}: {error}.") from None
        chosen = options.component_set  # type: ignore[attr-defined]  # every options type has it
        if chosen not in self.component_sets:
            known = ", ".join(self.component_sets)
            raise InvalidSetup("invalid_options", f"There is no component set {chosen!r}; known: {known}.")
        return options

    def check_seats(self, seats: int) -> None:
        """Refuse a number of players this game is not for."""
        if seats not in self.seat_counts:
            few, many = self.seat_counts[0], self.seat_counts[-1]
            number = f"{few}" if few == many else f"{few} to {many}"
            raise InvalidSetup("invalid_seats", f"{self.name} is for {number} players, not {seats}.")

    def new_game(
        self,
        options: Mapping[str, Any] | None,
        seats: int,
        chance: Chance,
        position: Mapping[str, Any] | None = None,
    ) -> list[Fact[S]]:
        """The opening facts from what a caller sent: options, then seats, then the position are checked."""
        chosen = self.read_options(options)
        self.check_seats(seats)
        return self.setup(chosen, seats, chance, position)

    def component_set(self, options: Any) -> ComponentSet[Any]:
        """The component set that these options choose."""
        return self.component_sets[options.component_set]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "action_types"):
            cls._actions_by_type = {str(kind.__struct_config__.tag): kind for kind in cls.action_types}
            any_fact: Any = reduce(or_, cls.fact_types)
            cls._facts_of_an_entry = msgspec.defstruct("FactsOfAnEntry", [("facts", tuple[any_fact, ...])])

    _actions_by_type: ClassVar[Mapping[str, type[Action]]]
    _facts_of_an_entry: ClassVar[type[Any]]


BOT_LEVELS = ("random", "greedy")


class RandomBot(Bot[S, A]):
    """Chooses uniformly among the legal actions of any game."""

    def __init__(self, ruleset: Ruleset[S, A]) -> None:
        self._ruleset = ruleset

    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        actions = self._ruleset.legal_actions(view, seat)
        return actions[dice.below(len(actions))]


class Registry:
    """The rulesets at hand, by name and version."""

    def __init__(self, rulesets: Iterable[Ruleset[Any, Any]]) -> None:
        self._rulesets = {(ruleset.name, ruleset.version): ruleset for ruleset in rulesets}

    def __iter__(self) -> Iterator[Ruleset[Any, Any]]:
        return iter(self._rulesets.values())

    def get(self, name: str, version: int) -> Ruleset[Any, Any]:
        """This very version, as a game that began with it needs."""
        try:
            return self._rulesets[name, version]
        except KeyError:
            raise UnknownRuleset(
                "ruleset_version_missing", f"Ruleset {name!r} version {version} is not here."
            ) from None

    def latest(self, name: str) -> Ruleset[Any, Any]:
        """The newest version, as a new game takes it."""
        versions = self.versions(name)
        if not versions:
            known = ", ".join(sorted({name for name, _ in self._rulesets}))
            raise UnknownRuleset("unknown_ruleset", f"There is no ruleset {name!r}; known: {known}.")
        return self._rulesets[name, versions[-1]]

    def versions(self, name: str) -> list[int]:
        """Every version of a ruleset, oldest first."""
        return sorted(version for known, version in self._rulesets if known == name)

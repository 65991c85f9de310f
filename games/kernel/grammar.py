"""The grammar that every game is written in: states, facts, actions, and the course that an action takes.

A *fact* is one class: its members, what it does to a state (`apply`) and what of it is hidden from whom (`seen_by`).
An *action* is one class: its members, its `phases`, the first rule it breaks (`against`) and its facts (`happen`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar

import msgspec

from games.chance import Chance
from games.kernel.refusals import Objection

replace = msgspec.structs.replace

Seat = int
Viewer = int | None
"""Who looks: a seat, or None for a spectator."""
T = TypeVar("T")

_NO_CHANCE = Chance(b"")


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended: several winners share the win, none means that nobody won."""

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...]
    tiebreak: str | None = None


CLOCK_RESTARTS = ("phase", "turn", "round")
"""What gives a seat its time anew when it changes, where a game's state has it."""


class GameState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole game, or a view of it: in a view, zones that are hidden are null and their counts stay.

    Each game adds its own zones to the members named here; a player in a game of more than two has a `vacated`.
    """

    if TYPE_CHECKING:

        @property
        def options(self) -> Any: ...
        @property
        def phase(self) -> str: ...
        @property
        def active_seat(self) -> Seat | None: ...
        @property
        def to_act(self) -> tuple[Seat, ...]: ...
        @property
        def players(self) -> Sequence[Any]: ...
        @property
        def outcome(self) -> Outcome | None: ...

    def with_player(self, seat: Seat, **changes: Any) -> Self:
        """The state with these members of one player changed."""
        return replace(self, players=self.players_with(seat, replace(self.players[seat], **changes)))

    def seated(self, seat: Seat, player: Any, **changes: Any) -> Self:
        """The state with this player in a seat, and what else has changed with it."""
        changes["players"] = self.players_with(seat, player)
        return replace(self, **changes)

    def players_with(self, seat: Seat, player: Any) -> tuple[Any, ...]:
        """All players, with this one in a seat."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)

    def waiting_without(self, seat: Seat) -> tuple[Seat, ...]:
        """Who is still to act once this seat has done its part."""
        return tuple([other for other in self.to_act if other != seat])

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that have not withdrawn."""
        return tuple([seat for seat, player in enumerate(self.players) if player.vacated is None])

    @classmethod
    @cache
    def clock_restarts(cls) -> tuple[str, ...]:
        """The members of such states whose change gives a seat that stays to act its time anew."""
        members = {each.encode_name for each in msgspec.structs.fields(cls)}
        return tuple(member for member in CLOCK_RESTARTS if member in members)

    def cleared(self) -> Self:
        """The state at the end of the game, with every decision taken back that was still under way."""
        return self


S = TypeVar("S", bound=GameState)


def leading(seats: Sequence[Seat], marks: Sequence[int]) -> tuple[Seat, ...]:
    """Those of the seats that have most, by the marks of all seats of the game."""
    most = max(marks[seat] for seat in seats)
    return tuple(seat for seat in seats if marks[seat] == most)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# -- what happens ---------------------------------------------------------------------------------------------------


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


class SeatFact(Fact[S], frozen=True):
    """Something that a seat did, or that happened to it."""

    for_the_seat: ClassVar[tuple[str, ...]] = ()
    """The members that nobody but this seat sees."""
    seat: Seat

    def seen_by(self, viewer: Viewer) -> Self:
        if not self.for_the_seat or viewer == self.seat:
            return self
        return replace(self, **dict.fromkeys(self.for_the_seat))


class GameSetUp(Fact[S], frozen=True):
    """The game lies ready; it follows no state. What a viewer sees of it, the ruleset's zones say."""

    state: S

    def apply(self, state: S) -> S:
        return self.state

    def seen_by(self, viewer: Viewer) -> Self:
        raise NotImplementedError("Ruleset.redact shows this fact as the zones say")


class SeatVacated(SeatFact[S], frozen=True):
    """A seat has withdrawn from a game of more than two; a bot plays it to the end."""

    cause: Literal["resigned", "timed_out"]

    def apply(self, state: S) -> S:
        return state.with_player(self.seat, vacated=self.cause)


class GameEnded(Fact[S], frozen=True):
    """The game is over; nobody is to act any more."""

    outcome: Outcome

    def apply(self, state: S) -> S:
        return replace(state.cleared(), outcome=self.outcome, phase="ended", active_seat=None, to_act=())


class Course(Generic[S]):
    """Facts as they happen, the state they have led to so far, and the chance that they may draw on."""

    __slots__ = ("chance", "facts", "state")

    def __init__(self, state: S, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.facts: list[Fact[S]] = []

    @classmethod
    def opened_by(cls, state: S, chance: Chance) -> "Course[S]":
        """The course of a new game, which begins with the fact that this state was set up."""
        course = cls(state, chance)
        course.happens(GameSetUp(state))
        return course

    def happens(self, fact: Fact[S]) -> None:
        """Note a fact and move the state on."""
        self.facts.append(fact)
        self.state = fact.apply(self.state)

    def shuffle(self, label: str, items: Iterable[T]) -> tuple[T, ...]:
        """Shuffle with the game's stream of this label, which is used once; index 0 of the result is the top."""
        return self.chance.shuffle(label, items)


# -- what is asked for ----------------------------------------------------------------------------------------------


class Action(
    msgspec.Struct, Generic[S], frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_snake_case
):
    """What a player asks for. The class name in snake_case is its `type` on the wire."""

    phases: ClassVar[frozenset[str]]
    """The phases this action belongs to; in any other it is refused as `wrong_phase`."""
    in_the_open: ClassVar[bool] = False
    """Whether everyone sees the action as it was sent; of any other, others learn its type alone."""

    def against(self, state: S, seat: Seat) -> Objection | None:
        """The first rule that this action breaks; None if it is legal. The seat's own view is enough to tell."""
        return None

    def happen(self, course: Course[S], seat: Seat) -> None:
        """What follows, once nothing speaks against it."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class

    def leads_to(self, state: S, seat: Seat) -> S:
        """The state right after this action, where that draws on no chance; a view, if a view is given."""
        course = Course(state, _NO_CHANCE)
        self.happen(course, seat)
        return course.state

    def canonical(self, state: S, seat: Seat) -> Self:
        """The one form of this action that the list of legal actions holds; total, also where it will be refused."""
        return self

    @classmethod
    def shown_to_others(cls, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """An action, as it was sent, as everyone but its own seat may see it."""
        return sent if cls.in_the_open else {"type": sent["type"]}


A = TypeVar("A", bound=Action[Any])


def kinds_in(base: type[T], *modules: ModuleType) -> tuple[type[T], ...]:
    """The kinds of facts, or of actions, that these modules define, in the order of their definition.

    A class that others of them derive from is what those share, and no kind itself.
    """
    classes = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, base) and each.__module__ == module.__name__
    ]
    shared = {above for each in classes for above in each.__mro__[1:]}
    return tuple(each for each in classes if each not in shared)

"""A game as a value: its seats, the state of play, who is asked, and what can be taken back.

`events.game` folds it from the log.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import msgspec

from events import seeds
from events.entries import FIRST_TERMS, TERMS, GameCreated, GameSettled

_game_seed = lru_cache(4096)(seeds.game_seed)


class Chair(msgspec.Struct, frozen=True):
    """One seat of a game: who sits there, and what they brought."""

    taken: bool = False
    ref: str | None = None
    named: bool = False
    bot: str | None = None
    withdrawn: str | None = None
    generation: int = 0
    """The generation of the seat's token: one counter for all who ever sat there."""
    leavings: tuple[int, ...] = ()
    """The generation that began with each time the seat was given up or handed over."""
    entropy: str | None = None
    entropy_commitment: str | None = None
    revealed: str | None = None
    seated_by: dict[str, Any] | None = None
    public_key: str | None = None
    """The key with which whoever holds the seat signs."""
    came_with: int = 0
    """The generation with which who holds the seat has come."""
    held_since: int = 0
    """The entry that handed the seat over to who holds it; 0: it never was."""
    handovers: int = 0
    takebacks: int = 0
    """How often the seat has taken something back."""

    @property
    def person(self) -> bool:
        """Does somebody sit here who is no bot?"""
        return self.taken and self.bot is None

    @property
    def staying(self) -> bool:
        """Is this seat a person's who has not withdrawn?"""
        return self.person and self.withdrawn is None

    @property
    def sealed(self) -> bool:
        """Has this seat a seal that is still closed?"""
        return self.entropy_commitment is not None and self.revealed is None

    @property
    def entropy_bytes(self) -> bytes:
        """What this seat adds to the game's seed."""
        return bytes.fromhex(self.revealed) if self.revealed else (self.entropy or "").encode()


class Pause(msgspec.Struct, frozen=True):
    """Since when a game is paused, and by whom: `host` (an operator, too) or `players`."""

    at: str
    by: str


@dataclass(frozen=True)
class Point:
    """A state that the game has passed through, the entries after which it stood, and the action that led to it."""

    versions: tuple[int, ...]
    state: Any = None
    facts: tuple[Any, ...] = ()
    drew: bool = False
    """Did the action draw on chance?"""
    sights: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)
    """What seats saw on the way here, once it was worked out (see `events.takebacks`)."""


@dataclass(frozen=True)
class Lineage:
    """The state after which one seat alone has acted, and those that its actions have led to since."""

    points: tuple[Point, ...]
    """The first is where the seat's actions begin, the last is the present."""
    seat: int | None = None
    """Whose actions they are; None: nobody has acted since."""
    latest: int = 0
    """The number of the latest entry that has facts, whether it stands or was taken back."""

    @classmethod
    def from_here(cls, version: int, state: Any) -> "Lineage":
        """Nothing before this entry can be taken back."""
        return cls((Point((version,), state),), None, version)

    def stayed(self, version: int) -> "Lineage":
        """After an entry that leaves the state as it is."""
        *before, last = self.points
        return replace(self, points=(*before, replace(last, versions=(*last.versions, version))))

    def acted(self, seat: int, version: int, state: Any, facts: tuple[Any, ...], drew: bool) -> "Lineage":
        """After an action of a seat; another seat's actions can be taken back no more."""
        points = self.points
        if seat != self.seat:
            since = tuple(number for number in points[-1].versions if number >= self.latest)
            points = (Point(since, points[-1].state),)
        return Lineage((*points, Point((version,), state, facts, drew)), seat, version)

    def returned(self, to: int, version: int) -> "Lineage":
        """After the entry of this version has taken back everything after entry `to`."""
        index = self.index_of(to)
        if index is None:
            raise LookupError(f"entry {to} does not lead to the present state")
        kept = self.points[index]
        versions = (*(number for number in kept.versions if number <= to), version)
        return replace(self, points=(*self.points[:index], replace(kept, versions=versions)))

    def index_of(self, version: int) -> int | None:
        """The place among the points of the state after an entry; None if that entry does not lead to the present."""
        for index, point in enumerate(self.points):
            if version in point.versions:
                return index
        return None


class Game(msgspec.Struct, frozen=True):
    """Everything that follows from a game's log up to `version`."""

    id: str
    created: GameCreated
    created_at: str
    creator: dict[str, Any]
    chairs: tuple[Chair, ...]
    version: int
    hash: str
    at: str
    state: Any = None
    state_hash: str | None = None
    started: bool = False
    aborted: str | None = None
    settled: GameSettled | None = None
    decisions: dict[int, int] = {}
    """For each seat to act, the entry that asked it (or its own latest action since)."""
    asked_at: dict[int, str] = {}
    """For each seat to act, when its clock began to run."""
    left: dict[int, int] = {}
    """What seats have left of a total clock or a reserve, in milliseconds, as of the latest entry; absent: all of it."""
    full_since: str | None = None
    """When the last seat was taken."""
    decision_hashes: dict[int, str] = {}
    """For each seat to act, the hash of the entry that `decisions` names."""
    stalled: tuple[int, ...] = ()
    """Seats that have taken something back in this turn: nothing restarts their clocks or gives them an increment."""
    paused: Pause | None = None
    pause_agreed: tuple[int, ...] = ()
    """The seats that have agreed to a pause since the latest action."""
    lineage: Lineage | None = None
    """What can be taken back; None where nothing ever can."""

    @property
    def status(self) -> str:
        """`open`, `sealing`, `playing`, `ended` or `aborted`."""
        if self.aborted:
            return "aborted"
        if self.started:
            return "ended" if self.state.outcome else "playing"
        return "sealing" if self.full else "open"

    @property
    def first_terms(self) -> bool:
        """Is this a game of the first terms, into which nothing newer is written?"""
        return self.created.terms == FIRST_TERMS

    @property
    def old_terms(self) -> bool:
        """Is this a game of terms that know no take-backs, pauses, hand-overs, added time or signatures?"""
        return self.created.terms < TERMS

    @property
    def full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @property
    def outcome(self) -> Any:
        return self.state.outcome if self.state is not None else None

    @property
    def to_act(self) -> tuple[int, ...]:
        playing = self.started and not self.aborted and not self.state.outcome
        return self.state.to_act if playing else ()

    @property
    def takebacks(self) -> bool:
        """May players take back their actions?"""
        return self.created.takebacks is True

    @property
    def on_clock(self) -> tuple[int, ...]:
        """The seats to act that a clock binds: people who have not withdrawn."""
        return tuple(seat for seat in self.to_act if self.chairs[seat].staying)

    def caller_at(self, seat: int, generation: int | None = None) -> str:
        """How `req` names who sits there, or sat there with a token of an earlier generation."""
        chair = self.chairs[seat]
        since = chair.generation if generation is None else generation
        before = sum(began <= since for began in chair.leavings)
        return f"{seat}~{before}" if before else f"{seat}"

    @property
    def seeded(self) -> bool:
        origin = self.created.origin
        return origin["kind"] == "seeded" or bool(origin.get("seeded"))

    @property
    def position(self) -> dict[str, Any] | None:
        """The position this game begins from, if it is not an ordinary setup."""
        return self.created.origin.get("position")

    def seed(self, server_seed: bytes) -> bytes:
        """The seed of this game's chances, once every seat is taken and every seal opened."""
        if self.seeded:
            return server_seed
        return _game_seed(server_seed, self.id, tuple(chair.entropy_bytes for chair in self.chairs))

    @property
    def fairness(self) -> str | None:
        """What the chances of this game are worth: who could have chosen the deal."""
        if self.created.origin["kind"] in ("position", "fork"):
            return None
        if self.seeded:
            return "seeded"
        independent = [chair for seat, chair in enumerate(self.chairs) if self._is_independent(seat, chair)]
        if any(chair.entropy_commitment for chair in independent):
            return "sealed"
        return "open" if any(chair.entropy for chair in independent) else "server_only"

    def _is_independent(self, seat: int, chair: Chair) -> bool:
        """Did a player bring its own? (By the first terms: anyone but a bot and who created the game.)"""
        if self.first_terms:
            return chair.seated_by != self.creator and not chair.bot
        return chair.person and chair.seated_by == {"seat": seat}

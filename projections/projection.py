"""A projection is a value: what follows from a game, the keys that it is kept under, and how it is dropped.

Projections are found in `projections.registry`, each in a module of its own; store, rebuild, forgetting, the archive,
health and the documentation iterate over them. One script stores what all of them make of a game (`project.lua`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec

from events.clocks import Patience
from events.game import Game
from events.store import Client, EventStore
from games.kernel import Registry
from projections.host_events import HostEvent

KeyKind = Literal["hash", "set", "order", "places", "other"]
"""What a key of a partition holds: by game a value, games, games by a number, by game the lists that it stands in; or what is never dropped."""


class ProjectedGame(NamedTuple):
    """A game folded up to its latest entry, and what the entries that are new have brought about."""

    game: Game
    rulesets: Registry
    patience: Patience
    happened: list[HostEvent]
    keyframes: list[Game]
    """The moments on the way that are kept whole."""
    imported: bool
    """Was it played elsewhere? Then it has no result here, and nobody is told of it."""


class HashValue(msgspec.Struct, frozen=True, omit_defaults=True, tag="hash"):
    """The game's value in a hash; None for none. A change of it adds the game to the set `marks`."""

    key: str
    value: str | None = None
    marks: str | None = None
    only_clean: bool = False
    """Is it written only with the latest version of the game?"""
    only_in: str | None = None
    """A set: of games that are not in it nothing is written."""


class Member(msgspec.Struct, frozen=True, omit_defaults=True, tag="set"):
    """Whether the game is in a set."""

    key: str
    present: bool


class SortedScore(msgspec.Struct, frozen=True, omit_defaults=True, tag="order"):
    """The game's number in a sorted set; None for none."""

    key: str
    score: str | None = None
    only_clean: bool = False
    only_live: bool = False
    """Is there none once the game is archived?"""


class Places(msgspec.Struct, frozen=True, tag="places"):
    """The sorted sets that the game stands in, a JSON list of names, and where: it is taken from those that it stood in before."""

    key: str
    names: str
    at: str


class Stamp(msgspec.Struct, frozen=True, tag="stamp"):
    """A text that is written while none of the keys `unless` is there."""

    key: str
    text: str
    unless: tuple[str, ...]


class StreamLines(msgspec.Struct, frozen=True, omit_defaults=True, tag="stream"):
    """Host events for a stream of the partition: those of later versions than the game's in the hash `published`."""

    stream: str
    dropped: str
    published: str
    turns: str
    host: str
    events: list[tuple[int, str, str]]
    """Version, type and JSON of each."""
    kept_ms: int
    length: int | None = None
    settled: bool = False


Write = HashValue | Member | SortedScore | Places | Stamp | StreamLines


def leave_alone(*_: Any) -> None:
    """Does nothing."""


def no_writes(_: ProjectedGame) -> Iterable[Write]:
    """Nothing that the script stores."""
    return ()


@dataclass(frozen=True)
class Projection:
    """What follows from a game's log, under a name; everything in it can be deleted and comes back."""

    name: str
    title: str
    """What it is, for the documentation."""
    write: Callable[[ProjectedGame], Iterable[Write]] = no_writes
    """What the script stores of a game."""
    keys: Mapping[str, KeyKind] = field(default_factory=dict)
    """The keys of each partition by their names."""
    lists: str | None = None
    """What the names of the sorted sets of its `places` begin with."""
    game_keys: tuple[str, ...] = ()
    """The keys of each game."""
    outlives_log: bool = False
    """Do the keys of a game stay when it is archived?"""
    backlog: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The sizes that health reports, each of a hash or of some sets together."""
    rebuilt: bool = True
    """Can it be dropped and made again from the logs at any time?"""
    beside: Callable[[Client, ProjectedGame], None] = leave_alone
    """Writes what does not lie in the game's slot, or is not of the latest version."""
    remake: Callable[[EventStore, str], None] = leave_alone
    """Makes again of a game what no `write` makes."""
    drop: Callable[[Client], None] = leave_alone
    """Drops what lies in none of `keys`, `lists` and `game_keys`."""
    marked: str | None = None
    """The set of games that `publish` is owed."""
    publish: Callable[[Client, str], None] = leave_alone
    """Has a part of the store that lies elsewhere know of a game, and takes off its mark."""

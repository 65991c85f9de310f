"""Push messages: what registered seats can be told, noted until it is scheduled."""

from collections.abc import Iterator

from events.canonical import canonical
from events.store import Client
from projections.projection import HashValue, ProjectedGame, Projection, Write
from projections.pushes import (
    DUE,
    GAMES,
    OCCASIONS,
    PRESENT,
    REGISTRATIONS,
    UNSCHEDULED,
    Pushes,
    occasions_of,
)


def write_occasions(of: ProjectedGame) -> Iterator[Write]:
    occasions = canonical(occasions_of(of.game)).decode()
    yield HashValue(OCCASIONS, occasions, marks=UNSCHEDULED, only_clean=True, only_in=GAMES)


def schedule(client: Client, game: str) -> None:
    Pushes(client).schedule(game)


PROJECTION = Projection(
    name="pushes",
    title="push registrations of seats, and what they are to be told",
    write=write_occasions,
    keys={GAMES: "set", OCCASIONS: "hash", DUE: "other"},
    game_keys=(REGISTRATIONS, PRESENT),
    rebuilt=False,
    marked=UNSCHEDULED,
    publish=schedule,
)

"""The lobby: a row for each game, and the lists that it stands in."""

from collections.abc import Iterator

from events.canonical import canonical
from events.times import milliseconds
from projections.list_query import LISTS_FORMAT
from projections.lobby import facets, lobby_row
from projections.projection import HashValue, Places, ProjectedGame, Projection, Stamp, Write


def write_lobby(of: ProjectedGame) -> Iterator[Write]:
    row = lobby_row(of.game, of.patience)
    created = str(milliseconds(of.game.created_at))
    yield Stamp("lists", LISTS_FORMAT, unless=("lobby:rows", "results"))
    yield Places("lobby:facets", canonical(facets(row)).decode(), created)
    yield HashValue("lobby:rows", canonical(row).decode())


PROJECTION = Projection(
    name="lobby",
    title="games by status, ruleset, host, tag, player and who is to act",
    write=write_lobby,
    keys={"lobby:rows": "hash", "lobby:facets": "places", "lists": "other"},
    lists="lobby",
)

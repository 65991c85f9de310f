"""The lobby: a row for each game, found by status, ruleset, host, tag, player and who is to act."""

from typing import Any

import msgspec

from events.clocks import Patience, deadlines
from events.entries import Clock
from events.game import Game
from projections.list_query import ANY, list_names, players_of, quoted, subjects_of

STATUS_GROUPS = {
    "open": "open",
    "sealing": "open",
    "playing": "playing",
    "ended": "ended",
    "aborted": "ended",
}


class LobbyRow(msgspec.Struct, frozen=True):
    """What a list tells of a game. Names are not kept here: they are looked up, since they can be forgotten."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: str
    created: str
    version: int
    seats: list[dict[str, Any]]
    refs: list[str]
    outcome: Any
    private: bool = False
    host: str | None = None
    tags: tuple[str, ...] = ()
    to_act: tuple[int, ...] = ()
    clock: Clock | None = None
    settled: bool = False
    settled_at: str | None = None
    deadlines: dict[str, str] = {}
    about: tuple[str, ...] | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the game is about; rows of the first version tell only who plays."""
        return tuple(players_of(self.refs)) if self.about is None else self.about


def lobby_row(game: Game, patience: Patience) -> LobbyRow:
    """A game's row; that of a private game is for those who may see it."""
    created = game.created
    seats = [
        {
            "seat": seat,
            "taken": chair.taken,
            "bot": chair.bot,
            "withdrawn": chair.withdrawn,
            "ref": chair.ref,
        }
        for seat, chair in enumerate(game.chairs)
    ]
    return LobbyRow(
        id=game.id,
        ruleset=created.ruleset,
        options=created.options,
        status=game.status,
        created=game.created_at,
        version=game.version,
        seats=seats,
        refs=sorted({chair.ref for chair in game.chairs if chair.ref}),
        outcome=None if game.aborted else msgspec.to_builtins(game.outcome),
        private=created.private,
        host=created.host,
        tags=created.tags,
        to_act=game.to_act,
        clock=created.clock,
        settled=game.settled is not None,
        settled_at=game.at if game.settled else None,
        deadlines={str(seat): due for seat, due in deadlines(game, patience).items()},
        about=tuple(subjects_of(game)),
    )


def facets(row: LobbyRow) -> tuple[str, ...]:
    """The lists that a game stands in."""
    return list_names(lobby_list_root, row, STATUS_GROUPS[row.status])


def lobby_list_root(status: str | None, ruleset: str | None) -> str:
    """What the names of the lobby's lists begin with."""
    return f"lobby:{status or ANY}:{quoted(ruleset) if ruleset else ANY}"


def in_status(row: LobbyRow, status: str | None) -> bool:
    """Is this a game of the status that was asked for?"""
    return status in (None, STATUS_GROUPS[row.status])

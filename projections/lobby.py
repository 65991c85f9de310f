"""The lobby: a row for each public game, found by status, ruleset and player."""

from typing import Any

import msgspec

from events.game import Game

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


def lobby_row(game: Game) -> LobbyRow | None:
    """A game's row; a private game has none."""
    created = game.created
    if created.private:
        return None
    seats = [
        {"seat": seat, "taken": chair.taken, "bot": chair.bot, "withdrawn": chair.withdrawn}
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
    )


def facets(row: LobbyRow) -> list[str]:
    """The lists that a game stands in."""
    status = STATUS_GROUPS[row.status]
    return [facet(), facet(status=status), facet(ruleset=row.ruleset), facet(status, row.ruleset)] + [
        facet(player=ref) for ref in row.refs
    ]


def facet(status: str | None = None, ruleset: str | None = None, player: str | None = None) -> str:
    """The narrowest list for these wishes; what it cannot tell apart, `fits` does."""
    if player is not None:
        return f"player:{player}"
    return f"{status or '*'}:{ruleset or '*'}"


def fits(row: LobbyRow, status: str | None, ruleset: str | None) -> bool:
    """Is this a row that was asked for?"""
    return (status is None or STATUS_GROUPS[row.status] == status) and (
        ruleset is None or row.ruleset == ruleset
    )

"""Forks: which games began from a position of another. The child's first entry says it; the parent's list follows."""

import msgspec

from events.game import Game
from events.keys import is_game_id


class Fork(msgspec.Struct, frozen=True):
    """A game that began from a position of its parent."""

    id: str
    version: int
    """After which entry of the parent."""
    created: str
    private: bool


def parent_of(game: Game) -> str | None:
    """The game that this one began from; an imported one may name what can be no game here."""
    parent = game.created.origin.get("game")
    return parent if isinstance(parent, str) and is_game_id(parent) else None


def fork(game: Game) -> Fork:
    """What a parent's list tells of this game."""
    return Fork(game.id, game.created.origin["version"], game.created_at, game.created.private)

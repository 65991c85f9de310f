"""The board of every game: how it is drawn from a view, and where things lie on it."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games import plain
from games.aton import board as aton
from games.babel import board as babel
from games.pictures import Layout, Scene


class Board(msgspec.Struct, frozen=True):
    """How a game is drawn."""

    draw: Callable[[Any, Scene], str]
    """The picture of a view (or of an open state) for the scene's viewer."""
    layout: Callable[[str], Layout]
    """Where things lie, by the name of a component set."""


BOARDS: Mapping[str, Board] = {
    "aton": Board(aton.draw, aton.layout),
    "babel": Board(babel.draw, babel.layout),
}
"""By the name of the ruleset."""


def board_of(ruleset: str) -> Board:
    """A game's own board; of a game that has none, its view in panels."""
    return BOARDS.get(ruleset) or Board(lambda view, scene: plain.draw(view, ruleset, scene), plain.layout)

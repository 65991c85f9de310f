"""The board of every game: how it is drawn from a view, and where things lie on it."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from games import plain
from games.pictures import Layout, Scene


class Board(msgspec.Struct, frozen=True):
    """How a game is drawn."""

    draw: Callable[[Any, Scene], str]
    """The picture of a view (or of an open state) for the scene's viewer."""
    layout: Callable[[str], Layout]
    """Where things lie, by the name of a component set."""


@cache
def own_board(ruleset: str) -> Board | None:
    """What a game draws in its module `board`, if it has one."""
    name = f"games.{ruleset}.board"
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name in (name, f"games.{ruleset}"):
            return None
        raise
    return Board(module.draw, module.layout)


def board_of(ruleset: str) -> Board:
    """A game's own board; of a game that has none, its view in panels."""
    return own_board(ruleset) or Board(lambda view, scene: plain.draw(view, ruleset, scene), plain.layout)

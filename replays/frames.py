"""Frames: a game as it stood after each entry, as someone saw it then."""

from typing import Any, NamedTuple

import msgspec

from events.entries import GameSettled, Carved
from events.game import Game, ruleset_of
from events.show import show
from games.kernel import Registry, Viewer


class Eyes(NamedTuple):
    """Who looks, and whether everything lies open to them."""

    viewer: Viewer
    everything: bool = False


class Frame(msgspec.Struct, frozen=True):
    """One moment of a game: what happened, and what it led to."""

    version: int
    event: dict[str, Any]
    view: Any


def frame(carved: Carved, game: Game, eyes: Eyes, rulesets: Registry) -> Frame:
    """The frame of an entry and the game it led to. A settlement itself was never shown but open."""
    ruleset = ruleset_of(game, rulesets)
    opened = eyes.everything or isinstance(carved.data, GameSettled)
    closed = game.state is not None and not eyes.everything
    view = ruleset.view(game.state, eyes.viewer) if closed else game.state
    return Frame(game.version, show(carved, eyes.viewer, ruleset, settled=opened), view)

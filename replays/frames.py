"""Frames: a game as it stood after each entry, as someone saw it then."""

from typing import Any, NamedTuple

import msgspec

from events.entries import Carved, GameSettled
from events.game import Game, ruleset_of
from events.show import visible_event
from games.kernel import Registry, Viewer


class Perspective(NamedTuple):
    """Who looks, and whether everything lies open to them."""

    viewer: Viewer
    everything: bool = False


class Frame(msgspec.Struct, frozen=True):
    """One moment of a game: what happened, and what it led to."""

    version: int
    event: dict[str, Any]
    view: Any
    actions: list[Any] | msgspec.UnsetType = msgspec.UNSET
    """What the viewer could do then, for who asks for it."""


def frame(carved: Carved, game: Game, perspective: Perspective, rulesets: Registry) -> Frame:
    """The frame of an entry and the game it led to. A settlement itself was never shown but open."""
    ruleset = ruleset_of(game, rulesets)
    opened = perspective.everything or isinstance(carved.data, GameSettled)
    closed = game.state is not None and not perspective.everything
    view = ruleset.view(game.state, perspective.viewer) if closed else game.state
    return Frame(game.version, visible_event(carved, perspective.viewer, ruleset, settled=opened), view)

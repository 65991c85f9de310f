"""A moment of a game as a picture, as somebody sees it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events.entries import Carved
from events.game import Game, ruleset_of
from games.gallery import board_of
from games.kernel import Refusal, Registry
from games.pictures import THEMES, Scene
from replays.frames import Perspective, frame


class Look(NamedTuple):
    """How a picture is drawn: in which language, in which light, and what the seats are called."""

    players: Sequence[str | None]
    language: str = "en"
    theme: str = "light"


def picture(carved: Carved, game: Game, perspective: Perspective, look: Look, rulesets: Registry) -> str:
    """The board after an entry, as an SVG; the entry's own places wear gold."""
    shown = frame(carved, game, perspective, rulesets)
    if shown.view is None:
        raise Refusal("game_not_started", "There is no board before the game has started.")
    ruleset = ruleset_of(game, rulesets)
    scene = Scene(
        viewer=perspective.viewer,
        players=look.players,
        latest=_facts(shown.event),
        words=ruleset.names[look.language],
        language=look.language,
        theme=THEMES[look.theme],
    )
    return board_of(ruleset.name).draw(shown.view, scene)


def _facts(event: dict[str, Any]) -> list[Any]:
    """What happened in an event; not every entry has facts."""
    data = msgspec.to_builtins(event["data"])
    facts: list[Any] = data.get("facts", []) if isinstance(data, dict) else []
    return facts

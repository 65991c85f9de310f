"""A moment of a game as a picture, as somebody sees it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events.entries import Carved
from events.game import Game, ruleset_of
from games.chance import Chance
from games.gallery import board_of
from games.kernel import Refusal, Registry, Ruleset
from games.pictures import THEMES, Scene, Shape
from replays.frames import Perspective, frame


class Look(NamedTuple):
    """How a picture is drawn: in which language, light and shape, and what the seats are called."""

    players: Sequence[str | None]
    language: str = "en"
    theme: str = "light"
    shape: Shape = "wide"


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
        shape=look.shape,
    )
    return board_of(ruleset.name).draw(shown.view, scene)


PEOPLE = ("Ana", "Omar", "Zoé", "Yann")
"""Who sits at the tables of examples."""


def example_picture(ruleset: Ruleset[Any, Any], language: str, theme: str) -> str | None:
    """The board of the worked example in a game's guide, as seat 0 sees it; None if the game has no guide."""
    guide = ruleset.guide(language)
    if guide is None:
        return None
    example = guide.scoring.example
    options, seats = ruleset.read_options(example.options), len(example.total)
    state = ruleset.begin(options, seats, Chance(bytes(32)), example.position).state
    scene = Scene(
        viewer=0,
        words=ruleset.names[language],
        language=language,
        theme=THEMES[theme],
        players=PEOPLE[:seats],
    )
    return board_of(ruleset.name).draw(ruleset.view(state, 0), scene)


def _facts(event: dict[str, Any]) -> list[Any]:
    """What happened in an event; not every entry has facts."""
    data = msgspec.to_builtins(event["data"])
    facts: list[Any] = data.get("facts", []) if isinstance(data, dict) else []
    return facts

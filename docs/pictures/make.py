"""Draws the boards that the documentation shows: `make pictures`. The games are bots', the same every time."""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image
from rich.progress import track

from games import RULESETS
from games.canonical import canonical
from games.chance import Chance, Stream
from games.gallery import board_of, own_board
from games.kernel import Ruleset
from games.pictures import THEMES, Scene
from services.core.rasterizing import pixels

PLAYERS = ("Ana", "Bruno", "Chloé", "Dimitri")
SEATS = {"sa_re": 3, "temple_of_five": 3}
SEED = bytes([7]) * 32
WIDTH = 900
MOMENTS = {
    "start": (0.0, "light"),
    "middle": (0.6, "light"),
    "middle-dark": (0.6, "dark"),
    "end": (1.0, "light"),
}
FILMED, FILMED_ROUND = "temple_of_five", 4
FILM_WIDTH, FILM_PAUSE = 700, 1100
"""Pixels, and milliseconds a picture."""
MIDDLE = {"sa_re": 0.65}
"""Where a game has its more telling moment."""


def played(ruleset: Ruleset[Any, Any], seats: int) -> Iterator[tuple[Any, list[Any]]]:
    """Every state of a game of greedy bots, with the facts that led to it."""
    facts = ruleset.new_game(None, seats, Chance(SEED))
    state = ruleset.fold(None, facts)
    bot, version = ruleset.bot("greedy"), 0
    yield state, facts
    while state.phase != "ended":
        seat = state.to_act[0]
        action = bot.choose(ruleset.view(state, seat), seat, Stream(SEED, f"bot/{seat}/{version}"))
        facts = ruleset.decide(state, seat, action, Chance(SEED))
        state = ruleset.fold(state, facts)
        version += 1
        yield state, facts


def drawn(ruleset: Ruleset[Any, Any], state: Any, facts: list[Any], theme: str) -> str:
    """The board as seat 0 sees it."""
    latest = [msgspec.json.decode(canonical(ruleset.redact(fact, 0))) for fact in facts]
    scene = Scene(0, PLAYERS, latest, ruleset.names["en"], "en", THEMES[theme])
    return board_of(ruleset.name).draw(ruleset.view(state, 0), scene)


def film_of_a_round(folder: Path) -> None:
    """A round of Temple of Five, an action a picture, as the README shows it."""
    ruleset = RULESETS.latest(FILMED)
    states = list(played(ruleset, SEATS[FILMED]))
    rounds = [state.round for state, _ in states]
    shown = range(rounds.index(FILMED_ROUND), rounds.index(FILMED_ROUND + 1) + 1)
    images = [
        Image.open(BytesIO(pixels(drawn(ruleset, *states[place], "light"), FILM_WIDTH))).convert("RGB")
        for place in shown
    ]
    pauses = [FILM_PAUSE] * (len(images) - 1) + [3 * FILM_PAUSE]
    images[0].save(
        folder / "round.webp", save_all=True, append_images=images[1:], duration=pauses, loop=0, quality=60
    )


def main(folder: Path) -> None:
    film_of_a_round(folder)
    for name in track(sorted({ruleset.name for ruleset in RULESETS if own_board(ruleset.name)}), "Drawing"):
        ruleset = RULESETS.latest(name)
        states = list(played(ruleset, SEATS.get(name, 2)))
        for moment, (usual_share, theme) in MOMENTS.items():
            share = MIDDLE.get(name, usual_share) if moment.startswith("middle") else usual_share
            svg = drawn(ruleset, *states[round(share * (len(states) - 1))], theme)
            image = Image.open(BytesIO(pixels(svg, WIDTH))).convert("RGB")
            image = image.quantize(256, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
            image.save(folder / f"{name}-{moment}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

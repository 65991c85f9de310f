"""Boards as pictures: how long the fullest board of each game takes to draw, and what it weighs."""

from typing import Any

from bench.figures import Figure, rates
from bench.runs import Run
from bench.suites.rules import SEED, course
from games import RULESETS
from games.gallery import board_of
from games.kernel import Ruleset
from games.pictures import Scene

DRAWINGS = 40
MOMENTS = 60
"""Of a game, among which the fullest board is looked for."""
LONGEST, LARGEST = 3.0, 60.0


def fullest(ruleset: Ruleset[Any, Any]) -> tuple[Any, str]:
    """The view of seat 0 whose picture is the largest in a game of as many as can play, and the picture."""
    facts = course(ruleset, SEED, ruleset.seat_counts[-1], "greedy")
    step = max(1, len(facts) // MOMENTS)
    state = ruleset.fold(None, facts[:1])
    largest: tuple[Any, str] = (None, "")
    for at in range(1, len(facts), step):
        state = ruleset.fold(state, facts[at : at + step])
        view = ruleset.view(state, 0)
        picture = board_of(ruleset.name).draw(view, scene(ruleset))
        if len(picture) > len(largest[1]):
            largest = view, picture
    return largest


def scene(ruleset: Ruleset[Any, Any]) -> Scene:
    return Scene(viewer=0, players=("Ana", "Bruno", "Chloé", "Dimitri"), words=ruleset.names["en"])


def run(run: Run) -> list[Figure]:
    """Each game by itself."""
    figures = []
    for ruleset in RULESETS:
        run.say(ruleset.name)
        view, picture = fullest(ruleset)

        def draw(ruleset: Ruleset[Any, Any] = ruleset, view: Any = view) -> int:
            for _ in range(DRAWINGS):
                board_of(ruleset.name).draw(view, scene(ruleset))
            return DRAWINGS

        costs = [1000 / each for each in rates({"drawings": draw}, run.rounds())["drawings"]]
        figures.append(Figure(f"{ruleset.name}: drawing its fullest board", costs, "ms", (), LONGEST, "≤"))
        weight = len(picture.encode()) / 1000
        figures.append(Figure(f"{ruleset.name}: its picture", [weight], "kB", (), LARGEST, "≤"))
    return figures

"""Fill the pages of the games from their player's guides: `python -m docs.game_pages`.

A page holds what only integrators need as it was written. What it shares with the guide stands between
`<!-- guide: SECTION -->` and `<!-- end -->`, and is written here.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from games import RULESETS
from games.kernel import Guide, Ruleset

PAGES = Path(__file__).parent / "games"
PLACE = re.compile(r"(<!-- guide: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def about(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    few, many = guide.players
    players = f"{few} players" if few == many else f"{few} to {many} players"
    return f"{guide.about}\n\n{players}, {guide.minutes[0]} to {guide.minutes[1]} minutes, weight {guide.weight} of 5."


def goal(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    return guide.goal


def overview(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    return "\n".join(f"- **{idea.title}.** {idea.text}" for idea in guide.overview)


def turn(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    return "\n".join(f"{at}. **{step.title}.** {step.text}" for at, step in enumerate(guide.turn, start=1))


def phases(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    return table(("phase", "what happens"), ((f"`{name}`", text) for name, text in guide.phases.items()))


def actions(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    rows = ((f"`{name}`", action.name, action.text) for name, action in guide.actions.items())
    return table(("action", "name", "what it does"), rows)


def options(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    defaults = ruleset.read_options({})
    rows = []
    for name, option in guide.options.items():
        values = "".join(f" `{value}`: {text}" for value, text in option.values.items())
        rows.append((f"`{name}`", f"`{in_json(getattr(defaults, name))}`", f"{option.text}{values}"))
    return table(("option", "default", "meaning"), rows)


def things(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    rows = (
        (f"`{key}`", thing.name, f"{thing.effect} Cost: {thing.cost}." if thing.cost else thing.effect)
        for key, thing in guide.things.items()
    )
    return table(("key", "name", "what it does"), rows)


def scoring(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    example = guide.scoring.example
    seats = tuple(f"seat {seat}" for seat in range(len(example.total)))
    rows = [(line.text, *map(str, line.points)) for line in example.lines]
    rows.append(("Together", *map(str, example.total)))
    return f"{guide.scoring.text}\n\n{example.text}\n\n{table(('line', *seats), rows)}"


def tips(guide: Guide, ruleset: Ruleset[Any, Any]) -> str:
    return "\n".join(f"- {tip}" for tip in guide.tips)


SECTIONS: dict[str, Callable[[Guide, Ruleset[Any, Any]], str]] = {
    section.__name__: section
    for section in (about, goal, overview, turn, phases, actions, options, things, scoring, tips)
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def in_json(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def filled(page: str, ruleset: Ruleset[Any, Any]) -> str:
    """The page of a game with what its guide says in each place; a game without a guide keeps its page as it is."""
    guide = ruleset.guide("en")
    if guide is None:
        return page
    return PLACE.sub(lambda place: f"{place[1]}{SECTIONS[place[2]](guide, ruleset)}\n{place[3]}", page)


def main() -> None:
    """Fill every page anew."""
    for name in sorted({ruleset.name for ruleset in RULESETS}):
        path = PAGES / f"{name}.md"
        path.write_text(filled(path.read_text(encoding="utf-8"), RULESETS.latest(name)), encoding="utf-8")


if __name__ == "__main__":
    main()

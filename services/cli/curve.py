"""A review on the terminal: the chances of each seat as a curve, the turning points below it, and what came of what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from replays.narration import Teller, percent

MARKS = "●▲■◆★✚"
COLOURS = ("cyan", "red", "yellow", "green", "magenta", "blue")
HEIGHT = 11
AXIS = 6
"""Characters before the curve."""
MAX_CURVE_WIDTH = 160
WORDS = {
    "en": {
        "title": "Chances to win (in %), entry by entry",
        "none": "No turning point: nobody gave much away, as far as this review can see.",
        "entry": "Entry {version}",
        "player": "Player",
        "decisions": "Choices",
        "skill": "Lost by choices",
        "luck": "Luck of the draws",
        "points": "percentage points",
    },
    "fr": {
        "title": "Chances de victoire (en %), entrée par entrée",
        "none": "Aucun tournant : personne n'a beaucoup perdu, pour autant que cette analyse puisse le voir.",
        "entry": "Entrée {version}",
        "player": "Joueur",
        "decisions": "Choix",
        "skill": "Perdu par ses choix",
        "luck": "Chance au tirage",
        "points": "points de pourcentage",
    },
}
Review = Mapping[str, Any]


class Curve:
    """The chances of a review, as wide as there is room."""

    def __init__(self, review: Review, teller: Teller) -> None:
        self.points = review["curve"]
        self.turning_points = review["turning_points"]
        self.seats = range(len(self.points[0]["chances"]))
        self.teller = teller

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(10, min(options.max_width, MAX_CURVE_WIDTH) - AXIS)
        yield Text(WORDS[self.teller.language]["title"], "bold")
        yield self._legend()
        yield from self._rows(width)
        yield self._turning_points(width)

    def _legend(self) -> Text:
        names = [Text(f"{MARKS[seat]} {self.teller.player(seat)}", COLOURS[seat]) for seat in self.seats]
        return Text("   ").join(names)

    def _rows(self, width: int) -> Iterator[Text]:
        """From 100 % at the top to 0 % at the bottom: each column shows one entry."""
        shown = [self.points[_index(column, width, len(self.points))]["chances"] for column in range(width)]
        for row in range(HEIGHT):
            share = 100 - 100 * row // (HEIGHT - 1)
            line = Text(f"{share:>4} " if share % 50 == 0 else "     ", "dim").append("│", "dim")
            for chances in shown:
                here = [seat for seat in self.seats if _row(chances[seat]) == row]
                line.append(MARKS[here[-1]], COLOURS[here[-1]]) if here else line.append(" ")
            yield line

    def _turning_points(self, width: int) -> Text:
        """Under the curve, the number of each turning point where it was."""
        versions = [point["version"] for point in self.points]
        line = [" "] * width
        for number, point in enumerate(self.turning_points, 1):
            line[_column(versions.index(point["version"]), width, len(versions))] = str(number)
        return Text(" " * (AXIS - 1) + "└" + "".join(line).replace(" ", "─"), "dim")


def _index(column: int, width: int, number: int) -> int:
    """Which point stands in a column."""
    return round(column * (number - 1) / (width - 1))


def _column(index: int, width: int, number: int) -> int:
    """In which column a point stands."""
    return round(index * (width - 1) / (number - 1)) if number > 1 else 0


def _row(chance: int) -> int:
    return round((1000 - chance) * (HEIGHT - 1) / 1000)


def sentences(review: Review, teller: Teller) -> Iterator[Text]:
    """Each turning point in a sentence, by the number that it has under the curve."""
    words = WORDS[teller.language]
    if not review["turning_points"]:
        yield Text(words["none"])
    for number, point in enumerate(review["turning_points"], 1):
        place = words["entry"].format(version=point["version"])
        yield Text.assemble((f"{number}. {place} · ", "bold"), teller.turning_point(point))


def account(review: Review, teller: Teller) -> RenderableType:
    """What each seat lost by its own choices, and what the draws gave it."""
    words = WORDS[teller.language]
    table = Table(box=SIMPLE_HEAD, caption=words["points"], caption_justify="right")
    table.add_column(words["player"])
    for name in ("decisions", "skill", "luck"):
        table.add_column(words[name], justify="right")
    for each in review["seats"]:
        player = Text(f"{MARKS[each['seat']]} {teller.player(each['seat'])}", COLOURS[each["seat"]])
        table.add_row(player, str(each["decisions"]), signed(each["skill"]), signed(each["luck"]))
    return table


def signed(per_mille: int) -> str:
    """Thousandths as percentage points, with their sign."""
    points = percent(abs(per_mille))
    return f"{'−' if per_mille < 0 else '+'}{points}" if points else "0"


def print_review(review: Review, teller: Teller, console: Console, heading: str) -> None:
    """The whole review, for people."""
    parts: Sequence[RenderableType] = (Text(heading, "bold"), Curve(review, teller))
    for part in (*parts, *sentences(review, teller), account(review, teller)):
        console.print(part, soft_wrap=False)

"""How strong the bots are: `python -m bench.strength` plays them against each other and against players they do not expect."""

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.docs import DOCS, with_table
from bench.opponents import OPPONENTS, unpack_first_round
from bench.pairings import Game, Pairing, play
from games import RULESETS
from services.cli.confidence import share_with_interval
from services.cli.parallel import map_in_processes

KEPT = Path(__file__).parent / "strengths.json"
PLACE = "bots.md: strengths"
PLAYERS = ("strong", "greedy")
"""Whose strength is told: of the second, to have a measure for the first."""
RULESET_NAMES = ("babel", "aton", "temple_of_five", "sa_re")

Kept = dict[str, dict[str, Game]]
"""Games by their numbers, by the names of their pairings."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-n", "games", type=click.IntRange(2), default=100, show_default=True, help="Games of a pairing."
)
@click.option("--only", "rulesets", type=click.Choice(RULESET_NAMES), multiple=True, help="Only this game.")
@click.option(
    "--opponent", "opponents", type=click.Choice(tuple(OPPONENTS)), multiple=True, help="Only this one."
)
@click.option("--player", "players", type=click.Choice(("greedy", "keen", "strong", "master")), multiple=True,
              help="Whose strength is measured (strong and, beside it, greedy).")  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), help="Processes that play at the same time; one per core if left out."
)
@click.option(
    "--json", "path", type=click.Path(path_type=Path), default=KEPT, help="Where the games are kept."
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Forget what these pairings have played; else only what is missing is played.",
)
@click.option("--docs", "only_docs", is_flag=True, help="Play nothing: put the table into docs/bots.md.")
def main(path: Path, only_docs: bool, jobs: int | None, fresh: bool, games: int, **chosen: Any) -> None:
    """Play every bot that matters against every opponent, seats swapped, and tell who won with 95 % intervals.

    What is played is kept game by game: a run that is broken off goes on where it was, and one with a larger -n plays
    the games that are missing. Times are processor time, so that they hold on a busy machine too.

    \b
    Examples:
      python -m bench.strength                                   everything: hours
      python -m bench.strength --only babel -n 20 --jobs 1       a glance at one game
      python -m bench.strength --docs                            write docs/bots.md
    """
    kept: Kept = json.loads(path.read_text()) if path.exists() else {}
    if not only_docs:
        with TemporaryDirectory(prefix="stele-strength-") as past:
            unpack_first_round(Path(past))
            for pairing in pairings(past=Path(past), **chosen):
                if fresh:
                    kept.pop(pairing.name, None)
                complete(pairing, games, kept, path, jobs or os.cpu_count() or 1)
        show(kept, Console() if sys.stdout.isatty() else Console(width=120))
        return
    page = DOCS / "bots.md"
    page.write_text(with_table(page.read_text(), PLACE, "\n".join(table(kept))))


def pairings(
    past: Path, rulesets: tuple[str, ...], opponents: tuple[str, ...], players: tuple[str, ...]
) -> Iterator[Pairing]:
    """Every pairing that was asked for; nobody is measured against itself."""
    for ruleset in rulesets or RULESET_NAMES:
        for opponent in opponents or OPPONENTS:
            for player in players or PLAYERS:
                if player != opponent:
                    yield Pairing(ruleset, player, opponent, str(past))


def complete(pairing: Pairing, games: int, kept: Kept, path: Path, jobs: int) -> None:
    """Play the games of a pairing that are missing, and keep each as it ends."""
    played = kept.setdefault(pairing.name, {})
    missing = [number for number in range(games) if str(number) not in played]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task(pairing.name, total=games, completed=games - len(missing))
        with map_in_processes(partial(play, pairing), missing, min(jobs, len(missing) or 1)) as results:
            for number, game in results:
                played[str(number)] = game
                write(kept, path)
                won, total = points_of(played), len(played)
                progress.update(
                    task, advance=1, description=f"{pairing.name}: {share_with_interval(won, total)}"
                )


def write(kept: Kept, path: Path) -> None:
    """All at once, so that a kill leaves the old file or the new one."""
    draft = path.with_suffix(".new")
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept)]
    draft.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    draft.replace(path)


# -- what it came to ----------------------------------------------------------------------------------------------------


def points_of(played: dict[str, Game]) -> float:
    """Games won; a shared one counts as a part."""
    return sum(Game(*game).won for game in played.values())


def milliseconds(played: dict[str, Game]) -> float:
    """Processor time for a decision that was one."""
    games = [Game(*game) for game in played.values()]
    return 1000 * sum(game.seconds for game in games) / max(sum(game.decisions for game in games), 1)


def rows(kept: Kept) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Game, opponent, the games of each player against it, how often it won them, and how long it thought."""
    for ruleset in RULESET_NAMES:
        for opponent, words in OPPONENTS.items():
            cells, games = [], []
            for player in PLAYERS:
                played = kept.get(f"{ruleset}/{player}/{opponent}")
                cells.append(share_with_interval(points_of(played), len(played)) if played else "–")
                games += [str(len(played))] if played else []
            thought = kept.get(f"{ruleset}/strong/{opponent}")
            time = f"{milliseconds(thought):.0f} ms" if thought else "–"
            if games:
                title = RULESETS.latest(ruleset).names["en"][ruleset]
                yield title, words, ", ".join(games), cells[0], cells[1], time


HEADS = ("game", "opponent", "games", "won by `strong`", "won by `greedy`", "`strong` thinks")


def table(kept: Kept) -> Iterator[str]:
    """The strengths as a table of a page."""
    yield f"| {' | '.join(HEADS)} |"
    yield f"| {' | '.join(['---'] * len(HEADS))} |"
    for row in rows(kept):
        yield f"| {' | '.join(row)} |"


def show(kept: Kept, console: Console) -> None:
    """The strengths in the terminal."""
    shown = Table(*[head.replace("`", "") for head in HEADS], box=SIMPLE_HEAD)
    for row in rows(kept):
        shown.add_row(*row)
    console.print(shown)


if __name__ == "__main__":
    main()

"""`stele picture`: the board of a game as a picture, or a whole game as a film."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from events.entries import Carved
from events.game import Game, unfold
from games.kernel import UnknownRuleset
from games.pictures import THEMES
from replays.narration import LANGUAGES
from replays.pictures import Look, picture
from replays.record import Record, entries_of
from services.cli.commands.replay import read_perspective, read_subject
from services.cli.printing import FILMS, STILLS, print_still
from services.cli.store_access import known_rulesets
from services.cli.terminal import terminal_part
from services.core.datadir import os_error_reason

Moments = list[tuple[Carved, Game]]


class CannotDraw(click.ClickException):
    """There is no such picture; one line says why."""

    exit_code = 2


@click.command(name="picture")
@click.argument("subject", metavar="FILE|GAME_ID")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--version", type=click.IntRange(1), help="After which entry; the latest, if left out.")
@click.option(
    "--as", "viewer", metavar="SEAT|spectator", help="What this viewer saw; everything, if left out."
)
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--theme", type=click.Choice(list(THEMES)), default="light", show_default=True)
@click.option("--width", type=click.IntRange(200, 4000), default=800, show_default=True, help="Pixels.")
@click.option("--seconds", type=click.FloatRange(0.05, 60), default=1.0, show_default=True, help="Of a film, a version.")  # fmt: skip
def picture_command(  # noqa: PLR0913  # one for each option
    subject: str,
    out: Path,
    *,
    version: int | None,
    viewer: str | None,
    language: str,
    theme: str,
    width: int,
    seconds: float,
) -> None:
    """Draw the board of the game in FILE, or of one of this server, to OUT.

    The ending of OUT says what it becomes: .svg or .png a picture, .gif or .webp the whole game as a film
    (films need `pip install 'stele[terminal]'`).

    \b
    Examples:
      stele picture game.json end.png --as 0 --theme dark
      stele picture 07-3v9k… game.webp --lang fr --seconds 0.5
    """
    if out.suffix not in STILLS + FILMS:
        raise CannotDraw(f"{out} should end in one of: {', '.join(STILLS + FILMS)}.")
    record = read_subject(subject)
    perspective = read_perspective(record, viewer)
    moments = begun(subject, record)
    look = Look(names(record, moments[-1][1]), language, theme)
    rulesets = known_rulesets()
    try:
        if out.suffix in STILLS:
            carved, game = at_version(subject, moments, version)
            print_still(picture(carved, game, perspective, look, rulesets), out, width)
        else:
            print_film = terminal_part("films", "print_film")
            watched = moments[: moments.index(at_version(subject, moments, version)) + 1]
            with Progress(console=Console(stderr=True)) as progress:
                task = progress.add_task(f"Filming {len(watched)} versions", total=len(watched))

                def draw(at: int) -> str:
                    progress.update(task, completed=at + 1)
                    return picture(*watched[at], perspective, look, rulesets)

                print_film(draw, len(watched), out, width, seconds)
    except OSError as problem:
        raise CannotDraw(f"{out} cannot be written: {os_error_reason(problem)}.") from None
    click.echo(f"{out}: {out.stat().st_size:,} bytes")


def begun(subject: str, record: Record) -> Moments:
    """The moments that have a board: those since the game has started."""
    try:
        moments = list(unfold(entries_of(record), known_rulesets()))
    except UnknownRuleset as unknown:
        raise CannotDraw(f"{subject} cannot be drawn: {unknown.message}") from None
    except Exception:  # there is no telling how facts break that no rules gave
        raise CannotDraw(f"{subject} is no game by the rules; `stele audit` tells what is wrong.") from None
    started = [(carved, game) for carved, game in moments if game.state is not None]
    if not started:
        raise CannotDraw(f"{subject} has not started: there is no board yet.")
    return started


def at_version(subject: str, moments: Moments, version: int | None) -> tuple[Carved, Game]:
    """The moment after an entry."""
    if version is None:
        return moments[-1]
    first, last = moments[0][0].seq, moments[-1][0].seq
    if not first <= version <= last:
        raise CannotDraw(f"{subject} has a board in the versions {first} to {last}, not in {version}.")
    return moments[version - first]


def names(record: Record, game: Game) -> list[str | None]:
    """What the seats are called."""
    people = {person["seat"]: person["name"] for person in record["people"]}
    return [
        people.get(seat) or (f"{chair.bot} bot" if chair.bot else None)
        for seat, chair in enumerate(game.chairs)
    ]

"""`stele replay`: watch a game move by move, told in sentences."""

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from events.keys import is_game_id
from games.kernel import UnknownRuleset
from replays.audit.verify import read_record, verify
from replays.frames import Perspective
from replays.narration import LANGUAGES
from replays.record import Record
from services.cli.film import Film
from services.cli.plain_text import without_control
from services.cli.store_access import check_game, known_rulesets, open_store, read_file
from services.cli.terminal import NotInstalled, terminal_part
from services.core.records import export_record


class CannotReplay(click.ClickException):
    """There is nothing to watch; one line says why."""

    exit_code = 2


@click.command()
@click.argument("subject", metavar="FILE|GAME_ID")
@click.option(
    "--as", "viewer", metavar="SEAT|spectator", help="Show what this viewer saw; everything, if left out."
)
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option(
    "--plain", is_flag=True, help="Print the whole game and be done; so too if the output is no terminal."
)
def replay(subject: str, viewer: str | None, language: str, plain: bool) -> None:
    """Watch the game in FILE, or one of this server, move by move.

    Keys: → and ← step, a number and Enter go to that version, Home and End to the first and the last, Space plays
    and pauses, q quits.

    \b
    Examples:
      stele replay game.json --as 1 --lang fr
      stele replay 07-3v9k… --plain | less
    """
    record = read_subject(subject)
    perspective = read_perspective(record, viewer)
    try:
        film = Film(record, known_rulesets(), perspective, language)
    except UnknownRuleset as unknown:
        reason = without_control(unknown.message)
        raise CannotReplay(f"{subject} cannot be replayed: {reason}") from None
    except Exception:  # there is no telling how facts break that no rules gave
        raise CannotReplay(f"{subject} is no game by the rules; `stele audit` tells what is wrong.") from None
    console = Console()
    if plain or not console.is_terminal:
        print_all(film, console)
    else:
        watch_here(film, console)


def watch_here(film: Film, console: Console) -> None:
    """The interactive screen; without the terminal front-end, the whole game in text and how to get the screen."""
    try:
        watch = terminal_part("screen", "watch")
    except NotInstalled as missing:
        print_all(film, console)
        console.print(Text(missing.message, "dim"))
    else:
        watch(film)


def read_subject(subject: str) -> Record:
    """The game in a file, or one of this server, if it can be followed."""
    path = Path(subject)
    record = read_file(path, read_record, CannotReplay) if path.exists() else read_stored_record(subject)
    check_form(subject, record)
    return record


def read_stored_record(game_id: str) -> Record:
    """A game of this server, as far as it has been played."""
    if not is_game_id(game_id):
        raise CannotReplay(f"{game_id} is neither a file nor a game's id.")
    here = open_store()
    check_game(here.store, game_id)
    return export_record(here.store, here.keys, game_id)


def check_form(subject: str, record: Record) -> None:
    """Refuse a record whose entries are broken or do not follow one another."""
    for check in verify(record):
        if check.check in ("chain", "schema") and check.verdict != "pass":
            detail = without_control(check.detail or "")
            raise CannotReplay(f"{subject} is broken: {detail}. `stele audit` tells more.")


def read_perspective(record: Record, viewer: str | None) -> Perspective:
    """The perspective that is asked for; everything, if none is."""
    seats = record["entries"][0]["data"]["seats"]
    if viewer is None:
        return Perspective(None, everything=True)
    if viewer == "spectator":
        return Perspective(None)
    if viewer not in map(str, range(seats)):
        raise CannotReplay(f"--as takes a seat from 0 to {seats - 1}, or `spectator`, not {viewer!r}.")
    return Perspective(int(viewer))


def print_all(film: Film, console: Console) -> None:
    """The whole game, an entry a paragraph."""
    console.print(Text(f"{film.title} · {film.id}", "bold"), soft_wrap=True)
    for scene in film:
        console.print(Text(f"{scene.version:>5}  {scene.headline}", "bold"), soft_wrap=True)
        for sentence in scene.sentences:
            console.print(Text(f"       {sentence}"), soft_wrap=True)

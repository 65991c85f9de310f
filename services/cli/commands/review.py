"""`stele review`: where a game turned, on what, and what luck had to do with it."""

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from events.keys import is_game_id
from games.kernel import Refusal, Registry
from projections.reviews import Reviews
from replays.audit.verify import read_record, verify
from replays.narration import LANGUAGES, Teller, teller_of
from replays.record import Record, entries_of
from replays.review.report import ReviewReport, review, review_tag
from replays.review.steps import number_of_steps, steps
from services.cli import curve
from services.cli.plain_text import without_control
from services.cli.store_access import check_game, known_rulesets, open_store, progress_bar, read_file
from services.core.records import export_record


class CannotReview(click.ClickException):
    """There is nothing to review; one line says why."""

    exit_code = 2


@click.command(name="review")
@click.argument("subject", metavar="FILE|GAME_ID")
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option(
    "--iterations",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Playouts for each decision: more take longer and see more. By default as many as make one to three minutes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
def review_command(subject: str, language: str, iterations: int | None, as_json: bool) -> None:
    """Review the settled game in FILE, or one of this server: where it turned, and on what.

    For each decision the chances of all players before and after it are estimated by playouts, and what would have
    been better by what the player could know then. What the deal and the draws gave is told apart. A review that the
    server has made already is shown at once, unless --iterations asks for another.

    \b
    Examples:
      stele review game.json --lang fr
      stele review 07-3v9k… --iterations 500 --json > review.json
    """
    found: ReviewReport | None = None
    path = Path(subject)
    if path.exists():
        record = read_file(path, read_record, CannotReview)
    else:
        record, found = read_record_and_review(subject)
    rulesets = known_rulesets()
    check_settled_record(subject, record)
    body = found if found and not iterations else make(subject, record, rulesets, iterations)
    if as_json:
        click.echo(msgspec.json.encode(body))
    else:
        teller = teller_of_record(record, rulesets, language)
        curve.print_review(body, teller, Console(), f"{teller.label(record['ruleset'])} · {record['game']}")


def read_record_and_review(game_id: str) -> tuple[Record, ReviewReport | None]:
    """A game of this server, and its review if there is one."""
    if not is_game_id(game_id):
        raise CannotReview(f"{game_id} is neither a file nor a game's id.")
    here = open_store()
    check_game(here.store, game_id)
    record = export_record(here.store, here.keys, game_id)
    found = Reviews(here.store.client).find(game_id, review_tag(record["entries"][-1]["hash"]))
    made: Any = msgspec.json.decode(found.body) if found and found.body else None
    return record, made


def check_settled_record(subject: str, record: Record) -> None:
    """Refuse what is broken, and what still hides something."""
    for check in verify(record):
        if check.check in ("chain", "schema") and check.verdict != "pass":
            raise CannotReview(f"{subject} is broken: {check.detail}. `stele audit` tells more.")
    if record["entries"][-1]["type"] != "game_settled":
        raise CannotReview(f"{subject} is not settled yet: only then can it be reviewed.")


def make(subject: str, record: Record, rulesets: Registry, iterations: int | None) -> ReviewReport:
    """Review a game here and now, step by step."""
    try:
        entries = entries_of(record)
        walk = steps(entries, rulesets, {}, iterations)
        with progress_bar() as progress:
            done = list(progress.track(walk, number_of_steps(entries), description="Reviewing"))
    except Refusal as refusal:
        raise CannotReview(f"{subject} cannot be reviewed: {refusal.message}") from None
    except Exception:  # there is no telling how facts break that no rules gave
        raise CannotReview(f"{subject} is no game by the rules; `stele audit` tells what is wrong.") from None
    return review(entries, done)


def teller_of_record(record: Record, rulesets: Registry, language: str) -> Teller:
    """Who tells this game, by the names of those who played it."""
    names = {person["seat"]: without_control(person["name"]) for person in record["people"]}
    seats = record["entries"][0]["data"]["seats"]
    ruleset = rulesets.get(record["ruleset"], record["ruleset_version"])
    return teller_of(ruleset, language, [names.get(seat) for seat in range(seats)])

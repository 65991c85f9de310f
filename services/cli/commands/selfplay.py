"""`stele selfplay`: let the built-in players play, and say what came of it."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import mean
from typing import Any

import click
import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.kernel import BOT_LEVELS, Refusal, Ruleset
from services.cli.confidence import interval
from services.cli.selfplay import BrokenGame, Match, SelfplayResult, Tally, play_many, seeds, unit_of_length
from services.cli.store_access import known_rulesets


class CannotPlay(click.ClickException):
    """What was asked for makes no sense; one line says why."""

    exit_code = 2


def read_seed(_context: click.Context, _parameter: click.Parameter, written: str | None) -> bytes:
    """32 bytes from their hex; new ones if none are given."""
    if written is None:
        return secrets.token_bytes(32)
    try:
        seed = bytes.fromhex(written)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise CannotPlay(f"A seed is 64 hexadecimal digits, not {written!r}.")
    return seed


@click.command()
@click.argument("ruleset")
@click.option(
    "-n", "games", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="How many games."
)
@click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="LEVEL[,LEVEL…]",
    help=f"Who plays: one level for all seats, or one for each. Levels: {', '.join(BOT_LEVELS)}.",
)
@click.option("--seats", type=int, help="How many players; the fewest the game is for, if left out.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option; may be repeated."
)
@click.option(
    "--seed",
    callback=read_seed,
    metavar="HEX",
    help="The first game's seed; the others follow from it. Random if left out.",
)
@click.option(
    "--swap", is_flag=True, help="Everyone moves on by a seat from game to game; results are told by bot."
)
@click.option(
    "--records",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    metavar="DIR",
    help="Write a record of each game there, which `stele audit` checks.",
)
@click.option(
    "--jobs", type=click.IntRange(1), help="Processes that play at the same time; one per core if left out."
)
def selfplay(ruleset: str, games: int, seed: bytes, jobs: int | None, **asked: Any) -> None:
    """Let built-in players play RULESET against each other, and tell what came of it.

    The games are played on the rules alone: no server is needed, and nothing is stored but the records that you ask for.
    The same seed, bots and options give the same games again. Shares of wins come with their 95 % interval.

    \b
    Examples:
      stele selfplay babel -n 1000 --bots greedy,random --option edition=2000
      stele selfplay babel -n 20 --bots keen,greedy --swap
      stele selfplay sa_re --seats 4 --bots greedy --jobs 1 --records played
    """
    with one_line_refusals():
        match = read_match(known_rulesets().latest(ruleset), **asked)
    if match.records:
        match.records.mkdir(parents=True, exist_ok=True)
    console = Console()
    console.print(f"First seed: {seed.hex()}", highlight=False, soft_wrap=True)
    workers = min(jobs or os.cpu_count() or 1, games)
    with one_line_refusals(), play_many(match.play, seeds(seed, games), workers) as results:
        tally = Tally(with_progress(results, games, console))
    print_tally(tally, match, console)


def read_match(
    ruleset: Ruleset[Any, Any],
    *,
    bots: str,
    seats: int | None,
    options: tuple[str, ...],
    swap: bool,
    records: Path | None,
) -> Match:
    """Who plays what, as it was asked for."""
    seats = ruleset.seat_counts[0] if seats is None else seats
    ruleset.check_seats(seats)
    return Match(ruleset, read_options(ruleset, options), read_bots(ruleset, bots, seats), swap, records)


@contextmanager
def one_line_refusals() -> Iterator[None]:
    """Say in one line why it cannot be done."""
    try:
        yield
    except Refusal as refusal:
        raise CannotPlay(refusal.message) from None
    except BrokenGame as broken:
        raise click.ClickException(str(broken)) from broken


def read_options(ruleset: Ruleset[Any, Any], written: tuple[str, ...]) -> Mapping[str, Any]:
    """Options as the ruleset takes them: text becomes a number, a truth value or null where the option is one."""
    raw: dict[str, Any] = {}
    option_names = ruleset.options_type.__struct_fields__
    for option in written:
        name, equals, value = option.partition("=")
        if not equals:
            raise CannotPlay(f"An option is written NAME=VALUE, not {option!r}.")
        if name not in option_names:
            raise CannotPlay(f"{ruleset.name} has no option {name!r}; it has: {', '.join(option_names)}.")
        raw[name] = value
    with suppress(msgspec.ValidationError):  # read_options says what is wrong with it
        raw = msgspec.to_builtins(msgspec.convert(raw, ruleset.options_type, strict=False))
    ruleset.read_options(raw)
    return raw


def read_bots(ruleset: Ruleset[Any, Any], written: str, seats: int) -> tuple[str, ...]:
    """The level of every seat's bot."""
    levels = tuple(level.strip() for level in written.split(","))
    for level in levels:
        ruleset.bot(level)
    if len(levels) == 1:
        return levels * seats
    if len(levels) != seats:
        raise CannotPlay(f"{seats} seats take one bot level for all or {seats} of them, not {len(levels)}.")
    return levels


def with_progress(
    results: Iterator[SelfplayResult], games: int, console: Console
) -> Iterator[SelfplayResult]:
    """The same results, while a bar shows how far they are."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(results, total=games, description="Playing")


def print_tally(tally: Tally, match: Match, console: Console) -> None:
    """How the games ended, how long they were, who won, and how long they thought."""
    games, ruleset, levels = len(tally.results), match.ruleset, match.levels
    title = ruleset.names["en"][ruleset.name]
    console.print(f"{games} games of {title} ({ruleset.name} {ruleset.version}), {len(levels)} seats")
    ends = figures("Ends", "ended by", "games", "share")
    for reason, count in tally.reasons.most_common():
        ends.add_row(reason, str(count), share(count, games))
    lengths = figures("Length", "a game", "mean", "min", "max")
    lengths.add_row("actions", *spread([result.actions for result in tally.results]))
    lengths.add_row(f"{unit_of_length(ruleset)}s", *spread([result.length for result in tally.results]))
    title, who = ("Bots", "bot") if match.swap else ("Seats", "seat and bot")
    by_bot = figures(title, who, "won", "share", "95 %", "mean score", "min", "max")
    thought = figures("Thinking", who, "ms a decision")
    for bot, level in enumerate(levels):
        won, name = tally.wins[bot], f"{bot} {level}"
        low, high = interval(won, games)
        between = f"{low:.1%}–{high:.1%}"
        by_bot.add_row(name, str(won), share(won, games), between, *spread(tally.scores_of(bot)))
        thought.add_row(name, f"{1000 * tally.seconds_of(bot):.2f}")
    console.print(ends, lengths, by_bot, thought)
    console.print(
        f"Won by several: {tally.shared} ({share(tally.shared, games)}), "
        f"by nobody: {tally.won_by_nobody} ({share(tally.won_by_nobody, games)})"
    )


def figures(title: str, subject: str, *columns: str) -> Table:
    """A table of figures, which stand at the right."""
    table = Table(subject, title=title, title_justify="left", box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def share(count: int, games: int) -> str:
    return f"{count / games:.1%}"


def spread(figures: list[int]) -> tuple[str, str, str]:
    """Mean, least and most."""
    return f"{mean(figures):.1f}", str(min(figures)), str(max(figures))

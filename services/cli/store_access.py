"""What commands share: access to the store, reading of files, progress of work on many games."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import click
from rich.console import Console
from rich.progress import Progress

from events.keys import is_game_id
from events.store import EventStore
from events.store_errors import STORE_FAILED
from games import RULESETS
from games.kernel import Registry
from replays.audit.verify import Fault
from services.cli.plain_text import without_control
from services.core.connections import open_ledger
from services.core.datadir import os_error_reason
from services.core.ledger import Ledger
from services.core.settings import CannotStart, Settings, read_settings
from services.core.signing import Keyring, make_signer

T = TypeVar("T")


class OpenStore(NamedTuple):
    """The store of the settings, with the keys and rulesets of this server."""

    store: EventStore
    keys: Keyring
    rulesets: Registry


def open_store() -> OpenStore:
    """Connect to the store that the settings name."""
    return open_store_with(read_settings(), known_rulesets())


def open_store_with(settings: Settings, rulesets: Registry) -> OpenStore:
    """The same where no command runs: in a process that helps one."""
    with explain_unavailable():
        store = open_ledger(settings, rulesets).store
    keys = Keyring(make_signer(settings), store.client)
    keys.announce()
    return OpenStore(store, keys, rulesets)


def open_store_ledger(settings: Settings) -> Ledger:
    """The games of the store that the settings name."""
    with explain_unavailable():
        return open_ledger(settings, known_rulesets())


@contextmanager
def explain_unavailable() -> Iterator[None]:
    """Say in one line that a store cannot be connected to."""
    try:
        yield
    except STORE_FAILED:
        raise CannotStart(
            "The store does not answer: run `stele up` beside this command, or name the store (STELE_STORE_URL)."
        ) from None


def read_file(path: Path, reader: Callable[[bytes], T], cannot: type[click.ClickException]) -> T:
    """What a file holds, or one line that says why it is of no use."""
    try:
        return reader(path.read_bytes())
    except OSError as problem:
        raise cannot(f"{path} cannot be read: {os_error_reason(problem)}.") from None
    except Fault as fault:
        raise cannot(f"{path} cannot be used: {without_control(fault.detail)}.") from None


def known_rulesets() -> Registry:
    """The games of the house, or those that the caller of the command brings."""
    return click.get_current_context().find_object(Registry) or RULESETS


def check_game(store: EventStore, game_id: str) -> None:
    """Refuse an id that no game of the store has."""
    if not is_game_id(game_id) or store.head(game_id).seq == 0:
        raise CannotStart(f"There is no game {game_id}.")


# -- work on many games ----------------------------------------------------------------------------------------------


def progress_bar() -> Progress:
    """A bar for people at a terminal; what goes to a file is not disturbed by it."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def report_outcomes(done: Iterable[tuple[str, str | None]], did: str, *, hindered: str, left: str) -> int:
    """Say how many games it was done for (`did`), and which are `left` for what problem; the exit code."""
    games = problems = 0
    for game, problem in done:
        games += 1
        if problem is not None:
            problems += 1
            click.echo(f"{game} {hindered}: {problem}", err=True)
    click.echo(f"{count_of_games(games - problems)} {did}" + (f", {problems} {left}" if problems else ""))
    return 1 if problems else 0


def count_of_games(games: int) -> str:
    return f"{games} {'game' if games == 1 else 'games'}"

"""`stele rebuild`: make everything that is read anew from the logs."""

import sys
from collections.abc import Iterable

import click
from rich.console import Console
from rich.progress import Progress

from projections.rebuild import PARTITION_KEYS, Rebuild, Rebuilt
from services.connections import open_ledger
from services.settings import CannotStart, read_settings


@click.command()
@click.option(
    "--projection",
    "names",
    multiple=True,
    type=click.Choice(list(PARTITION_KEYS)),
    help="What to rebuild; may be repeated. Everything, if left out.",
)
@click.option("--game", metavar="ID", help="Rebuild this game alone.")
def rebuild(names: tuple[str, ...], game: str | None) -> None:
    """Rebuild states, lobby, results and the index of retries from the logs, while the server runs."""
    ledger = open_ledger(read_settings())
    run = Rebuild(ledger.store, ledger.projections, names or tuple(PARTITION_KEYS))
    if game is not None:
        if not ledger.store.head(game).seq:
            raise CannotStart(f"There is no game {game}.")
        sys.exit(tell([run.game(game)]))
    found = run.survey()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        done = progress.track(run.run(found), total=len(found.logs), description="Rebuilding")
        sys.exit(tell(done))


def tell(done: Iterable[Rebuilt]) -> int:
    """Say how many games were rebuilt, and which could not be; the exit code."""
    games = broken = 0
    for game, problem in done:
        games += 1
        if problem is not None:
            broken += 1
            click.echo(f"{game} cannot be rebuilt: {type(problem).__name__}", err=True)
    rebuilt = games - broken
    click.echo(
        f"{rebuilt} {'game' if rebuilt == 1 else 'games'} rebuilt" + (f", {broken} broken" if broken else "")
    )
    return 1 if broken else 0

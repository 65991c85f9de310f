"""`stele rebuild`: make everything that is read anew from the logs."""

import sys
from collections.abc import Iterable, Iterator

import click

from projections.rebuild import Rebuild, Rebuilt
from projections.registry import REBUILT
from services.cli.store_access import check_game, open_store_ledger, progress_bar, report_outcomes
from services.core.settings import read_settings


@click.command()
@click.option(
    "--projection",
    "names",
    multiple=True,
    type=click.Choice(list(REBUILT)),
    help="What to rebuild; may be repeated. Everything, if left out.",
)
@click.option("--game", metavar="ID", help="Rebuild this game alone.")
def rebuild(names: tuple[str, ...], game: str | None) -> None:
    """Rebuild states, lobby, results and the index of retries from the logs, while the server runs.

    Reviews are dropped, and made again when somebody asks for them.
    """
    ledger = open_store_ledger(read_settings())
    run = Rebuild(ledger.store, ledger.projections, names or tuple(REBUILT))
    if game is not None:
        check_game(ledger.store, game)
        sys.exit(report_rebuilt([run.game(game)]))
    survey = run.survey()
    with progress_bar() as progress:
        sys.exit(
            report_rebuilt(progress.track(run.run(survey), total=len(survey.logs), description="Rebuilding"))
        )


def report_rebuilt(rebuilt: Iterable[Rebuilt]) -> int:
    return report_outcomes(named_problems(rebuilt), "rebuilt", hindered="cannot be rebuilt", left="broken")


def named_problems(rebuilt: Iterable[Rebuilt]) -> Iterator[tuple[str, str | None]]:
    """What hinders a game by its kind alone: the message may tell what is hidden."""
    for game, problem in rebuilt:
        yield game, None if problem is None else type(problem).__name__

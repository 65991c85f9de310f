"""`make chaos`: at least sixty faults on each kind of store, and a report. `python -m tests.chaos --help`."""

import sys
import time

import click

from tests.chaos.run import Report, chaos, lost

KINDS = ("embedded", "cluster1", "cluster0")
MEANING = {
    "embedded": "the embedded store, every write on disk before its answer",
    "cluster1": "a cluster, STELE_MIN_REPLICAS=1",
    "cluster0": "a cluster, STELE_MIN_REPLICAS=0",
}


@click.command()
@click.option("--faults", default=60, show_default=True, help="How many on each kind of store.")
@click.option("--seed", default=0, help="The same schedule as another run; 0 for a new one.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Only this kind of store; may be repeated.",
)
def main(faults: int, seed: int, kinds: tuple[str, ...]) -> None:
    """Break everything that can break while people play, and tell what was lost."""
    seed = seed or int(time.time())
    reports: list[Report] = []
    for kind in kinds or KINDS:
        reports.append(chaos(kind, faults, seed, lambda line: click.echo(line, err=True)))
        click.echo("\n".join(reports[-1].lines()))
    click.echo("\nAcknowledged actions that were lost:")
    for report in reports:
        click.echo(f"  {MEANING[report.kind]}: {lost(report.notes.acks, report.findings)}")
    bad = [
        report for report in reports if report.faults or (report.findings.lost and report.kind != "cluster0")
    ]
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

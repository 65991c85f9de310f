"""`make chaos`: at least sixty faults on each kind of store, and a report. `python -m tests.chaos --help`."""

import sys
import time

import click

from tests.chaos.run import Report, chaos, lost
from tests.docs.guarantees import record

KINDS = ("embedded", "damaged", "cluster1", "cluster0")
MAY_LOSE = ("damaged", "cluster0")
"""Where acknowledged actions may be lost: but never in silence."""
LONGEST_STILL = 2.0
"""Seconds for which a healthy partition may stand still while others are hit."""
MEANING = {
    "embedded": "the embedded store, every write on disk before its answer",
    "damaged": "the embedded store, its files damaged: torn and cut tails, no manifest, changed bytes, few open files",
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
@click.option("--record", "recorded", is_flag=True, help="Put the figures into docs/guarantees.md.")
def main(faults: int, seed: int, kinds: tuple[str, ...], recorded: bool) -> None:
    """Break everything that can break while people play, and tell what was lost."""
    seed = seed or int(time.time())
    reports: list[Report] = []
    for kind in kinds or KINDS:
        reports.append(chaos(kind, faults, seed, lambda line: click.echo(line, err=True)))
        click.echo("\n".join(reports[-1].lines()))
    click.echo("\nAcknowledged actions that were lost:")
    for report in reports:
        click.echo(f"  {MEANING[report.kind]}: {lost(report.notes.acks, report.findings)}")
    if recorded:
        record("chaos", {MEANING[report.kind]: figures(report) for report in reports})
    sys.exit(1 if any(map(broke_a_promise, reports)) else 0)


def broke_a_promise(report: Report) -> bool:
    stood_still = max(report.healthy_standstill or 0.0, report.healthy_standstill_of_bots or 0.0)
    lost_some = bool(report.findings.lost) and report.kind not in MAY_LOSE
    return bool(report.faults) or lost_some or stood_still > LONGEST_STILL


def figures(report: Report) -> str:
    """What came of a run, in a line."""
    return (
        f"{len(report.struck)} faults; {len(report.notes.acks):,} acknowledged actions, lost {len(report.findings.lost)},"
        f" doubled {len(report.findings.twice)}; {len(report.gaps)} gaps in streams; broken promises {len(report.faults)}"
        + "".join(f"; {line.strip()}" for line in report.healthy_lines())
    )


if __name__ == "__main__":
    main()

"""`make mutants`: a seeded sample of mutants of critical code, and which test notices each."""

from pathlib import Path
from random import Random

import click

from tests.mutants.mutations import mutants_of
from tests.mutants.run import Verdict, report_lines, verdicts_of
from tests.mutants.targets import TARGETS
from tests.seeding import SEED

REPORT = Path(__file__).with_name("report.md")


@click.command()
@click.option("--each", default=5, help="Mutants of each file.")
@click.option("--only", multiple=True, help="Part of the name of a file; may be repeated.")
@click.option("--record", is_flag=True, help="Keep the report beside this program.")
def main(each: int, only: tuple[str, ...], record: bool) -> None:
    """Mutate a sample of lines, chosen by STELE_TEST_SEED, and print which tests notice."""
    verdicts: dict[Path, list[Verdict]] = {}
    for target in TARGETS:
        if only and not any(part in target.file for part in only):
            continue
        file = Path(target.file)
        mutants = mutants_of(file)
        sample = Random(f"{SEED}/{file}").sample(mutants, min(each, len(mutants)))
        verdicts[file] = verdicts_of(target, sorted(sample, key=lambda mutant: mutant.number))
        for verdict in verdicts[file]:
            click.echo(f"{verdict.mutant}  {verdict.killer or 'SURVIVED'}")
        if record:  # after each file: a run that is broken off has not been for nothing
            REPORT.write_text("\n".join(report_lines(SEED, verdicts)))
    click.echo(report_lines(SEED, verdicts)[2])


main()

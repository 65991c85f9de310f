"""`stele audit`: check a game to the last shuffle, and say what was found."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from projections.rebuild import Rebuild
from replays.audit.audit import Audit
from replays.audit.heads import KeptHead, Trust, read_witness
from replays.audit.verify import Keys, read_keys
from services.cli.auditing import Auditor, CannotAudit, Finding, no_verdict
from services.cli.cores import on_cores
from services.cli.reach import counted, known_rulesets, progress_bar, reach_ledger, read_file
from services.core.settings import PREFIX, read_settings

EXIT_CODES = {"pass": 0, "fail": 1, "incomplete": 2}
SIGNS = {"pass": ("✓", "green"), "fail": ("✗", "bold red"), "not_checked": ("–", "yellow")}
VERDICTS = {
    "pass": Text("pass: everything was checked, and nothing is wrong", "bold green"),
    "fail": Text("fail: this is not a game as the rules and the server's word have it", "bold red"),
    "incomplete": Text("incomplete: nothing is wrong in what could be checked", "bold yellow"),
}
FAIRNESS = {
    "sealed": "sealed: a player brought sealed entropy, so that nobody else could choose the deal",
    "open": "open: a player brought entropy that the server could see before it dealt",
    "server_only": "server_only: the chances are the server's alone",
    "seeded": "seeded: whoever created the game chose its seed",
}


SUMMARY = {
    "pass": "passed",
    "fail": "failed",
    "incomplete": "incomplete",
    "unreadable": "could not be read",
}
T = TypeVar("T")


def from_file(
    reader: Callable[[bytes], T],
) -> Callable[[click.Context, click.Parameter, Path | None], T | None]:
    """What the file of an option holds, read by this reader."""

    def read(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> T | None:
        return None if path is None else read_file(path, reader, CannotAudit)

    return read


@click.command(name="audit")
@click.argument("subjects", metavar="[FILE|GAME_ID]…", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Audit every settled game of this server.")
@click.option(
    "--witness",
    type=click.Path(path_type=Path),
    callback=from_file(read_witness),
    metavar="FILE",
    help="Heads that were kept during play, as JSON.",
)
@click.option(
    "--key",
    "keys",
    type=click.Path(path_type=Path),
    callback=from_file(read_keys),
    metavar="FILE",
    help="The only keys to trust: a server's stele-keys.json, or a public key in hex.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print what was found as JSON, of several games one a line."
)
def audit_command(
    subjects: tuple[str, ...], every: bool, witness: list[KeptHead] | None, keys: Keys | None, as_json: bool
) -> None:
    """Check the record in FILE, or a game of this server, to the last shuffle.

    Several are checked at once, on every core; of those, only what is wrong or could not be checked is told.
    Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.

    \b
    Examples:
      stele audit game.json --key stele-keys.json
      stele audit game.json --witness my-heads.json
      stele audit backup/*.json
      stele audit --all
    """
    if bool(subjects) == every:
        raise click.UsageError(
            "Name files or games to audit, or --all for every settled game of this server."
        )
    pinned = None if keys is None else Trust(keys)
    auditor = Auditor(known_rulesets(), settings_of(os.environ), pinned, witness)
    if every:
        sys.exit(audit_many(auditor.find_settled, all_games(), as_json))
    if len(subjects) > 1:
        sys.exit(audit_many(auditor.find, subjects, as_json))
    findings = auditor.audit(subjects[0])
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(findings)))
    else:
        report(findings, subjects[0], Console())
    sys.exit(EXIT_CODES[findings.verdict])


def settings_of(environ: Mapping[str, str]) -> dict[str, str]:
    """What another process needs to have the same settings."""
    return {name: value for name, value in environ.items() if name.startswith(PREFIX)}


def all_games() -> list[str]:
    """Every game of this server, those in the archive included."""
    with no_verdict():
        ledger = reach_ledger(read_settings())
        return sorted(Rebuild(ledger.store, ledger.projections).survey().logs)


def audit_many(find: Callable[[str], Finding | None], subjects: Sequence[str], as_json: bool) -> int:
    """Audit all of them, on every core; the exit code."""
    verdicts: Counter[str] = Counter()
    jobs = min(os.cpu_count() or 1, len(subjects)) or 1
    with no_verdict(), progress_bar() as progress, on_cores(find, subjects, jobs) as findings:
        for finding in progress.track(findings, len(subjects), description="Auditing"):
            if finding is None:
                continue
            verdicts[finding.audit.verdict if finding.audit else "unreadable"] += 1
            if as_json:
                click.echo(msgspec.json.encode(finding))
            else:
                tell(finding)
    if not as_json:
        click.echo(summary(verdicts))
    return 1 if verdicts["fail"] else 2 if verdicts.total() > verdicts["pass"] else 0


def tell(finding: Finding) -> None:
    """Of one game among many: what is wrong with it or could not be checked, in one line."""
    if finding.audit is None:
        click.echo(finding.problem)
    elif finding.audit.verdict != "pass":
        check = first_of(finding.audit)
        place = f" (entry {check['entry']})" if check["entry"] else ""
        click.echo(f"{finding.subject}: {finding.audit.verdict}: {check['check']}{place}: {check['detail']}")


def first_of(findings: Audit) -> Mapping[str, Any]:
    """The first check that failed, or else the first that could not be made."""
    faults = [check for check in findings.checks if check["verdict"] != "pass"]
    return min(faults, key=lambda check: check["verdict"] != "fail")


def summary(verdicts: Counter[str]) -> str:
    parts = [f"{verdicts[name]} {words}" for name, words in SUMMARY.items() if verdicts[name]]
    return f"{counted(verdicts.total())} audited" + (f": {', '.join(parts)}" if parts else "")


def report(findings: Audit, subject: str, console: Console) -> None:
    """What was found, for people."""
    console.print(Text.assemble("Audit of ", (subject, "bold")))
    table = Table.grid(padding=(0, 2))
    for check in findings.checks:
        sign, style = SIGNS[check["verdict"]]
        place = f"entry {check['entry']}" if check["entry"] else ""
        table.add_row(
            Text(sign, style), Text(check["check"]), Text(place, style), Text(check["detail"] or "", "dim")
        )
    console.print(table)
    console.print(
        Text.assemble("Chances: ", FAIRNESS.get(findings.fairness or "", "of no account: see its origin"))
    )
    console.print(Text.assemble("Verdict: ", VERDICTS[findings.verdict]))

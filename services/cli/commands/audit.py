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
from projections.store import ProjectionStore
from replays.audit.audit import Audit
from replays.audit.heads import KeptHead, Trust, read_witness
from replays.audit.verify import (
    Checkpoint,
    Keys,
    LogKeys,
    LogTrust,
    PublishedTiles,
    read_cosigners,
    read_kept_checkpoint,
    read_keys,
    read_log_keys,
    read_record,
)
from services.cli.auditor import Auditor, CannotAudit, Finding, no_verdict
from services.cli.parallel import map_in_processes
from services.cli.plain_text import without_control
from services.cli.store_access import (
    count_of_games,
    known_rulesets,
    open_store_ledger,
    progress_bar,
    read_file,
)
from services.core.records import Evidence, own_log_trust
from services.core.settings import VARIABLE_PREFIX, read_settings
from services.core.transparency_log import TransparencyLog, transparency_log_of

EXIT_CODES = {"pass": 0, "fail": 1, "incomplete": 2}
SIGNS = {"pass": ("✓", "green"), "fail": ("✗", "bold red"), "not_checked": ("–", "yellow")}
VERDICTS = {
    "pass": Text("pass: everything was checked, and nothing is wrong", "bold green"),
    "fail": Text("fail: this is not a game as the rules and the server's word have it", "bold red"),
    "incomplete": Text("incomplete: nothing is wrong in what could be checked", "bold yellow"),
}
FAIRNESS_SENTENCES = {
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


def read_all_keys(source: bytes) -> tuple[Keys, LogKeys]:
    """The keys that sign heads, and those of transparency logs."""
    return read_keys(source), read_log_keys(source)


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
    callback=from_file(read_all_keys),
    metavar="FILE",
    help="The only keys to trust: a server's stele-keys.json, or a public key in hex.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    callback=from_file(read_kept_checkpoint),
    metavar="FILE",
    help="A checkpoint of the transparency log that was kept: its history must be the same.",
)
@click.option(
    "--log",
    "place",
    metavar="PLACE",
    help="Where that log's tiles are: an address like https://example.org/tlog, or a directory.",
)
@click.option(
    "--cosigners",
    type=click.Path(path_type=Path),
    callback=from_file(read_cosigners),
    metavar="FILE",
    help="Verifier keys of witnesses whose cosignatures are counted, one a line.",
)
@click.option("--require-proofs", is_flag=True, help="Fail a game without proofs of the transparency log.")
@click.option(
    "--parent",
    type=click.Path(path_type=Path),
    callback=from_file(read_record),
    metavar="FILE",
    help="The record of the game that a fork says it began from.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print what was found as JSON, of several games one a line."
)
def audit_command(
    subjects: tuple[str, ...],
    every: bool,
    witness: list[KeptHead] | None,
    keys: tuple[Keys, LogKeys] | None,
    as_json: bool,
    **about_log: Any,
) -> None:
    """Check the record in FILE, or a game of this server, to the last shuffle.

    Several are checked at once, on every core; of those, only what is wrong or could not be checked is printed. With --all,
    `failed_audits` of /readyz counts the games that fail.
    Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.

    \b
    Examples:
      stele audit game.json --key stele-keys.json
      stele audit game.json --witness my-heads.json
      stele audit game.json --key stele-keys.json --require-proofs
      stele audit backup/*.json
      stele audit --all
    """
    if bool(subjects) == every:
        raise click.UsageError(
            "Name files or games to audit, or --all for every settled game of this server."
        )
    evidence = Evidence(
        None if keys is None else Trust(keys[0]),
        witness,
        log_trust_by(None if keys is None else keys[1], **about_log),
        about_log["parent"],
    )
    auditor = Auditor(known_rulesets(), settings_of(os.environ), evidence)
    if every:
        with no_verdict():
            ledger = open_store_ledger(read_settings())
            games = sorted(Rebuild(ledger.store, ledger.projections).survey().logs)
        sys.exit(audit_many(auditor.find_settled, games, as_json, ledger.projections))
    if len(subjects) > 1:
        sys.exit(audit_many(auditor.find, subjects, as_json))
    findings = auditor.audit(subjects[0])
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(findings)))
    else:
        print_audit(findings, subjects[0], Console())
    sys.exit(EXIT_CODES[findings.verdict])


def log_trust_by(
    keys: LogKeys | None,
    *,
    checkpoint: Checkpoint | None,
    place: str | None,
    cosigners: list[tuple[str, bytes]] | None,
    require_proofs: bool,
    **_others: Any,
) -> LogTrust | None:
    """What the options say of transparency logs; without keys, those of this machine's own log are known."""
    if keys is None and not (checkpoint or cosigners or require_proofs):
        return None
    known = LogTrust(keys) if keys is not None else own_log_trust(own_log(), own=False)
    return known._replace(
        checkpoints=[checkpoint] if checkpoint else [],
        tiles=PublishedTiles(place) if place else None,
        cosigners=cosigners or [],
        required=require_proofs,
    )


def own_log() -> TransparencyLog | None:
    return transparency_log_of(read_settings())


def settings_of(environ: Mapping[str, str]) -> dict[str, str]:
    """What another process needs to have the same settings."""
    return {name: value for name, value in environ.items() if name.startswith(VARIABLE_PREFIX)}


def audit_many(
    find: Callable[[str], Finding | None],
    subjects: Sequence[str],
    as_json: bool,
    projections: ProjectionStore | None = None,
) -> int:
    """Audit all of them, on every core; the exit code. Games of `projections` that fail are marked there."""
    verdicts: Counter[str] = Counter()
    jobs = min(os.cpu_count() or 1, len(subjects)) or 1
    with no_verdict(), progress_bar() as progress, map_in_processes(find, subjects, jobs) as findings:
        for finding in progress.track(findings, len(subjects), description="Auditing"):
            if finding is None:
                continue
            verdict = finding.audit.verdict if finding.audit else "unreadable"
            verdicts[verdict] += 1
            if projections and verdict != "incomplete":
                projections.mark_damaged(finding.subject, damaged=verdict != "pass")
            if as_json:
                click.echo(msgspec.json.encode(finding))
            else:
                print_finding(finding)
    if not as_json:
        click.echo(audit_summary(verdicts))
    return 1 if verdicts["fail"] else 2 if verdicts.total() > verdicts["pass"] else 0


def print_finding(finding: Finding) -> None:
    """Of one game among many: what is wrong with it or could not be checked, in one line."""
    if finding.audit is None:
        click.echo(finding.problem)
    elif finding.audit.verdict != "pass":
        check = first_of(finding.audit)
        place = f" (entry {check['entry']})" if check["entry"] else ""
        detail = without_control(check["detail"] or "")
        click.echo(f"{finding.subject}: {finding.audit.verdict}: {check['check']}{place}: {detail}")


def first_of(findings: Audit) -> Mapping[str, Any]:
    """The first check that failed, or else the first that could not be made."""
    faults = [check for check in findings.checks if check["verdict"] != "pass"]
    return min(faults, key=lambda check: check["verdict"] != "fail")


def audit_summary(verdicts: Counter[str]) -> str:
    parts = [f"{verdicts[name]} {words}" for name, words in SUMMARY.items() if verdicts[name]]
    return f"{count_of_games(verdicts.total())} audited" + (f": {', '.join(parts)}" if parts else "")


def print_audit(findings: Audit, subject: str, console: Console) -> None:
    """What was found, for people."""
    console.print(Text.assemble("Audit of ", (subject, "bold")))
    table = Table.grid(padding=(0, 2))
    for check in findings.checks:
        sign, style = SIGNS[check["verdict"]]
        place = f"entry {check['entry']}" if check["entry"] else ""
        table.add_row(
            Text(sign, style),
            Text(check["check"]),
            Text(place, style),
            Text(without_control(check["detail"] or ""), "dim"),
        )
    console.print(table)
    console.print(
        Text.assemble(
            "Chances: ", FAIRNESS_SENTENCES.get(findings.fairness or "", "of no account: see its origin")
        )
    )
    console.print(Text.assemble("Verdict: ", VERDICTS[findings.verdict]))

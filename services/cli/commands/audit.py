"""`stele audit`: check a game to the last shuffle, and say what was found."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from events.keys import is_game_id
from replays.audit.audit import Audit, audit
from replays.audit.heads import KeptHead, Trust, read_witness
from replays.audit.verify import Keys, read_keys
from replays.record import read_record
from services.cli.reach import check_game, known_rulesets, reach, read_file
from services.core.records import audit_game
from services.core.settings import ROWS, CannotStart, read_settings
from services.core.signing import make_signer

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


class CannotAudit(click.ClickException):
    """There is nothing to audit; one line says why."""

    exit_code = 2


T = TypeVar("T")


def from_file(
    reader: Callable[[bytes], T],
) -> Callable[[click.Context, click.Parameter, Path | None], T | None]:
    """What the file of an option holds, read by this reader."""

    def read(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> T | None:
        return None if path is None else read_file(path, reader, CannotAudit)

    return read


@click.command(name="audit")
@click.argument("subject", metavar="FILE|GAME_ID")
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
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def audit_command(subject: str, witness: list[KeptHead] | None, keys: Keys | None, as_json: bool) -> None:
    """Check the record in FILE, or a game of this server, to the last shuffle.

    Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.

    \b
    Examples:
      stele audit game.json --key stele-keys.json
      stele audit game.json --witness my-heads.json
    """
    pinned = None if keys is None else Trust(keys)
    if Path(subject).exists():
        found = audit_file(Path(subject), pinned, witness)
    else:
        found = audit_id(subject, pinned, witness)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
    else:
        report(found, subject, Console())
    sys.exit(EXIT_CODES[found.verdict])


def audit_file(path: Path, pinned: Trust | None, witness: list[KeptHead] | None) -> Audit:
    """The audit of a record; without keys given, this machine's own is the only one known."""
    record = read_file(path, read_record, CannotAudit)
    return audit(record, known_rulesets(), trust=pinned or own_key(), witness=witness)


def own_key() -> Trust:
    """The key of this machine's server, if it has one: a signature with another may be as good."""
    settings = read_settings()
    if not settings.signing_key and not (settings.data_dir / ROWS["signing_key"].file).exists():
        return Trust({}, only_these=False)
    signer = make_signer(settings)
    return Trust({signer.key_id: signer.public}, only_these=False)


def audit_id(game_id: str, pinned: Trust | None, witness: list[KeptHead] | None) -> Audit:
    """The audit of a game of this server."""
    if not is_game_id(game_id):
        raise CannotAudit(f"{game_id} is neither a file nor a game's id.")
    try:
        here = reach()
        check_game(here.store, game_id)
    except CannotStart as problem:  # which is no verdict, so not 1
        raise CannotAudit(problem.message) from None
    return audit_game(here.store, here.keys, here.rulesets, game_id, trust=pinned, witness=witness)


def report(found: Audit, subject: str, console: Console) -> None:
    """What was found, for people."""
    console.print(Text.assemble("Audit of ", (subject, "bold")))
    table = Table.grid(padding=(0, 2))
    for check in found.checks:
        sign, style = SIGNS[check["verdict"]]
        place = f"entry {check['entry']}" if check["entry"] else ""
        table.add_row(
            Text(sign, style), Text(check["check"]), Text(place, style), Text(check["detail"] or "", "dim")
        )
    console.print(table)
    console.print(
        Text.assemble("Chances: ", FAIRNESS.get(found.fairness or "", "of no account: see its origin"))
    )
    console.print(Text.assemble("Verdict: ", VERDICTS[found.verdict]))

"""`stele settings`: every setting, its meaning, its default, and where its present value comes from."""

import dataclasses
import os

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from services.core.settings import ListedSetting, listing, unknown_variables


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, with an example of each setting.")
def settings(as_json: bool) -> None:
    """List every setting: a STELE_* variable of the environment."""
    lines = list(listing(os.environ))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([dataclasses.asdict(line) for line in lines])))
    else:
        Console().print(table_of(lines))
    for name in unknown_variables(os.environ):
        click.echo(f"{name} is set, but there is no such setting.", err=True)


def table_of(lines: list[ListedSetting]) -> Table:
    table = Table("Setting", "Meaning", "Present value", show_lines=True)
    table.columns[0].no_wrap = True
    table.columns[2].overflow = "fold"
    for line in lines:
        present = "[dim]default[/]" if line.source == "default" else f"{escape(line.value)} ({line.source})"
        table.add_row(line.name, f"{line.meaning}\n[dim]Default: {line.default}[/]", present)
    return table

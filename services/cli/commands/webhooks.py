"""`stele webhooks`: the registered receivers, and which of them fail."""

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from services.cli.store_access import open_store_ledger
from services.core.settings import read_settings
from services.core.webhooks import Webhooks, state_of


@click.command()
def webhooks() -> None:
    """List the webhooks: whose they are, where they lead, and which fail or were disabled, and why."""
    registered = Webhooks(open_store_ledger(read_settings()).store.client)
    table = Table("id", "of", "address", "state", "why", box=SIMPLE_HEAD)
    for webhook in registered.all():
        trouble = registered.trouble(webhook.id)
        reason = f"{trouble.reason} ({trouble.tries} tries)" if trouble else ""
        owner = webhook.host or "operators"
        table.add_row(webhook.id, owner, escape(webhook.url), state_of(trouble), escape(reason))
    console = Console()
    if table.row_count:
        console.print(table)
    else:
        console.print("There are no webhooks. Hosts and operators register them: POST /v1/webhooks.")

"""Where things are plugged together: from settings to a store, a ledger and an API."""

from functools import partial

from events.scribe import Scribe
from events.store import Client
from games import RULESETS
from games.kernel import Registry
from projections.lists import Lists
from services.api.callers import Doorkeeper
from services.api.context import Context
from services.api.limits import Limits
from services.core.connections import open_ledger
from services.core.datadir import token_key
from services.core.disk import disk_of
from services.core.examining import examine
from services.core.settings import Settings
from services.core.signing import Keyring, make_signer


def make_context(
    settings: Settings,
    rulesets: Registry = RULESETS,
    client: Client | None = None,
    scribe: Scribe | None = None,
) -> Context:
    """Everything that the API of these settings serves with."""
    ledger = open_ledger(settings, rulesets, client, scribe)
    keys = Keyring(make_signer(settings), ledger.store.client)
    keys.announce()
    key = token_key(settings)
    return Context(
        store=ledger.store,
        lists=Lists(ledger.store.client),
        ledger=ledger,
        rulesets=rulesets,
        door=Doorkeeper(key, settings.host_tokens, settings.operator_tokens),
        keys=keys,
        examine=partial(examine, rulesets),
        limits=Limits.of(settings, ledger.store.client, key),
        create=settings.create,
        cors_origins=settings.cors_origins,
        webhooks_may_be_private=settings.webhook_allow_private == 1,
        disk=disk_of(settings),
    )

"""Where things are plugged together: from settings to a store, a ledger and an API."""

from functools import partial

from events.batch import EntryFactory
from events.store import Client
from games import RULESETS
from games.kernel import Registry
from projections.lists import Lists
from services.api.authentication import Authenticator
from services.api.context import Context
from services.api.limits import Limits
from services.core.connections import open_ledger
from services.core.datadir import token_key
from services.core.disk import disk_of
from services.core.sandboxed_audit import audit_record_bytes
from services.core.settings import Settings
from services.core.signing import Keyring, make_signer
from services.core.transparency_log import transparency_log_of
from services.core.web_push import make_push_key


def make_context(
    settings: Settings,
    rulesets: Registry = RULESETS,
    client: Client | None = None,
    entry_factory: EntryFactory | None = None,
) -> Context:
    """Everything that the API of these settings serves with."""
    ledger = open_ledger(settings, rulesets, client, entry_factory)
    keys = Keyring(make_signer(settings), ledger.store.client)
    keys.announce()
    key = token_key(settings)
    return Context(
        store=ledger.store,
        lists=Lists(ledger.store.client),
        ledger=ledger,
        rulesets=rulesets,
        authenticator=Authenticator(key, settings.host_tokens, settings.operator_tokens),
        keys=keys,
        examine=partial(audit_record_bytes, rulesets),
        limits=Limits.of(settings, ledger.store.client, key),
        create=settings.create,
        bot_games=settings.bot_games,
        metrics_token=settings.metrics_token,
        cors_origins=settings.cors_origins,
        public_url=settings.public_url,
        embed_ancestors=settings.embed_ancestors,
        webhooks_may_be_private=settings.webhook_allow_private == 1,
        disk=disk_of(settings),
        push_key=make_push_key(settings).public,
        log=transparency_log_of(settings),
    )

"""What the API is made of, plugged together in one place."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from flask import Flask, Request, current_app, request

from events.store import EventStore
from games.kernel import Refusal, Registry
from projections.lists import Lists
from projections.standings import Standings
from replays.audit.audit import Audit
from services.api.callers import Doorkeeper
from services.api.limits import Limits
from services.core.disk import Disk
from services.core.examining import Examine
from services.core.ledger import Ledger
from services.core.past import Past
from services.core.recent import Recent
from services.core.signing import Keyring
from services.core.webhooks import Webhooks


@dataclass(frozen=True)
class Context:
    """Everything a request may need."""

    store: EventStore
    ledger: Ledger
    lists: Lists
    rulesets: Registry
    door: Doorkeeper
    keys: Keyring
    examine: Examine
    limits: Limits
    create: str = "open"
    cors_origins: tuple[str, ...] = ()
    disk: Disk | None = None
    webhooks_may_be_private: bool = False
    audits: Recent[tuple[str, str], Audit] = field(default_factory=lambda: Recent(256))
    """Audits made lately, by game and the hash of the log's latest entry: what is the same is not checked twice."""

    @property
    def standings(self) -> Standings:
        """What players have achieved."""
        return self.ledger.projections.standings

    @cached_property
    def webhooks(self) -> Webhooks:
        """Who wants to be told of what happens."""
        return Webhooks(self.store.client)

    @cached_property
    def past(self) -> Past:
        """The past of every game."""
        return Past(self.ledger)

    def check_writable(self) -> None:
        """Refuse to write while the disk is nearly full: a store that fills its disk dies."""
        if self.disk and self.disk.full():
            raise Refusal("store_full", "The server's disk is nearly full: it only reads for now.")


def context() -> Context:
    """The context of the running application."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # of Flask's proxy
    return cast(Context, app.extensions["stele"])


def this_request() -> Request:
    """The request itself, for who asks it several things: Flask's proxy looks it up anew each time."""
    current: Request = request._get_current_object()  # type: ignore[attr-defined]  # of Flask's proxy
    return current

"""What the API is made of, plugged together in one place."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask import Request
from werkzeug.datastructures import EnvironHeaders

from events.store import EventStore
from games.kernel import Refusal, Registry
from projections.lists import Lists
from projections.reviews import Reviews
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

    boards: Recent[tuple[Any, ...], str] = field(default_factory=lambda: Recent(128))
    """Pictures drawn lately, by the end of the log, the version, and whose eyes they are for."""

    @property
    def standings(self) -> Standings:
        """What players have achieved."""
        return self.ledger.projections.standings

    @property
    def reviews(self) -> Reviews:
        """What there is of reviews."""
        return self.ledger.projections.reviews

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


class ThisRequest(Request):
    """A request as Flask knows it, and what it may need. It is there with or without Flask's own context."""

    def __init__(self, environ: dict[str, Any], context: Context) -> None:
        self.context = context
        self.environ = (
            environ  # and what Werkzeug takes from it, without looking for what the front always has there
        )
        self.shallow = False
        self.method = environ["REQUEST_METHOD"]
        self.scheme = environ["wsgi.url_scheme"]
        self.server = (environ["SERVER_NAME"], int(environ["SERVER_PORT"] or 0))
        self.root_path = environ["SCRIPT_NAME"]
        self.path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        self.query_string = environ["QUERY_STRING"].encode("latin-1")
        self.headers = EnvironHeaders(environ)
        self.remote_addr = environ.get("REMOTE_ADDR")

    def header(self, name: str) -> str | None:
        """A header by its name in the environ (`IF_MATCH`): nothing has to be translated."""
        value: str | None = self.environ.get("HTTP_" + name)
        return value

    @property
    def says_json(self) -> bool:
        """Does the body say that it is JSON? Nearly always in just these words."""
        return self.environ.get("CONTENT_TYPE") == "application/json" or self.is_json


CURRENT: ContextVar[ThisRequest] = ContextVar("request")
"""The request that is dealt with here."""


def context() -> Context:
    """The context of the running application."""
    return CURRENT.get().context


def this_request() -> ThisRequest:
    """The request that is dealt with: what may run without Flask's own context (`services.api.stele`) asks here."""
    return CURRENT.get()

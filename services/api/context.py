"""What the API is made of, plugged together in one place."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from events.store import EventStore
from games.kernel import Refusal, Registry
from projections.hints import Hints
from projections.lists import Lists
from projections.pushes import Pushes
from projections.ratings import Ratings
from projections.reviews import Reviews
from projections.standings import Standings
from replays.audit.audit import Audit
from services.api.authentication import Authenticator
from services.api.limits import Limits
from services.core.disk import Disk
from services.core.history import History
from services.core.ledger import Ledger
from services.core.lru import LruCache
from services.core.rasterizing import Rasterizer, pixels
from services.core.sandboxed_audit import RecordAuditor
from services.core.signing import Keyring
from services.core.transparency_log import TransparencyLog
from services.core.webhooks import Webhooks
from services.http.messages import this_request


@dataclass(frozen=True)
class Context:
    """Everything a request may need."""

    store: EventStore
    ledger: Ledger
    lists: Lists
    rulesets: Registry
    authenticator: Authenticator
    keys: Keyring
    examine: RecordAuditor
    limits: Limits
    create: str = "open"
    bot_games: str = "host"
    """Who may create games that only bots play."""
    cors_origins: tuple[str, ...] = ()
    metrics_token: str | None = None
    disk: Disk | None = None
    webhooks_may_be_private: bool = False
    push_key: str = ""
    """The public key by which push services know this server."""
    log: TransparencyLog | None = None
    """The transparency log, if this server keeps one."""
    audits: LruCache[tuple[str, str, bool], Audit] = field(default_factory=lambda: LruCache(256))
    """Audits made lately, by game, the hash of the log's latest entry and whether proofs are there: what is the same is
    not checked twice."""

    boards: LruCache[tuple[Any, ...], str] = field(default_factory=lambda: LruCache(128))
    """Pictures drawn lately, by the end of the log, the version, and whose eyes they are for."""

    pngs: LruCache[tuple[Any, ...], bytes] = field(default_factory=lambda: LruCache(64))
    """The same as PNG."""

    rasterize: Rasterizer = pixels
    public_url: str | None = None
    """Where people reach this server; None if each request says so."""
    embed_ancestors: tuple[str, ...] = ("*",)
    """Whose pages may frame a game."""

    @property
    def standings(self) -> Standings:
        """What players have achieved."""
        return self.ledger.projections.standings

    @property
    def ratings(self) -> Ratings:
        """How strong players are."""
        return self.ledger.projections.ratings

    @property
    def pushes(self) -> Pushes:
        """Who is told by Web Push."""
        return self.ledger.projections.pushes

    @property
    def reviews(self) -> Reviews:
        """What there is of reviews."""
        return self.ledger.projections.reviews

    @property
    def hints(self) -> Hints:
        """What there is of hints."""
        return self.ledger.projections.hints

    @cached_property
    def webhooks(self) -> Webhooks:
        """Who wants to be told of what happens."""
        return Webhooks(self.store.client)

    @cached_property
    def past(self) -> History:
        """The past of every game."""
        return History(self.ledger)

    def check_writable(self) -> None:
        """Refuse to write while the disk is nearly full: a store that fills its disk dies."""
        if self.disk and self.disk.full():
            raise Refusal("store_full", "The server's disk is nearly full: it only reads for now.")


def context() -> Context:
    """What the application of this request serves with."""
    here: Context = this_request().context
    return here

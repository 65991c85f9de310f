"""The one way to change a game, when the store is not what a process believed."""

import fakeredis
import pytest

from events import acts
from events.entries import Carved
from events.keys import keys_of
from events.scribe import Page
from events.store import EMPTY, Appended, Aside, EventStore
from games.kernel import Refusal
from projections.store import ProjectionStore
from services.core.ledger import Change, Known, Ledger
from tests.events.logs import SERVER_SEED, TOYS, created, next_action


def put(store: EventStore, entries: list[Carved]) -> None:
    """Let this be the whole log of its game."""
    store.client.delete(keys_of(entries[0].entry.game).stream)
    assert store.append(EMPTY, entries, aside=Aside({"seed": SERVER_SEED.hex()})) == Appended()


def test_a_refusal_decided_on_entries_that_a_failover_lost_does_not_count() -> None:
    store = EventStore(fakeredis.FakeRedis())
    ledger = Ledger(store, ProjectionStore(store.client, TOYS))
    page = created()
    put(store, page.carve())
    game = ledger.get(page.id).game
    seat, action = next_action(game)

    def lay(page: Page, known: Known) -> None:
        acts.act(page, seat, action, TOYS, known.seed)

    assert isinstance(ledger.change(game.id, lay), Change)
    with pytest.raises(Refusal, match="is not to act"):
        ledger.change(game.id, lay)

    other = Page(ledger.scribe, game, game.id)
    acts.renew_token(other, {"operator": True}, 2)
    put(store, [*store.read(game.id, limit=game.version), *other.carve()])
    assert isinstance(ledger.change(game.id, lay), Change)

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
from services.core.ledger import Change, Dossier, Ledger
from tests.events.logs import PEOPLE, SERVER_SEED, SITTERS, TOYS, created, next_action


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

    def lay(page: Page, dossier: Dossier) -> None:
        acts.act(page, seat, action, TOYS, dossier.seed)

    assert isinstance(ledger.change(game.id, lay), Change)
    with pytest.raises(Refusal, match="not your turn"):
        ledger.change(game.id, lay)

    other = Page(ledger.scribe, game, game.id)
    acts.renew_token(other, {"operator": True}, 2)
    put(store, [*store.read(game.id, limit=game.version), *other.carve()])
    assert isinstance(ledger.change(game.id, lay), Change)


def test_the_name_of_who_has_left_is_forgotten_here_and_by_every_other_process() -> None:
    store = EventStore(fakeredis.FakeRedis())
    ledger, other = (Ledger(store, ProjectionStore(store.client, TOYS)) for _ in range(2))
    page = created(sitters=())
    put(store, page.carve())

    def sit_down(page: Page, dossier: Dossier) -> None:
        for seat, sitter in enumerate(SITTERS[:2]):
            acts.sit(page, seat, sitter._replace(person=PEOPLE[seat].decode()))

    ledger.change(page.id, sit_down)
    assert ledger.cached(page.id).people.keys() == other.get(page.id).people.keys() == {0, 1}

    ledger.change(page.id, lambda page, _: acts.leave(page, {"seat": 0}, 0))
    assert ledger.cached(page.id).people.keys() == store.people(page.id).keys() == {1}
    other.change(page.id, lambda page, _: acts.renew_token(page, {"operator": True}, 1))
    assert other.cached(page.id).people.keys() == {1}

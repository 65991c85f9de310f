"""The one way to change a game, when the store is not what a process believed."""

import fakeredis
import pytest

from events import commands
from events.batch import EntryBatch
from events.entries import Carved
from events.keys import keys_of
from events.store import EMPTY_LOG, Appended, EventStore, SideData
from games.kernel import Refusal
from projections.store import ProjectionStore
from services.core.ledger import Change, Dossier, Ledger
from tests.events.logs import PEOPLE, SERVER_SEED, SITTERS, TOYS, created, next_action


def put(store: EventStore, entries: list[Carved]) -> None:
    """Let this be the whole log of its game."""
    store.client.delete(keys_of(entries[0].entry.game).stream)
    assert store.append(EMPTY_LOG, entries, side_data=SideData({"seed": SERVER_SEED.hex()})) == Appended()


def test_a_refusal_decided_on_entries_that_a_failover_lost_does_not_count() -> None:
    store = EventStore(fakeredis.FakeRedis())
    ledger = Ledger(store, ProjectionStore(store.client, TOYS))
    batch = created()
    put(store, batch.carve())
    game = ledger.get(batch.id).game
    seat, action = next_action(game)

    def lay(batch: EntryBatch, dossier: Dossier) -> None:
        commands.act(batch, seat, action, TOYS, dossier.seed)

    assert isinstance(ledger.change(game.id, lay), Change)
    with pytest.raises(Refusal, match="not your turn"):
        ledger.change(game.id, lay)

    other = EntryBatch(ledger.entry_factory, game, game.id)
    commands.renew_token(other, {"operator": True}, 2)
    put(store, [*store.read(game.id, limit=game.version), *other.carve()])
    assert isinstance(ledger.change(game.id, lay), Change)


def test_the_name_of_who_has_left_is_forgotten_here_and_by_every_other_process() -> None:
    store = EventStore(fakeredis.FakeRedis())
    ledger, other = (Ledger(store, ProjectionStore(store.client, TOYS)) for _ in range(2))
    batch = created(sitters=())
    put(store, batch.carve())

    def sit_down(batch: EntryBatch, dossier: Dossier) -> None:
        for seat, sitter in enumerate(SITTERS[:2]):
            commands.sit(batch, seat, sitter._replace(person=PEOPLE[seat].decode()))

    ledger.change(batch.id, sit_down)
    assert ledger.cached(batch.id).people.keys() == other.get(batch.id).people.keys() == {0, 1}

    ledger.change(batch.id, lambda batch, _: commands.leave(batch, {"seat": 0}, 0))
    assert ledger.cached(batch.id).people.keys() == store.people(batch.id).keys() == {1}
    other.change(batch.id, lambda batch, _: commands.renew_token(batch, {"operator": True}, 1))
    assert other.cached(batch.id).people.keys() == {1}

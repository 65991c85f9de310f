"""Retry policies: pauses double up to a limit, at the server and in its client alike, and nobody tries for ever at once."""

import fakeredis
import pytest

from events import commands
from events.store import EMPTY_LOG, EventStore, SideData, VersionConflict
from projections.store import ProjectionStore
from services.core.backoff import CONFLICT, Backoff, RetryPolicy
from services.core.ledger import Ledger, Overtaken
from stele_client import Retries
from tests.events.logs import SERVER_SEED, TOYS, created


def test_pauses_double_up_to_the_longest_however_often_it_fails() -> None:
    policy = RetryPolicy(0.5, 3.0)
    assert [policy.pause(failures) for failures in (1, 2, 3, 4, 5, 10_000)] == [0.5, 1.0, 2.0, 3.0, 3.0, 3.0]


def test_the_python_client_has_the_same_pauses_half_of_them_left_to_chance() -> None:
    client, server = Retries(first=0.5, longest=3.0), RetryPolicy(0.5, 3.0)
    for failures in (1, 2, 3, 4, 10_000):
        assert server.pause(failures) / 2 <= client.pause(failures) <= server.pause(failures)


def test_an_outage_is_logged_when_it_begins_and_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    backoff = Backoff("reader")
    pauses = [backoff.next(ConnectionError()) for _ in range(7)]
    assert pauses == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    backoff.over()
    backoff.over()
    assert [record.message for record in caplog.records] == [
        "reader: the store is away: ConnectionError",
        "reader: the store is back",
    ]
    assert backoff.next(ConnectionError()) == 0.05


def test_a_command_that_others_overtake_again_and_again_pauses_and_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = EventStore(fakeredis.FakeRedis())
    ledger = Ledger(store, ProjectionStore(store.client, TOYS))
    batch = created()
    store.append(EMPTY_LOG, batch.carve(), side_data=SideData({"seed": SERVER_SEED.hex()}))
    pauses: list[float] = []
    monkeypatch.setattr("services.core.ledger.wait_seconds", pauses.append)
    monkeypatch.setattr(store, "append", lambda *_: VersionConflict([]))
    with pytest.raises(Overtaken):
        ledger.change(batch.id, lambda batch, _: commands.renew_token(batch, {"operator": True}, 1))
    assert len(pauses) == (CONFLICT.attempts or 0) - 2, "all but the first two tries"
    assert pauses[0] < 0.002
    assert CONFLICT.longest / 2 <= pauses[-1] <= CONFLICT.longest

"""Hints: made once by the thinkers, whoever is killed over them, and given up if they cannot be made."""

from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from games.kernel import SEARCHING
from projections.hints import HintRequest, HintStatus
from services.worker import hint_job
from services.worker.queue import CLAIM_SECONDS, THINKING
from tests.servers import ValkeyServer, wait_until
from tests.worker.house import House, processes
from tests.worker.slow_thinker import NOTES, SECONDS


@pytest.fixture
def house(store: ValkeyServer, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(SEARCHING, "strong", 0.05)
    with Redis.from_url(store.url) as client:
        client.flushall()
        yield House(client, client)


def wanted(house: House) -> HintRequest:
    """A hint that somebody has asked for."""
    game = house.create("babel", (None, "random"), options={"begins": 0})
    request = HintRequest(game, house.game(game).version, "somebody")
    house.projections.hints.ask(request)
    return request


def found(house: House, request: HintRequest) -> HintStatus:
    return house.projections.hints.find(request.game, request.version, house.game(request.game).hash)


def test_the_projector_asks_the_thinkers_for_a_hint_once(house: House) -> None:
    request = wanted(house)
    for _ in range(3):
        house.sweeper.look_at_hints()
    assert house.queue.waiting()[THINKING] == 1
    house.work()
    assert found(house, request).body
    house.sweeper.look_at_hints()
    assert house.queue.waiting()[THINKING] == 0


def test_the_next_hint_of_a_game_need_not_wait(house: House) -> None:
    request = wanted(house)
    house.sweeper.look_at_hints()
    house.work()
    house.act(request.game, 0)
    later = request._replace(version=house.game(request.game).version)
    house.projections.hints.ask(later)
    house.sweeper.look_at_hints()
    assert house.queue.waiting()[THINKING] == 1


def test_a_hint_that_cannot_be_made_is_reported_and_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    request = wanted(house)

    def fail(*_: Any) -> Any:
        raise RuntimeError("seat 1 holds a temple")

    monkeypatch.setattr(hint_job, "find_hint", fail)
    house.workshop.hint(request.game)
    assert found(house, request) == HintStatus(False, None)
    assert "a hint cannot be made" in caplog.text
    assert "holds a temple" not in caplog.text
    assert house.projections.stuck() == {}, "the game goes on"


def test_a_hint_that_kills_whoever_tries_it_is_given_up(house: House) -> None:
    request = wanted(house)
    for _ in range(hint_job.MAX_HINT_TRIES):
        house.projections.hints.begins(request)
    house.workshop.hint(request.game)
    assert found(house, request) == HintStatus(False, None)


def test_a_hint_for_no_game_is_dropped(house: House) -> None:
    nowhere = HintRequest("07-xvp07ck455byg7gws9sa6q9z20", 3, "somebody")
    house.projections.hints.ask(nowhere)
    house.workshop.hint(nowhere.game)
    assert house.projections.hints.under_way() == []


def test_a_killed_thinker_loses_no_hint(house: House, store: ValkeyServer, tmp_path: Path) -> None:
    request = wanted(house)
    with processes(store.url, **{NOTES: str(tmp_path / "thoughts"), SECONDS: "600"}) as group:
        house.sweeper.look_at_hints()
        doomed = group.start("slow thinker")
        wait_until((tmp_path / "thoughts").exists, "a thought")
        group.kill(doomed)
        assert found(house, request) == HintStatus(True, None)
        for key in (f"stele:claim:hint:{request.game}", f"stele:held:hint:{request.game}"):
            assert 0 < house.queue.connection.pttl(key) <= CLAIM_SECONDS * 1000
            house.queue.connection.delete(key)
        group.start("slow thinker", **{SECONDS: "0"})
        group.start("projector")
        wait_until(lambda: found(house, request).body is not None, "the hint")

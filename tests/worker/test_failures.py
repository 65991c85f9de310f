"""What fails, fails alone, is told, and is tried again ever more seldom."""

import logging
import zlib
from typing import Any

import pytest

from events.keys import game_key, keys_of
from events.store_errors import UNAVAILABLE
from games.chance import Stream
from games.toy import HighestCard
from projections.catch_up import LogHasGaps, catch_up
from projections.pending_work import PendingWork
from tests.worker.house import House


def poison(house: House, game: str) -> None:
    """Write something into a log that is no entry."""
    stream = keys_of(game).stream
    head = len(house.log(game))
    house.client.xadd(stream, {"e": '{"secret": "a hidden card"}', "h": "0" * 64}, id=f"{head + 1}-0")


def test_a_poisoned_game_harms_no_other(house: House, caplog: pytest.LogCaptureFixture) -> None:
    games = [house.create() for _ in range(5)]
    poison(house, games[2])
    house.run()
    for game in (*games[:2], *games[3:]):
        house.check_done(game)
        house.check_projected(game)
    assert list(house.projections.stuck()) == [games[2]]
    assert list(house.projections.dirty()) == [games[2]]
    assert "a game is stuck" in caplog.text


def test_what_is_hidden_is_neither_logged_nor_told(house: House, caplog: pytest.LogCaptureFixture) -> None:
    game = house.create()
    poison(house, game)
    with caplog.at_level(logging.DEBUG):
        house.run()
    assert house.projections.stuck() == {game: "project: MalformedEntry"}
    assert "hidden card" not in caplog.text + str([record.__dict__ for record in caplog.records])


def test_a_game_that_is_mended_goes_on(house: House) -> None:
    game = house.create()
    poison(house, game)
    house.run()
    house.rewrite(game, lambda fields: None if b"secret" in fields[b"e"] else fields)
    house.sweeper.sweep()
    house.forget_claims()
    house.sweeper.sweep()
    house.run()
    house.check_done(game)
    assert house.projections.stuck() == {}


@pytest.mark.parametrize(
    "body",
    [b"no packed bytes", zlib.compress(b"[1, 2"), zlib.compress(b'{"id": 7}')],
    ids=["not packed", "cut off", "no game"],
)
def test_a_game_with_a_broken_snapshot_is_read_from_its_log(house: House, body: bytes) -> None:
    game = house.create()
    house.run()
    house.client.hset(game_key(game, "snapshot"), "body", body)
    house.workshop.project([game])
    house.run()
    house.check_done(game)
    house.check_projected(game)
    assert house.projections.stuck() == {}


def test_a_log_with_a_gap_is_told_and_keeps_nobody_busy(house: House) -> None:
    game = house.create(bots=(None,) * 3)
    house.run()
    house.client.xdel(keys_of(game).stream, "2-0")
    with pytest.raises(LogHasGaps):
        catch_up(house.ledger.store, house.projections, house.rulesets, game)


def test_what_a_later_version_owes_is_left_to_it(house: House) -> None:
    game = house.create()
    house.client.hset(f"stele:{{{game[:2]}}}:todo", game, '["dream:1:2:3", "settle", "dream", "bot:x:1"]')
    house.sweeper.sweep()
    assert dict(house.projections.todo()) == {game: [PendingWork("settle")]}


def test_a_bot_that_fails_leaves_its_game_owed_and_the_others_unharmed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: HighestCard, view: Any, seat: int, dice: Stream) -> Any:
        raise KeyError("a hidden card")

    healthy = house.create(bots=("random",) * 3)
    with monkeypatch.context() as patch:
        patch.setattr(HighestCard, "choose", fail)
        game = house.create(bots=("greedy", None, None))
        house.run()
    house.check_done(healthy)
    decision = house.game(game).decisions[0]
    assert dict(house.projections.todo()) == {game: [PendingWork("bot", 0, decision)]}
    assert house.projections.stuck() == {game: "play_bots: KeyError"}
    house.forget_claims()
    house.sweeper.sweep()
    house.run()
    assert 0 not in house.game(game).to_act
    assert house.projections.stuck() == {}


def test_pauses_after_failures_double_up_to_a_minute(house: House) -> None:
    claim = "stele:claim:settle:00-x"
    pauses = []
    for _ in range(8):
        house.queue.failed("settle", "00-x")
        pauses.append(house.queue.connection.ttl(claim))
    assert pauses == [2, 4, 8, 16, 32, 60, 60, 60]
    house.queue.done("settle", "00-x")
    house.queue.failed("settle", "00-x")
    assert house.queue.connection.ttl(claim) == 2


def test_a_store_that_is_away_makes_no_game_stuck(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> Any:
        raise UNAVAILABLE[0]("nobody listens")

    game = house.create()
    monkeypatch.setattr(house.projections, "load_each", away)
    with pytest.raises(UNAVAILABLE):
        house.workshop.project([game])
    assert house.projections.stuck() == {}


def test_a_game_that_no_log_tells_of_is_forgotten(house: House) -> None:
    ghost = "03-" + "0" * 26
    house.client.sadd("stele:{03}:dirty", ghost)
    house.client.zadd("stele:{03}:deadlines", {ghost: 1})
    house.client.hset("stele:{03}:todo", ghost, '["settle"]')
    house.workshop.project([ghost])
    assert list(house.projections.dirty()) == []
    assert list(house.projections.todo()) == []
    assert list(house.projections.late(2)) == []
    assert house.projections.stuck() == {}

"""Clocks that run out: with a time that the test tells, and once with a real second."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from events import commands
from events.batch import EntryBatch, EntryFactory
from events.clocks import Patience, deadlines, timestamp
from events.keys import partition_key, partition_of
from events.seeds import seal
from games.kernel import Refusal
from projections.rebuild import Rebuild
from services.core.ledger import Dossier
from tests.servers import wait_until
from tests.worker.house import House, processes

SEALED = seal(bytes(32))
LONGEST = 40
PATIENCE = Patience(open_game=3600, seal=60, idle_game=86_400, max_entries=LONGEST)


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)

    def now(self) -> str:
        return timestamp(self.moment)

    def passes(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def house(url: str, clock: Time) -> Iterator[House]:
    with Redis.from_url(url) as client:
        client.flushall()
        yield House(client, client, entry_factory=EntryFactory(now=clock.now), patience=PATIENCE)


def look(house: House, clock: Time) -> None:
    """The projector looks at the clocks; then all work is done."""
    house.sweeper.look_at_clocks(clock.moment.timestamp())
    house.run()


def test_whoever_is_late_is_withdrawn_by_the_clock(house: House, clock: Time) -> None:
    game = house.create("babel", (None, None), clock=60)
    (seat,) = house.game(game).to_act
    clock.passes(60.499)
    look(house, clock)
    assert house.game(game).status == "playing"
    clock.passes(0.001)
    look(house, clock)
    withdrawn = house.log(game)[-2].entry
    assert (withdrawn.type, withdrawn.actor) == ("seat_withdrawn", {"system": "clock"})
    assert (withdrawn.data.seat, withdrawn.data.cause) == (seat, "timed_out")
    house.check_done(game)


def test_what_is_asked_anew_has_a_new_deadline(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    clock.passes(59)
    for seat in range(3):
        house.act(game, seat)
    clock.passes(60)
    look(house, clock)
    assert house.game(game).to_act == (0, 1, 2)
    clock.passes(0.5)
    look(house, clock)
    assert house.game(game).aborted == "all_timed_out"


def test_a_move_that_comes_just_before_the_clock_is_looked_at_counts(house: House, clock: Time) -> None:
    """The job to withdraw waits already when the move is made, in the last millisecond."""
    game = house.create(bots=(None,) * 3, clock=60)
    house.act(game, 0)
    house.act(game, 1)
    clock.passes(60)
    house.sweeper.look_at_clocks(clock.moment.timestamp() + 1)
    house.act(game, 2)
    house.run()
    assert "seat_withdrawn" not in house.types(game)
    assert house.game(game).state.round == 2


def test_a_move_that_comes_late_is_refused_though_no_worker_has_noticed(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    clock.passes(60.001)
    with pytest.raises(Refusal) as refusal:
        house.act(game, 0)
    assert refusal.value.code == "deadline_passed"
    assert "action_taken" not in house.types(game)


def test_lateness_is_judged_anew_after_each_lost_race(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    tries = []

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        tries.append(batch.at)
        card = dossier.game.state.players[0].hand[0]
        commands.act(batch, 0, {"type": "lay", "card": card}, house.rulesets, dossier.seed)
        if len(tries) == 1:
            clock.passes(59)
            house.act(game, 1)
            clock.passes(2)

    with pytest.raises(commands.DeadlinePassed):
        house.ledger.change(game, write)
    assert len(tries) == 2
    assert house.types(game).count("action_taken") == 1


def test_the_late_are_withdrawn_in_ascending_order_in_one_append(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    house.act(game, 1)
    clock.passes(60.5)
    look(house, clock)
    entries = [carved.entry for carved in house.log(game) if carved.entry.type == "seat_withdrawn"]
    assert [entry.data.seat for entry in entries] == [0, 2]
    assert entries[-1].data.facts[-1]["outcome"]["reason"] == "last_player"
    house.check_done(game)
    assert house.game(game).outcome.winners == (1,)


def test_if_everyone_is_late_the_game_is_called_off(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    clock.passes(60.5)
    look(house, clock)
    aborted, settled = (carved.entry for carved in house.log(game)[-2:])
    assert (aborted.type, aborted.actor) == ("game_aborted", {"system": "clock"})
    assert aborted.data.reason == "all_timed_out"
    assert settled.data.outcome is None
    house.check_done(game)


def test_if_everyone_who_is_left_is_late_the_game_is_called_off(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, 1, "resigned", {"seat": 1}, house.rulesets)
    )
    house.run()
    clock.passes(60.5)
    look(house, clock)
    assert house.game(game).aborted == "all_timed_out"


def test_a_bot_has_no_clock_and_keeps_the_game_alive(house: House, clock: Time) -> None:
    game = house.create(bots=(None, None, "greedy"), clock=60)
    clock.passes(60.5)
    look(house, clock)
    house.check_done(game)
    assert house.types(game).count("seat_withdrawn") == 2
    assert house.game(game).outcome.winners == (2,)


def test_a_seat_that_a_bot_plays_on_for_has_no_clock(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    for seat in (1, 2):
        house.act(game, seat)
    clock.passes(60.5)
    look(house, clock)  # seat 0 is withdrawn, its bot lays, the next round begins
    assert house.game(game).chairs[0].withdrawn == "timed_out"
    assert set(deadlines(house.game(game))) == {1, 2}


def test_an_open_game_that_is_not_filled_is_called_off(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, seated=2)
    house.run()
    clock.passes(3599)
    look(house, clock)
    assert house.game(game).status == "open"
    clock.passes(1)
    look(house, clock)
    assert house.game(game).aborted == "never_filled"
    house.check_done(game)


def test_a_game_whose_seals_stay_closed_is_called_off(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, seated=2, sealed=SEALED)
    clock.passes(600)
    house.ledger.change(game, lambda batch, _: commands.sit(batch, 2, commands.Sitter("ab" * 32)))
    house.run()
    clock.passes(59)
    house.ledger.change(game, lambda batch, _: commands.open_seal(batch, 0, bytes(32).hex()))
    look(house, clock)
    assert house.game(game).status == "sealing"
    clock.passes(1)
    look(house, clock)
    assert house.game(game).aborted == "entropy_withheld"
    house.check_done(game)


def test_a_game_without_a_clock_that_nobody_plays_is_abandoned_at_last(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3)
    house.run()
    clock.passes(86_399)
    look(house, clock)
    assert house.game(game).status == "playing"
    clock.passes(1)
    look(house, clock)
    assert house.game(game).aborted == "abandoned"
    house.check_done(game)


def test_a_game_that_grows_too_long_is_called_off(house: House, clock: Time) -> None:
    game = house.create(bots=(None,) * 3, clock=60)
    while house.game(game).version < LONGEST:
        house.ledger.change(game, lambda batch, _: commands.renew_token(batch, {"operator": True}, 0))
    look(house, clock)
    assert house.game(game).aborted == "too_long"
    house.check_done(game)


def test_a_deadline_that_is_wrong_withdraws_nobody_and_is_put_right(house: House, clock: Time) -> None:
    game = house.create("babel", (None, None), clock=60)
    house.run()
    key = partition_key(partition_of(game), "deadlines")
    right = house.client.zscore(key, game)
    house.client.zadd(key, {game: 1})
    look(house, clock)
    assert "seat_withdrawn" not in house.types(game)
    assert house.client.zscore(key, game) == right


def test_lost_deadlines_come_back_with_a_rebuild(house: House, clock: Time) -> None:
    game = house.create("babel", (None, None), clock=60)
    house.run()
    house.client.delete(partition_key(partition_of(game), "deadlines"))
    list(
        Rebuild(house.ledger.store, house.projections).run(
            Rebuild(house.ledger.store, house.projections).survey()
        )
    )
    clock.passes(60.5)
    look(house, clock)
    house.check_done(game)


def test_a_real_second_runs_out(store: object, url: str) -> None:
    with Redis.from_url(url) as client:
        client.flushall()
        house = House(client, client)
        with processes(url, "projector", "worker"):
            game = house.create("babel", (None, None), clock=1)
            began = time.monotonic()
            wait_until(lambda: house.game(game).settled is not None, "the clock to end the game")
            assert time.monotonic() - began > 1
        house.check_done(game)
        assert house.game(game).outcome.reason == "timed_out"

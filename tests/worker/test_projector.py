"""The projector: what is appended is projected, and what was left undone is swept up."""

import math
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from events import commands
from events.clocks import milliseconds
from events.keys import partition_key, partition_of, partitions
from events.store_errors import UNAVAILABLE
from projections.health import GROUP, backlog, projection_lag
from projections.pending_work import pending_work
from services.worker.feeds import Feeds, games_of
from services.worker.housekeeping import Housekeeper
from services.worker.partition_leases import PROJECTORS, PartitionLeases
from services.worker.projection_schedule import ProjectionSchedule
from services.worker.projector import GAMES_PER_BATCH, Projector
from services.worker.queue import WaitingJob
from tests.servers import ValkeyCluster, ValkeyServer, short_directory, wait_until
from tests.worker.house import House


@pytest.fixture
def batches(house: House, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The games that are projected together, batch by batch."""
    noted: list[list[str]] = []
    project = house.workshop.project

    def note(games: Sequence[str]) -> None:
        noted.append(list(games))
        project(games)

    monkeypatch.setattr(house.workshop, "project", note)
    return noted


def test_every_game_touched_is_projected_once(house: House, batches: list[list[str]]) -> None:
    games = [house.create(bots=(None,) * 3) for _ in range(5)]
    house.act(games[0], 0)
    house.hear()
    (batch,) = batches
    assert sorted(batch) == sorted(games)
    for game in games:
        house.check_projected(game)


def test_no_more_games_are_projected_together_than_fit(house: House, batches: list[list[str]]) -> None:
    games = [f"{n % 16:02d}-{n:026d}" for n in range(2 * GAMES_PER_BATCH + 1)]
    house.projector.project(games)
    assert [len(batch) for batch in batches] == [GAMES_PER_BATCH, GAMES_PER_BATCH, 1]


def test_what_is_read_of_the_feeds_is_not_kept_for_anybody(house: House) -> None:
    house.create()
    house.hear()
    assert all(
        house.client.xpending(partition_key(partition, "feed"), GROUP)["pending"] == 0
        for partition in partitions()
    )
    assert backlog(house.client).feed_lag == 0


def test_a_projector_takes_over_what_another_had_read_and_not_projected(house: House) -> None:
    game = house.create()
    assert house.projector.feeds.next(1)  # and is killed
    Projector(Feeds(house.client), house.workshop).turn()
    house.check_projected(game)


def test_several_projectors_share_the_partitions_and_a_dead_one_is_followed(house: House) -> None:
    first, second = (PartitionLeases(house.queue.connection) for _ in range(2))
    assert first.renew() == partitions()
    assert first.leads
    shares = second.renew(), first.renew()
    assert sorted([*shares[0], *shares[1]]) == partitions()
    assert abs(len(shares[0]) - len(shares[1])) <= 1
    assert first.leads != second.leads
    wait_until(lambda: first.renew() == partitions(), "the second to be taken for dead")
    assert first.leads
    second.renew()
    first.give_up()
    assert second.renew() == partitions()
    assert 0 < house.queue.connection.ttl(PROJECTORS) <= 60


def test_a_game_of_partitions_that_were_taken_over_is_projected_at_once(house: House) -> None:
    projectors = [
        Projector(Feeds(house.client), house.workshop, PartitionLeases(house.queue.connection))
        for _ in range(2)
    ]
    for projector in (*projectors, *projectors):
        projector.hold_partitions(math.inf if projector.held else 0.0)
    assert {*projectors[0].held} | {*projectors[1].held} == {*partitions()}
    games = [house.create() for _ in range(12)]
    assert projectors[1].leases
    projectors[1].leases.give_up()
    projectors[0].hold_partitions(math.inf)
    projectors[0].turn()
    for game in games:
        house.check_projected(game)


def test_while_the_queue_is_away_what_is_held_is_projected(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = PartitionLeases(house.queue.connection)
    projector = Projector(Feeds(house.client), house.workshop, leases)
    projector.turn()
    game = house.create(bots=(None,) * 3)

    def away() -> list[str]:
        raise UNAVAILABLE[0]("nobody listens")

    monkeypatch.setattr(leases, "renew", away)
    projector.hold_partitions(math.inf)

    def is_projected() -> bool:
        projector.turn()
        return not any(house.projections.dirty())

    wait_until(is_projected, "the game to be projected")
    house.check_projected(game)


def test_a_game_that_is_played_is_projected_about_once_a_second() -> None:
    cadence = ProjectionSchedule()
    projected = []
    for moment in range(14):
        cadence.hear({"played": False})
        projected += [moment / 4 for _ in cadence.ready(moment / 4)]
    assert projected == [0.0, 0.75, 1.5, 2.25, 3.0]
    assert cadence.ready(4.0) == ["played"], "the last actions are not forgotten"
    assert not cadence


def test_games_whose_moment_has_come_wait_a_little_for_one_another() -> None:
    cadence = ProjectionSchedule()
    cadence.hear({"first": False})
    assert cadence.ready(0.0) == ["first"]
    for moment, game in ((0.05, "second"), (0.1, "third")):
        cadence.hear({game: False})
        assert cadence.ready(moment) == []
    assert cadence.ready(0.3) == ["second", "third"]


def test_what_is_due_does_not_wait_and_delays_no_other() -> None:
    cadence = ProjectionSchedule()
    cadence.hear({"played": False, "owing": False})
    assert cadence.ready(0.0) == ["played", "owing"]
    cadence.hear({"played": False, "owing": True})
    assert cadence.ready(0.1) == ["owing"]
    assert cadence.ready(1.0) == ["played"]


def test_whoever_appends_says_whether_something_is_due(house: House) -> None:
    """A move that leaves it to a bot is due, and an end; one that leaves it to another player is not."""
    with_a_bot, of_players = house.create("babel", ("greedy", None)), house.create("babel", (None, None))
    assert games_of(house.projector.feeds.next(1)) == {
        game: bool(pending_work(house.game(game))) for game in (with_a_bot, of_players)
    }
    house.act(of_players, house.game(of_players).to_act[0])
    assert games_of(house.projector.feeds.next(1)) == {of_players: False}
    house.ledger.change(of_players, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
    assert games_of(house.projector.feeds.next(1)) == {of_players: True}


def test_a_feed_that_was_trimmed_loses_no_game(house: House) -> None:
    game = house.create()
    house.client.xtrim(partition_key(partition_of(game), "feed"), maxlen=0, approximate=False)
    house.run()
    assert list(house.projections.dirty()) == [game]
    house.sweeper.sweep()
    house.sweeper.sweep()
    house.run()
    house.check_done(game)


def test_feeds_that_were_deleted_are_joined_again(house: House) -> None:
    for partition in partitions():
        house.client.delete(partition_key(partition, "feed"))
    house.hear()
    game = house.create()
    house.hear()
    house.check_projected(game)


def test_a_game_is_swept_up_when_it_is_dirty_at_two_sweeps_running(house: House) -> None:
    game = house.create()
    left_behind = house.projector.take_left_behind
    house.sweeper.sweep()
    assert left_behind() == []
    house.sweeper.sweep()
    assert left_behind() == [game]
    house.sweeper.sweep()
    assert left_behind() == [], "it was asked for just now"


def test_owed_work_whose_job_was_lost_is_asked_for_again(house: House) -> None:
    game = house.create()
    house.workshop.project([game])
    house.clear_queue()
    house.sweeper.sweep()
    assert house.queue.waiting()["stele-work"] == 0, "someone may be at it"
    house.forget_claims()
    house.sweeper.sweep()
    assert house.queue.waiting()["stele-work"] == 1
    house.run()
    house.check_done(game)


def test_work_that_waits_long_is_not_asked_for_again(house: House) -> None:
    game = house.create()
    late = house.create("babel", (None, None), clock=1)
    house.workshop.project([game])
    house.sweeper.look_at_clocks(time.time() + 5)
    for _ in range(3):
        house.forget_claims()
        house.sweeper.sweep()
        house.sweeper.look_at_clocks(time.time() + 5)
    assert sorted(house.queue.jobs_on_games()) == sorted(
        [WaitingJob("play_bots", game), WaitingJob("expire", late)]
    )
    assert house.queue.waiting()["stele-work"] == 2


def test_clocks_and_settlements_go_before_bots(house: House) -> None:
    for _ in range(3):
        house.workshop.project([house.create()])
    over = house.create(bots=(None,) * 3)
    house.ledger.change(over, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
    house.workshop.project([over])
    assert house.queue.patient.jobs[0].args == [over]


def test_a_job_that_waited_long_is_not_asked_for_while_it_runs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = house.create()
    house.workshop.project([game])
    house.clear_queue()
    house.forget_claims()
    monkeypatch.setattr(house.queue, "done", lambda *_: house.workshop.project([game]))
    house.workshop.play_bots(game)
    assert WaitingJob("play_bots", game) not in house.queue.jobs_on_games()


def test_work_is_asked_for_once_however_often_it_is_seen_to_be_owed(house: House) -> None:
    game = house.create()
    for _ in range(5):
        house.workshop.project([game])
        house.sweeper.sweep()
    assert house.queue.waiting()["stele-work"] == 1


def test_what_comes_up_while_a_job_ends_is_not_swallowed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is asked while its job, which has nothing more to do, still holds the claim."""
    game = house.create(bots=("greedy", None, None))
    house.hear()
    done = house.queue.done

    def players_move_first(job: str, game: str) -> None:
        monkeypatch.setattr(house.queue, "done", done)
        for seat in (1, 2):
            house.act(game, seat)
        house.workshop.project([game])  # finds the claim taken
        done(job, game)

    monkeypatch.setattr(house.queue, "done", players_move_first)
    house.work()
    assert house.game(game).to_act == (1, 2), "the bot has laid in the second round"


def test_what_is_due_is_projected_before_the_rest() -> None:
    schedule = ProjectionSchedule()
    schedule.hear({"played": False, "owing": True, "other": False})
    assert schedule.ready(0.0) == ["owing", "played", "other"]


def test_a_game_out_of_reach_delays_no_other_and_has_its_turn_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, here = house.create(), house.create()
    load = house.projections.load_each

    def partly(games: Sequence[str]) -> Any:
        answers = zip(games, load(games), strict=True)
        return [UNAVAILABLE[0]("away") if game == away else answer for game, answer in answers]

    with monkeypatch.context() as patch:
        patch.setattr(house.projections, "load_each", partly)
        house.hear()
    house.check_projected(here)
    assert away in house.projector.schedule.ready(math.inf)


def test_a_chore_that_fails_keeps_no_other_from_being_done(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(_: float) -> None:
        raise UNAVAILABLE[0]("nobody listens")

    def fault() -> None:
        raise ValueError

    swept: list[int] = []
    monkeypatch.setattr(house.sweeper, "look_at_clocks", away)
    monkeypatch.setattr(house.sweeper, "look_at_hints", fault)
    monkeypatch.setattr(house.sweeper, "sweep", lambda: swept.append(1))
    keeper = Housekeeper(house.sweeper)
    keeper.do_what_is_due(1.0)
    keeper.do_what_is_due(1.06)
    keeper.do_what_is_due(4.0)
    assert swept == [1, 1]
    assert caplog.text.count("housekeeping: the store is away") == 1
    assert "a chore has failed" in caplog.text


def test_only_the_projector_that_leads_keeps_house(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, swept = threading.Event(), []
    monkeypatch.setattr(house.sweeper, "sweep", lambda: swept.append(1))
    looks = iter([False, False, True])

    def leads() -> bool:
        leading = next(looks)
        if leading:
            stopped.set()
        return leading

    Housekeeper(house.sweeper, leads=leads).run(stopped)
    assert swept == [1]


def test_it_waits_for_a_store_that_is_away_and_comes_back() -> None:
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly="always")
        server.start()
        with server.client() as client:
            house = House(client, client)
            thread = threading.Thread(target=house.projector.run)
            thread.start()
            try:
                server.kill9()
                time.sleep(0.3)
                server.start()
                game = house.create()
                wait_until(lambda: not any(house.projections.dirty()), "the projector to come back")
                house.check_projected(game)
            finally:
                house.projector.stop()
                thread.join()
                server.stop()


def test_the_lag_is_the_age_of_the_oldest_entry_not_projected(house: House) -> None:
    assert projection_lag(house.projections, time.time()) == 0
    game = house.create(bots=(None,) * 3)
    written = milliseconds(house.log(game)[0].entry.at) / 1000
    assert projection_lag(house.projections, written + 5) == pytest.approx(5)
    house.workshop.project([game])
    assert projection_lag(house.projections, time.time() + 5) == 0


def test_it_works_on_a_cluster_with_a_queue_of_its_own(
    valkey_cluster: ValkeyCluster, store: ValkeyServer
) -> None:
    with valkey_cluster.client() as cluster, store.client() as queue:
        queue.flushall()
        house = House(cluster, queue)
        game = house.create()
        thread = threading.Thread(target=house.projector.run)
        thread.start()
        try:
            wait_until(lambda: any(house.queue.waiting().values()), "the projector to hear of it")
        finally:
            house.projector.stop()
            thread.join()
        house.run()
        house.check_done(game)
        house.check_projected(game)
        cluster.disconnect_connection_pools()

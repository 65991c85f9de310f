"""The dispatcher: what is appended is heard of, and what was left undone is swept up."""

import threading
import time

import pytest

from events import commands
from events.clocks import milliseconds
from events.keys import partition_key, partition_of, partitions
from projections.health import GROUP, backlog, projection_lag
from projections.pending_work import pending_work
from services.worker.dispatcher import ENOUGH_PROJECTIONS, Dispatcher
from services.worker.feeds import Feeds, games_of
from services.worker.projection_schedule import ProjectionSchedule
from services.worker.queue import GAMES_PER_JOB, WaitingJob
from tests.servers import ValkeyCluster, ValkeyServer, short_directory, wait_until
from tests.worker.house import House


def names(house: House) -> list[list[str]]:
    """The games that each waiting projection job names."""
    return [job.args[0] for job in house.queue.urgent.jobs]


def test_one_job_names_every_game_touched_once(house: House) -> None:
    games = [house.create(bots=(None,) * 3) for _ in range(5)]
    house.act(games[0], 0)
    house.hear()
    (named,) = names(house)
    assert sorted(named) == sorted(games)


def test_a_job_names_no_more_games_than_fit(house: House) -> None:
    games = [f"{n % 16:02d}-{n:026d}" for n in range(2 * GAMES_PER_JOB + 1)]
    house.queue.project(games)
    assert [len(batch) for batch in names(house)] == [GAMES_PER_JOB, GAMES_PER_JOB, 1]


def test_what_is_read_of_the_feeds_is_not_kept_for_anybody(house: House) -> None:
    house.create()
    house.hear()
    assert all(
        house.client.xpending(partition_key(partition, "feed"), GROUP)["pending"] == 0
        for partition in partitions()
    )
    assert backlog(house.client).feed_lag == 0


def test_a_dispatcher_takes_over_what_another_had_read_and_not_passed_on(house: House) -> None:
    game = house.create()
    assert house.dispatcher.feeds.next(1)  # and is killed
    successor = Dispatcher(Feeds(house.client), house.sweeper, house.queue)
    successor._take_over()
    successor.turn()
    assert names(house) == [[game]]


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
    assert games_of(house.dispatcher.feeds.next(1)) == {
        game: bool(pending_work(house.game(game))) for game in (with_a_bot, of_players)
    }
    house.act(of_players, house.game(of_players).to_act[0])
    assert games_of(house.dispatcher.feeds.next(1)) == {of_players: False}
    house.ledger.change(of_players, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
    assert games_of(house.dispatcher.feeds.next(1)) == {of_players: True}


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
    assert names(house) == [[game]]


def test_a_game_is_swept_up_when_it_is_dirty_at_two_sweeps_running(house: House) -> None:
    game = house.create()
    house.sweeper.sweep()
    assert names(house) == []
    house.sweeper.sweep()
    assert names(house) == [[game]]
    house.sweeper.sweep()
    assert names(house) == [[game]], "the job is asked for already"


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


def test_while_the_workers_are_busy_news_gather(house: House) -> None:
    for n in range(ENOUGH_PROJECTIONS):
        house.queue.project([f"00-{n:026d}"])
    house.create()
    house.dispatcher.turn()
    assert len(names(house)) == ENOUGH_PROJECTIONS
    house.clear_queue()
    house.dispatcher.turn()
    assert len(names(house)) == 1


def test_it_waits_for_a_store_that_is_away_and_comes_back() -> None:
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly="always")
        server.start()
        with server.client() as client:
            house = House(client, client)
            thread = threading.Thread(target=house.dispatcher.run)
            thread.start()
            try:
                server.kill9()
                time.sleep(0.3)
                server.start()
                game = house.create()
                wait_until(lambda: names(house) == [[game]], "the dispatcher to come back")
            finally:
                house.dispatcher.stop()
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
        thread = threading.Thread(target=house.dispatcher.run)
        thread.start()
        try:
            wait_until(lambda: house.queue.waiting()["stele-project"] == 1, "the dispatcher to hear of it")
        finally:
            house.dispatcher.stop()
            thread.join()
        house.run()
        house.check_done(game)
        house.check_projected(game)
        cluster.disconnect_connection_pools()

"""Bots that search have a queue of their own, take turns, and no two processes think about the same game at once."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client import REGISTRY

from events.canonical import canonical
from games.chance import Stream
from games.kernel import SEARCHING, Bot, Ruleset
from games.toy import HighestCard, Lay, State
from projections.pending_work import PendingWork, pending_work, read_pending_work
from services.worker import lease
from services.worker.lease import hold_lease
from services.worker.queue import CLAIM_SECONDS, ORDINARY, THINKING, WaitingJob
from services.worker.thinking import ThinkingGuard, ThinkingInterrupted
from tests.servers import wait_until
from tests.worker.house import House
from tests.worker.test_the_queue import put


class Pensive(HighestCard):
    """Takes its time, and tells of each thought."""

    def __init__(self, meanwhile: Callable[[int], None]) -> None:
        self.meanwhile = meanwhile

    def choose(self, view: State, seat: int, dice: Stream) -> Lay:
        self.meanwhile(seat)
        return super().choose(view, seat, dice)


@pytest.fixture(autouse=True)
def _answers_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grid of times at which bots answer is as fine as can be."""
    monkeypatch.setattr("services.worker.bots.FIRST_ANSWER_SECONDS", 1e-6)


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seats that bots who search have thought for, each for longer than a job goes on with quick ones."""
    seats: list[int] = []

    def think(seat: int) -> None:
        seats.append(seat)
        time.sleep(0.11)

    search_by(monkeypatch, think)
    return seats


def search_by(monkeypatch: pytest.MonkeyPatch, think: Callable[[int], None]) -> None:
    """Whoever searches does this meanwhile."""
    usual = Ruleset.bot

    def bot(ruleset: Ruleset[Any, Any], level: str) -> Bot[Any, Any]:
        return Pensive(think) if level in SEARCHING else usual(ruleset, level)

    monkeypatch.setattr(Ruleset, "bot", bot)


@pytest.mark.parametrize("level", SEARCHING)
def test_a_bot_that_searches_is_owed_a_thought_and_others_a_move(house: House, level: str) -> None:
    game = house.game(house.create(bots=(level, "greedy", None)))
    decision = game.decisions[0]
    assert pending_work(game) == [PendingWork("think", 0, decision), PendingWork("bot", 1, decision)]
    assert read_pending_work(canonical([str(work) for work in pending_work(game)])) == pending_work(game)


def test_thoughts_wait_in_a_queue_of_their_own(house: House, thoughts: list[int]) -> None:
    game = house.create(bots=("strong", "greedy", None))
    house.workshop.project([game])
    waiting = house.queue.waiting()
    assert (waiting[ORDINARY], waiting[THINKING]) == (1, 1)
    assert house.queue.jobs_on_games() == {WaitingJob("think", game), WaitingJob("play_bots", game)}
    house.run()
    assert house.game(game).to_act == (2,)
    assert thoughts == [0]


def test_a_game_of_bots_that_search_is_played_and_settled(house: House, thoughts: list[int]) -> None:
    game = house.create(bots=("master", "greedy", "keen"))
    house.run()
    house.check_done(game)
    house.check_projected(game)
    assert sorted(thoughts) == [0, 0, 0, 0, 2, 2, 2, 2], "four rounds, each decided once"


def test_games_take_turns_one_thought_after_the_other(house: House, thoughts: list[int]) -> None:
    games = [house.create(bots=("strong", "strong", None)) for _ in range(3)]
    house.workshop.project(games)
    for _ in range(2):
        for game in games:
            (job, *_) = house.queue.thinking.jobs
            assert job.args == [game]
            house.queue.thinking.remove(job)
            house.workshop.think(game)
    assert thoughts == [0, 0, 0, 1, 1, 1]


def test_what_needs_no_thought_is_played_in_one_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As bots that search have it with a single legal action."""
    search_by(monkeypatch, lambda _: None)
    game = house.create(bots=("strong",) * 3)
    house.workshop.think(game)
    assert house.types(game).count("action_taken") > 1


def test_two_jobs_for_one_game_think_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second comes while the first is at it: it ends at once, and what comes up is asked for by the first."""
    other = House(house.client, house.queue.connection)
    game = house.create(bots=("strong", None, None))
    seats: list[int] = []

    def think(seat: int) -> None:
        seats.append(seat)
        other.workshop.think(game)

    search_by(monkeypatch, think)
    house.workshop.think(game)
    assert seats == [0]
    assert house.types(game).count("action_taken") == 1
    assert house.queue.waiting()[THINKING] == 0


def test_doubled_jobs_of_whoever_reaches_the_queue_do_no_harm(house: House, thoughts: list[int]) -> None:
    game = house.create(bots=("strong", None, None))
    house.hear()
    for _ in range(3):
        put(house, "services.worker.jobs.think", game)
    house.run()
    assert thoughts == [0]
    assert house.types(game).count("action_taken") == 1


def test_a_game_is_not_asked_for_while_somebody_thinks_about_it_however_long(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.05)
    game = house.create(bots=("strong", None, None))
    house.workshop.project([game])
    house.clear_queue()
    claim, hold = f"stele:claim:think:{game}", f"stele:held:think:{game}"

    def think(_: int) -> None:
        for key in (claim, hold):
            house.queue.connection.pexpire(key, 500)  # as if the seconds had passed
        wait_until(lambda: all(house.queue.connection.pttl(key) > 500 for key in (claim, hold)), "a beat")
        house.sweeper.sweep()

    search_by(monkeypatch, think)
    house.workshop.think(game)
    assert house.queue.waiting()[THINKING] == 0
    assert not house.queue.connection.exists(claim, hold), "given back"


def test_what_is_held_fades_when_nobody_prolongs_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 100)
    with hold_lease(house.queue, "think", "00-x") as first:
        with hold_lease(house.queue, "think", "00-x") as second:
            pass
        assert (first, second) == (True, False)
        assert 0 < house.queue.connection.pttl("stele:held:think:00-x") <= CLAIM_SECONDS * 1000
        house.queue.connection.delete("stele:held:think:00-x")
        with hold_lease(house.queue, "think", "00-x") as third:
            assert third
    assert house.queue.connection.exists("stele:held:think:00-x") == 0


def test_whoever_lost_its_hold_does_not_give_back_what_is_anothers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 100)
    late = hold_lease(house.queue, "think", "00-x")
    late.__enter__()
    house.queue.connection.delete("stele:held:think:00-x")
    with hold_lease(house.queue, "think", "00-x") as ours:
        late.__exit__(None, None, None)
        assert ours
        assert house.queue.connection.exists("stele:held:think:00-x")


def test_a_bot_that_fails_at_thinking_leaves_its_game_to_be_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hidden = "a hidden card"

    def fail(_: int) -> None:
        raise KeyError(hidden)

    with monkeypatch.context() as patch:
        search_by(patch, fail)
        game = house.create(bots=("strong", None, None))
        house.run()
    assert house.projections.stuck() == {game: "think: KeyError"}
    assert hidden not in caplog.text + str([record.__dict__ for record in caplog.records])
    assert not house.queue.connection.exists(f"stele:held:think:{game}")
    search_by(monkeypatch, lambda _: None)
    house.forget_claims()
    house.sweeper.sweep()
    house.run()
    assert 0 not in house.game(game).to_act


def test_a_thought_that_is_broken_off_is_asked_for_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: int) -> None:
        raise ThinkingInterrupted

    search_by(monkeypatch, stop)
    game = house.create(bots=("strong", None, None))
    house.workshop.think(game)
    assert house.queue.jobs_on_games() == {WaitingJob("think", game)}
    assert house.projections.stuck() == {}


def test_a_process_that_is_told_to_stop_breaks_its_thought_off_and_begins_no_other() -> None:
    thought = ThinkingGuard()
    with thought.at_hand():
        pass
    with pytest.raises(ThinkingInterrupted), thought.at_hand():
        thought.break_off()
    with pytest.raises(ThinkingInterrupted), thought.at_hand():
        raise AssertionError("it is to stop")


def test_without_a_thought_there_is_nothing_to_break_off() -> None:
    ThinkingGuard().break_off()


def test_the_time_that_bots_take_is_told_by_their_level_alone(house: House, thoughts: list[int]) -> None:
    def count(level: str) -> float:
        return REGISTRY.get_sample_value("stele_thought_seconds_count", {"level": level}) or 0.0

    before = count("strong"), count("greedy")
    house.create(bots=("strong", "greedy", None))
    house.run()
    assert (count("strong"), count("greedy")) == (before[0] + 1, before[1] + 1)


def test_how_many_jobs_wait_is_told_queue_by_queue(house: House) -> None:
    house.workshop.project([house.create(bots=("strong", "greedy", None))])
    house.sweeper.sweep()
    waiting = {
        name: REGISTRY.get_sample_value("stele_jobs_waiting", {"queue": name})
        for name in (ORDINARY, THINKING)
    }
    assert waiting == {ORDINARY: 1, THINKING: 1}


def test_bots_that_really_search_play_a_game_to_its_end(house: House) -> None:
    game = house.create(bots=("keen", "greedy", "keen"))
    house.run()
    house.check_done(game)

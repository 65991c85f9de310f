"""Deadlines bind when acting; total clocks lose and gain as the log tells; the clock calls off what nobody plays."""

from dataclasses import fields
from typing import Any

import pytest

from events import commands, seeds
from events.batch import EntryBatch
from events.clocks import GRACE, Patience, called_off, deadlines, due_times, next_deadline, time_left
from events.entries import Clock, total_clock
from events.expiry import NobodyIsLate, expire_clocks
from events.times import milliseconds
from games.kernel import Fact, Registry, Ruleset
from tests.events.acting import data_of, refused
from tests.events.logs import NAMES, named
from tests.events.puppet import PUPPET, PUPPETS, Pull, State, pull
from tests.events.test_clocks import Timed

BOT = commands.Sitter(bot="random")
PATIENCE = Patience(open_game=3600, seal=60, idle_game=86_400, max_entries=12)


def acts_at(log: Timed, after_deadline: int, seat: int, *actions: dict[str, object]) -> None:
    """A list of actions whose time is so many milliseconds after the seat's deadline."""
    log.watch.wind_to(due_times(log.game)[seat] + after_deadline - 1)  # each look winds it on by one
    log.append(lambda batch: commands.act_in_order(batch, seat, actions, PUPPETS, log.seed))


# -- lateness ---------------------------------------------------------------------------------------------------------

each_clock = pytest.mark.parametrize("clock", [Clock(60), total_clock(60, 5)], ids=["turn", "total"])


@each_clock
def test_an_action_is_in_time_until_the_very_millisecond(clock: Clock) -> None:
    log = Timed(clock=clock)
    acts_at(log, 0, 0, pull(1))
    assert log.latest.entry.type == "action_taken"
    late = Timed(clock=clock)
    late.watch.wind_to(due_times(late.game)[0])
    refusal = refused(
        late,
        "deadline_passed",
        lambda batch: commands.act(batch, 0, pull(1), PUPPETS, late.seed),
        commands.DeadlinePassed,
    )
    assert deadlines(late.game)[0] in refusal.message


@each_clock
def test_a_list_is_in_time_as_a_whole(clock: Clock) -> None:
    log = Timed(clock=clock)
    acts_at(log, 0, 0, pull(0), pull(0, turn=2), pull(1))
    assert [carved.entry.type for carved in log.entries[-3:]] == ["action_taken"] * 3
    assert len({carved.entry.at for carved in log.entries[-3:]}) == 1


@each_clock
def test_lateness_is_judged_by_the_very_time_that_would_be_written(clock: Clock) -> None:
    log = Timed(clock=clock)
    batch = EntryBatch(log.entry_factory, log.game, log.game.id)
    assert batch.at <= deadlines(log.game)[0]
    log.watch.wind(3600)
    commands.act(batch, 0, pull(1), PUPPETS, log.seed)
    assert batch.carve()[0].entry.at == batch.at


def test_resigning_and_asking_are_not_bound() -> None:
    log = Timed()
    log.watch.wind(3600)
    commands.check_action(log.game, 0, pull(1), PUPPETS)
    log.resigns(0)
    assert log.game.chairs[0].withdrawn == "resigned"


def test_bots_seats_that_a_bot_plays_on_and_games_of_the_first_terms_are_not_bound() -> None:
    log = Timed(sitters=(BOT, named("Ben"), named("Cleo")), seats=3)
    log.after(3600, 0, pull(1))
    log.resigns(1)
    log.after(3600, 1, pull(2))
    old = Timed(first_terms=True)
    old.after(3600, 0, pull(1))


def test_who_is_not_to_act_hears_that_and_not_that_it_is_late() -> None:
    log = Timed()
    log.watch.wind(3600)
    refused(log, "not_your_turn", lambda batch: commands.act(batch, 1, pull(1), PUPPETS, log.seed))


def test_nobody_is_timed_out_before_the_deadline_or_without_a_clock() -> None:
    for log in (Timed(), Timed(clock=None), Timed(clock=total_clock(60))):
        log.watch.wind(59)
        refused(
            log,
            "not_late",
            lambda batch: commands.withdraw(batch, 0, "timed_out", commands.CLOCK_ACTOR, PUPPETS),
        )
        log.watch.wind(3600)
        refused(
            log,
            "not_late",
            lambda batch: commands.withdraw(batch, 1, "timed_out", commands.CLOCK_ACTOR, PUPPETS),
        )


# -- total clocks -----------------------------------------------------------------------------------------------------


def test_a_total_clock_is_written_with_its_increment() -> None:
    log = Timed(clock=total_clock(600))
    assert data_of(log.entries[0])["clock"] == {"total_seconds": 600, "increment_seconds": 0}


def test_whoever_is_asked_loses_the_time_and_nobody_else() -> None:
    log = Timed(clock=total_clock(600))
    assert time_left(log.game) == dict.fromkeys(range(4), 600_000)
    log.after(20, 0, pull(1, 2))
    log.after(10, 1, pull(2, 3))
    assert time_left(log.game) == {0: 579_999, 1: 589_999, 2: 589_999, 3: 600_000}
    now = milliseconds(log.game.at)
    assert due_times(log.game) == {2: now + 589_999, 3: now + 600_000}


def test_the_increment_comes_with_the_end_of_ones_turn() -> None:
    log = Timed(clock=total_clock(600, 30))
    log.after(10, 0, pull(0))
    assert time_left(log.game)[0] == 589_999, "it goes on with its turn"
    log.after(10, 0, pull(0, turn=2))
    assert time_left(log.game)[0] == 609_998, "a new turn of its own"
    log.after(10, 0, pull(1, turn=2))
    assert time_left(log.game)[0] == 629_997, "it is not asked any more"
    log.after(10, 1, pull(1, 2, turn=3))
    log.after(10, 1, pull(2, turn=4))
    assert time_left(log.game)[2] == 589_999, "nobody gains by what others do"


def test_every_entry_takes_time_and_a_deadline_stays_where_it_is_when_others_write() -> None:
    log = Timed(clock=total_clock(600, 30), host="club")
    due = deadlines(log.game)
    log.watch.wind(100)
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))
    log.watch.wind(700)
    log.resigns(3)
    assert deadlines(log.game) == due
    assert time_left(log.game) == {0: -200_002, 1: 600_000, 2: 600_000}


def test_bots_and_who_has_withdrawn_have_nothing_left() -> None:
    log = Timed(clock=total_clock(600), sitters=(named("Ada"), BOT, named("Cleo"), named("Dora")))
    log.resigns(2)
    assert time_left(log.game).keys() == {0, 3}
    log.after(10, 0, pull(1, 2))
    assert due_times(log.game) == {}


def test_a_total_clock_that_runs_out_withdraws() -> None:
    log = Timed(clock=total_clock(60, 10))
    log.after(50, 0, pull(1))
    log.after(5, 1, pull(0))
    log.runs_out()
    assert data_of(log.latest)["cause"] == "timed_out"
    assert data_of(log.latest)["seat"] == 0
    waited = milliseconds(log.latest.entry.at) - milliseconds(log.entries[-2].entry.at)
    assert 19_999 + GRACE <= waited < 20_100 + GRACE


# -- what the clock does ----------------------------------------------------------------------------------------------


def test_the_clock_waits_half_a_second_for_what_is_under_way() -> None:
    log = Timed()
    due = due_times(log.game)[0]
    log.watch.wind_to(due + GRACE - 2)
    refused(log, "nobody_is_late", lambda batch: expire_clocks(batch, PATIENCE, PUPPETS), NobodyIsLate)
    log.append(lambda batch: expire_clocks(batch, PATIENCE, PUPPETS))
    assert log.game.chairs[0].withdrawn == "timed_out"


def test_the_late_are_withdrawn_together_and_the_last_persons_going_ends_the_game() -> None:
    log = Timed(sitters=(named("Ada"), BOT, named("Cleo"), BOT))
    log.after(5, 0, pull(0, 2, turn=2))
    log.runs_out()
    assert [carved.data.seat for carved in log.entries[-2:]] == [0, 2]
    assert len({carved.entry.at for carved in log.entries[-2:]}) == 1
    assert log.game.outcome.winners == (1, 3)


class FirstLeaverEndsIt(Ruleset[State, Pull]):
    """Puppet, but whoever withdraws ends the game."""

    def withdraw(self, state: State, seat: int, cause: Any) -> list[Fact[State]]:
        return [self.end_now(state, tuple(s for s in range(len(state.players)) if s != seat), cause)]


def test_who_is_late_is_looked_at_anew_after_each_withdrawal() -> None:
    """The first of two late seats ends the game, so that the second is not withdrawn from a game that is over."""
    brittle = FirstLeaverEndsIt(**{each.name: getattr(PUPPET, each.name) for each in fields(PUPPET)})
    log = Timed(seats=3)
    log.after(5, 0, pull(0, 1, turn=2))
    log.watch.wind(3600)
    log.append(lambda batch: expire_clocks(batch, PATIENCE, Registry([brittle])))
    assert [carved.data.seat for carved in log.entries if carved.entry.type == "seat_withdrawn"] == [0]
    assert log.game.outcome.winners == (1, 2)


def test_if_everyone_is_late_the_game_is_called_off() -> None:
    log = Timed()
    log.after(5, 0, pull(0, 1, 2, 3, turn=2))
    log.runs_out()
    assert data_of(log.latest) == {"reason": "all_timed_out"}


def test_a_game_that_nobody_plays_is_abandoned_unless_a_deadline_runs() -> None:
    log = Timed(clock=None)
    due = milliseconds(log.game.at) + 86_400_000
    assert called_off(log.game, PATIENCE) == (due, "abandoned", 86_400)
    log.runs_out(PATIENCE)
    assert data_of(log.latest) == {"reason": "abandoned", "limit": 86_400}
    assert log.latest.entry.actor == commands.CLOCK_ACTOR
    assert called_off(Timed().game, PATIENCE) is None
    stuck = Timed(sitters=(BOT, *(named(name) for name in NAMES[1:])))
    stuck.runs_out(PATIENCE)
    assert data_of(stuck.latest)["reason"] == "abandoned"


def test_a_game_that_is_too_long_is_called_off_at_once_played_or_open() -> None:
    playing, waiting = Timed(), Timed(sitters=(named("Ada"),))
    while playing.game.version < 12:
        assert called_off(playing.game, PATIENCE) is None
        playing.after(1, 0, pull(0))
    while waiting.game.version < 12:
        waiting.leaves(0)
        waiting.sits(0, named("Ada"))
    for log in (playing, waiting):
        assert next_deadline(log.game, PATIENCE) == milliseconds(log.game.at)
        log.runs_out(PATIENCE)
        assert data_of(log.latest) == {"reason": "too_long", "limit": 12}


def test_games_that_never_begin_are_called_off_with_their_limit() -> None:
    free = Timed(sitters=(named("Ada"),))
    free.runs_out(PATIENCE)
    assert data_of(free.latest) == {"reason": "never_filled", "limit": 3600}
    closed = Timed(seats=2, sitters=(named("Ada", entropy_commitment=seeds.seal(bytes(32))), named("Ben")))
    closed.runs_out(PATIENCE)
    assert data_of(closed.latest) == {"reason": "entropy_withheld", "limit": 60}


def test_games_of_the_first_terms_know_no_idling_no_length_and_no_limits() -> None:
    log = Timed(clock=None, first_terms=True)
    for _ in range(12):
        log.after(1, 0, pull(0))
    assert called_off(log.game, PATIENCE) is None
    assert next_deadline(log.game, PATIENCE) is None
    free = Timed(sitters=(named("Ada"),), first_terms=True)
    free.runs_out(PATIENCE)
    assert data_of(free.latest) == {"reason": "never_filled"}
    timed = Timed(first_terms=True)
    assert next_deadline(timed.game, PATIENCE) == milliseconds(deadlines(timed.game)[0])


def test_what_is_not_due_yet_is_refused() -> None:
    log = Timed(sitters=(named("Ada"),))
    refused(log, "nobody_is_late", lambda batch: expire_clocks(batch, PATIENCE, PUPPETS), NobodyIsLate)

"""A seat's clock runs from the entry that asked it; nobody else's action moves it."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from events import commands, seeds
from events.clocks import GRACE, Patience, called_off, deadlines, next_deadline, time_left
from events.entries import Clock
from events.times import milliseconds, timestamp, utc_now
from tests.events.logs import NAMES, Log, Watch, created, named, ticking_scribe
from tests.events.puppet import PUPPETS, pull

MINUTE = Clock(60)


class Timed(Log):
    """A game of Puppet on the clock, and the watch it is timed with."""

    def __init__(self, seats: int = 4, clock: Clock | None = MINUTE, **settings: Any) -> None:
        self.watch = Watch()
        settings.setdefault("sitters", tuple(named(name) for name in NAMES[:seats]))
        batch = created(
            entry_factory=ticking_scribe(self.watch), seats=seats, rulesets=PUPPETS, clock=clock, **settings
        )
        super().__init__(batch, PUPPETS)

    def after(self, seconds: float, seat: int, action: dict[str, Any]) -> str:
        """A seat acts so long after the latest entry; when a clock that began then runs out."""
        self.watch.wind(seconds)
        self.acts(seat, action)
        return self.minute_later()

    def minute_later(self) -> str:
        return timestamp(datetime.fromisoformat(self.latest.entry.at) + timedelta(seconds=60))


def test_a_time_is_written_in_utc_to_the_millisecond() -> None:
    paris = timezone(timedelta(hours=1))
    assert timestamp(datetime(2026, 11, 16, 10, 30, 12, 345_999, paris)) == "2026-11-16T09:30:12.345Z"
    assert timestamp(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00.000Z"
    assert len(utc_now()) == len("2026-11-16T09:30:12.345Z")


def test_without_a_clock_nobody_has_a_deadline() -> None:
    log = Timed(clock=None)
    assert deadlines(log.game) == {}
    assert time_left(log.game) == {}


def test_the_clock_begins_with_the_start_of_the_game() -> None:
    log = Timed()
    assert deadlines(log.game) == {0: log.minute_later()}


def test_before_the_start_no_clock_runs() -> None:
    log = Timed(sitters=(named("Ada"),))
    assert log.game.status == "open"
    assert deadlines(log.game) == {}


def test_the_action_of_another_seat_never_moves_a_clock() -> None:
    log = Timed()
    begun = log.after(5, 0, pull(0, 1, 2))
    assert deadlines(log.game) == {0: deadlines(log.game)[0], 1: begun, 2: begun}
    log.after(20, 1, pull(0, 2))
    later = log.after(20, 0, pull(2, 3))
    assert deadlines(log.game) == {2: begun, 3: later}


def test_ones_own_action_gives_no_more_time_within_the_same_turn() -> None:
    log = Timed()
    begun = log.minute_later()
    log.after(20, 0, pull(0))
    log.after(20, 0, pull(0))
    assert deadlines(log.game) == {0: begun}


def test_a_new_phase_turn_or_round_begins_the_clock_of_a_seat_that_stays_anew() -> None:
    for moment in ({"phase": "rest"}, {"turn": 2}, {"round": 2}):
        log = Timed()
        log.after(5, 0, pull(1, 2))
        anew = log.after(20, 1, pull(2, **moment))
        assert deadlines(log.game) == {2: anew}, moment


def test_a_seat_that_left_and_came_back_begins_anew() -> None:
    log = Timed()
    log.after(5, 0, pull(1, 2))
    begun = log.minute_later()
    log.after(5, 1, pull(2))
    back = log.after(5, 2, pull(1, 2))
    assert deadlines(log.game) == {1: back, 2: begun}


def test_renewed_tokens_and_withdrawals_of_others_leave_clocks_alone() -> None:
    log = Timed(host="club")
    begun = log.after(5, 0, pull(1, 2))
    log.watch.wind(20)
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))
    log.resigns(3)
    assert deadlines(log.game) == {1: begun, 2: begun}


def test_bots_and_seats_that_a_bot_plays_on_have_no_clock() -> None:
    bot = commands.Sitter(bot="random")
    log = Timed(sitters=(named("Ada"), bot, named("Cleo"), named("Dora")))
    begun = log.after(5, 0, pull(1, 2, 3))
    assert deadlines(log.game) == {2: begun, 3: begun}
    log.times_out(2)
    assert log.game.to_act == (1, 2, 3)
    assert deadlines(log.game) == {3: begun}


def test_a_game_that_is_over_has_no_deadlines() -> None:
    aborted, ended = Timed(), Timed(seats=2)
    aborted.is_aborted("all_timed_out", commands.CLOCK_ACTOR)
    ended.resigns(0)
    for log in (aborted, ended):
        assert deadlines(log.game) == {}
        assert next_deadline(log.game) is None


def test_the_next_deadline_is_the_earliest_in_milliseconds() -> None:
    log = Timed()
    early = log.after(5, 0, pull(1, 2))
    log.after(20, 1, pull(2, 3))
    assert deadlines(log.game)[2] == early
    assert next_deadline(log.game) == milliseconds(early) + GRACE, "what is under way may still arrive"


# -- before the start -----------------------------------------------------------------------------------------------

PATIENCE = Patience(open_game=3600, seal=60)


def test_an_open_game_of_a_stranger_waits_less_long() -> None:
    stranger, club = created(sitters=()), created(sitters=(), host="club")
    short = Patience(open_game=7200, anonymous_open_game=600)
    waits = [called_off(each.game, short) for each in (stranger, club)]
    assert [each and each.limit for each in waits] == [600, 7200]
    assert called_off(stranger.game, short._replace(anonymous_open_game=None)) == called_off(
        stranger.game, Patience(open_game=7200)
    )
    sooner = called_off(stranger.game, Patience(open_game=60, anonymous_open_game=600))
    assert sooner
    assert sooner.limit == 60


def test_a_game_that_is_never_filled_is_called_off_so_long_after_its_creation() -> None:
    log = Timed(sitters=(named("Ada"),))
    due = milliseconds(log.game.created_at) + 3_600_000
    log.watch.wind(600)
    log.sits(1, named("Ben"))
    assert called_off(log.game, PATIENCE) == (due, "never_filled", 3600)
    assert next_deadline(log.game, PATIENCE) == due


def test_a_seal_that_stays_closed_calls_the_game_off_so_long_after_the_last_seat_was_taken() -> None:
    sealed = [named(name, entropy_commitment=seeds.seal(bytes(32))) for name in ("Ada", "Ben")]
    log = Timed(seats=2, sitters=(sealed[0],))
    log.watch.wind(600)
    log.sits(1, sealed[1])
    due = milliseconds(log.minute_later())
    log.watch.wind(30)
    log.opens(0, bytes(32))
    assert called_off(log.game, PATIENCE) == (due, "entropy_withheld", 60)
    assert next_deadline(log.game, PATIENCE) == due
    log.opens(1, bytes(32))
    assert called_off(log.game, PATIENCE) is None
    assert next_deadline(log.game, PATIENCE) == milliseconds(log.minute_later()) + GRACE


def test_a_game_that_has_started_or_is_over_is_called_off_by_no_patience() -> None:
    playing, aborted = Timed(), Timed(sitters=())
    aborted.is_aborted()
    for log in (playing, aborted):
        assert called_off(log.game, PATIENCE) is None

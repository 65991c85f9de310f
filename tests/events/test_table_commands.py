"""What is refused at the table: taking back, handing over, adding time, pausing and rematches, code by code."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from events import commands
from events.asking import turn_of
from events.batch import EntryBatch
from events.clocks import due_times
from events.entries import Clock, total_clock
from events.game import Game
from events.rematch import can_have_rematch, check_not_reserved, check_rematch, first_generation
from events.table_commands import (
    MAX_HANDOVERS,
    add_time,
    agree_to_pause,
    hand_over,
    pause,
    resume,
    take_back,
)
from events.takebacks import MAX_TAKEBACKS
from games import RULESETS
from games.canonical import canonical
from games.kernel import Refusal
from tests.events.logs import ANYONE, Log, Watch, created, named
from tests.events.puppet import PUPPETS, pull

CLUB = {"host": "club"}
DORA = named("Dora")
RESERVE = Clock(turn_seconds=600, reserve_seconds=60)
Write = Callable[[EntryBatch], None]


def table(*, people: int = 2, first_terms: bool = False, **settings: Any) -> Log:
    """A game of two in which seat 0 is to act; a second seat is a bot's if one person is wanted."""
    sitters = (named("Ada"), named("Ben") if people == 2 else commands.Sitter(bot="random"))
    return Log(
        created(rulesets=PUPPETS, sitters=sitters, first_terms=first_terms, **{"seats": 2, **settings}),
        PUPPETS,
    )


def code(log: Log, write: Write) -> str:
    """The code of a refusal, which has written nothing."""
    batch = EntryBatch(log.entry_factory, log.game, log.game.id)
    with pytest.raises(Refusal) as refusal:
        write(batch)
    assert batch.carve() == []
    return refusal.value.code


def back(seat: int = 0, to: int | None = None) -> Write:
    return lambda batch: take_back(batch, seat, to, PUPPETS)


def given(seat: int = 0, actor: Mapping[str, Any] | None = None) -> Write:
    return lambda batch: hand_over(batch, dict(actor or CLUB), seat, DORA)


def timed(seat: int = 0) -> Write:
    return lambda batch: add_time(batch, CLUB, seat, 60)


def agreed(seat: int = 0) -> Write:
    return lambda batch: agree_to_pause(batch, seat)


def paused(batch: EntryBatch) -> None:
    pause(batch, CLUB)


def resumed(actor: Mapping[str, Any]) -> Write:
    return lambda batch: resume(batch, dict(actor))


EVERYTHING = (back(), given(), timed(), agreed(), paused, resumed(CLUB))


def test_nothing_of_this_before_the_start_after_the_end_or_in_games_of_earlier_terms() -> None:
    waiting = Log(created(rulesets=PUPPETS, sitters=(named("Ada"),), seats=2, clock=RESERVE), PUPPETS)
    assert {code(waiting, write) for write in EVERYTHING} == {"game_not_started"}
    over = table(clock=RESERVE)
    over.resigns(0)
    assert {code(over, write) for write in EVERYTHING} == {"game_over"}
    old = table(first_terms=True, clock=Clock(turn_seconds=600))
    assert {code(old, write) for write in EVERYTHING} == {"old_terms"}


def test_what_can_be_taken_back_is_ones_own_latest_action_in_ones_own_turn() -> None:
    off = table(takebacks=False)
    off.acts(0, pull(0))
    assert code(off, back()) == "takebacks_off"
    log = table()
    start = log.game.version
    assert code(log, back()) == "nothing_to_take_back"
    log.acts(0, pull(0, 1))
    assert code(log, back(1)) == "nothing_to_take_back"
    assert code(log, back(0, log.game.version)) == "nothing_to_take_back"
    assert code(log, back(0, start - 1)) == "nothing_to_take_back"
    log.takes_back(0)
    log.acts(0, pull(0, turn=2))
    assert code(log, back(0, start)) == "turn_has_passed"
    log.acts(0, pull(1, turn=2))
    assert code(log, back()) == "turn_has_passed", "it is not to act any more"
    log.acts(1, pull(0, turn=2))
    assert code(log, back()) == "nothing_to_take_back", "another seat has acted since"
    log.acts(0, pull(0, turn=2))
    log.is_handed_over(0, DORA)
    assert code(log, back()) == "nothing_to_take_back", "another person did it"


def test_what_was_taken_back_is_not_returned_to() -> None:
    log = table()
    log.acts(0, pull(0))
    undone = log.game.version
    log.takes_back(0)
    log.acts(0, pull(0))
    assert code(log, back(0, undone)) == "nothing_to_take_back"


def test_what_came_into_sight_in_ones_own_turn_is_not_taken_back() -> None:
    dice, rules = Random(5), RULESETS.latest("temple_of_five")
    log = Log(
        created(rulesets=RULESETS, sitters=(named("Ada"), named("Ben")), ruleset=rules, seats=2), RULESETS
    )
    learned = same_turn = False
    while not (learned and same_turn):
        before, seat = log.game, dice.choice(log.game.to_act)
        log.acts(seat, json.loads(canonical(dice.choice(rules.legal_actions(before.state, seat)))))
        then, now = (rules.zones.seen(game.state, seat) for game in (before, log.game))
        learned = any(components - then[kind] for kind, components in now.items())
        same_turn = seat in log.game.to_act and turn_of(before.state) == turn_of(log.game.state)
    assert code(log, lambda batch: take_back(batch, seat, None, RULESETS)) == "something_was_revealed"


@pytest.mark.parametrize("clock", [total_clock(600, 60), Clock(turn_seconds=600), RESERVE], ids=str)
def test_a_thousand_attempts_to_take_back_gain_no_time_and_few_entries(clock: Clock) -> None:
    log = table(clock=clock)
    log.acts(0, pull(0, phase="rest"))
    log.takes_back(0)
    latest = due_times(log.game)[0]
    refused = 0
    log.acts(0, pull(0, phase="rest"))
    for _ in range(1000):
        if log.game.chairs[0].takebacks == MAX_TAKEBACKS:
            refused += code(log, back()) == "limit_reached"
            continue
        log.takes_back(0)
        log.acts(0, pull(0, phase="dance" if log.game.state.phase == "rest" else "rest"))
        assert due_times(log.game)[0] <= latest
    assert refused == 1000 - (MAX_TAKEBACKS - 1)
    assert log.game.version < 3 * MAX_TAKEBACKS
    assert due_times(log.game)[0] <= latest


def test_a_pause_needs_a_clock_people_and_nobody_who_is_late() -> None:
    plain = table()
    assert {code(plain, write) for write in (agreed(), paused, timed())} == {"no_clock"}
    log = table(people=1, clock=RESERVE, host="club")
    assert code(log, agreed(1)) == "seat_is_bot"
    log.agrees_to_pause(0)
    assert log.game.paused, "the only person has agreed"
    assert {code(log, write) for write in (agreed(), paused, back())} == {"paused"}
    assert code(log, lambda batch: commands.act(batch, 0, pull(1), PUPPETS, log.seed)) == "paused"
    assert code(log, resumed(CLUB)) == "forbidden"
    log.is_resumed({"seat": 0})
    assert code(log, resumed(CLUB)) == "not_paused"
    log.is_paused(CLUB)
    assert code(log, resumed({"seat": 0})) == "forbidden"
    log.is_resumed(CLUB)
    assert isinstance(log.entry_factory.now, Watch)
    log.entry_factory.now.wind(700)
    assert {code(log, write) for write in (agreed(),)} == {"deadline_passed"}
    log.is_paused(CLUB)


def test_who_was_late_takes_nothing_back() -> None:
    log = table(clock=RESERVE)
    log.acts(0, pull(0))
    assert isinstance(log.entry_factory.now, Watch)
    log.entry_factory.now.wind(700)
    assert code(log, back()) == "deadline_passed"


def test_a_seat_is_handed_over_so_often_and_only_a_persons() -> None:
    log = table(people=1, clock=Clock(turn_seconds=60), host="club")
    assert {code(log, write) for write in (given(1), timed(1))} == {"seat_is_bot"}
    assert {code(log, write) for write in (given(2), timed(2))} == {"invalid_seats"}
    for _ in range(MAX_HANDOVERS):
        log.is_handed_over(0, DORA, CLUB)
    assert code(log, given()) == "limit_reached"
    three = Log(created(clock=RESERVE))
    three.resigns(0)
    assert {code(three, write) for write in (given(), timed(), agreed())} == {"seat_withdrawn"}
    turns = table(clock=Clock(turn_seconds=60))
    assert code(turns, timed(1)) == "not_to_act"


def over(**settings: Any) -> Game:
    log = table(**settings)
    log.resigns(0)
    return log.game


def test_a_rematch_follows_a_game_that_was_played_and_is_its_players_own() -> None:
    assert not can_have_rematch(table().game)
    called_off = Log(created(rulesets=PUPPETS, sitters=(named("Ada"),), seats=2), PUPPETS)
    called_off.is_aborted("by_operator")
    assert not can_have_rematch(called_off.game)
    tagged = over(tags=("cup",), host="club")
    with pytest.raises(Refusal, match="tags"):
        check_rematch(tagged, by_seat=True)
    check_rematch(tagged, by_seat=False)
    check_rematch(over(), by_seat=True)
    waiting = Log(created(rulesets=PUPPETS, sitters=(named("Ada"),), seats=2, rematch_of="00-x"), PUPPETS)
    with pytest.raises(Refusal, match="free seats of a rematch"):
        check_not_reserved(waiting.game)
    waiting.leaves(0)
    waiting.sits(0, named("Ada"))
    waiting.sits(1, named("Ben"))
    check_not_reserved(waiting.game)
    waiting.is_handed_over(0, DORA, {"operator": True})
    assert waiting.game.chairs[0].generation == 2
    assert [first_generation(waiting.game, seat) for seat in (0, 1)] == [1, 0]
    assert waiting.game.creator == ANYONE

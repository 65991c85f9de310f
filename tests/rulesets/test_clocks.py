"""Clocks as every game runs them: what restarts one is what the JSON of its state shows, and nothing else."""

import json
from typing import Any

import pytest

from events.clocks import due_times, time_left
from events.entries import Clock, total_clock
from events.game import Game, ruleset_of
from events.times import milliseconds
from games import RULESETS
from games.canonical import canonical
from games.chance import Stream
from games.kernel import Ruleset
from tests.events.logs import NAMES, Log, Watch, created, named, ticking_scribe

each_ruleset = pytest.mark.parametrize(
    "ruleset", list(RULESETS), ids=lambda each: f"{each.name}-{each.version}"
)
MOVES = 150
RESTARTS = {"aton": ("phase", "round"), "babel": ("phase", "turn")}


def timed(ruleset: Ruleset[Any, Any], clock: Clock, *, first_terms: bool = False) -> Log:
    seats = ruleset.seat_counts[-1]
    batch = created(
        entry_factory=ticking_scribe(Watch()),
        sitters=tuple(named(name) for name in NAMES[:seats]),
        rulesets=RULESETS,
        ruleset=ruleset,
        seats=seats,
        clock=clock,
        first_terms=first_terms,
    )
    return Log(batch, RULESETS)


def moves_on(log: Log) -> tuple[int, Any]:
    """Some seat makes some move, a few seconds later: who, and what kind."""
    game = log.game
    seat = game.to_act[game.version % len(game.to_act)]
    ruleset = ruleset_of(game, RULESETS)
    action = ruleset.bot("random").choose(
        ruleset.view(game.state, seat), seat, Stream(log.seed, f"bot/{seat}/{game.version}")
    )
    assert isinstance(log.entry_factory.now, Watch)
    log.entry_factory.now.wind(3)
    log.acts(seat, json.loads(canonical(action)))
    return seat, type(action).__struct_config__.tag


def moment(game: Game) -> tuple[Any, ...]:
    """What the JSON of a state has of these members at its top level."""
    state = json.loads(canonical(game.state))
    return tuple(state.get(name) for name in ("phase", "turn", "round"))


@each_ruleset
def test_what_restarts_a_clock_is_what_the_state_shows(ruleset: Ruleset[Any, Any]) -> None:
    assert ruleset.state_type.clock_restarts() == RESTARTS.get(ruleset.name, ("phase", "round"))


@each_ruleset
def test_a_turn_clock_runs_from_when_a_seat_was_asked_or_a_new_moment_began(
    ruleset: Ruleset[Any, Any],
) -> None:
    log = timed(ruleset, Clock(3600))
    since = dict.fromkeys(log.game.to_act, milliseconds(log.game.at))
    for _ in range(MOVES):
        if not log.game.to_act:
            break
        before = log.game
        moves_on(log)
        at, restarts = milliseconds(log.game.at), moment(before) != moment(log.game)
        since = {seat: at if restarts or seat not in since else since[seat] for seat in log.game.to_act}
        assert due_times(log.game) == {seat: began + 3_600_000 for seat, began in since.items()}


@each_ruleset
def test_a_total_clock_loses_while_asked_and_gains_by_ones_own_turns(ruleset: Ruleset[Any, Any]) -> None:
    log = timed(ruleset, total_clock(3600, 7))
    left = dict.fromkeys(range(len(log.game.chairs)), 3_600_000)
    for _ in range(MOVES):
        if not log.game.to_act:
            break
        before = log.game
        seat, _ = moves_on(log)
        passed = milliseconds(log.game.at) - milliseconds(before.at)
        left |= {awaited: left[awaited] - passed for awaited in before.to_act}
        if seat not in log.game.to_act or moment(before) != moment(log.game):
            left[seat] += 7000
        assert time_left(log.game) == left


def test_a_chain_of_temple_of_five_restarts_the_clock_by_the_first_terms_alone() -> None:
    for first_terms in (True, False):
        log = timed(RULESETS.latest("temple_of_five"), Clock(3600), first_terms=first_terms)
        chains = 0
        while chains < 5:
            before = log.game
            seat, kind = moves_on(log)
            stays = seat in before.to_act and seat in log.game.to_act and moment(before) == moment(log.game)
            if kind == "use_chain" and stays:
                chains += 1
                assert (due_times(log.game)[seat] > due_times(before)[seat]) == first_terms

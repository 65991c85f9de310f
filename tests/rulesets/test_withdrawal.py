"""A seat gives up or runs out of time, whatever the game is at just then."""

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, a_few_games, each_kit, moments, randoms, situations, some_moments
from tests.rulesets.story import builtins

each_kit_for_more_than_two = pytest.mark.parametrize(
    "kit", [kit for kit in KITS if max(kit.ruleset.seat_counts) > 2], ids=str
)
each_cause = pytest.mark.parametrize("cause", ["resigned", "timed_out"])


@each_cause
@each_kit
@a_few_games
@given(data=st.data())
def test_in_any_situation_the_first_to_go_leaves_a_winner_of_two_and_a_vacant_seat_of_more(
    kit: Kit, cause: str, data: st.DataObject
) -> None:
    random = data.draw(randoms())
    for situation, moments_of_a_kind in situations(kit).items():
        if situation != "ended":
            moment = random.choice(moments_of_a_kind)
            _leaves(moment, random.randrange(len(moment.state.players)), cause)


def _leaves(moment: Moment, seat: int, cause: str) -> None:
    seats = len(moment.state.players)
    facts = moment.ruleset.withdraw(moment.state, seat, cause)
    after = moment.ruleset.fold(moment.state, facts)
    if seats == 2:
        assert _kinds(facts) == ["game_ended"]
        assert _is_won(after, winner=1 - seat, reason=cause)
    else:
        assert _kinds(facts) == ["seat_vacated"]
        assert [player.vacated for player in after.players] == [
            cause if other == seat else None for other in range(seats)
        ]
        assert after.to_act == moment.state.to_act


@each_cause
@each_kit
@some_moments
@given(data=st.data())
def test_the_last_to_stay_wins(kit: Kit, cause: str, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    leaving = random.sample(range(len(moment.state.players)), len(moment.state.players))
    last, state = leaving.pop(), moment.state
    for seat in leaving:
        assert state.phase != "ended"
        state = kit.ruleset.fold(state, kit.ruleset.withdraw(state, seat, cause))
    assert _is_won(state, winner=last, reason="last_player" if len(leaving) > 1 else cause)


@each_kit
@some_moments
@given(data=st.data())
def test_a_withdrawal_is_seen_by_all_and_keeps_the_components(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    seat = data.draw(st.integers(0, len(moment.state.players) - 1))
    facts = kit.ruleset.withdraw(moment.state, seat, "resigned")
    after = kit.ruleset.fold(moment.state, facts)
    assert kit.ruleset.zones.lying(after) == kit.ruleset.zones.box(after)
    for viewer in moment.game.viewers:
        redacted = [kit.ruleset.redact(fact, viewer) for fact in facts]
        view = kit.ruleset.fold(kit.ruleset.view(moment.state, viewer), redacted)
        assert canonical(view) == canonical(kit.ruleset.view(after, viewer))
        assert list(kit.ruleset.read_facts([builtins(fact) for fact in redacted])) == redacted


@each_kit_for_more_than_two
@some_moments
@given(data=st.data())
def test_a_vacated_seat_may_do_what_it_could_do_before(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    state = _after_one_left(moment, data)
    for seat in range(len(state.players)):
        assert kit.ruleset.legal_actions(state, seat) == moment.legal(seat)


@each_kit_for_more_than_two
@a_few_games
@given(data=st.data())
def test_a_vacated_seat_plays_on_and_never_wins(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    state = _play_on(moment, _after_one_left(moment, data), random)
    vacated = {seat for seat, player in enumerate(state.players) if player.vacated}
    assert len(vacated) == 1
    assert not vacated & set(state.outcome.winners)


def _after_one_left(moment: Moment, data: st.DataObject) -> Any:
    """The state after a seat was vacated; games set up for two, which end with it, are passed over."""
    assume(len(moment.state.players) > 2)
    seat = data.draw(st.integers(0, len(moment.state.players) - 1))
    return moment.ruleset.fold(moment.state, moment.ruleset.withdraw(moment.state, seat, "resigned"))


def _play_on(moment: Moment, state: Any, random: Random) -> Any:
    ruleset = moment.ruleset
    while state.phase != "ended":
        seat = random.choice(state.to_act)
        action = random.choice(ruleset.legal_actions(state, seat))
        state = ruleset.fold(state, ruleset.decide(state, seat, action, Chance(moment.seed)))
    return state


def _is_won(state: Any, *, winner: int, reason: str) -> bool:
    assert (state.outcome.winners, state.outcome.reason) == ((winner,), reason)
    assert len(state.outcome.scores) == len(state.players)
    return (state.phase, state.to_act, state.outcome.tiebreak) == ("ended", (), None)


def _kinds(facts: list[Any]) -> list[str]:
    return [builtins(fact)["type"] for fact in facts]

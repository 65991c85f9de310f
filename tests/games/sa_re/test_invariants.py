"""What holds in every game (12), over modes, options and numbers of players."""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance, Stream
from games.sa_re import SA_RE
from games.sa_re.actions import SaReAction
from games.sa_re.actions.construction import Pay
from games.sa_re.state import State
from tests.games.sa_re.invariants import check
from tests.games.sa_re.table import POWERS, city, site

many_games = settings(max_examples=40, deadline=None)

options = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["scribe", "architect", "priest", "pharaoh"]),
        "divinity": st.booleans(),
        "quick_start": st.booleans(),
        "max_rounds": st.integers(1, 4),
    }
)

great_city = {
    "spaces": city({**POWERS, "5": ["carpenter"], "6": site("pyramid"), "7": ["master_builder"]}),
    "caravans": 2,
}
"""A city in which much can happen at once."""

positions = st.sampled_from([None, None, "great cities"])


@st.composite
def games(draw: st.DrawFn) -> Iterator[State]:
    """A game as it goes from state to state: some choices are sensible, some random."""
    seats, chosen = draw(st.integers(2, 4)), draw(options)
    position = {"players": [great_city] * seats} if draw(positions) else None
    seed = draw(st.binary(min_size=32, max_size=32))
    random, sense = Random(draw(st.integers(0, 2**32))), draw(st.sampled_from([0.0, 0.6, 0.9]))
    return course(chosen, seats, position, seed, random, sense)


def course(
    chosen: dict[str, Any],
    seats: int,
    position: dict[str, Any] | None,
    seed: bytes,
    random: Random,
    sense: float,
) -> Iterator[State]:
    state = SA_RE.fold(None, SA_RE.new_game(chosen, seats, Chance(seed), position))
    yield state
    while state.phase != "ended":
        seat = random.choice(state.to_act)
        action = choose(state, seat, seed, random, sense)
        state = SA_RE.fold(state, SA_RE.decide(state, seat, action, Chance(seed)))
        yield state


def choose(state: State, seat: int, seed: bytes, random: Random, sense: float) -> SaReAction:
    if random.random() < sense:
        return SA_RE.greedy.choose(SA_RE.view(state, seat), seat, Stream(seed, "bot"))
    return random.choice(SA_RE.legal_actions(state, seat))


@many_games
@given(game=games())
def test_every_state_of_every_game_is_sound(game: Iterator[State]) -> None:
    for state in game:
        check(state)


@many_games
@given(game=games())
def test_a_started_work_can_always_be_completed(game: Iterator[State]) -> None:
    for state in game:
        if state.work:
            assert state.work.uncovered > 0
            assert any(isinstance(action, Pay) for action in SA_RE.legal_actions(state, state.work.seat))


@many_games
@given(game=games())
def test_what_nobody_could_choose_is_never_asked_in_setup_and_season(game: Iterator[State]) -> None:
    for state in game:
        if state.phase in ("setup", "season") and len(state.to_act) == 1:
            assert len(SA_RE.legal_actions(state, state.to_act[0])) > 1


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_reactions_in_any_order_give_the_same_state(data: st.DataObject) -> None:
    seats = data.draw(st.integers(3, 4))
    gauges = data.draw(st.lists(st.integers(0, 6), min_size=seats, max_size=seats))
    doubles = ["gold_wood", "stone_wood", "gold_gold"][: data.draw(st.integers(1, 3))]
    position = {
        "phase": "season",
        "players": [{"revolt": gauge} for gauge in gauges],
        "sequence": {"drawn": 3, "pending": doubles, "owed": data.draw(st.sampled_from([0, 0, 2]))},
    }
    seed = data.draw(st.binary(min_size=32, max_size=32))
    state = SA_RE.fold(None, SA_RE.new_game({}, seats, Chance(seed), position))
    while state.decision == "react":
        answers = {
            seat: data.draw(st.sampled_from(SA_RE.legal_actions(state, seat))) for seat in state.to_act
        }
        ends = [answered(state, answers, order, seed) for order in permutations(state.to_act)]
        assert len({canonical(end) for end in ends}) == 1
        state = ends[0]


def answered(state: State, answers: dict[int, SaReAction], order: tuple[int, ...], seed: bytes) -> State:
    """The state after all answers, given in this order."""
    for seat in order:
        state = SA_RE.fold(state, SA_RE.decide(state, seat, answers[seat], Chance(seed)))
    return state


@many_games
@given(game=games(), random=st.integers(0, 2**32).map(Random))
def test_reactions_in_opposite_orders_give_the_same_state_wherever_they_are_asked(
    game: Iterator[State], random: Random
) -> None:
    for state in game:
        if len(state.to_act) > 1:
            answers = {seat: random.choice(SA_RE.legal_actions(state, seat)) for seat in state.to_act}
            order = state.to_act
            forth, back = (answered(state, answers, each, bytes(32)) for each in (order, order[::-1]))
            assert canonical(forth) == canonical(back)

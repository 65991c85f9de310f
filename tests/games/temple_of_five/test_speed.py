"""The chain search is fast where most is legal."""

from timeit import repeat

from tests.games.temple_of_five.kit import LATE_OPTIONS, LATE_POSITION
from tests.games.temple_of_five.tables import RULESET, given


def test_the_legal_actions_of_a_late_position_take_a_few_milliseconds_at_most() -> None:
    state = given(LATE_POSITION, options=LATE_OPTIONS).state
    (seat,) = state.to_act
    assert len(RULESET.legal_actions(state, seat)) == 545
    assert min(repeat(lambda: RULESET.legal_actions(state, seat), number=1, repeat=20)) < 0.005

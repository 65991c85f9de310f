"""The chances of Babel as a state stands, and which actions are alike."""

from typing import Any

import pytest

from games.babel import BABEL
from games.babel.prospects import alike, chances, moment
from games.babel.state import State
from tests.games.babel.laid_out import laid_out, side, spare_temples

HAND = ["assyrians", "hittites", "medes", "persians"]


def standing(me: dict[str, Any], other: dict[str, Any], turn: int = 9) -> State:
    """A game in which both hold the same cards, one of each nation but one; in an odd turn the first is to act."""
    state: State = laid_out({"hand": HAND, **me}, {"hand": HAND, **other}, turn=turn).state
    return state


def tall(height: int) -> dict[str, Any]:
    """A player with one temple of this height, and cards enough to carry it."""
    return {"sites": side("medes", temple=range(1, height + 1), column=["sumerians", "medes"] * 2)}


@pytest.mark.parametrize("height", [1, 2, 3, 4])
def test_a_level_more_is_a_better_chance(height: int) -> None:
    better, before = chances(standing(tall(height + 1), tall(3))), chances(standing(tall(height), tall(3)))
    assert better[0] > before[0]
    assert sum(better) == pytest.approx(1)


@pytest.mark.parametrize("pawn", [None, "medes", "sumerians"])
def test_chances_change_sides_with_the_seats(pawn: str | None) -> None:
    me = {**tall(4), "pawn": pawn, "temple_column": [6, 5, 1]}
    other = {**tall(2), "pawn": "persians", "temple_column": [3]}
    there, here = chances(standing(me, other, turn=9)), chances(standing(me, other, turn=10))
    assert there == pytest.approx(here[::-1])
    assert there[0] != pytest.approx(0.5)


def test_it_counts_what_whoever_is_to_act_can_reach() -> None:
    able = {**tall(2), "pawn": "medes", "temple_column": [4, 3]}
    unable = {**tall(2), "pawn": "medes", "temple_column": [4, 6]}
    assert chances(standing(able, tall(2)))[0] > chances(standing(unable, tall(2)))[0]


def test_a_game_that_is_over_is_its_winners() -> None:
    me = {
        "pawn": "hittites",
        "sites": spare_temples(total=14) | side("hittites", column=["medes"]),
        "temple_column": [1],
    }
    story = laid_out(me, {"sites": spare_temples(total=9)})
    assert 0 < chances(story.state)[0] < 1
    story.when(0, {"type": "build", "source": "own"})
    assert chances(story.state) == (1, 0)


def test_actions_of_babel_are_alike_to_none_but_themselves() -> None:
    state = standing({**tall(2), "pawn": "medes"}, tall(2))
    actions = BABEL.legal_actions(state, 0)
    assert len({alike(state, 0, action) for action in actions}) == len(actions) > 10


def test_the_course_is_measured_in_turns() -> None:
    assert moment(standing({}, {}, turn=12)) == 12

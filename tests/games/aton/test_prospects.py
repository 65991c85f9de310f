"""The chances of Aton as a state stands, and which actions are alike."""

from typing import Any

import pytest

from games.aton import ATON
from games.aton.prospects import alike, chances, moment
from tests.games.aton.positions import BLUE, RED, TEMPLE_1, given, in_turn, pieces
from tests.rulesets.story import Story

HANDS = [{"hand": [1, 2, 3, 4]}, {"hand": [1, 2, 3, 4]}]


def standing(red: int = 0, blue: int = 0, board: dict[str, int] | None = None) -> Story:
    """Round 4 with these scores and pieces, and equal hands."""
    scores = ({"score": red}, {"score": blue})
    players: list[dict[str, Any]] = [{**hand, **score} for hand, score in zip(HANDS, scores, strict=True)]
    return given({"round": 4, "board": board or {}, "players": players})


def test_nobody_is_ahead_where_both_stand_alike() -> None:
    assert chances(standing(12, 12).state) == (0.5, 0.5)


@pytest.mark.parametrize("red", [0, 10, 38])
def test_a_point_more_is_a_better_chance(red: int) -> None:
    better, before = chances(standing(red + 1, 10).state), chances(standing(red, 10).state)
    assert better[RED] > before[RED]
    assert sum(better) == pytest.approx(1)


def test_a_piece_more_is_a_better_chance() -> None:
    fewer, more = pieces(red=TEMPLE_1[:3]), pieces(red=TEMPLE_1[:4])
    assert chances(standing(board=more).state)[RED] > chances(standing(board=fewer).state)[RED]


def test_chances_change_sides_with_the_seats() -> None:
    board = pieces(red=("t1-01", "t2-05", "t4-04"), blue=("t3-05", "t3-06"))
    turned = {space: 1 - owner for space, owner in board.items()}
    there, here = chances(standing(7, 21, board).state), chances(standing(21, 7, turned).state)
    assert there == pytest.approx(here[::-1])


def test_pieces_that_are_still_to_be_placed_count() -> None:
    many = in_turn("place", RED, [1, 2, 4, 4], [1, 3, 4, 1])
    few = in_turn("place", RED, [1, 2, 4, 2], [1, 3, 4, 1])
    assert chances(many.state)[RED] > chances(few.state)[RED]


def test_a_game_that_is_over_is_its_winners() -> None:
    story = in_turn("place", RED, [1, 2, 4, 2], [1, 3, 4, 4], board=pieces(red=TEMPLE_1[2:]))
    for space in TEMPLE_1[:2]:
        story.when(RED, {"type": "place", "space": space})
    assert chances(story.state) == (1, 0)
    resigned = ATON.fold(given().state, ATON.withdraw(given().state, RED, "resigned"))
    assert chances(resigned) == (0, 1)


def test_spaces_of_one_temple_and_colour_are_alike_and_no_others() -> None:
    story = in_turn("place", BLUE, [1, 2, 4, 2], [1, 1, 4, 4])
    actions = ATON.legal_actions(story.state, BLUE)
    assert len(actions) == 48
    assert len({alike(story.state, BLUE, action) for action in actions}) == 20
    assert alike(story.state, BLUE, actions[0]) == alike(story.state, BLUE, actions[3])


def test_every_way_to_lay_a_hand_stands_alone() -> None:
    story = standing()
    actions = ATON.legal_actions(story.state, RED)
    assert len({alike(story.state, RED, action) for action in actions}) == len(actions) == 25


def test_the_course_is_measured_in_rounds() -> None:
    assert moment(standing().state) == 4

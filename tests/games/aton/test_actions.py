"""Refusals by shape and by rule (6), in the order in which they are checked."""

from typing import Any

import pytest

from tests.games.aton.positions import BLUE, RED, cull, given, in_turn, pieces, place, remove


@pytest.mark.parametrize(
    "action",
    [
        {"type": "allocate"},
        {"type": "allocate", "cards": None},
        {"type": "allocate", "cards": [1, 2, 3]},
        {"type": "allocate", "cards": [1, 2, 3, 4, 4]},
        {"type": "allocate", "cards": [0, 2, 3, 4]},
        {"type": "allocate", "cards": [1, 2, 3, 5]},
        {"type": "allocate", "cards": [True, 2, 3, 4]},
        {"type": "allocate", "cards": [1, 2, 3, 4], "seat": 0},
        {"type": "exchange", "cards": [1, 2, 3, 4]},
        {"type": "place"},
        {"type": "remove", "space": 5},
        {"type": "cull", "space": None},
        [],
        "exchange",
        None,
    ],
)
def test_an_ill_formed_action_is_malformed_whoever_sends_it(action: Any) -> None:
    given().refuses(RED, action, "malformed_action")


@pytest.mark.parametrize(
    "action", [{}, {"cards": [1, 2, 3, 4]}, {"type": "pass"}, {"type": 5}, {"type": None}]
)
def test_an_action_without_a_known_type_is_unknown(action: Any) -> None:
    given().refuses(RED, action, "unknown_action")


def test_a_removal_names_the_fault_of_its_space_in_order() -> None:
    board = pieces(red=("t1-01", "t3-01"), blue=("t1-09", "t1-10", "t4-01"))
    story = in_turn("remove", RED, [1, 3, 2, 1], [1, 4, 1, 1], board=board)
    story.refuses(RED, remove("t0-00"), "unknown_space").refuses(RED, remove(""), "unknown_space")
    story.refuses(RED, remove("t4-01"), "temple_not_allowed").refuses(
        RED, remove("t3-01"), "temple_not_allowed"
    )
    story.refuses(RED, remove("t2-01"), "space_empty").refuses(RED, remove("t1-01"), "wrong_owner")


def test_a_placement_names_the_fault_of_its_space_in_order() -> None:
    story = in_turn("place", RED, [1, 2, 2, 1], [1, 4, 1, 1], board=pieces(blue=("t1-09", "t4-01")))
    story.refuses(RED, place("T1-01"), "unknown_space").refuses(RED, place("t4-01"), "temple_not_allowed")
    story.refuses(RED, place("t1-09"), "space_occupied")


def test_actions_of_another_phase_are_refused_before_their_own_conditions() -> None:
    story = given()
    for action in (place("nowhere"), remove("t1-01"), cull("t1-01")):
        story.refuses(BLUE, action, "wrong_phase")
    in_turn("place", RED, [1, 2, 2, 1], [1, 4, 1, 1]).refuses(RED, {"type": "exchange"}, "wrong_phase")


def test_a_seat_that_has_laid_can_no_longer_exchange() -> None:
    story = given({"players": [{"hand": [1, 2, 3, 4]}, {}]})
    story.when(RED, {"type": "allocate", "cards": [1, 2, 3, 4]})
    story.refuses(RED, {"type": "exchange"}, "not_your_turn")
    assert story.legal(RED) == []


def test_an_exchange_with_an_empty_deck_gives_the_hand_up_before_the_deck_is_rebuilt() -> None:
    story = given({"players": [{"hand": [1, 1, 1, 1], "deck": []}, {}]}).when(RED, {"type": "exchange"})
    story.happened("hand_exchanged", {"type": "deck_reshuffled", "deck_count": 36}, "cards_drawn")
    story.stands({"/players/0/exchanged": [], "/players/0/exchanged_count": 0, "/players/0/discard": []})

"""Every refusal of the actions' own lists (6), in the order in which they are checked."""

from typing import Any

import pytest

from games.kernel import IllegalAction
from tests.games.temple_of_five.tables import (
    END_TURN,
    RULESET,
    build,
    crown,
    given,
    last_turn,
    lay,
    placed,
    priest_turn,
    seats_at,
    use,
)

EFFECTS = {"special_tiles": "effect"}
HAND = {"hand": ["d01", "d02", "d03"]}
RED_FIVE = ((0, "d09"), (1, "d18"), (8, "d08"))
"""With the red decoration printed at (0,1): a red chain of five."""


def exchange(keep: str, left: list[str], right: list[str]) -> dict[str, Any]:
    return {"type": "exchange", "keep": keep, "left": left, "right": right}


def test_an_exchange_names_each_tile_of_the_hand_once_and_in_the_right_numbers() -> None:
    story = given({"players": seats_at(3, seat_0=HAND)})
    story.refuses(0, exchange("d04", ["d01"], ["d01"]), "tile_not_in_hand")
    story.refuses(0, exchange("d01", ["d01"], []), "duplicate_tile")
    story.refuses(0, exchange("d01", ["d02", "d03"], []), "wrong_split")
    story.refuses(0, exchange("d01", ["d02"], []), "wrong_split")
    story.refuses(0, {"type": "allot", "to": "keep"}, "not_in_this_variant")


def test_on_level_two_nothing_goes_to_the_right() -> None:
    story = given({"phase": "exchange", "round": 4, "players": seats_at(3, seat_0={"hand": ["d51", "d52"]})})
    story.refuses(0, exchange("d51", [], ["d52"]), "wrong_split")
    story.when(0, exchange("d51", ["d52"], []))


def test_a_tile_is_allotted_where_there_is_room() -> None:
    story = given({"players": seats_at(2)}, options={"will_of_the_gods": True})
    story.refuses(0, exchange("d01", ["d02"], []), "not_in_this_variant")
    story.refuses(0, {"type": "allot", "to": "right"}, "destination_full")


def test_a_tile_is_placed_from_the_hand_on_a_free_slot_by_quarter_turns() -> None:
    own = {"tiles": placed((0, "d50")), "hand": ["d01", "d02"]}
    story = given({"phase": "build", "players": seats_at(2, seat_0=own)})
    story.refuses(0, build("d03", 99, 45), "tile_not_in_hand")
    story.refuses(0, build("d01", 9, 45), "bad_slot")
    story.refuses(0, build("d01", -1, 45), "bad_slot")
    story.refuses(0, build("d01", 0, 45), "bad_rotation")
    story.refuses(0, build("d01", 0, 90), "slot_occupied")
    story.refuses(0, crown("d01", face_up=True), "wrong_level")


def test_a_special_tile_is_one_of_those_in_hand() -> None:
    own = {"hand": ["s_red_1", "s_blue_1"]}
    story = given({"phase": "build", "round": 6, "players": seats_at(2, seat_0=own)})
    story.refuses(0, crown("s_red_2", face_up=True), "tile_not_in_hand")
    story.refuses(0, build("d01", 0), "wrong_level")


@pytest.mark.parametrize(
    "spaces",
    [
        [(2, 5)],
        [(2, 5), (2, 5)],
        [(2, 5), (2, 7)],
        [(2, 5), (3, 6)],
        [(2, 5), (2, 6), (2, 7)],
        [(2, 7), (2, 8)],
        [(-1, 2), (0, 2)],
        [],
    ],
)
def test_a_piece_lies_on_as_many_spaces_in_a_straight_line(spaces: list[tuple[int, int]]) -> None:
    story = given(priest_turn(*RED_FIVE, me={"bonus_2": ["b2_red_1"]}))
    story.refuses(0, lay("b2_red_1", *spaces), "bad_spaces")


def test_a_piece_comes_from_the_reserve_and_lies_on_empty_spaces_of_one_level() -> None:
    story = given(priest_turn(*RED_FIVE, me={"bonus_2": ["b2_red_1"]}))
    story.refuses(0, lay("b2_red_2", (9, 9)), "bonus_not_in_reserve")
    story.refuses(0, lay("b2_red_1", (1, 1), (1, 2)), "space_not_empty")
    story.refuses(0, lay("b2_red_1", (1, 4), (1, 5)), "space_not_empty")
    story.refuses(0, lay("b2_red_1", (2, 4), (2, 5)), "different_levels")
    story.when(0, lay("b2_red_1", (2, 4), (2, 3)))


def test_a_blocked_space_is_neither_empty_nor_decorated() -> None:
    own = {"bonus_2": ["b2_red_1"]}
    story = given(last_turn("e_reuse_chain_1", me=own), options=EFFECTS)
    story.stands(
        {
            "/players/0/surface/3": story.state.players[0].surface[3][:3]
            + "##"
            + story.state.players[0].surface[3][5:]
        }
    )
    story.refuses(0, lay("b2_red_1", (3, 3), (3, 4)), "space_not_empty")
    story.refuses(0, use((3, 3), "red", 0), "no_decoration")


def test_a_chain_is_checked_before_the_card_and_the_card_before_its_spaces() -> None:
    cards = {"red": {"card": "red_06", "priests": [1, None, None, None]}, "gold": {"card": "gold_01"}}
    story = given(priest_turn(*RED_FIVE, display=cards))
    story.refuses(0, use((8, 0), "private", 9), "bad_space")
    story.refuses(0, use((-1, 0), "private", 9), "bad_space")
    story.refuses(0, use((2, 2), "private", 9), "no_decoration")
    story.refuses(0, use((4, 0), "private", 9), "chain_too_short")
    story.refuses(0, use((1, 1), "private", 9), "no_card")
    story.refuses(0, use((1, 1), "gold", 9), "wrong_colour")
    story.refuses(0, use((1, 1), "red"), "bad_card_spaces")
    story.refuses(0, use((1, 1), "red", 1, 1), "bad_card_spaces")
    story.refuses(0, use((1, 1), "red", 4), "bad_card_spaces")
    story.refuses(0, use((1, 1), "red", -1), "bad_card_spaces")
    story.refuses(0, use((1, 1), "red", 0, 1), "card_space_occupied")
    story.refuses(0, use((1, 1), "red", 1, 2, 3), "chain_too_weak")
    story.when(0, use((1, 1), "red", 1, 2)).refuses(0, use((1, 2), "red", 3), "chain_has_priest")


def test_a_god_without_cards_has_no_card() -> None:
    won = [f"red_{number:02}" for number in range(1, 11)]
    story = given(priest_turn(*RED_FIVE, me={"completed": won}, deck_red=[]))
    story.stands({"/display/red": None}).refuses(0, use((1, 1), "red", 0), "no_card")


def test_the_last_card_of_a_god_is_replaced_by_nothing() -> None:
    won = [f"red_{number:02}" for number in range(2, 11)]
    position = priest_turn(
        *RED_FIVE, me={"completed": won}, display={"red": {"card": "red_01", "priests": [1, 1, None]}}
    )
    story = given(position).when(0, use((1, 1), "red", 2))
    story.happened(
        "chain_used", "card_completed", {"type": "card_revealed", "god": "red", "card": None}, "bonus_drawn"
    )
    story.stands({"/display/red": None})


def test_a_blessing_is_taken_by_its_effect_alone_and_from_nobody_else() -> None:
    story = given(last_turn("e_reuse_chain_1"), options=EFFECTS)
    story.refuses(0, {"type": "take_blessing", "god": "red"}, "no_such_effect")
    face_down = given(last_turn("e_private_card_1", face_up=False), options=EFFECTS)
    face_down.refuses(0, {"type": "take_blessing", "god": "red"}, "no_such_effect")


def test_a_private_card_is_for_its_owner_and_is_not_replaced() -> None:
    own = {"private_card": {"card": "supreme_01", "priests": [0, 0, None]}}
    story = given(last_turn("e_private_card_1", me=own), options=EFFECTS)
    chain = max(story.state.players[0].chains, key=lambda chain: chain.length)
    story.when(0, use(chain.spaces[0], "private", 2)).happened(
        "chain_used",
        {"type": "card_completed", "card": "supreme_01", "target": "private", "winner": 0, "priests": [3, 0]},
    )
    story.stands({"/players/0/private_card": None, "/players/0/completed": ["supreme_01"]})
    story.when(0, END_TURN).when(1, END_TURN).stands({"/players/0/score/completed": 6})


def test_an_incomplete_private_card_gives_its_smaller_points() -> None:
    own = {"private_card": {"card": "supreme_10", "priests": [0, None, None, None, None]}}
    story = given(last_turn("e_private_card_1", me=own), options=EFFECTS).when(0, END_TURN).when(1, END_TURN)
    story.happened(
        "turn_ended",
        {"type": "incomplete_awarded", "target": "private", "winner": 0, "points": 5},
        "game_ended",
    )


def test_an_extra_chain_is_a_third_one() -> None:
    story = given(last_turn("e_extra_chain_1"), options=EFFECTS)
    story.stands({"/turn_state": {"chains_used": 0, "chain_limit": 3, "effect_used": False}})


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "choose_goal", "side": "c"},
        {"type": "allot", "to": "across"},
        {"type": "exchange", "keep": None},
        {"type": "place_tile", "tile": "d01", "slot": True, "rotation": 0},
        {"type": "place_tile", "tile": "d01", "slot": 0},
        {"type": "place_special", "tile": "s_red_1", "face_up": 1},
        {"type": "place_bonus", "bonus": "b2_red_1", "spaces": [[0]]},
        {"type": "use_chain", "space": [0, 1, 2], "target": "red", "card_spaces": [0]},
        {"type": "use_chain", "space": [0, 1], "target": "white", "card_spaces": [0]},
        {"type": "take_blessing", "god": "private"},
        {"type": "end_turn", "now": True},
    ],
)
def test_a_wrong_shape_or_an_unknown_word_is_malformed(raw: dict[str, Any]) -> None:
    with pytest.raises(IllegalAction) as refusal:
        RULESET.read_action(raw)
    assert refusal.value.code == "malformed_action"

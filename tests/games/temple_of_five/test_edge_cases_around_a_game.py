"""Edge cases of the specification (11), rows 25 to 41: variants, views, refusals, ends, positions."""

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
    play_quietly,
    priest_turn,
    seats_at,
    use,
    whole_level_one,
)
from tests.games.temple_of_five.tiny import TINY_RULESET
from tests.rulesets.story import Story, builtins, refuses_to_begin

RED_SEVEN = ((0, "d09"), (1, "d13"), (8, "d08"))
"""With the red decoration printed at (0,1): a red chain of seven."""


def test_25_with_will_of_the_gods_received_tiles_are_turned_up_one_by_one() -> None:
    story = play_quietly(given(seats=3, options={"will_of_the_gods": True}), until=("build", 1))
    for player in story.state.players:
        assert (player.hand_count, player.unseen_count) == (1, 2)
    tile, unseen = story.state.players[0].hand[0], story.state.players[0].unseen
    story.refuses(0, build(unseen[0], 0), "tile_not_in_hand")
    story.when(0, build(tile, 0)).refuses(0, build(unseen[1], 1), "tile_not_in_hand")
    story.when(0, build(unseen[0], 1)).when(0, build(unseen[1], 2))
    play_quietly(story, until=("build", 6))
    assert {(player.hand_count, player.unseen_count) for player in story.state.players} == {(2, 0)}


def test_26_another_seat_sees_counts_instead_of_what_one_holds() -> None:
    own = {"hand": ["d01", "d02", "d03"], "bonus_2": ["b2_red_1"], "bonus_3": ["b3_red_1", "b3_red_2"]}
    story = given({"players": seats_at(2, seat_0=own)})
    story.when(0, {"type": "exchange", "keep": "d01", "left": ["d02", "d03"]})
    hidden: dict[str, Any] = {"hand": None, "bonus_2": None, "bonus_3": None, "choice": None}
    counts = {"hand_count": 3, "bonus_2_count": 1, "bonus_3_count": 2}
    for viewer in (1, None):
        story.shows(viewer, {f"/players/0/{name}": shown for name, shown in {**hidden, **counts}.items()})
    story.shows(0, {"/players/0/choice": {"keep": "d01", "left": ["d02", "d03"], "right": []}})


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_27_nobody_sees_piles_decks_the_discard_and_unseen_tiles(viewer: int | None) -> None:
    story = given(last_turn("s_red_1"), options={"will_of_the_gods": True})
    piles = ["tile_pile", "special_pile", "special_discard", "bonus_2_pile", "bonus_3_pile"]
    piles += [f"deck_{god}" for god in ("red", "gold", "blue", "green", "supreme")]
    story.shows(
        viewer, {f"/{pile}": None for pile in piles} | {f"/players/{seat}/unseen": None for seat in (0, 1)}
    )
    story.shows(viewer, {"/special_discard_count": 2, "/special_pile_count": 4, "/deck_red_count": 9})


def test_28_a_tile_twice_or_eleven_priests_are_no_position() -> None:
    twice = {"players": [{"hand": ["d01", "d02", "d03"]}, {"hand": ["d03", "d04", "d05"]}]}
    assert "d03" in refuses_to_begin(RULESET, "invalid_position", twice, seats=2)
    eleven = {"players": [{"priests_reserve": 11}, {}]}
    assert "11 priests" in refuses_to_begin(RULESET, "invalid_position", eleven, seats=2)


def test_29_an_exchange_is_final() -> None:
    story = given({"players": seats_at(2, seat_0={"hand": ["d01", "d02", "d03"]})})
    story.when(0, {"type": "exchange", "keep": "d01", "left": ["d02", "d03"]})
    story.refuses(0, {"type": "exchange", "keep": "d02", "left": ["d01", "d03"]}, "not_your_turn")


def test_30_a_tile_that_looks_the_same_in_two_rotations_is_accepted_in_all_four() -> None:
    options = {"component_set": "tiny"}
    hands = [{"hand": ["t01", "t02", "t03"]}, {"hand": ["t04", "t05", "t06"]}]
    position = {"phase": "build", "players": hands}
    for rotation in (0, 90, 180, 270):
        Story(TINY_RULESET).given(position, seats=2, options=options).when(0, build("t01", 4, rotation))
    story = Story(TINY_RULESET).given(position, seats=2, options=options)
    listed = [action for action in story.legal(0) if action["tile"] == "t01" and action["slot"] == 4]
    assert [action["rotation"] for action in listed] == [0, 90]
    turned = TINY_RULESET.read_action(build("t01", 4, 270))
    assert builtins(TINY_RULESET.canonical(story.state, 0, turned)) == build("t01", 4, 90)


def test_31_the_card_that_replaces_a_completed_one_may_be_used_in_the_same_turn() -> None:
    cards, tops = {"red": {"card": "red_01"}}, {"deck_red": ["red_10"]}
    story = given(priest_turn((0, "d09"), (1, "d13"), (8, "d01"), display=cards, tops=tops))
    story.when(0, use((1, 1), "red", 0, 1, 2)).when(0, use((5, 5), "red", 4))
    story.stands({"/display/red": {"card": "red_10", "priests": [None, None, None, None, 0]}})


def test_32_a_piece_does_not_lie_across_the_edge_of_a_face_down_top() -> None:
    tops = {"special": {"tile": "s_red_1", "face_up": False}, "bonus_2": ["b2_red_1"]}
    story = given(last_turn("s_red_1", face_up=False, me=tops))
    player = story.state.players[0]
    beside = next(space for space in ((2, 3), (2, 4), (5, 3), (5, 4)) if player.sign(space) == ".")
    inner = (3 if beside[0] == 2 else 4, beside[1])
    story.refuses(0, lay("b2_red_1", beside, inner), "different_levels")


def test_33_four_players_use_up_all_tiles() -> None:
    story = play_quietly(given(seats=4), until=("place_priests", 5))
    story.stands({"/tile_pile": [], "/tile_pile_count": 0, "/special_pile_count": 8})
    play_quietly(story, until=("build", 6)).stands({"/special_pile": [], "/special_pile_count": 0})


def test_34_the_part_that_a_tile_cuts_off_from_its_priest_is_open_again() -> None:
    tiles = whole_level_one(
        (0, "d01", 180), (1, "d05", 180), (2, "d32", 90), spare=["d47", "d10", "d11", "d12", "d14", "d15"]
    )
    own = {"tiles": tiles, "hand": ["d03", "d04"], "board_priests": [[2, 1]]}
    supreme = {"supreme": {"card": "supreme_09"}}
    story = given({"phase": "build", "round": 4, "players": seats_at(2, seat_0=own), "display": supreme})
    before = story.state.players[0].chain_at((2, 1))
    assert before.closed
    assert {(2, 1), (2, 2), (2, 3), (2, 4)} <= set(before.spaces)
    story.when(0, build("d03", 0, 180))
    rest = story.state.players[0].chain_at((2, 4))
    assert (rest.spaces, rest.closed) == (((2, 4), (2, 5)), False)
    play_quietly(story.when(0, build("d04", 3)), until=("place_priests", 4))
    story.when(0, use((2, 4), "supreme", 3)).refuses(0, use((2, 1), "supreme", 4), "chain_has_priest")


def test_35_a_game_without_any_chain_used_is_shared_by_all() -> None:
    story = play_quietly(given(seats=3))
    story.stands(
        {
            "/outcome": {
                "winners": [0, 1, 2],
                "reason": "final_scoring",
                "scores": [0, 0, 0],
                "tiebreak": "shared",
            },
            "/round": 6,
        }
    )
    assert [player.priests_reserve for player in story.state.players] == [10, 10, 10]


def test_36_after_the_end_the_shape_of_an_action_is_still_checked_first() -> None:
    story = given(last_turn("s_red_1")).when(0, END_TURN).when(1, END_TURN)
    for raw, code in (({"type": "dance"}, "unknown_action"), ({"type": "use_chain"}, "malformed_action")):
        with pytest.raises(IllegalAction) as refusal:
            RULESET.read_action(raw)
        assert refusal.value.code == code
    story.refuses(0, END_TURN, "game_over").refuses(1, build("nothing", 99), "game_over")


def test_37_it_is_not_your_turn_comes_before_the_phase() -> None:
    story = given(priest_turn(*RED_SEVEN))
    story.refuses(1, build("d01", 0), "not_your_turn")
    story.refuses(0, build("d01", 0), "wrong_phase")


def test_38_a_withdrawal_while_goals_are_chosen_ends_a_game_of_two_without_goals() -> None:
    story = given(options={"ultimate_goal": True}).when(0, {"type": "choose_goal", "side": "a"})
    story.withdraws(1).happened({"type": "game_ended"})
    story.stands({"/players/0/goal_side": None, "/players/1/goal_side": None, "/outcome/winners": [0]})
    story.stands({"/outcome/reason": "resigned", "/outcome/tiebreak": None})


def test_39_a_vacated_seat_cannot_win() -> None:
    players = seats_at(
        3,
        seat_0={"special": {"tile": "s_red_1", "face_up": True}, "completed": ["red_10"]},
        seat_1={"special": {"tile": "s_red_2", "face_up": True}, "completed": ["red_01"]},
        seat_2={"special": {"tile": "s_blue_2", "face_up": True}},
    )
    players[0]["vacated"] = "timed_out"
    story = given({"phase": "place_priests", "round": 6, "active_seat": 2, "players": players}, seats=3)
    story.when(2, END_TURN).stands({"/outcome/scores": [8, 4, 0], "/outcome/winners": [1]})


def test_40_a_private_card_in_a_position_means_that_the_effect_is_used() -> None:
    own = {"private_card": {"card": "red_05"}}
    story = given(last_turn("e_private_card_1", me=own), options={"special_tiles": "effect"})
    story.stands(
        {
            "/turn_state/effect_used": True,
            "/players/0/private_card": {"card": "red_05", "priests": [None, None, None, None]},
        }
    )


@pytest.mark.parametrize("until", [("exchange", 1), ("build", 3), ("place_priests", 5), ("build", 6)])
def test_41_a_full_state_as_position_is_that_very_state(until: tuple[str, int]) -> None:
    story = play_quietly(given(seats=3), until=until)
    again = given(builtins(story.state), seats=3)
    assert builtins(again.state) == builtins(story.state)
    assert again.draws == ()


def test_a_top_laid_face_down_is_known_to_its_owner_alone() -> None:
    players = seats_at(2, seat_0={"hand": ["s_red_1", "s_blue_2"]})
    story = given({"phase": "build", "round": 6, "players": players}).when(0, crown("s_red_1", face_up=False))
    story.seen(0, {"type": "special_placed", "tile": "s_red_1", "discarded": "s_blue_2"})
    story.seen(1, {"type": "special_placed", "tile": None, "discarded": None})
    story.shows(1, {"/players/0/special": {"tile": None, "face_up": False}, "/special_discard": None})

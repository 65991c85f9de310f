"""Edge cases of the specification (11), rows 1 to 24: chains, cards, pieces, special tiles."""

from itertools import permutations

from tests.games.temple_of_five.tables import (
    END_TURN,
    build,
    crown,
    given,
    last_turn,
    lay,
    placed,
    play_quietly,
    priest_turn,
    seats_at,
    use,
    whole_level_one,
)
from tests.rulesets.story import builtins

EFFECTS = {"special_tiles": "effect"}
RED_SEVEN = ((0, "d09"), (1, "d13"), (8, "d08"))
"""With the red decoration printed at (0,1): a red chain of seven."""
BLUE_EIGHT = ((2, "d11"), (5, "d15"), (8, "d08"))
"""With the blue decorations printed at (0,6) and (3,7): a blue chain of eight."""


def test_01_a_printed_decoration_and_a_tile_beside_it_form_a_chain() -> None:
    story = given(priest_turn((0, "d17"), (4, "d01"), (8, "d08")))
    chain = story.state.players[0].chain_at((0, 1))
    assert builtins(chain) == {"colour": "red", "length": 2, "spaces": [[0, 1], [1, 1]], "closed": False}


def test_02_decorations_that_touch_at_a_corner_only_are_no_chain() -> None:
    story = given(priest_turn((0, "d20"), (4, "d01"), (8, "d08")))
    story.refuses(0, use((1, 2), "red", 0), "chain_too_short")
    story.refuses(0, use((0, 1), "red", 0), "chain_too_short")


def test_03_a_chain_goes_over_the_step_between_two_levels() -> None:
    tiles = whole_level_one((0, "d18"), spare=[f"d{number}" for number in range(45, 53)])
    own = {"tiles": tiles, "hand": ["d03", "d04"]}
    story = given({"phase": "build", "round": 4, "players": seats_at(2, seat_0=own)})
    story.when(0, build("d03", 0))
    chain = story.state.players[0].chain_at((2, 2))
    assert chain.colour == "blue"
    assert {(1, 2), (2, 2), (2, 3)} <= set(chain.spaces)
    story.stands({"/players/0/levels/1": "01111110", "/players/0/levels/2": "01221110"})


def test_04_what_a_chain_has_left_is_lost_and_the_chain_is_closed() -> None:
    story = given(priest_turn(*BLUE_EIGHT, display={"supreme": {"card": "supreme_09"}}))
    story.when(0, use((0, 6), "supreme", 0, 3)).happened({"type": "chain_used", "length": 8})
    story.refuses(0, use((1, 5), "supreme", 4), "chain_has_priest")
    assert story.state.players[0].chain_at((3, 7)).closed


def test_05_one_priest_in_reserve_is_not_enough_for_any_chain() -> None:
    standing = [[0, 3], [0, 6], [1, 0], [1, 7], [3, 7], [6, 0], [6, 7], [7, 4], [7, 6]]
    story = given(priest_turn((4, "d09"), (0, "d51"), (8, "d52"), me={"board_priests": standing}))
    story.stands({"/players/0/priests_reserve": 1})
    story.refuses(0, use((3, 3), "red", 2), "not_enough_priests")
    assert story.legal(0) == [END_TURN]
    story.when(0, END_TURN)


def test_06_a_chain_as_long_as_the_sum_wins_the_card_at_once_without_symbols() -> None:
    story = given(priest_turn(*RED_SEVEN, display={"red": {"card": "red_01"}}))
    story.when(0, use((1, 1), "red", 0, 1, 2))
    story.happened(
        {"type": "chain_used", "length": 7},
        {"type": "card_completed", "winner": 0, "priests": [3, 0], "tie_broken": False},
        "card_revealed",
    )
    story.stands({"/players/0/completed": ["red_01"], "/players/0/priests_reserve": 9})


def test_07_two_spaces_with_one_chain_draw_no_piece_though_one_is_marked() -> None:
    story = given(priest_turn(*RED_SEVEN, display={"red": {"card": "red_06"}}))
    story.when(0, use((1, 1), "red", 0, 1)).happened("chain_used")


def test_08_filling_a_card_that_another_wins_draws_exactly_one_piece() -> None:
    card = {"card": "supreme_09", "priests": [1, 1, 1, None, None]}
    story = given(priest_turn(*RED_SEVEN, display={"supreme": card}))
    story.when(0, use((1, 1), "supreme", 3, 4)).happened(
        "chain_used",
        {"type": "card_completed", "winner": 1, "priests": [2, 3]},
        "card_revealed",
        {"type": "bonus_drawn", "seat": 0, "size": 2, "reason": "last_space"},
    )


def test_09_whoever_completes_a_card_and_wins_it_gets_no_last_space_piece() -> None:
    story = given(priest_turn(*RED_SEVEN, display={"red": {"card": "red_02", "priests": [0, 1, None]}}))
    story.when(0, use((1, 1), "red", 2)).happened(
        "chain_used", {"type": "card_completed", "winner": 0}, "card_revealed"
    )


def test_10_a_third_seat_on_the_leftmost_space_does_not_win_a_tie_of_two_others() -> None:
    card = {"card": "red_09", "priests": [2, 0, 0, 1, None]}
    story = given(priest_turn(*RED_SEVEN, seats=3, seat=1, display={"red": card}))
    story.when(1, use((1, 1), "red", 4)).happened(
        "chain_used",
        {"type": "card_completed", "winner": 0, "priests": [2, 2, 1], "tie_broken": True},
        "card_revealed",
        {"type": "bonus_drawn", "seat": 1, "reason": "last_space"},
    )


def test_11_the_order_of_the_exchange_choices_does_not_matter() -> None:
    choices = {
        0: {"type": "exchange", "keep": "d01", "left": ["d02"], "right": ["d03"]},
        1: {"type": "exchange", "keep": "d05", "left": ["d06"], "right": ["d04"]},
        2: {"type": "exchange", "keep": "d09", "left": ["d08"], "right": ["d07"]},
    }
    hands = [["d01", "d02", "d03"], ["d04", "d05", "d06"], ["d07", "d08", "d09"]]
    ends = []
    for order in permutations(range(3)):
        story = given({"players": [{"hand": hand} for hand in hands]}, seats=3)
        for seat in order:
            story.when(seat, choices[seat])
        ends.append(builtins(story.state))
    assert all(end == ends[0] for end in ends)


def test_12_constructions_may_be_interleaved_in_any_order() -> None:
    plans = [[build("d01", 0), build("d02", 4)], [build("d03", 8, 90), build("d04", 1, 180)]]
    ends = []
    for order in sorted(set(permutations((0, 0, 1, 1)))):
        hands = [
            {"tiles": placed((7, "d50")), "hand": ["d01", "d02"]},
            {"tiles": placed((7, "d51")), "hand": ["d03", "d04"]},
        ]
        story = given({"phase": "build", "players": hands})
        left = [list(plan) for plan in plans]
        for seat in order:
            story.when(seat, left[seat].pop(0))
        ends.append(builtins(story.state))
    assert ends[0]["phase"] == "place_priests"
    assert all(end == ends[0] for end in ends)


def test_13_a_covered_piece_shows_nothing_and_stays_listed() -> None:
    own = {"hand": ["d01", "d02", "d03"], "bonus_2": ["b2_green_1"]}
    story = given({"phase": "build", "players": seats_at(2, seat_0=own)})
    story.when(0, lay("b2_green_1", (2, 1), (2, 2))).stands({"/players/0/surface/2": ".gg....."})
    story.when(0, build("d01", 0)).stands(
        {
            "/players/0/surface/1": "yrr....y",
            "/players/0/surface/2": "........",
            "/players/0/pieces": [{"bonus": "b2_green_1", "level": 0, "spaces": [[2, 1], [2, 2]]}],
        }
    )


def test_14_a_priest_on_a_covered_piece_comes_home() -> None:
    own = {
        "pieces": [{"bonus": "b2_red_1", "level": 0, "spaces": [[5, 5], [5, 6]]}],
        "board_priests": [[5, 5]],
        "hand": ["d50", "d51", "d52"],
    }
    story = given({"phase": "build", "round": 2, "players": seats_at(2, seat_0=own)})
    story.when(0, build("d50", 8)).happened({"type": "tile_placed", "priests_returned": [[5, 5]]})
    story.stands({"/players/0/priests_reserve": 10, "/players/0/board_priests": []})


def test_15_a_priest_on_the_border_stays_until_the_end() -> None:
    players = seats_at(2, seat_0={"board_priests": [[0, 1]]})
    story = play_quietly(given({"phase": "exchange", "round": 4, "players": players}))
    story.stands({"/phase": "ended", "/players/0/board_priests": [[0, 1]], "/players/0/priests_reserve": 9})


def test_16_chains_of_two_colours_may_go_to_the_supreme_card_in_one_turn() -> None:
    story = given(
        priest_turn((0, "d09"), (8, "d12"), (4, "d52"), display={"supreme": {"card": "supreme_01"}})
    )
    story.when(0, use((1, 1), "supreme", 1)).when(0, use((5, 5), "supreme", 2))
    story.stands({"/display/supreme/priests": [None, 0, 0], "/turn_state/chains_used": 2})
    story.refuses(0, use((1, 1), "supreme", 0), "chain_limit_reached")


def test_17_a_single_colour_top_is_a_chain_of_at_least_four() -> None:
    story = given(
        {"phase": "build", "round": 6, "players": seats_at(2, seat_0={"hand": ["s_red_1", "s_blue_2"]})}
    )
    story.when(0, crown("s_red_1", face_up=True))
    chain = story.state.players[0].chain_at((3, 3))
    assert chain.colour == "red"
    assert {(3, 3), (3, 4), (4, 3), (4, 4)} <= set(chain.spaces)


def test_18_the_mixed_pile_has_one_special_tile_of_each_kind() -> None:
    story = given(options={"special_tiles": "mixed"})
    ids = [f"s_{colour}_1" for colour in ("red", "gold", "blue", "green")]
    ids += [f"e_{effect}_1" for effect in ("reuse_chain", "two_bonus", "extra_chain", "private_card")]
    assert sorted(story.state.special_pile) == sorted(ids)


def test_19_a_pile_of_one_piece_gives_two_bonus_one_of_its_two() -> None:
    all_pieces = [
        f"b2_{colour}_{number}" for colour in ("red", "gold", "blue", "green") for number in range(1, 8)
    ]
    players = seats_at(
        2,
        seat_0={"hand": ["e_two_bonus_1", "e_extra_chain_1"]},
        seat_1={
            "hand": [],
            "special": {"tile": "e_two_bonus_2", "face_up": False},
            "bonus_2": all_pieces[1:],
        },
    )
    position = {"phase": "build", "round": 6, "players": players, "bonus_2_pile": all_pieces[:1]}
    story = given(position, options=EFFECTS).when(0, crown("e_two_bonus_1", face_up=True))
    story.happened(
        "special_placed",
        {"type": "turn_started", "seat": 0, "chain_limit": 2, "effect": "two_bonus"},
        {"type": "bonus_drawn", "size": 2, "reason": "effect", "bonus": "b2_red_1"},
        {"type": "bonus_missed", "size": 2, "reason": "effect"},
    )
    story.stands({"/turn_state/effect_used": True})


def test_20_a_private_card_comes_from_a_deck_that_is_not_empty() -> None:
    won = [f"blue_{number:02}" for number in range(2, 11)]
    position = last_turn("e_private_card_1", display={"blue": {"card": "blue_01"}}, deck_blue=[])
    position["players"][1]["completed"] = won
    story = given(position, options=EFFECTS)
    story.refuses(0, {"type": "take_blessing", "god": "blue"}, "deck_empty")
    story.when(0, {"type": "take_blessing", "god": "red"}).happened({"type": "blessing_taken", "god": "red"})
    story.stands({"/turn_state/effect_used": True, "/deck_red_count": 8})
    story.refuses(0, {"type": "take_blessing", "god": "gold"}, "effect_already_used")


def test_21_a_private_card_never_taken_changes_nothing_in_the_scoring() -> None:
    story = given(last_turn("e_private_card_1"), options=EFFECTS).when(0, END_TURN).when(1, END_TURN)
    story.happened("turn_ended", "game_ended").stands({"/outcome/scores": [0, 0]})


def test_22_a_chain_of_this_very_turn_may_be_reused_on_another_space() -> None:
    story = given(last_turn("e_reuse_chain_1", display={"supreme": {"card": "supreme_09"}}), options=EFFECTS)
    chain = max(story.state.players[0].chains, key=lambda chain: chain.length)
    story.when(0, use(chain.spaces[0], "supreme", 3)).stands({"/turn_state/effect_used": False})
    story.refuses(0, use(chain.spaces[0], "supreme", 4), "space_has_priest")
    story.when(0, use(chain.spaces[1], "supreme", 4))
    story.stands({"/turn_state": {"chains_used": 2, "chain_limit": 2, "effect_used": True}})
    assert story.facts[0].reused


def test_23_a_chain_with_a_priest_on_every_space_cannot_be_reused() -> None:
    story = given(last_turn("e_reuse_chain_1"), options=EFFECTS)
    pair = next(chain for chain in story.state.players[0].chains if chain.length == 2)
    spaces = [list(space) for space in pair.spaces]
    story = given(last_turn("e_reuse_chain_1", me={"board_priests": spaces}), options=EFFECTS)
    for space in spaces:
        story.refuses(0, use(space, "supreme", 0), "space_has_priest")


def test_24_a_piece_of_three_in_reserve_is_worth_a_point() -> None:
    story = given(last_turn("s_red_1", me={"bonus_3": ["b3_red_1"]})).when(0, END_TURN).when(1, END_TURN)
    story.stands({"/players/0/score/bonus": 1, "/outcome/scores": [1, 0], "/outcome/winners": [0]})

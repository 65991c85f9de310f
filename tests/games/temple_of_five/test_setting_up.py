"""Setting a game up: chances by label, filling positions, and refusing faulty ones (3, 4.3)."""

from typing import Any

import pytest

from games.chance import Chance
from tests.games.temple_of_five.tables import (
    RULESET,
    given,
    last_turn,
    placed,
    play_quietly,
    priest_turn,
    seats_at,
    use,
)
from tests.rulesets.story import SEED, builtins, refuses_to_begin

GODS = ("red", "gold", "blue", "green", "supreme")
LABELS = {"boards/0", "bonus_2/0", "bonus_3/0", "tiles/0", "special/0", *(f"deck_{god}/0" for god in GODS)}
WILL = {"will_of_the_gods": True}
GOALS = {"ultimate_goal": True}
EFFECTS = {"special_tiles": "effect"}
TURN = ((0, "d09"), (1, "d18"), (8, "d08"))


def test_an_ordinary_setup_uses_every_label_once_and_deals_from_the_top() -> None:
    story = given(seats=4)
    draws = {draw.label: draw.result for draw in story.draws}
    assert draws.keys() == LABELS
    state = story.state
    assert tuple(player.board for player in state.players) == draws["boards/0"]
    hands = tuple(tile for player in state.players for tile in player.hand)
    assert hands + state.tile_pile == draws["tiles/0"]
    assert (state.display.red.card, *state.deck_red) == draws["deck_red/0"]
    assert (state.bonus_2_pile, state.bonus_3_pile) == (draws["bonus_2/0"], draws["bonus_3/0"])
    assert state.special_pile == draws["special/0"]
    assert [len(draws[label]) for label in ("tiles/0", "special/0", "bonus_2/0", "bonus_3/0")] == [
        52,
        8,
        28,
        24,
    ]


def test_goals_are_chosen_before_the_first_deal() -> None:
    story = given(options=GOALS, seats=3)
    story.stands(
        {"/phase": "choose_goal", "/to_act": [0, 1, 2], "/tile_pile_count": 52, "/players/0/hand": []}
    )
    for seat, side in enumerate("ab"):
        story.when(seat, {"type": "choose_goal", "side": side}).seen(2, {"type": "goal_chosen", "side": None})
    story.shows(2, {"/players/0/goal_side": None, "/players/1/goal_side": None})
    story.when(2, {"type": "choose_goal", "side": "a"}).happened(
        "goal_chosen",
        {"type": "goals_revealed", "sides": ["a", "b", "a"]},
        {"type": "round_started", "round": 1, "level": 1, "first_player": 0},
        *[{"type": "tiles_dealt", "seat": seat, "to": "hand", "count": 3} for seat in range(3)],
    )
    story.shows(2, {"/players/0/goal_side": "a", "/players/1/goal_side": "b"})


def test_a_label_whose_zones_are_given_is_not_used() -> None:
    position = {
        "players": [{"board": "board_d"}, {"board": "board_a"}],
        "special_pile": [f"s_{colour}_{n}" for n in (1, 2) for colour in GODS[:4]],
        "special_discard": [],
    }
    assert {draw.label for draw in given(position).draws} == LABELS - {"boards/0", "special/0"}


def test_boards_left_out_are_those_not_given() -> None:
    story = given({"players": [{}, {"board": "board_a"}, {}]})
    assert story.state.players[1].board == "board_a"
    assert len({player.board for player in story.state.players}) == 3


def test_tiles_left_out_are_the_lowest_unused_ones_slot_by_slot() -> None:
    players = [{"hand": ["d01", "d03"]}, {"hand": ["d02", "d52"]}]
    story = given({"phase": "exchange", "round": 5, "players": players})
    first, second = (player.tiles for player in story.state.players)
    assert [tile.tile for tile in first] == [f"d{number:02}" for number in range(4, 15)]
    assert [(tile.level, tile.slot) for tile in second][-3:] == [(1, 8), (2, 0), (2, 1)]
    assert {tile.rotation for tile in first + second} == {0}


def test_in_the_midst_of_construction_only_placed_tiles_are_filled_in() -> None:
    story = given({"phase": "build", "round": 2, "players": [{"hand": ["d52"]}, {}]})
    story.stands({"/players/0/hand_count": 1, "/players/1/hand_count": 3, "/to_act": [0, 1]})
    assert [len(player.tiles) for player in story.state.players] == [5, 3]


def test_with_will_of_the_gods_a_hand_left_out_has_one_tile_turned_up() -> None:
    for phase in ("exchange", "build"):
        story = given({"phase": phase}, options=WILL)
        assert [(player.hand_count, player.unseen_count) for player in story.state.players] == [
            (1, 2),
            (1, 2),
        ]


def test_tops_lie_on_top_and_nowhere_else() -> None:
    tops = {
        "deck_red": ["red_03", "red_01"],
        "tile_pile": ["d01"],
        "special_pile": ["s_red_1"],
        "bonus_3_pile": ["b3_red_1"],
    }
    story = given(last_turn("s_blue_1", tops={**tops, "tile_pile": ["d52"]}))
    assert story.state.deck_red[:2] == ("red_03", "red_01")
    assert story.state.display.red.card not in tops["deck_red"]
    assert [story.state.pile(pile)[0] for pile in ("tile_pile", "special_pile", "bonus_3_pile")] == [
        "d52",
        "s_red_1",
        "b3_red_1",
    ]
    dealt = given({"first_player": 1, "tops": {"tile_pile": ["d05", "d04", "d03"]}})
    dealt.stands({"/players/1/hand": ["d05", "d04", "d03"]})


def test_a_given_deck_leaves_its_one_unused_card_face_up() -> None:
    deck = [f"gold_{number:02}" for number in range(1, 10)]
    given({"deck_gold": deck}).stands({"/display/gold": {"card": "gold_10", "priests": [None] * 5}})


def test_a_turn_may_be_given_in_part() -> None:
    story = given(priest_turn(*TURN, turn_state={"chains_used": 1}))
    story.stands({"/turn_state": {"chains_used": 1, "chain_limit": 2, "effect_used": False}})
    two_bonus = given(last_turn("e_two_bonus_1"), options=EFFECTS)
    two_bonus.stands({"/turn_state/effect_used": True, "/players/0/bonus_2": []})


def test_null_counts_as_left_out() -> None:
    nothing_said = {"phase": None, "tile_pile": None, "players": [None, {"board": None}], "turn_state": None}
    assert builtins(given(nothing_said, seats=2).state) == builtins(given(seats=2).state)


def test_derived_members_are_ignored() -> None:
    state = builtins(given(seats=2).state)
    for player in state["players"]:
        player.update(surface="nonsense", levels=7, chains=[{}], hand_count=-1)
    state.update(to_act=[99], tile_pile_count="many")
    again = given(state).state
    assert again.to_act == (0, 1)
    assert again.tile_pile_count == 46


def test_every_moment_of_an_exchange_one_by_one_is_a_position() -> None:
    story = given(seats=3, options=WILL)
    while story.state.phase == "exchange":
        again = given(builtins(story.state), options=WILL)
        assert builtins(again.state) == builtins(story.state)
        story.when(story.state.to_act[-1], story.legal(story.state.to_act[-1])[-1])


def hands(*each: dict[str, Any]) -> dict[str, Any]:
    return {"players": list(each)}


def piece(level: int, *spaces: list[int], bonus: str = "b2_red_1") -> dict[str, Any]:
    return priest_turn(*TURN, me={"pieces": [{"bonus": bonus, "level": level, "spaces": list(spaces)}]})


THREE = ["d01", "d02", "d03"]
FULL = {"keep": "d01", "left": ["d02", "d03"], "right": []}
SIX = seats_at(2, seat_0={"special": {"tile": "s_red_1", "face_up": True}})

FAULTY: list[tuple[str, dict[str, Any]]] = [
    ("unknown field", {"weather": "fine"}),
    ("unknown field", {"weather": None}),
    ("unknown field", hands({"to_act": []}, {})),
    ("`outcome`|over", {"phase": "ended"}),
    ("no outcome", {"outcome": {"winners": [0], "reason": "x", "scores": [0, 0], "tiebreak": None}}),
    ("score", hands({"score": {}}, {})),
    ("rounds 1 to 6", {"round": 7}),
    ("rounds 1 to 6", {"round": 0}),
    ("builds level", {"round": 4, "level": 1}),
    ("options", {"options": {"special_tiles": "effect"}}),
    ("one player for each seat", hands({})),
    ("no seat", {"first_player": 2}),
    ("no seat", {"phase": "place_priests", "active_seat": -1}),
    ("`ultimate_goal`", {"phase": "choose_goal"}),
    ("round 6", {"phase": "exchange", "round": 6}),
    ("round 6", {"round": 6}),
    ("has its turn", {"active_seat": 0}),
    ("has its turn", {"phase": "build", "turn_state": {}}),
    ("is no board", hands({"board": "board_z"}, {})),
    ("two places", hands({"board": "board_a"}, {"board": "board_a"})),
    (", not ", hands({"hand": ["d01", "d02", "s_red_1"]}, {})),
    (", not ", {"tile_pile": ["d99"]}),
    (", not ", {"display": {"red": {"card": "gold_01"}}}),
    (", not ", {"special_pile": ["e_two_bonus_1"]}),
    (", not ", hands({"completed": ["red_01", "red_01"]}, {})),
    ("lies nowhere", {"deck_red": ["red_01"]}),
    ("lies nowhere", {"deck_red": ["red_01"], "display": {"red": {"card": "red_02"}}}),
    ("lies nowhere", {"bonus_2_pile": []}),
    ("too few tiles", {"tile_pile": ["d01"]}),
    ("lies nowhere", hands({"hand": THREE}, {"hand": ["d04", "d05", "d06"]}) | {"tile_pile": ["d10"]}),
    ("deck but no card", {"deck_red": [f"red_{number:02}" for number in range(1, 11)]}),
    ("is not in deck_red", {"tops": {"deck_red": ["gold_01"]}}),
    ("names no pile", {"tops": {"special_discard": []}}),
    ("twice", {"tops": {"tile_pile": ["d01", "d01"]}}),
    ("tiles in hand", hands({"hand": ["d01", "d02"]}, {})),
    ("tiles in hand", hands({"hand": [*THREE, "d04"]}, {})),
    ("tiles in hand", {"phase": "place_priests", **hands({"hand": ["d01"]}, {})}),
    ("unseen", hands({"hand": ["d01"], "unseen": ["d02", "d03"]}, {})),
    ("tiles on level", {"round": 2, **hands({"tiles": placed((0, "d01"))}, {})}),
    (
        "two tiles in one slot",
        {"round": 2, **hands({"tiles": placed((0, "d01"), (0, "d02"), (1, "d03"))}, {})},
    ),
    ("no slot", {"round": 2, **hands({"tiles": placed((0, "d01"), (1, "d02"), (9, "d03"))}, {})}),
    ("quarter", {"round": 2, **hands({"tiles": placed((0, "d01", 45), (1, "d02"), (2, "d03"))}, {})}),
    ("special tile", hands({"special": {"tile": "s_red_1", "face_up": True}}, {})),
    ("special tile", {"phase": "place_priests", "round": 6}),
    ("special tile", {"phase": "place_priests", "round": 6, "players": SIX}),
    ("discarded", {"special_discard": ["s_red_1"]}),
    ("choice", {"phase": "build", **hands({"hand": THREE, "choice": FULL}, {})}),
    ("not full", hands({"hand": THREE, "choice": {"keep": "d01", "left": ["d02"]}}, {})),
    ("order", hands({"hand": THREE, "choice": {"keep": "d01", "left": ["d03", "d02"]}}, {})),
    (
        "nobody",
        hands(
            {"hand": THREE, "choice": FULL},
            {"hand": ["d04", "d05", "d06"], "choice": {"keep": "d04", "left": ["d05", "d06"]}},
        ),
    ),
    ("no decoration", hands({"board_priests": [[3, 3]]}, {})),
    ("beyond the board", hands({"board_priests": [[8, 0]]}, {})),
    ("two priests", hands({"board": "board_a", "board_priests": [[0, 1], [0, 1]]}, {})),
    ("9 priests", hands({"priests_reserve": 9}, {})),
    ("no priests", hands({"priests_reserve": -1}, {})),
    ("occupied", {"display": {"red": {"card": "red_01", "priests": [0, 0, 1]}}}),
    ("has 3 spaces", {"display": {"red": {"card": "red_01", "priests": [0]}}}),
    ("no seat", {"display": {"red": {"card": "red_01", "priests": [2, None, None]}}}),
    ("straight line", piece(0, [5, 1], [5, 3])),
    ("straight line", piece(0, [5, 2], [5, 1])),
    ("straight line", piece(0, [5, 1], [5, 2], [5, 3])),
    ("beyond level", piece(1, [4, 1], [4, 2])),
    ("empty spaces", piece(0, [0, 1], [0, 2])),
    ("empty spaces", piece(1, [1, 1], [2, 1])),
    ("goal", hands({"goal_side": "a"}, {})),
    ("private card", hands({"private_card": {"card": "red_01"}}, {})),
    ("chains", priest_turn(*TURN, turn_state={"chain_limit": 3})),
    ("chains", priest_turn(*TURN, turn_state={"chains_used": 3})),
    ("used up", priest_turn(*TURN, turn_state={"effect_used": True})),
    ("withdrawn", hands({"vacated": "resigned"}, {})),
]


@pytest.mark.parametrize(
    ("fault", "position"), FAULTY, ids=[f"{n} {fault}" for n, (fault, _) in enumerate(FAULTY)]
)
def test_a_faulty_position_is_refused_with_its_fault(fault: str, position: dict[str, Any]) -> None:
    sentence = refuses_to_begin(RULESET, "invalid_position", position, seats=2)
    assert any(word in sentence for word in fault.split("|")), sentence
    assert sentence.endswith(".")


def test_two_pieces_may_not_share_a_space_on_one_level_but_on_two() -> None:
    under = {"bonus": "b2_red_1", "level": 0, "spaces": [[5, 5], [5, 6]]}
    again = {"bonus": "b2_red_2", "level": 0, "spaces": [[5, 5], [6, 5]]}
    over = {"bonus": "b2_red_2", "level": 1, "spaces": [[6, 5], [6, 6]]}
    refuses_to_begin(RULESET, "invalid_position", priest_turn(*TURN, me={"pieces": [under, again]}), seats=2)
    given(priest_turn(*TURN, me={"pieces": [under, over]})).stands({"/players/0/surface/6": "g....rrg"})


WILL_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("turned up", {"phase": "build", **hands({"hand": ["d01", "d02"], "unseen": ["d03"]}, {})}),
    ("none turned up", {"phase": "build", **hands({"hand": [], "unseen": ["d03"]}, {})}),
    ("turned up", hands({"hand": [], "unseen": THREE}, {})),
    ("turned up last", hands({"hand": ["d01", "d02"], "unseen": ["d03"]}, {})),
    ("turned up last", hands({"hand": THREE, "choice": {"keep": "d01", "left": ["d02"]}}, {})),
    ("turned up last", hands({"hand": ["d01", "d02"], "unseen": ["d03"], "choice": {"keep": "d01"}}, {})),
    ("before its first tile", hands({"hand": ["d01"], "unseen": ["d02", "d03"], "choice": {}}, {})),
    ("unseen", {"phase": "build", "round": 6, **hands({"hand": ["s_red_1"], "unseen": ["s_red_2"]}, {})}),
]


@pytest.mark.parametrize(("fault", "position"), WILL_FAULTS)
def test_with_will_of_the_gods_tiles_are_turned_up_one_by_one(fault: str, position: dict[str, Any]) -> None:
    assert fault in refuses_to_begin(RULESET, "invalid_position", position, seats=2, options=WILL)


def test_goals_must_be_chosen_after_the_choice_of_goals() -> None:
    for position in (
        {"phase": "exchange"},
        {"phase": "choose_goal", "round": 2},
        {"round": 2},
        hands({"goal_side": "a"}, {"goal_side": "b"}),
    ):
        refuses_to_begin(RULESET, "invalid_position", position, seats=2, options=GOALS)


@pytest.mark.parametrize(
    ("fault", "position"),
    [
        ("without the effect", last_turn("e_reuse_chain_1", me={"private_card": {"card": "red_01"}})),
        (
            "without the effect",
            last_turn("e_private_card_1", face_up=False, me={"private_card": {"card": "red_01"}}),
        ),
        (
            "another seat",
            last_turn(
                "e_private_card_1", me={"private_card": {"card": "red_01", "priests": [1, None, None]}}
            ),
        ),
        (
            "used up",
            last_turn(
                "e_private_card_1", me={"private_card": {"card": "red_01"}}, turn_state={"effect_used": False}
            ),
        ),
        ("used up", last_turn("e_two_bonus_1", turn_state={"effect_used": False})),
        ("used up", last_turn("e_extra_chain_1", turn_state={"effect_used": True})),
        ("used up", last_turn("e_reuse_chain_1", turn_state={"effect_used": True})),
        ("chains", last_turn("e_extra_chain_1", turn_state={"chain_limit": 2})),
    ],
)
def test_a_turn_must_fit_the_effect_of_the_top(fault: str, position: dict[str, Any]) -> None:
    assert fault in refuses_to_begin(RULESET, "invalid_position", position, seats=2, options=EFFECTS)


def test_a_private_card_is_taken_on_ones_own_turn_only() -> None:
    position = last_turn("e_reuse_chain_1")
    position["players"][1] |= {
        "special": {"tile": "e_private_card_1", "face_up": True},
        "private_card": {"card": "red_01"},
    }
    assert "last turn" in refuses_to_begin(RULESET, "invalid_position", position, seats=2, options=EFFECTS)
    given({**position, "first_player": 1, "active_seat": 0}, options=EFFECTS)


def test_three_seats_go_on_with_one_vacated_but_not_with_two() -> None:
    given(hands({"vacated": "resigned"}, {}, {}))
    two = hands({"vacated": "resigned"}, {"vacated": "timed_out"}, {})
    assert "withdrawn" in refuses_to_begin(RULESET, "invalid_position", two, seats=3)


@pytest.mark.parametrize(
    "options", [{"special_tiles": "gold"}, {"will_of_the_gods": 1}, {"component_set": "other"}]
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    refuses_to_begin(RULESET, "invalid_options", seats=2, options=options)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_the_game_is_for_two_to_four(seats: int) -> None:
    refuses_to_begin(RULESET, "invalid_seats", seats=seats)


def test_the_complete_list_of_card_spaces_of_the_first_example() -> None:
    story = given(priest_turn(*TURN, display={"supreme": {"card": "supreme_09"}}))
    sets = [
        action["card_spaces"]
        for action in story.legal(0)
        if action["type"] == "use_chain" and action["target"] == "supreme" and action["space"] == [1, 1]
    ]
    assert sets == [[0], [1], [2], [3], [4], [2, 3], [2, 4], [3, 4]]
    assert use((1, 1), "supreme", 2, 3) in story.legal(0)


def test_setting_up_twice_with_one_seed_gives_one_game() -> None:
    first, second = (RULESET.new_game(GOALS, 3, Chance(SEED), {"phase": "choose_goal"}) for _ in range(2))
    assert first == second


def test_a_game_played_on_from_a_position_ends_like_the_one_it_came_from() -> None:
    story = play_quietly(given(seats=2), until=("place_priests", 3))
    again = given(builtins(story.state))
    assert builtins(play_quietly(again).state) == builtins(play_quietly(story).state)

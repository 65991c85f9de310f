"""Positions to start from (4.2): what they leave out is filled in, what cannot be is refused with its reason."""

from typing import Any

import pytest

from games.aton import ATON
from tests.games.aton.positions import BLUE, GREEN, RED, TEMPLE_1, YELLOW, given, in_turn, kinds, pieces, told
from tests.rulesets.story import builtins, refuses_to_begin

LAID = [{"cartouches": [1, 2, 1, 1]}, {"cartouches": [1, 3, 1, 1]}]
FULL = [RED, BLUE] * 4
CARDS = [1, 2, 3, 4] * 9


def test_an_ordinary_game_shuffles_each_deck_once_and_deals_from_the_top() -> None:
    story = given()
    story.happened("game_set_up", {"type": "cards_drawn", "seat": 0}, {"type": "cards_drawn", "seat": 1})
    assert [draw.label for draw in story.draws] == ["deck/0/0", "deck/1/0"]
    set_up = story.facts[0].state
    assert (set_up.to_act, set_up.players[0].hand, set_up.players[0].deck_count) == ((0, 1), (), 36)
    assert story.state.players[0].hand + story.state.players[0].deck == story.draws[0].result
    assert story.state.players[1].hand + story.state.players[1].deck == story.draws[1].result


@pytest.mark.parametrize(
    "position", [{}, {"players": None}, {"players": [None, {}]}, {"board": {}, "round": 1}]
)
def test_positions_that_say_nothing_are_ordinary_games(position: dict[str, Any]) -> None:
    assert given(position).state == given().state


def test_cards_that_no_zone_names_are_shuffled_as_the_deck() -> None:
    story = given({"players": [{"hand": [1, 1, 1, 1], "discard": [2] * 9}, {}]})
    story.stands({"/players/0/deck_count": 23, "/players/0/discard": [2] * 9})
    assert sorted(story.draws[0].result) == [1] * 5 + [3] * 9 + [4] * 9


def test_with_a_given_deck_the_unnamed_cards_are_discards_ascending() -> None:
    story = given({"players": [{"hand": [1, 2, 3, 4], "deck": [4, 1]}, {}]})
    story.stands({"/players/0/discard": [1] * 7 + [2] * 8 + [3] * 8 + [4] * 7, "/players/0/deck": [4, 1]})
    assert [draw.label for draw in story.draws] == ["deck/1/0"]


def test_a_hand_that_is_left_out_is_drawn_across_the_end_of_the_deck() -> None:
    story = given({"players": [{"deck": [4, 1], "rebuilds": 2}, {"hand": [1, 2, 3, 4]}]})
    story.happened(
        "game_set_up",
        {"type": "cards_drawn", "cards": [4, 1], "cards_count": 2},
        {"type": "deck_reshuffled", "seat": 0, "deck_count": 34},
        {"type": "cards_drawn", "cards_count": 2},
    )
    assert "deck/0/3" in [draw.label for draw in story.draws]
    story.stands({"/players/0/rebuilds": 3, "/players/0/deck_count": 32})


def test_if_both_have_laid_the_cards_are_turned_up_at_once() -> None:
    story = given({"round": 2, "players": LAID})
    assert kinds(story)[:2] == ["game_set_up", "cartouches_revealed"]
    assert story.facts[0].state.to_act == ()
    story.stands({"/phase": "place", "/active_seat": 0})


def test_the_set_up_of_a_turn_is_the_position_before_its_steps() -> None:
    story = in_turn("remove", RED, [1, 4, 1, 1], [2, 4, 1, 1], board=pieces(blue=TEMPLE_1[:4]), remaining=1)
    set_up = story.facts[0].state
    assert (set_up.phase, set_up.first_seat) == ("remove", 0)
    assert (set_up.active_seat, set_up.to_act, set_up.remaining, set_up.target_seat) == (None, (), 0, None)
    story.stands({"/active_seat": 0, "/to_act": [0], "/remaining": 1, "/target_seat": 1})


def test_a_removal_without_remaining_is_the_start_of_the_turn() -> None:
    assert told(in_turn("remove", RED, [1, 2, 1, 1], [1, 3, 1, 1]), "removal_skipped").reason == "value_two"


def test_a_given_quota_goes_on_with_the_cull() -> None:
    board = pieces(red=("t1-01", "t1-02", "t2-01", "t2-02"), blue=("t4-01", "t4-02"))
    quota = [[0, 1, 0, 0], [0, 0, 0, 2]]
    story = in_turn("cull", BLUE, [1, 2, 1, 1], [1, 3, 1, 1], board=board, dead=FULL, cull_quota=quota)
    story.happened("game_set_up").stands({"/active_seat": 0, "/to_act": [0], "/cull_quota": quota})
    assert [action["space"] for action in story.legal(RED)] == ["t2-01", "t2-02"]


def test_derived_members_are_ignored() -> None:
    derived = {"to_act": "nobody", "target_seat": 7, "players": [{"hand_count": 9, "deck_count": "many"}, {}]}
    assert given(derived).state == given().state


def both(**part: Any) -> list[dict[str, Any]]:
    return [part, {}]


@pytest.mark.parametrize(
    ("fault", "position"),
    [
        ("unknown field", {"temples": {}}),
        ("unknown field", {"players": both(pieces=29)}),
        ("got `str`", {"round": "first"}),
        ("got `bool`", {"round": True}),
        ("counted from 1", {"round": 0}),
        ("the phase is one of", {"phase": "ended"}),
        ("no outcome", {"outcome": {"winners": [0], "reason": "resigned", "scores": [0, 0]}}),
        ("component_set", {"options": {"component_set": 5}}),
        ("options are not those of the game", {"options": {"component_set": "another"}}),
        ("one player for each seat", {"players": [{}]}),
        ("cannot have seat 1", {"players": both(seat=1)}),
        ("seat 0 is red", {"players": both(colour="blue")}),
        ("-1 points", {"players": both(score=-1)}),
        ("cannot have 40 points", {"players": both(score=40)}),
        ("29 pieces in its supply", {"players": both(supply=28)}),
        ("no space t5-01", {"board": {"t5-01": 0}}),
        ("there are 0 of `2` (pieces)", {"board": {"t1-01": 2}}),
        ("there are 9 dead", {"dead": [0] * 9}),
        ("there are 0 of `5` (cards of seat 0)", {"players": both(hand=[1, 2, 3, 5])}),
        ("must hold 4 cards", {"players": both(hand=[1, 2, 3])}),
        ("must hold 4 cards", {"players": both(hand=[])}),
        ("must hold 0 cards", {"players": both(hand=[1, 2, 3, 4], cartouches=[1, 2, 3, 4])}),
        ("3 cards at its cartouches", {"players": both(cartouches=[1, 2, 3])}),
        ("has exchanged 2 cards", {"players": both(exchanged=[1, 2], trade_token=False)}),
        ("still its trade token", {"players": both(exchanged=[1, 2, 3, 4])}),
        ("has laid no cards", {"phase": "place", "active_seat": 0, "players": [LAID[0], {}]}),
        ("(cards of seat 0) lies nowhere", {"players": both(hand=[1, 2, 3, 4], deck=[], discard=[])}),
        ("(cards of seat 0), not", {"players": both(deck=CARDS, hand=[1, 2, 3, 4])}),
        ("temple_filled", {"board": pieces(red=TEMPLE_1)}),
        ("yellow_filled", {"board": pieces(blue=YELLOW)}),
        ("green_filled", {"board": pieces(red=GREEN)}),
        ("must be null in the phase allocate", {"first_seat": 0}),
        ("active_seat must be null", {"active_seat": 1}),
        ("no pieces remain", {"remaining": 1}),
        ("there is no cull", {"cull_quota": [[0] * 4, [1, 0, 0, 0]]}),
        ("needs an active_seat", {"phase": "place", "players": LAID}),
        ("puts seat 0 first", {"phase": "place", "active_seat": 0, "first_seat": 1, "players": LAID}),
        ("name first_seat", {"phase": "place", "active_seat": 0, "players": [LAID[0]] * 2}),
        ("between 1 and 1", {"phase": "place", "active_seat": 0, "players": LAID, "remaining": 2}),
        ("between 1 and 1", {"phase": "place", "active_seat": 0, "players": LAID, "remaining": 0}),
        ("between 1 and 0", {"phase": "remove", "active_seat": 0, "players": LAID, "remaining": 1}),
        ("to be full", {"phase": "cull", "players": LAID, "dead": FULL[:7]}),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_its_fault(fault: str, position: dict[str, Any]) -> None:
    assert fault in refuses_to_begin(ATON, "invalid_position", position, seats=2)


@pytest.mark.parametrize(
    ("fault", "quota"),
    [
        ("has not as many pieces", [[3, 0, 0, 0], [1, 0, 0, 1]]),
        ("more than 4 pieces", [[0, 5, 0, 0], [1, 0, 0, 1]]),
        ("no piece remains", [[0] * 4, [0] * 4]),
        ("culls after the leader", [[1, 1, 0, 0], [1, 0, 0, 0]]),
    ],
)
def test_a_quota_that_no_cull_leads_to_is_refused(fault: str, quota: list[list[int]]) -> None:
    board = pieces(
        red=("t1-01", "t1-02", "t2-01", "t2-02", "t2-03", "t2-04", "t2-05"), blue=("t1-09", "t4-01")
    )
    position = {"phase": "cull", "players": LAID, "dead": FULL, "board": board, "cull_quota": quota}
    assert fault in refuses_to_begin(ATON, "invalid_position", position, seats=2)


@pytest.mark.parametrize("position", [[], "allocate", 7])
def test_a_position_is_an_object(position: Any) -> None:
    refuses_to_begin(ATON, "invalid_position", position, seats=2)


def test_the_game_is_for_two() -> None:
    for seats in (0, 1, 3):
        refuses_to_begin(ATON, "invalid_seats", seats=seats)


def test_a_view_as_position_keeps_what_it_shows() -> None:
    story = given({"round": 4, "board": pieces(red=("t1-01",)), "players": [{"hand": [1, 2, 3, 4]}, {}]})
    seen = given(builtins(story.ruleset.view(story.state, RED)))
    seen.stands({"/round": 4, "/board/t1-01": 0, "/players/0/hand": [1, 2, 3, 4], "/players/1/hand_count": 4})

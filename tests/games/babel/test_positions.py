"""Positions (4.4): what is left out is filled as set-up would, and what cannot be is refused."""

from typing import Any

import pytest

from games.babel import BABEL
from tests.games.babel.invariants import check_invariants
from tests.games.babel.laid_out import BOX, laid_out, pile_without, refused, side, spare_temples
from tests.rulesets.story import Story, builtins

ORDINARY = ("game_set_up", "turn_started", "nations_drawn")


@pytest.mark.parametrize(
    "position",
    [
        None,
        {},
        {"options": {"edition": "2013", "component_set": "babel_standard"}},
        {"phase": "discard", "to_act": [1], "temple_pile_count": 3, "nation_pile_count": 0},
        {"turn": None, "players": [{"hand_count": 9, "total": 3}, {"hand": None}]},
    ],
    ids=str,
)
def test_a_position_that_gives_nothing_is_an_ordinary_setup(position: dict[str, Any] | None) -> None:
    story = Story(BABEL).given(position, seats=2).happened(*ORDINARY)
    assert builtins(story.state) == builtins(Story(BABEL).given(seats=2).state)
    assert [draw.label for draw in story.draws] == ["nations/0", "temples/0"]


@pytest.mark.parametrize(
    "position", [{"turn": 1}, {"nation_discard": []}, {"players": [{"hand": []}, {}]}], ids=str
)
def test_a_position_that_gives_something_is_taken_as_it_stands(position: dict[str, Any]) -> None:
    story = Story(BABEL).given(position, seats=2).happened("game_set_up")
    check_invariants(story.state)


def test_set_up_deals_seat_0_first_and_leaves_the_rest_as_the_pile() -> None:
    story = Story(BABEL).given({"turn": 1}, seats=2)
    nations = next(draw.result for draw in story.draws if draw.label == "nations/0")
    first, second = story.state.players
    assert first.hand == tuple(sorted(nations[:3]))
    assert second.hand == tuple(sorted(nations[3:8]))
    assert story.state.nation_pile == nations[8:]


def test_a_start_card_lies_there_until_its_owner_has_had_a_turn() -> None:
    for turn, lying in ((1, [True, True]), (2, [False, True]), (3, [False, False])):
        story = Story(BABEL).given({"turn": turn}, seats=2)
        assert [player.start_card for player in story.state.players] == lying


def test_nothing_is_shuffled_when_everything_is_given() -> None:
    full = builtins(laid_out().state)
    story = Story(BABEL).given(full, seats=2)
    assert story.draws == ()
    assert builtins(story.state) == full


def test_a_given_pile_and_one_missing_hand_still_shuffle() -> None:
    full = builtins(laid_out().state)
    full["players"][0]["hand"] = None
    story = Story(BABEL).given(full, seats=2)
    assert [draw.label for draw in story.draws] == ["nations/0"]
    assert story.state.players[0].hand == tuple(sorted(story.draws[0].result))


def test_a_decision_to_discard_can_be_loaded() -> None:
    pending = {"type": "discard_half", "seat": 1, "count": 2}
    story = laid_out(other={"hand": ["medes"] * 5}, pending=pending)
    story.stands({"/phase": "discard", "/to_act": [1], "/pending": pending})
    assert story.legal(1) == [{"type": "discard", "nations": ["medes", "medes"]}]


FULL_HOUSE = [{"hand": []}, {"hand": ["medes"]}]


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ({"expansion": 1}, "unknown field"),
        ({"players": [{"hat": 1}, {}]}, "unknown field"),
        ({"players": [{"sites": {"nowhere": {}}}, {}]}, "nowhere"),
        ({"players": [{"hand": ["romans"]}, {}]}, "romans"),
        ({"players": [{}]}, "one player for each seat"),
        ([], "object"),
        ({"players": [{"temple_column": [7]}, {}]}, "there are 0 of `7` (temples), not 1"),
        ({"temple_pile_known": [0]}, "there are 0 of `0` (temples)"),
        ({"players": [{"sites": side("medes", temple=[0, 1])}, {}]}, "there are 0 of `0` (temples)"),
        ({"reshuffles": -1}, "counted from 0"),
        ({"options": {"edition": "2000"}}, "options"),
        ({"outcome": {}}, "outcome"),
        ({"turn": 5, "temple_pile": [1, 2]}, "lies nowhere"),
        ({"turn": 5, "temple_pile": pile_without(), "temple_pile_known": [6]}, "not the beginning"),
        ({"pending": {"type": "discard_half", "seat": 1, "count": 0}, "players": FULL_HOUSE}, "`pending`"),
        ({"pending": {"type": "discard_half", "seat": 0, "count": 1}}, "`pending`"),
        ({"pending": {"type": "discard_half", "seat": 1, "count": 3}}, "`pending`"),
        ({"pending": {"seat": 1, "count": 2}}, "missing required field `type`"),
        ({"endgame": True}, "below_ten"),
        (
            {"players": [{"sites": spare_temples(total=20)}, {"sites": spare_temples(total=10)}]},
            "twenty",
        ),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused_with_its_fault(position: Any, fault: str) -> None:
    assert fault in refused(position)


def test_the_component_set_and_the_names_call_the_nations_alike() -> None:
    for language in ("en", "fr"):
        for nation, cards in BOX.nations.items():
            assert BABEL.names[language][nation] == cards.names[language]


def test_everything_has_a_name_in_both_languages() -> None:
    assert BABEL.names["en"].keys() == BABEL.names["fr"].keys()
    actions = {str(action.__struct_config__.tag) for action in BABEL.action_types}
    assert actions | {"babel", "actions", "ended", "temple_pile"} <= BABEL.names["en"].keys()

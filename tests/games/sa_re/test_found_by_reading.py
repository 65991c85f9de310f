"""Faults that a second reading of the specification found, each with the rule it broke."""

from typing import Any

import msgspec
import pytest

from games.components import InvalidComponentSet, read_component_set
from games.sa_re import SaRe
from games.sa_re.box import COMPONENT_SETS, Box
from tests.games.sa_re.table import city, in_construction, in_season, site
from tests.rulesets.story import refuses_to_begin

DATA = COMPONENT_SETS["base"].data


def test_a_missing_card_is_told_before_the_market_looks_at_a_joker() -> None:
    story = in_season(
        {"spaces": city({"1": ["market"]}), "cards": ["trouble_1", "wood_1"]},
        {"cards": [{"id": "gold_1", "exchanged": True}, "trouble_2"]},
        deck=["wood_2", "gold_2"],
    )
    trade = {"type": "use_market", "from": 1}
    story.refuses(0, {**trade, "give": "trouble_1", "take": "stone_1"}, "no_such_card")
    story.refuses(0, {**trade, "give": "trouble_1", "take": "gold_1"}, "not_a_resource_card")
    story.refuses(0, {**trade, "give": "wood_1", "take": "trouble_2"}, "not_a_resource_card")
    story.refuses(0, {**trade, "give": "wood_1", "take": "gold_1"}, "already_exchanged")


@pytest.mark.parametrize("cards", [["wood_1", "wood_2", "wood_3"], ["trouble_1"]], ids=["three", "a joker"])
def test_a_seat_whose_construction_is_over_holds_no_more_than_it_may_keep(cards: list[str]) -> None:
    players: list[Any] = [{"cards": cards}, {"cards": ["gold_1"]}, {}]
    position = {"phase": "construction", "players": players, "active_seat": 1}
    assert "kept" in refuses_to_begin(SaRe(), "invalid_position", position, seats=3)
    in_construction(*players).stands({"/active_seat": 0})


@pytest.mark.parametrize(
    ("paid", "sentence"),
    [
        ([{"source": {"card": "hoshekh"}}], "does not fit"),
        ([{"source": {"card": "horus_1"}}], "does not fit"),
        ([{"source": {"card": "wood_1"}, "card": {"id": "wood_1", "joker": True}}], "does not fit"),
        ([{"source": {"card": "gold_gold"}}, {"source": {"card": "gold_1"}}], "covers nothing"),
        ([{"source": {"production": 9}}, {"source": {"production": 9}}], "once a round"),
    ],
)
def test_a_work_is_paid_from_useful_sources_each_spent_once(paid: list[Any], sentence: str) -> None:
    carpenter = [{"building": "carpenter", "token": False}]
    builder = {
        "spaces": city({"6": site("temple"), "9": carpenter}),
        "cards": ["gold_wood", "stone_wood", "gold_stone", "stone_1", "stone_2"],
    }
    work = {"kind": "build", "space": 6, "paid": paid}
    position = {"phase": "construction", "players": [builder, {}], "work": work}
    assert sentence in refuses_to_begin(SaRe(), "invalid_position", position, seats=2)


@pytest.mark.parametrize(
    "position",
    [
        {"round": 2**53 - 1},
        {"phase": "construction", "players": [{"built_this_round": 2**53 - 1}, {}]},
        {"phase": "season", "sequence": {"drawn": 2**53 - 1}},
        {"phase": "season", "sequence": {"owed": 2**53 - 1}},
        {"phase": "season", "sequence": {"troubles": -1}},
    ],
)
def test_no_count_of_a_position_can_grow_beyond_what_the_log_holds(position: Any) -> None:
    refuses_to_begin(SaRe(), "invalid_position", position, seats=2, options={"max_rounds": None})


@pytest.mark.parametrize("options", [{"divinity": 0}, {"max_rounds": 60.0}, {"mode": "scribe"}])
def test_options_in_a_position_are_read_as_strictly_as_those_of_a_game(options: Any) -> None:
    position = {"options": options, "round": 2}
    mode = {"mode": "priest"} if "mode" in options else {}
    refuses_to_begin(SaRe(), "invalid_position", position, seats=2, options=mode)


def test_a_list_is_no_position() -> None:
    refuses_to_begin(SaRe(), "invalid_position", [], seats=2)


def with_building(name: str, **members: Any) -> dict[str, Any]:
    return {"buildings": {**DATA["buildings"], name: {**DATA["buildings"][name], **members}}}


def with_first_card(**members: Any) -> dict[str, Any]:
    first, *others = DATA["season_cards"]
    return {"season_cards": [{**first, **members}, *others]}


def with_part(part: str, **members: Any) -> dict[str, Any]:
    return {part: {**DATA[part], **members}}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (with_building("palace", **{"class": "production"}), "palace is missing"),
        (with_building("temple", cost=None), "temple has no cost"),
        (with_building("carpenter", produces="papyrus"), "no resource"),
        (with_building("warehouse", tiles=7), "too few tiles of warehouse"),
        ({"pyramids": DATA["pyramids"][1:]}, "numbered from 1"),
        ({"pyramids": [*DATA["pyramids"][:3], {**DATA["pyramids"][3], "steps": []}]}, "no steps"),
        (with_first_card(id="wood_2"), "same id"),
        (with_first_card(kind="hoshekh", gives=[]), "one Hoshekh"),
        (with_first_card(gives=["wood", "wood"]), "wood_1 does not give"),
        (with_first_card(level=1), "wood_1 has a level"),
        (with_part("board", nile_spaces=[3, 7, 12]), "Nile"),
        (with_part("start", buildings=["warehouse"]), "one master builder"),
        (with_part("warehouse_capacity", value=2), "cannot hold"),
        (with_part("revolt_gauge", revolt_at=2), "no step before the revolt"),
        (with_part("caravan_track", exchange_out=2), "brings one"),
    ],
)
def test_a_component_set_that_no_game_could_be_played_with_is_refused(
    changes: dict[str, Any], fault: str
) -> None:
    source = msgspec.json.encode({**DATA, **changes})
    with pytest.raises(InvalidComponentSet, match=fault):
        read_component_set(source, Box, origin="other.json")

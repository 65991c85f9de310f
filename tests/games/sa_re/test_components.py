"""The box adds up, says where its figures come from, and everything in it has a name."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from games.chance import Chance
from games.components import InvalidComponentSet, read_component_set
from games.sa_re import SA_RE
from games.sa_re.box import COMPONENT_SETS, Box
from tests.games.sa_re.table import BOX

DATA = COMPONENT_SETS["base"].data


def test_the_box_holds_sixty_tiles_and_twenty_eight_season_cards() -> None:
    assert sum(building.tiles for building in BOX.buildings.values()) == 60
    kinds = Counter(card.kind for card in BOX.season_cards)
    assert kinds == {"single": 12, "double": 6, "horus": 3, "hoshekh": 1, "trouble": 6}
    assert len(BOX.cards) == 28


def test_every_resource_is_on_the_cards_eight_times() -> None:
    gives = Counter(resource for card in BOX.season_cards for resource in card.gives)
    assert gives == {"wood": 8, "gold": 8, "stone": 8}


def test_the_box_suffices_for_four_players() -> None:
    for name, building in BOX.buildings.items():
        assert BOX.tiles(name, seats=4) == building.tiles


def test_a_pyramid_with_a_higher_number_takes_less_material() -> None:
    material = [sum(step.wood + step.gold + step.stone for step in each.steps) for each in BOX.pyramids]
    assert material == [27, 24, 20, 18]


def test_spaces_touch_orthogonally_and_three_lie_on_the_bank() -> None:
    assert BOX.neighbours[0] == (1, 4)
    assert BOX.neighbours[5] == (1, 4, 6, 9)
    assert BOX.neighbours[3] == (2, 7)
    assert BOX.bank == {3, 7, 11}


def test_every_part_of_the_data_says_where_it_comes_from() -> None:
    assert all(building.provenance for building in BOX.buildings.values())
    assert all(pyramid.provenance for pyramid in BOX.pyramids)
    parts = ("players", "resources", "cubes", "obelisks", "building_cards", "board", "revolt_gauge")
    more = ("caravan_track", "warehouse_capacity", "start", "keep_limits")
    assert all(DATA[part]["provenance"] for part in (*parts, *more))
    assert DATA["season_cards_provenance"]


def test_everything_on_the_table_has_a_name_in_both_languages() -> None:
    state = SA_RE.fold(None, SA_RE.new_game({}, 2, Chance(bytes(32))))
    words = {
        *BOX.buildings,
        *BOX.cards,
        *("wood", "gold", "stone", "joker"),
        *("setup", "sites", "season", "construction", "ended"),
        *("place_start", "work", "resolve", "temple", "react", "wrap_up", "pay"),
        *("scribe", "architect", "priest", "pharaoh", "divinity", "quick_start"),
        *("directive_fulfilled", "round_limit", "resigned", "timed_out", "last_player"),
        *("administrative_buildings", "pyramid_completed", "pyramid_steps", "pyramid_number"),
        *("deck_exhausted", "all_down", "standing", "down", "revolt", "main", "administrative"),
        *(set(state.players[0].__struct_fields__) - {"spaces"}),
    }
    assert words <= SA_RE.names["en"].keys()
    assert SA_RE.names["en"].keys() == SA_RE.names["fr"].keys()
    for name, building in BOX.buildings.items():
        assert (SA_RE.names["en"][name], SA_RE.names["fr"][name]) == (building.en, building.fr)


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

"""The box adds up, says where its figures come from, and everything in it has a name."""

from collections import Counter

from games.chance import Chance
from games.sa_re import SaRe
from games.sa_re.box import COMPONENT_SETS
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
    state = SaRe().fold(None, SaRe().new_game({}, 2, Chance(bytes(32))))
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
    assert words <= SaRe.names["en"].keys()
    assert SaRe.names["en"].keys() == SaRe.names["fr"].keys()
    for name, building in BOX.buildings.items():
        assert (SaRe.names["en"][name], SaRe.names["fr"][name]) == (building.en, building.fr)

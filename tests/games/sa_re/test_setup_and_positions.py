"""How a game begins (3) and how positions are filled (4.3)."""

from typing import Any

import pytest

from games.chance import Chance
from games.sa_re import SA_RE
from tests.games.sa_re.table import BOX, POWERS, city, given, in_construction, in_season, in_sites, site
from tests.rulesets.story import SEED, Story, builtins, refuses_to_begin

# -- setup ------------------------------------------------------------------------------------------------------


def test_an_ordinary_game_begins_with_seat_0_founding_its_city() -> None:
    story = given(None, seats=3)
    story.happened("game_set_up").stands(
        {
            "/phase": "setup",
            "/to_act": [0],
            "/decision": "place_start",
            "/players/2/to_place": ["warehouse", "master_builder"],
            "/players/2/stock": {"wood": 1, "gold": 1, "stone": 1, "joker": 0},
            "/supply/warehouse": 3,
            "/supply/temple": 3,
            "/pyramids": [1, 2, 3],
            "/deck_count": 0,
        }
    )
    assert story.state.discard == tuple(BOX.cards)
    assert story.draws == ()


def test_seats_found_their_cities_in_order_and_round_1_follows() -> None:
    story = given(None)
    for seat in (0, 1):
        story.when(seat, {"type": "place_building", "building": "master_builder", "space": 5})
        story.stands({"/active_seat": seat})
        story.when(seat, {"type": "place_building", "building": "warehouse", "space": 5})
    story.happened("building_placed", {"type": "round_started", "round": 1, "first_seat": 0})
    story.stands({"/phase": "sites", "/to_act": [0], "/players/1/spaces/5/0/building": "warehouse"})


def test_under_divinity_all_start_on_space_0_without_a_decision() -> None:
    story = given(None, divinity=True).happened("game_set_up", "round_started")
    start = [{"building": "warehouse", "built": True}, {"building": "master_builder", "built": True}]
    story.stands({"/phase": "sites", "/players/0/spaces/0": start, "/players/1/spaces/0": start})


def test_quick_start_deals_each_seat_its_own_administrative_building() -> None:
    story = given(None, seats=4, quick_start=True)
    assert [draw.label for draw in story.draws] == ["quick_start/0"]
    for seat, building in enumerate(story.draws[0].result[:4]):
        assert story.state.players[seat].to_place == ("warehouse", "master_builder", building)
        assert story.state.supply[building] == 3
    dealt = story.state.players[0].to_place[2]
    story.when(0, {"type": "place_building", "building": dealt, "space": 8})
    story.stands({"/players/0/ever_built": [dealt], "/players/0/spaces/8/0/used": False})


def test_a_season_shuffles_what_players_do_not_hold_under_the_label_of_its_round() -> None:
    story = given(
        {"phase": "sites", "round": 4, "players": [{"cards": ["wood_1"]}, {"cards": ["gold_gold"]}]}
    )
    story.stands({"/first_seat": 1}).when(1, {"type": "end_sites"}).when(0, {"type": "end_sites"})
    assert [draw.label for draw in story.draws] == ["season/4"]
    result = story.draws[0].result
    assert len(result) == 26
    assert (story.state.set_aside, story.state.deck) == (result[:1], result[1:])
    story.seen(
        0,
        "sites_ended",
        {"type": "season_started", "deck": None, "set_aside": None, "deck_count": 25},
        "top_revealed",
        "sequence_started",
    )


@pytest.mark.parametrize(
    "options", [{"mode": "scholar"}, {"max_rounds": 0}, {"divinity": 1}, {"speed": "fast"}], ids=str
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    refuses_to_begin(SA_RE, "invalid_options", seats=2, options=options)


def test_the_game_is_for_two_to_four_players() -> None:
    for seats in (1, 5):
        refuses_to_begin(SA_RE, "invalid_seats", seats=seats)


# -- filling ----------------------------------------------------------------------------------------------------


def test_a_position_that_says_little_is_filled_as_setup_would() -> None:
    story = given({"round": 3}, seats=4)
    story.stands(
        {"/phase": "sites", "/first_seat": 2, "/to_act": [2], "/supply/warehouse": 4, "/players/0/penalty": 0}
    )
    assert [tile.building for tile in story.state.players[3].spaces[0]] == ["warehouse", "master_builder"]


def test_what_a_board_implies_is_filled_in() -> None:
    spaces = city(
        {"3": ["port"], "1": ["gardens"], "2": ["temple"], "5": site("pyramid"), "6": ["carpenter"]}
    )
    story = in_sites({}, {"spaces": spaces, "stock": {"gold": 2}})
    story.stands(
        {
            "/players/1/ever_built": ["temple", "gardens", "port"],
            "/players/1/growth": ["main", "administrative"],
            "/players/1/revolt_limit": 5,
            "/players/1/stock": {"wood": 0, "gold": 2, "stone": 0, "joker": 0},
            "/players/1/spaces/3/0": {"building": "port", "built": True, "token": True},
            "/players/1/spaces/5/0/number": 1,
            "/players/1/spaces/5/0/cost": {"wood": 1, "gold": 2, "stone": 4, "wild": 0},
            "/pyramids": [2],
            "/supply/temple": 1,
        }
    )


def test_a_deck_that_is_given_sets_hoshekh_aside_and_the_rest_on_the_discard() -> None:
    story = in_season({}, {}, deck=["wood_1", "gold_1"])
    story.stands({"/set_aside": ["hoshekh"], "/deck_face_up": True, "/top_card": "wood_1"})
    assert len(story.state.discard) == 25
    dark = in_season({}, {}, deck=["gold_1"], deck_face_up=False)
    dark.stands({"/set_aside": ["wood_1"], "/top_card": None})
    assert dark.state.discard[0] == "hoshekh"
    told = in_season({}, {}, deck=["gold_1"], discard=["hoshekh"])
    told.stands({"/deck_face_up": False})


def test_a_season_without_a_deck_is_shuffled_with_the_label_of_its_round() -> None:
    story = given(
        {"phase": "season", "round": 2, "players": [{"cards": ["wood_1"]}, {}], "discard": ["horus_1"]}
    )
    assert [draw.label for draw in story.draws] == ["season/2"]
    loose = [card for card in BOX.cards if card not in ("wood_1", "horus_1")]
    shuffled = Chance(SEED).shuffle("season/2", loose)
    assert (story.state.set_aside, story.state.deck) == (shuffled[:1], shuffled[1:])


def test_hoshekh_on_top_of_a_loaded_deck_acts_at_once() -> None:
    story = in_season({}, {}, deck=["hoshekh", "wood_1", "gold_1"]).happened(
        "game_set_up", "hoshekh_appeared"
    )
    story.stands({"/deck_count": 2, "/top_card": None, "/decision": "work"})


def test_a_sequence_is_fresh_unless_the_position_says_more() -> None:
    story = in_season({}, {"obelisk": "down"}, deck=["wood_1", "gold_1"], sequence={"troubles": 2})
    story.stands(
        {"/sequence/final": True, "/sequence/troubles": 2, "/sequence/drawn": 0, "/sequence/seat": 0}
    )


def test_a_paid_work_is_taken_over_with_its_payments() -> None:
    spaces = city({"5": site("temple"), "6": [{"building": "carpenter", "token": False}]})
    work = {
        "kind": "build",
        "space": 5,
        "paid": [{"source": {"production": 6}}, {"source": {"card": "gold_stone"}}],
    }
    rich = {"spaces": spaces, "cards": ["gold_1", "stone_stone", "wood_wood"]}
    story = given({"phase": "construction", "players": [rich, {}], "work": work})
    story.stands({"/work/uncovered": 4, "/work/paid/0/gives": ["wood"], "/decision": "pay"})
    assert "gold_stone" not in story.state.discard
    again = given(builtins(story.state))
    assert again.state == story.state


def test_dark_temple_cards_may_be_given_by_name() -> None:
    story = in_season(
        {}, {}, deck=["stone_1"], deck_face_up=False, sequence={"drawn": 2, "temple": ["wood_1", "gold_1"]}
    )
    story.stands({"/sequence/temple/0": {"id": "wood_1", "dark": True}, "/decision": "temple"})
    story.shows(1, {"/sequence/temple/0/id": None})


# -- what follows by itself ---------------------------------------------------------------------------------------


def test_facts_are_marked_from_the_first_action_that_the_rules_took() -> None:
    story = in_season({}, {}, deck=["wood_1", "gold_1", "stone_1"]).when(0, {"type": "draw"})
    marked = [fact.get("auto") for fact in builtins(story.facts)]
    assert marked == [None, None, True, True, True]


def test_construction_skips_a_seat_only_at_the_beginning_of_its_turn() -> None:
    scholar = {"stock": {"wood": 2}, "cards": [{"id": "trouble_1", "joker": True}]}
    story = in_construction(scholar, {}).when(
        0, {"type": "store", "source": {"card": "trouble_1"}, "take": ["joker"]}
    )
    story.stands({"/active_seat": 0})
    poor = in_construction({"stock": {}, "cards": []}, {"stock": {}}, {})
    poor.happened(
        "game_set_up",
        "construction_ended",
        "construction_started",
        "construction_ended",
        "construction_started",
    )


def test_a_full_state_of_a_rich_game_comes_back_unchanged() -> None:
    sequence = {"drawn": 2, "pending": ["double_trouble_1", "gold_wood"], "troubles": 1}
    me = {
        "spaces": city(POWERS),
        "revolt": 3,
        "cards": ["wood_1", {"id": "trouble_4", "joker": True}],
        "caravans": 2,
    }
    story = in_season(
        me, {"vacated": "resigned"}, {"obelisk": "down"}, deck=["horus_1", "gold_1"], sequence=sequence
    )
    again = Story(SA_RE).given(builtins(story.state), seats=3).happened("game_set_up")
    assert again.state == story.state

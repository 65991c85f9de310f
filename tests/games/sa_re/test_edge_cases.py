"""The specification's further edge cases (11): sites and season, rows 1 to 25."""

from typing import Any

from games.sa_re import SA_RE
from games.sa_re.facts.season import HoshekhAppeared
from tests.games.sa_re.table import city, in_season, in_sites, seed_that_sets, site
from tests.rulesets.story import Story

DRAW = {"type": "draw"}
STAY = {"type": "stay"}
STOP = {"type": "stop"}
END_SITES = {"type": "end_sites"}
SHOWN = ("card_drawn", "top_revealed")
NEXT = ("sequence_ended", "sequence_started")


def launch(building: str, space: int) -> dict[str, Any]:
    return {"type": "launch_site", "building": building, "space": space}


def take(card: str) -> dict[str, Any]:
    return {"type": "take_card", "card": card}


# -- sites ------------------------------------------------------------------------------------------------------


def test_row_1_older_sites_take_no_slot_and_cost_no_revolt() -> None:
    old = {"spaces": city({"5": site("carpenter"), "6": site("goldsmith")})}
    in_sites(old, {}).when(0, END_SITES).stands({"/players/0/revolt": 0})
    story = in_sites(old, {}).when(0, launch("temple", 1)).when(0, launch("warehouse", 2))
    story.stands({"/players/0/penalty": 1}).when(0, END_SITES)
    story.happened({"type": "sites_ended", "launched": 2, "revolt": 1}).stands({"/players/0/revolt": 1})


def test_row_2_each_launch_beyond_one_per_master_builder_costs_a_step_and_two_are_the_most() -> None:
    story = in_sites({"spaces": city({"4": ["master_builder"]})}, {})
    for building, space in (("temple", 1), ("market", 2), ("palace", 5)):
        story.when(0, launch(building, space))
    story.stands({"/players/0/penalty": 1})
    story.when(0, launch("library", 6)).stands({"/players/0/penalty": 2})
    story.refuses(0, launch("gardens", 8), "site_limit")
    story.when(0, END_SITES).stands({"/players/0/revolt": 2})


def test_row_3_a_type_that_the_supply_has_run_out_of_cannot_be_launched() -> None:
    carpenters = {"spaces": city({"5": ["carpenter"], "6": ["carpenter"]})}
    in_sites({}, carpenters).refuses(0, launch("carpenter", 5), "building_not_available")


def test_row_4_a_library_is_built_once_in_a_game_but_a_site_given_up_may_be_launched_again() -> None:
    story = in_sites({"spaces": city({"5": ["library"]})}, {})
    story.refuses(0, launch("library", 6), "already_owned")
    story.when(0, {"type": "demolish", "space": 5, "building": "library"})
    story.refuses(0, launch("library", 6), "already_owned")
    other = in_sites({"spaces": city({"5": site("library")})}, {})
    other.when(0, {"type": "cancel_site", "space": 5}).when(0, launch("library", 6))


def test_row_5_one_production_site_of_a_type_a_round_whatever_stands_already() -> None:
    for tile in (["carpenter"], site("carpenter")):
        story = in_sites({"spaces": city({"5": tile})}, {}, {})
        story.when(0, launch("carpenter", 6)).refuses(0, launch("carpenter", 7), "duplicate_production_site")


def test_row_6_two_players_have_the_pyramids_1_and_2() -> None:
    story = in_sites({}, {}).when(0, launch("pyramid", 5)).when(0, END_SITES)
    story.when(1, launch("pyramid", 5)).happened({"type": "site_launched", "number": 2})
    story.stands({"/pyramids": [], "/players/0/spaces/5/0/number": 1})


def test_row_7_a_moved_pyramid_keeps_its_steps_and_a_cancelled_one_loses_them() -> None:
    story = in_sites({"spaces": city({"5": site("pyramid", steps=2)})}, {})
    story.when(0, {"type": "move_site", "from": 5, "to": 6}).stands({"/players/0/spaces/6/0/steps": 2})
    story.when(0, {"type": "cancel_site", "space": 6}).stands({"/pyramids": [1, 2]})
    story.when(0, launch("pyramid", 6)).stands({"/players/0/spaces/6/0/steps": 0})


# -- the deck ---------------------------------------------------------------------------------------------------


def season_begins(seed: bytes) -> Story:
    story = Story(SA_RE, seed).given({"phase": "sites"}, seats=2)
    return story.when(0, END_SITES).when(1, END_SITES)


def test_row_8_hoshekh_as_first_card_darkens_the_season_from_its_start() -> None:
    story = season_begins(seed_that_sets("hoshekh", at=1))
    story.happened("sites_ended", "season_started", "hoshekh_appeared", "sequence_started")
    story.stands({"/top_card": None, "/deck_face_up": False, "/deck_count": 26, "/discard": ["hoshekh"]})


def test_row_9_the_deck_stays_face_up_all_season_while_hoshekh_is_set_aside() -> None:
    story = season_begins(seed_that_sets("hoshekh", at=0))
    while story.state.phase == "season":
        assert story.state.deck_face_up
        story.when(story.state.to_act[0], story.legal(story.state.to_act[0])[0])
    assert not any(isinstance(fact, HoshekhAppeared) for fact in story.history)


def test_row_10_a_player_who_stops_leaves_the_top_card_to_the_next() -> None:
    story = in_season({"revolt": 5}, {}, deck=["double_trouble_1", "wood_1", "gold_1"])
    story.when(0, STOP).stands({"/active_seat": 1, "/top_card": "double_trouble_1"})
    story.shows(1, {"/top_card": "double_trouble_1"})


# -- Horus ------------------------------------------------------------------------------------------------------


def test_row_11_three_horus_in_a_row_owe_four_cards_drawn_as_two_pairs() -> None:
    deck = ["horus_1", "horus_2", "horus_3", "wood_1", "gold_1", "stone_1", "wood_2", "gold_2"]
    story = in_season({}, {}, deck=deck)
    before = story.state
    story.when(0, DRAW)
    pair = (*SHOWN, *SHOWN, "card_taken", "card_taken")
    story.happened(*SHOWN, "card_taken", *pair, *pair, *pair, *NEXT)
    after_horus = SA_RE.fold(before, story.facts[:9])
    assert after_horus.sequence
    assert after_horus.sequence.owed == 4
    assert [card.id for card in story.state.players[0].cards] == ["wood_1", "gold_1", "stone_1", "wood_2"]


def test_row_12_horus_and_two_singles_end_the_sequence_without_a_further_call() -> None:
    story = in_season({}, {}, deck=["horus_1", "wood_1", "gold_1", "stone_1"]).when(0, DRAW)
    story.happened(*SHOWN, "card_taken", *SHOWN, *SHOWN, "card_taken", "card_taken", *NEXT)
    story.stands({"/players/0/cards/0/id": "wood_1", "/players/0/cards/1/id": "gold_1", "/active_seat": 1})


# -- revolt and reactions -----------------------------------------------------------------------------------------


def pair_on_the_verge() -> Story:
    pending = [{"id": "trouble_1", "owed": True}, {"id": "gold_wood", "owed": True}]
    sequence = {"drawn": 3, "pending": pending}
    return in_season({"revolt": 6}, {}, {}, deck=["wood_1", "gold_1"], sequence=sequence)


def test_row_13_troubles_that_topple_their_taker_stop_the_wind_of_the_double_beside_them() -> None:
    story = pair_on_the_verge().when(0, take("trouble_1"))
    story.happened(
        {"type": "card_taken", "level": 1},
        {"type": "revolt_broke_out", "seat": 0, "victim": 0, "taken": ["gold_wood"], "discarded": []},
        *NEXT,
    )
    story.stands(
        {"/players/0/cards/0/id": "gold_wood", "/players/0/obelisk": "revolt", "/players/1/revolt": 0}
    )


def test_row_14_a_double_that_topples_its_taker_still_asks_the_others() -> None:
    story = pair_on_the_verge().when(0, take("gold_wood"))
    story.happened(
        "card_taken",
        {"type": "wind_blew", "seats": [0, 1, 2]},
        {"type": "revolt_broke_out", "victim": 0, "taken": [], "discarded": ["trouble_1"]},
    )
    story.stands({"/players/0/cards/0/id": "gold_wood", "/to_act": [1, 2], "/decision": "react"})
    story.when(2, STAY).when(1, STAY).happened("reaction_declined", *NEXT).stands({"/active_seat": 1})


def test_row_15_the_last_player_standing_who_topples_ends_the_season_with_all_down() -> None:
    story = in_season(
        {"revolt": 6, "cards": ["gold_1"]}, {"obelisk": "down"}, deck=["gold_wood", "wood_1", "stone_1"]
    )
    story.when(0, DRAW).happened(
        *SHOWN,
        "card_taken",
        {"type": "wind_blew", "seats": [0]},
        {"type": "revolt_broke_out", "victim": 0},
        "sequence_ended",
        {"type": "season_ended", "reason": "all_down"},
        {"type": "construction_started", "seat": 0},
    )


def two_doubles_of_three_players() -> Story:
    sequence = {"drawn": 3, "pending": ["gold_wood", "stone_wood"]}
    story = in_season({}, {}, {}, deck=["wood_1", "gold_1"], sequence=sequence)
    return story.stands({"/to_act": [1, 2], "/decision": "react", "/players/1/revolt": 1})


def test_row_16_two_winds_in_one_sequence_ask_the_two_others_together_twice() -> None:
    story = two_doubles_of_three_players().when(2, STAY).when(1, STAY)
    story.happened("reaction_declined", "card_taken", "wind_blew")
    story.stands({"/to_act": [1, 2], "/players/1/revolt": 2, "/players/2/revolt": 2})


def test_row_17_a_gauge_that_has_stopped_after_the_first_wind_is_not_raised_by_the_second() -> None:
    story = two_doubles_of_three_players().when(1, STOP).when(2, STAY)
    story.happened("reaction_declined", "card_taken", {"type": "wind_blew", "seats": [0, 2]})
    story.stands({"/players/1/revolt": 1, "/players/2/revolt": 2, "/to_act": [2]})


# -- Troubles passed on -----------------------------------------------------------------------------------------


def test_row_18_double_troubles_cannot_topple_a_receiver_but_the_gardens_make_them_fit() -> None:
    sequence = {"drawn": 2, "troubles": 1, "pending": ["double_trouble_1"]}
    gardener = {"spaces": city({"1": ["gardens"], "2": ["barracks"]}), "revolt": 1}
    story = in_season(gardener, {"revolt": 5}, {}, deck=["wood_1"], sequence=sequence)
    on = {"type": "pass_trouble", "card": "double_trouble_1", "to": 1}
    story.refuses(0, on, "would_cause_revolt")
    story.when(0, {"type": "use_gardens", "card": "double_trouble_1"}).when(0, on)
    story.stands({"/players/1/revolt": 6, "/to_act": [1]})


def test_row_19_a_third_troubles_card_that_nobody_can_receive_is_thrown_away_by_itself() -> None:
    sequence = {"drawn": 2, "troubles": 1, "passed_to": [1]}
    story = in_season({}, {}, deck=["trouble_3", "wood_1", "gold_1"], sequence=sequence).when(0, DRAW)
    story.happened(*SHOWN, {"type": "trouble_discarded", "card": "trouble_3", "auto": True})
    story.stands({"/players/0/revolt": 0, "/players/1/revolt": 0, "/decision": "work"})


def test_row_20_troubles_turned_or_thrown_away_count_so_that_the_next_may_be_passed_on() -> None:
    for building in ("library", "palace"):
        scholar = {"spaces": city({"1": [building]})}
        story = in_season(scholar, {}, deck=["trouble_1", "trouble_2", "wood_1"]).when(0, DRAW)
        story.when(0, {"type": f"use_{building}", "card": "trouble_1"}).stands({"/sequence/troubles": 1})
        story.when(0, DRAW).when(0, {"type": "pass_trouble", "card": "trouble_2", "to": 1})
        story.stands({"/players/1/revolt": 1})


# -- powers -----------------------------------------------------------------------------------------------------


def test_row_21_after_the_palace_a_player_who_owes_nothing_may_still_stop() -> None:
    story = in_season({"spaces": city({"1": ["palace"]})}, {}, deck=["wood_1", "gold_1"]).when(0, DRAW)
    story.when(0, {"type": "use_palace", "card": "wood_1"}).stands({"/decision": "work"})
    story.when(0, STOP).stands({"/players/0/obelisk": "down", "/top_card": "gold_1"})


def test_row_22_the_palace_on_the_last_card_ends_the_season() -> None:
    story = in_season({"spaces": city({"1": ["palace"]})}, {}, deck=["horus_1"]).when(0, DRAW)
    story.when(0, {"type": "use_palace", "card": "horus_1"}).happened(
        "palace_used",
        {"type": "sequence_ended", "auto": True},
        {"type": "season_ended", "reason": "deck_exhausted"},
        "construction_started",
    )


def test_row_23_hoshekh_beneath_the_first_temple_card_leaves_the_second_to_the_player_alone() -> None:
    priest = {"spaces": city({"1": ["temple"]})}
    story = in_season(priest, {}, deck=["wood_1", "hoshekh", "gold_1", "stone_1"])
    story.when(0, {"type": "use_temple"})
    drawn = {"type": "card_drawn", "zone": "temple"}
    first = {**drawn, "card": "wood_1", "dark": False}
    story.seen(0, "temple_used", first, "hoshekh_appeared", {**drawn, "card": "gold_1", "dark": True})
    story.seen(1, "temple_used", first, "hoshekh_appeared", {**drawn, "card": None, "dark": True})
    story.shows(0, {"/sequence/temple/1/id": "gold_1"}).shows(None, {"/sequence/temple/1/id": None})
    story.when(0, {"type": "choose_card", "card": "wood_1"})
    story.seen(1, {"type": "temple_chosen", "card": "wood_1", "returned": None}, "card_taken", *NEXT)
    story.shows(0, {"/top_card": "gold_1", "/top_known_to": 0}).shows(
        1, {"/top_card": None, "/top_known_to": 0}
    )


def test_row_24_the_gardens_convert_double_troubles_chosen_from_the_temple() -> None:
    priest = {"spaces": city({"1": ["temple"], "2": ["gardens"]})}
    story = in_season(priest, {}, deck=["double_trouble_1", "horus_1", "gold_1"]).when(
        0, {"type": "use_temple"}
    )
    story.when(0, {"type": "choose_card", "card": "double_trouble_1"})
    story.when(0, {"type": "use_gardens", "card": "double_trouble_1"})
    story.happened("gardens_used", {"type": "card_taken", "level": 1, "auto": True})


def test_row_25_an_obelisk_laid_down_is_out_of_the_barracks_reach_but_not_out_of_the_markets() -> None:
    trader = {"spaces": city({"1": ["barracks"], "2": ["market"]}), "revolt": 1, "cards": ["wood_1"]}
    down = {"obelisk": "down", "cards": ["gold_1"]}
    story = in_season(trader, down, {}, deck=["stone_1", "stone_2"])
    story.refuses(0, {"type": "use_barracks", "target": 1}, "target_not_standing")
    story.when(0, {"type": "use_market", "give": "wood_1", "take": "gold_1", "from": 1})
    story.stands({"/players/0/cards/0": {"id": "gold_1", "joker": False, "exchanged": True}})

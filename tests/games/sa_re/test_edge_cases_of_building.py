"""The specification's further edge cases (11): construction, setup, end and withdrawal, rows 26 to 41."""

from typing import Any

from games.chance import Stream
from games.sa_re import SA_RE
from tests.games.sa_re.table import POWERS, city, given, in_construction, in_season, site
from tests.rulesets.story import SEED, refuses_to_begin

CARAVAN = {"type": "start_work", "kind": "caravan"}
END = {"type": "end_construction", "keep": []}


def build(space: int) -> dict[str, Any]:
    return {"type": "start_work", "kind": "build", "space": space}


def pay(**source: Any) -> dict[str, Any]:
    return {"type": "pay", "source": source}


def store(take: str, **source: Any) -> dict[str, Any]:
    return {"type": "store", "source": source, "take": [take]}


def test_row_26_a_new_round_empties_the_gauge_and_leaves_the_cubes_of_growth() -> None:
    harbour = {"spaces": city({"3": ["port"]}), "revolt": 4}
    story = in_construction(harbour, {}).when(0, END).when(1, END)
    story.happened(
        "construction_ended", "round_ended", {"type": "round_started", "round": 2, "first_seat": 1}
    )
    story.stands({"/players/0/revolt": 0, "/players/0/revolt_limit": 6, "/players/0/growth": ["main"]})


def test_row_27_a_warehouse_completed_in_this_phase_holds_three_more_at_once() -> None:
    cards = ["wood_wood", "gold_1", "stone_1", "stone_2", "stone_3"]
    story = in_construction({"spaces": city({"5": site("warehouse")}), "cards": cards}, {})
    story.refuses(0, store("stone", card="stone_1"), "warehouse_full")
    story.when(0, build(5)).when(0, pay(card="wood_wood")).when(0, pay(card="gold_1"))
    for card in ("stone_1", "stone_2", "stone_3"):
        story.when(0, store("stone", card=card))
    story.stands({"/players/0/stock": {"wood": 1, "gold": 1, "stone": 4, "joker": 0}})


def test_row_28_a_new_carpenter_makes_its_neighbour_cheaper_at_once_but_produces_next_round() -> None:
    spaces = city({"5": site("carpenter"), "6": site("temple")})
    story = in_construction({"spaces": spaces, "cards": ["gold_stone", "stone_1"]}, {})
    story.stands({"/players/0/spaces/6/0/cost/wood": 3})
    story.when(0, build(5)).when(0, pay(card="gold_stone")).when(0, pay(card="stone_1"))
    story.stands({"/players/0/spaces/6/0/cost/wood": 2, "/players/0/spaces/5/0/token": False})
    story.refuses(0, store("wood", production=5), "no_such_source")
    story.when(0, END).when(1, END).stands({"/players/0/spaces/5/0/token": True})


def test_row_29_a_site_that_discounts_cover_completes_without_payment() -> None:
    spaces = city({"1": ["carpenter"], "4": ["carpenter"], "6": ["stonecutter"], "5": site("goldsmith")})
    story = in_construction({"spaces": spaces}, {}).when(0, build(5))
    story.happened("work_started", "building_completed")
    story.stands({"/work": None, "/players/0/built_this_round": 1})


def test_row_30_beside_the_port_its_discount_counts_once() -> None:
    story = in_construction({"spaces": city({"3": ["port"], "7": site("temple"), "6": site("market")})}, {})
    story.stands(
        {
            "/players/0/spaces/7/0/cost": {"wood": 3, "gold": 2, "stone": 3, "wild": 1},
            "/players/0/spaces/6/0/cost": {"wood": 2, "gold": 3, "stone": 1, "wild": 0},
        }
    )


def test_row_31_what_a_double_card_overpays_is_lost() -> None:
    cards = ["stone_stone", "gold_wood"]
    story = in_construction({"spaces": city({"5": site("carpenter")}), "cards": cards}, {})
    story.when(0, build(5)).when(0, pay(card="stone_stone")).stands({"/work/uncovered": 1})
    story.when(0, pay(card="gold_wood")).happened("source_paid", "building_completed")
    story.stands({"/players/0/cards": [], "/players/0/stock/wood": 1})
    assert story.state.discard[-2:] == ("stone_stone", "gold_wood")


def test_row_32_a_caravan_spent_or_stored_makes_room_for_another() -> None:
    rich = {"caravans": 3, "stock": {}, "cards": ["gold_gold", "stone_stone"]}
    story = in_construction(rich, {}).refuses(0, CARAVAN, "caravans_full")
    story.when(0, store("joker", caravan=True)).when(0, CARAVAN).when(0, pay(card="gold_gold"))
    story.stands({"/players/0/caravans": 3, "/players/0/caravans_new": 1, "/players/0/stock/joker": 1})
    builder = {**rich, "spaces": city({"5": site("carpenter")})}
    story = in_construction(builder, {}).when(0, build(5))
    story.when(0, pay(card="stone_stone")).when(0, pay(caravan=True)).when(0, CARAVAN)


def test_row_33_construction_passes_over_a_player_in_revolt_without_a_card_to_choose() -> None:
    for cards in ([], [{"id": "trouble_1", "joker": True}], ["wood_1"]):
        story = in_construction({"revolt": 7, "obelisk": "revolt", "cards": cards}, {})
        story.happened(
            "game_set_up",
            {"type": "construction_ended", "seat": 0, "auto": True},
            {"type": "construction_started", "seat": 1, "auto": True},
        )


def test_row_34_a_library_joker_cannot_be_kept_but_it_can_be_stored() -> None:
    scholar = {"stock": {}, "cards": [{"id": "trouble_1", "joker": True}]}
    story = in_construction(scholar, {})
    story.refuses(0, {"type": "end_construction", "keep": ["trouble_1"]}, "not_a_resource_card")
    story.when(0, store("joker", card="trouble_1")).stands({"/players/0/stock/joker": 1})


def test_row_35_a_quick_start_building_counts_for_growth_with_the_next_administrative_one() -> None:
    founded = given(None, quick_start=True)
    dealt = founded.state.players[0].to_place[2]
    other = "market" if dealt != "market" else "gardens"
    spaces = city({"5": [dealt], "6": site(other)})
    cards = ["wood_wood", "wood_1", "gold_gold", "gold_1", "stone_stone", "stone_1"]
    story = in_construction({"spaces": spaces, "cards": cards}, {}, quick_start=True).when(0, build(6))
    while story.state.work:
        story.when(0, story.legal(0)[0])
    story.happened("source_paid", "building_completed", {"type": "growth_reached", "stage": "administrative"})
    story.stands({"/players/0/revolt_limit": 6, "/players/0/ever_built": [dealt, other]})


def test_row_36_under_divinity_a_quick_start_building_lies_next_to_a_building() -> None:
    story = given(None, divinity=True, quick_start=True)
    dealt = story.state.players[0].to_place[0]
    place = {"type": "place_building", "building": dealt}
    story.refuses(0, {**place, "space": 5}, "not_adjacent_to_building")
    assert story.legal(0) == [{**place, "space": 1}, {**place, "space": 4}]


def test_row_37_a_pharaoh_who_lacks_one_administrative_building_goes_on() -> None:
    spaces = city({**POWERS, "3": ["port"], "5": ["pyramid"], "10": []})
    story = in_construction({"spaces": spaces}, {}, mode="pharaoh").when(0, END).when(1, END)
    story.stands({"/phase": "sites", "/round": 2, "/outcome": None})
    spaces["10"] = POWERS["10"]
    story = in_construction({"spaces": spaces}, {}, mode="pharaoh").when(0, END).when(1, END)
    story.stands(
        {"/outcome/reason": "directive_fulfilled", "/outcome/scores": [8, 0], "/outcome/winners": [0]}
    )


def test_row_38_the_others_still_build_after_a_pyramid_is_completed() -> None:
    cards = ["wood_wood", "gold_gold", "gold_1", "gold_2", "stone_stone", "stone_1", "stone_2"]
    spaces = city({"5": site("pyramid", number=1, steps=2)})
    story = in_construction({"spaces": spaces, "cards": cards, "stock": {"stone": 1}}, {}).when(0, build(5))
    while story.state.work:
        story.when(0, story.legal(0)[0])
    story.happened(
        "source_paid",
        {"type": "pyramid_step_completed", "number": 1, "step": 3},
        {"type": "building_completed", "building": "pyramid"},
        {"type": "growth_reached", "stage": "main"},
    )
    story.when(0, END).stands({"/phase": "construction", "/active_seat": 1})
    story.when(1, END).happened("construction_ended", "round_ended", "game_ended")
    story.stands({"/outcome/winners": [0], "/outcome/reason": "directive_fulfilled", "/to_act": []})


def test_row_39_after_a_caravan_and_no_building_two_of_the_remaining_cards_are_kept() -> None:
    cards = ["wood_1", "wood_2", "gold_1", "gold_2", "stone_1"]
    story = in_construction({"cards": cards}, {}).when(0, CARAVAN)
    story.when(0, pay(card="wood_1")).when(0, pay(card="wood_2"))
    keep_three = {"type": "end_construction", "keep": ["gold_1", "gold_2", "stone_1"]}
    story.refuses(0, keep_three, "bad_keep_count")
    story.when(0, {"type": "end_construction", "keep": ["stone_1", "gold_1"]})
    story.happened(
        {"type": "construction_ended", "kept": ["gold_1", "stone_1"], "lost": ["gold_2"]},
        "construction_started",
    )


def test_row_40_four_players_have_eight_warehouses_and_no_ninth() -> None:
    five_more = {str(space): ["warehouse"] for space in range(1, 6)}
    position = {"phase": "sites", "players": [{"spaces": city(five_more)}, {}, {}, {}]}
    message = refuses_to_begin(SA_RE, "invalid_position", position, seats=4)
    assert "there are 8 of `warehouse` (tiles), not 9" in message


def test_row_41_a_seat_that_resigns_while_it_is_asked_is_answered_for_by_a_bot() -> None:
    sequence = {"drawn": 1, "pending": ["gold_wood"]}
    story = in_season({}, {}, {}, deck=["wood_1", "gold_1"], sequence=sequence).withdraws(1)
    story.happened({"type": "seat_vacated", "seat": 1, "cause": "resigned"}).stands({"/to_act": [1, 2]})
    answer = SA_RE.greedy.choose(SA_RE.view(story.state, 1), 1, Stream(SEED, "bot/1/0"))
    story.when(1, {"type": answer.__struct_config__.tag}).stands({"/to_act": [2]})
    duel = in_season({}, {}, deck=["wood_1", "gold_1"], sequence=sequence)
    duel.stands({"/reactions": [1]}).withdraws(1).happened("game_ended")
    duel.stands({"/reactions": [], "/to_act": [], "/decision": None, "/outcome/winners": [0]})


def test_a_caravan_chartered_in_this_phase_serves_from_the_next_round_on() -> None:
    """Q32"""
    spaces = city({"6": site("carpenter")})
    story = in_construction(
        {"spaces": spaces, "stock": {}, "cards": ["gold_1", "stone_1", "stone_2", "wood_1"]}, {}
    )
    story.when(0, CARAVAN).when(0, pay(card="stone_2")).when(0, pay(card="wood_1"))
    story.stands({"/players/0/caravans": 1, "/players/0/caravans_new": 1})
    story.refuses(0, build(6), "cannot_afford")
    story.refuses(0, store("joker", caravan=True), "no_such_source")
    assert store("joker", caravan=True) not in story.legal(0)
    story.when(0, {"type": "end_construction", "keep": ["gold_1", "stone_1"]})
    while story.state.phase == "construction":
        story.when(story.state.to_act[0], END)
    story.stands({"/round": 2, "/players/0/caravans": 1, "/players/0/caravans_new": 0})
    next_round = {"spaces": spaces, "stock": {}, "cards": ["gold_1", "stone_1"], "caravans": 1}
    story = in_construction(next_round, {}).when(0, build(6))
    for source in ({"card": "gold_1"}, {"card": "stone_1"}, {"caravan": True}):
        story.when(0, pay(**source))
    story.stands({"/players/0/spaces/6/0/built": True, "/players/0/caravans": 0})

"""Every refusal of setup, sites and season (6.1 to 6.3), in the order the specification lists them."""

from typing import Any

import pytest

from games.sa_re.sites import against_launches
from tests.games.sa_re.table import POWERS, city, given, in_season, in_sites, site
from tests.rulesets.story import Story

DECK = ["wood_1", "horus_1", "gold_1", "trouble_1", "stone_1", "wood_2"]


def act(action: str, /, **members: Any) -> dict[str, Any]:
    return {"type": action, **members}


@pytest.mark.parametrize(
    "action",
    [
        act("launch_site", building="temple"),
        act("launch_site", building="temple", space="6"),
        act("launch_site", building="temple", space=True),
        act("end_sites", now=True),
        act("demolish", space=1, building="temple", discard={"clay": 1}),
        act("demolish", space=1, building="temple", discard={"wood": -1}),
        act("start_work", kind="build"),
        act("start_work", kind="caravan", space=3),
        act("start_work", kind="palace", space=3),
        act("pay", source={}),
        act("pay", source={"card": "wood_1", "stock": "wood"}),
        act("pay", source={"caravan": False}),
        act("store", source={"card": "wood_1"}),
        act("store", source={"card": "wood_1"}, take="wood"),
        act("end_construction", keep=["wood_1", "wood_1"]),
    ],
    ids=str,
)
def test_an_action_of_the_wrong_shape_is_malformed(action: dict[str, Any]) -> None:
    in_sites({}, {}).refuses(0, action, "malformed_action")


def test_refusals_common_to_all_games_come_first_and_in_order() -> None:
    story = in_sites({}, {})
    story.refuses(0, act("build_sphinx"), "unknown_action")
    story.refuses(1, act("draw"), "not_your_turn").refuses(0, act("draw"), "wrong_phase")
    story.withdraws(1).refuses(1, act("draw"), "game_over")


def test_refusals_of_founding_a_city() -> None:
    story = given(None)
    place = act("place_building", building="warehouse", space=5)
    story.refuses(0, {**place, "building": "temple"}, "not_yours_to_place")
    story.refuses(0, {**place, "space": 12}, "bad_space").when(0, place)
    story.refuses(0, place, "not_yours_to_place")
    quick = given(None, quick_start=True).when(0, place)
    dealt = quick.state.players[0].to_place[-1]
    quick.refuses(0, {**place, "building": dealt}, "space_occupied")
    quick.when(0, {**place, "building": "master_builder"}).stands({"/active_seat": 0})


def test_refusals_of_launching_a_site() -> None:
    story = in_sites({"spaces": city({"5": ["goldsmith"]})}, {}, divinity=True)
    launch = act("launch_site", building="market", space=1)
    story.refuses(0, {**launch, "building": "sphinx", "space": 99}, "unknown_building")
    story.refuses(0, {**launch, "space": -1}, "bad_space").refuses(
        0, {**launch, "space": 5}, "space_occupied"
    )
    story.refuses(0, {**launch, "building": "port"}, "not_on_nile")
    story.refuses(0, {**launch, "space": 3}, "not_adjacent_to_building")


def test_launches_may_not_make_the_people_revolt() -> None:
    player = in_sites({}, {}).state.players[0]
    objection = against_launches(player, 14, 7)
    assert objection
    assert objection.code == "would_cause_revolt"


def test_refusals_of_cancelling_and_moving_a_site() -> None:
    story = in_sites({"spaces": city({"5": site("temple"), "7": site("port")})}, {})
    story.refuses(0, act("cancel_site", space=12), "bad_space").refuses(
        0, act("cancel_site", space=0), "no_site_there"
    )
    story.when(0, act("launch_site", building="market", space=1)).when(0, act("cancel_site", space=1))
    story.when(0, act("launch_site", building="market", space=1))
    story.refuses(0, act("cancel_site", space=1), "already_cancelled")
    move = {"type": "move_site", "from": 5, "to": 6}
    story.refuses(0, {**move, "from": 12}, "bad_space").refuses(0, {**move, "from": 0}, "no_site_there")
    story.refuses(0, {**move, "from": 1}, "launched_this_round").refuses(0, {**move, "to": 12}, "bad_space")
    story.refuses(0, {**move, "to": 0}, "space_occupied").refuses(0, {**move, "from": 7}, "not_on_nile")
    story.when(0, move).refuses(0, {"type": "move_site", "from": 6, "to": 5}, "already_moved")
    lone = in_sites({"spaces": city({"1": site("temple")})}, {}, divinity=True)
    lone.refuses(0, {"type": "move_site", "from": 1, "to": 6}, "not_adjacent_to_building")


def test_refusals_of_demolition() -> None:
    story = in_sites(
        {"spaces": city({"1": ["warehouse"], "2": ["master_builder"]}), "stock": {"wood": 3, "gold": 1}}, {}
    )
    demolish = act("demolish", space=1, building="warehouse")
    story.refuses(0, {**demolish, "space": 12}, "bad_space")
    story.refuses(0, {**demolish, "building": "temple"}, "no_building_there")
    story.refuses(0, demolish, "bad_discard").refuses(0, {**demolish, "discard": {"gold": 2}}, "bad_discard")
    story.refuses(0, {**demolish, "discard": {"wood": 1, "gold": 1}}, "bad_discard")
    for building, space in (("temple", 4), ("market", 5), ("palace", 6)):
        story.when(0, act("launch_site", building=building, space=space))
    builder = act("demolish", space=2, building="master_builder")
    story.refuses(0, builder, "site_limit").when(0, act("cancel_site", space=6)).when(0, builder)
    story.refuses(0, act("demolish", space=0, building="master_builder"), "last_master_builder")
    story.when(0, {**demolish, "discard": {"gold": 1, "wood": 0}})
    story.happened({"type": "building_demolished", "discarded": {"gold": 1}})
    story.stands({"/players/0/stock": {"wood": 3, "gold": 0, "stone": 0, "joker": 0}})


# -- season -----------------------------------------------------------------------------------------------------


def at_work(**sequence: Any) -> Story:
    """A player with every power, at work between two opponents' turns."""
    me = {
        "spaces": city(POWERS),
        "revolt": 2,
        "cards": ["wood_3", "stone_stone", {"id": "trouble_4", "joker": True}],
    }
    others: list[dict[str, Any]] = [
        {"cards": ["gold_3", "gold_gold"]},
        {"obelisk": "down", "cards": ["stone_3"]},
    ]
    return in_season(me, *others, deck=DECK, sequence=sequence)


def test_refusals_while_reactions_or_the_temple_wait() -> None:
    story = in_season({}, {}, deck=DECK, sequence={"drawn": 1, "pending": ["gold_wood"]})
    story.refuses(1, act("draw"), "reaction_pending").refuses(
        1, act("choose_card", card="wood_1"), "reaction_pending"
    )
    story = at_work().refuses(0, act("stay"), "no_reaction_pending")
    story.refuses(0, act("choose_card", card="wood_1"), "no_choice_pending").when(0, act("use_temple"))
    story.refuses(0, act("stop"), "choice_pending").refuses(0, act("stay"), "no_reaction_pending")
    story.refuses(0, act("choose_card", card="gold_1"), "no_such_card")


def test_refusals_of_drawing_stopping_and_ending() -> None:
    pending = at_work(pending=["double_trouble_1"])
    for kind in ("draw", "stop", "end_sequence", "use_temple"):
        pending.refuses(0, act(kind), "cards_pending")
    over = at_work(produced=True)
    for kind in ("draw", "stop", "use_temple"):
        over.refuses(0, act(kind), "sequence_over")
    owing = at_work(owed=1)
    for kind in ("stop", "use_temple"):
        owing.refuses(0, act(kind), "must_draw")
    owing.refuses(0, act("end_sequence"), "sequence_not_over")


def test_refusals_of_taking_a_card() -> None:
    story = at_work(pending=["gold_wood", "wood_4"]).refuses(
        0, act("take_card", card="wood_1"), "no_such_card"
    )
    story.refuses(0, act("take_card", card="gold_wood"), "take_in_order")
    served = at_work(pending=["trouble_2", "wood_4"], troubles=1, passed_to=[1])
    served.refuses(0, act("take_card", card="trouble_2"), "must_discard")


def test_refusals_of_passing_and_throwing_troubles_away() -> None:
    story = at_work(pending=["trouble_2", "wood_4"], troubles=1)
    on = act("pass_trouble", card="trouble_2", to=1)
    story.refuses(0, {**on, "card": "trouble_3"}, "no_such_card").refuses(
        0, {**on, "card": "wood_4"}, "not_a_trouble"
    )
    story.refuses(0, {**on, "to": 0}, "bad_target").refuses(0, {**on, "to": 3}, "bad_target")
    story.refuses(0, {**on, "to": 2}, "target_not_standing")
    away = act("discard_trouble", card="trouble_2")
    story.refuses(0, {**away, "card": "trouble_3"}, "no_such_card").refuses(
        0, {**away, "card": "wood_4"}, "not_a_trouble"
    )
    story.refuses(0, away, "target_available")
    first = at_work(pending=["trouble_2", "wood_4"])
    first.refuses(0, on, "first_trouble").refuses(0, away, "first_trouble")
    served = at_work(pending=["trouble_2", "trouble_3"], troubles=1, passed_to=[1])
    served.refuses(0, on, "target_already_served")


def test_a_power_needs_its_building_and_works_once_a_round() -> None:
    powers = [
        act("use_palace", card="trouble_2"),
        act("use_library", card="trouble_2"),
        act("use_gardens", card="trouble_2"),
        act("use_barracks", target=1),
        act("use_market", give="wood_3", take="gold_3") | {"from": 1},
    ]
    sequence = {"pending": ["trouble_2"], "troubles": 1}
    bare = in_season(
        {"revolt": 1, "cards": ["wood_3"]}, {"cards": ["gold_3"]}, {}, deck=DECK, sequence=sequence
    )
    night = {space: [{"building": tiles[0], "used": True}] for space, tiles in POWERS.items()}
    tired = in_season({"spaces": city(night), "revolt": 1}, {}, {}, deck=DECK, sequence=sequence)
    for power in powers:
        bare.refuses(0, power, "building_missing")
        tired.refuses(0, power, "power_used")
    in_season({}, {}, deck=DECK).refuses(0, act("use_temple"), "building_missing")
    in_season({"spaces": city(night)}, {}, deck=DECK).refuses(0, act("use_temple"), "power_used")


def test_refusals_of_temple_palace_gardens_and_library() -> None:
    at_work(drawn=1).refuses(0, act("use_temple"), "not_start_of_sequence")
    at_work(drawn=1).refuses(0, act("use_palace", card="wood_1"), "no_such_card")
    last = in_season({"spaces": city(POWERS)}, {}, deck=["wood_1"])
    last.refuses(0, act("use_temple"), "not_enough_cards")
    story = at_work(pending=["trouble_2", "double_trouble_1", "wood_4"])
    for power in ("use_gardens", "use_library"):
        story.refuses(0, act(power, card="wood_1"), "no_such_card")
        story.refuses(0, act(power, card="wood_4"), "not_a_trouble")
    story.refuses(0, act("use_gardens", card="trouble_2"), "not_a_double_trouble")
    story.refuses(0, act("use_library", card="double_trouble_1"), "not_a_single_trouble")


def test_refusals_of_the_barracks() -> None:
    story = at_work()
    story.refuses(0, act("use_barracks", target=0), "bad_target").refuses(
        0, act("use_barracks", target=-1), "bad_target"
    )
    story.refuses(0, act("use_barracks", target=2), "target_not_standing")
    calm = in_season({"spaces": city(POWERS)}, {}, deck=DECK)
    calm.refuses(0, act("use_barracks", target=1), "gauge_empty")
    verge = in_season({"spaces": city(POWERS), "revolt": 1}, {"revolt": 6}, deck=DECK)
    verge.refuses(0, act("use_barracks", target=1), "would_cause_revolt")


def test_refusals_of_the_market() -> None:
    trade = {"type": "use_market", "give": "wood_3", "take": "gold_3", "from": 1}
    story = (
        at_work()
        .refuses(0, {**trade, "from": 0}, "bad_target")
        .refuses(0, {**trade, "from": 3}, "bad_target")
    )
    story.refuses(0, {**trade, "give": "wood_1"}, "no_such_card").refuses(
        0, {**trade, "take": "stone_3"}, "no_such_card"
    )
    story.refuses(0, {**trade, "give": "trouble_4"}, "not_a_resource_card")
    story.refuses(0, {**trade, "take": "gold_gold"}, "unequal_value")
    swapped = {"cards": [{"id": "gold_3", "exchanged": True}]}
    again = in_season({"spaces": city(POWERS), "cards": ["wood_3"]}, swapped, deck=DECK)
    again.refuses(0, trade, "already_exchanged")
    rebels = {"obelisk": "revolt", "revolt": 7, "cards": ["gold_3"]}
    riot = in_season({"spaces": city(POWERS), "cards": ["wood_3"]}, rebels, {}, deck=DECK)
    riot.refuses(0, trade, "target_in_revolt")


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

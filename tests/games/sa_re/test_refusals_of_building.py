"""Every refusal of construction (6.4), and what the accepted actions do there."""

from typing import Any

from tests.games.sa_re.table import city, in_construction, site
from tests.rulesets.story import Story

JOKER_CARD = {"id": "trouble_1", "joker": True}


def act(action: str, /, **members: Any) -> dict[str, Any]:
    return {"type": action, **members}


def build(space: int) -> dict[str, Any]:
    return act("start_work", kind="build", space=space)


def pay(**source: Any) -> dict[str, Any]:
    return act("pay", source=source)


CARAVAN = act("start_work", kind="caravan")


def builder(**members: Any) -> Story:
    """A city with a site, a carpenter and a port, and resources of every kind."""
    spaces = city({"5": site("carpenter"), "6": ["goldsmith"], "3": ["port"], "9": site("library")})
    cards = ["stone_stone", "gold_wood", "wood_1", JOKER_CARD]
    return in_construction(
        {"spaces": spaces, "cards": cards, "caravans": 1, "stock": {"wood": 2}, **members}, {}
    )


def test_refusals_of_starting_a_work() -> None:
    story = builder().refuses(0, build(12), "bad_space").refuses(0, build(1), "no_site_there")
    story.when(0, build(5)).refuses(0, build(5), "work_open").refuses(0, CARAVAN, "work_open")
    poor = builder(cards=[], stock={}, caravans=0).refuses(0, build(9), "cannot_afford")
    poor.stands({"/players/0/spaces/9/0/cost/gold": 2})
    in_construction({"stock": {"wood": 1}, "cards": []}, {}).stands({"/active_seat": 1})
    bare = in_construction({"stock": {"wood": 1}, "caravans": 2}, {})
    bare.refuses(0, CARAVAN, "cannot_afford")
    done = in_construction({"spaces": city({"5": site("pyramid", steps=1, step_done=True)})}, {})
    done.refuses(0, build(5), "step_already_done")
    rebels = in_construction({"obelisk": "revolt", "revolt": 7, "cards": ["wood_1", "wood_2"]}, {})
    rebels.refuses(0, build(5), "in_revolt").refuses(0, CARAVAN, "in_revolt")
    rebels.refuses(0, act("store", source={"card": "wood_1"}, take=["wood"]), "in_revolt")


def test_refusals_of_paying() -> None:
    story = builder().refuses(0, pay(card="wood_1"), "no_work_open").when(0, build(5))
    for source in (
        {"card": "gold_1"},
        {"stock": "gold"},
        {"stock": "clay"},
        {"production": 5},
        {"production": 12},
    ):
        story.refuses(0, pay(**source), "no_such_source")
    story.refuses(0, pay(card="wood_1"), "useless_payment").refuses(0, pay(production=6), "useless_payment")
    story.when(0, pay(card="stone_stone")).refuses(0, pay(stock="wood"), "no_work_open")


def test_a_caravan_does_not_pay_for_a_caravan() -> None:
    story = builder().when(0, CARAVAN).refuses(0, pay(caravan=True), "caravan_not_allowed")
    story.when(0, pay(production=3)).when(0, pay(stock="wood")).happened(
        {"type": "source_paid", "gives": ["wood"]}, {"type": "caravan_chartered", "caravans": 2}
    )
    broke = builder(caravans=0).when(0, CARAVAN)
    broke.refuses(0, pay(caravan=True), "no_such_source")


def test_a_work_is_called_off_once_and_everything_paid_comes_back() -> None:
    story = builder()
    before = story.state.players[0]
    story.refuses(0, act("cancel_work"), "no_work_open").when(0, build(9))
    for source in ({"card": "gold_wood"}, {"stock": "wood"}, {"production": 3}, {"caravan": True}):
        story.when(0, pay(**source))
    story.when(0, act("cancel_work")).happened({"type": "work_cancelled", "kind": "build", "space": 9})
    after = story.state.players[0]
    assert sorted(card.id for card in after.cards) == sorted(card.id for card in before.cards)
    assert (after.stock, after.spaces, after.caravans) == (before.stock, before.spaces, before.caravans)
    story.stands({"/cancelled": ["build:9"], "/work": None})
    story.when(0, build(9)).refuses(0, act("cancel_work"), "already_cancelled")
    while story.state.work:
        story.when(0, story.legal(0)[0])
    story.stands({"/cancelled": []})


def test_refusals_of_storing() -> None:
    story = builder()
    story.refuses(0, act("store", source={"stock": "wood"}, take=["wood"]), "source_not_storable")
    story.refuses(0, act("store", source={"card": "gold_1"}, take=["gold"]), "no_such_source")
    double = act("store", source={"card": "gold_wood"}, take=["gold", "wood"])
    story.refuses(0, double, "bad_take").refuses(0, {**double, "take": []}, "bad_take")
    story.refuses(0, {**double, "take": ["stone"]}, "bad_take").when(0, {**double, "take": ["wood"]})
    story.stands({"/players/0/stock/wood": 3}).refuses(
        0, {**double, "source": {"caravan": True}}, "warehouse_full"
    )
    roomy = builder(stock={})
    roomy.refuses(0, {**double, "take": ["gold"]}, "bad_take").when(0, {**double, "take": ["wood", "gold"]})
    roomy.happened({"type": "resource_stored", "take": ["gold", "wood"]})
    roomy.refuses(0, {**double, "source": {"card": "stone_stone"}, "take": ["stone", "stone"]}, "bad_take")
    roomy.when(0, build(9)).refuses(0, double, "work_open")


def test_refusals_of_ending_construction() -> None:
    story = (
        builder()
        .when(0, build(5))
        .refuses(0, act("end_construction"), "work_open")
        .when(0, act("cancel_work"))
    )
    story.refuses(0, act("end_construction", keep=["gold_1"]), "no_such_card")
    story.refuses(0, act("end_construction", keep=["trouble_1"]), "not_a_resource_card")
    three = act("end_construction", keep=["gold_wood", "stone_stone", "wood_1"])
    story.refuses(0, three, "bad_keep_count")
    story.when(0, act("end_construction")).happened(
        {
            "type": "construction_ended",
            "kept": [],
            "lost": ["stone_stone", "gold_wood", "wood_1", "trouble_1"],
        },
        "construction_started",
    )
    rebels = in_construction({"obelisk": "revolt", "revolt": 7, "cards": ["wood_1", "wood_2"]}, {})
    rebels.refuses(0, act("end_construction"), "bad_keep_count")
    rebels.refuses(0, act("end_construction", keep=["wood_1", "wood_2"]), "bad_keep_count")
    rebels.when(0, act("end_construction", keep=["wood_2"])).stands({"/players/0/cards/0/id": "wood_2"})


def test_a_pyramid_step_is_no_building_so_that_two_cards_may_be_kept() -> None:
    cards = ["wood_wood", "gold_gold", "stone_stone", "stone_1", "gold_1", "wood_1"]
    story = in_construction({"spaces": city({"5": site("pyramid")}), "cards": cards}, {}).when(0, build(5))
    for source in (
        {"card": "wood_wood"},
        {"card": "gold_gold"},
        {"card": "stone_stone"},
        {"card": "stone_1"},
        {"stock": "stone"},
    ):
        story.when(0, pay(**source))
    story.happened("source_paid", {"type": "pyramid_step_completed", "step": 1})
    story.stands({"/players/0/spaces/5/0/steps": 1, "/players/0/spaces/5/0/step_done": True})
    story.when(0, act("end_construction", keep=["wood_1", "gold_1"]))


def test_the_ports_discount_and_its_joker_work_on_the_bank() -> None:
    spaces = city({"3": ["port"], "7": site("warehouse")})
    story = in_construction({"spaces": spaces, "stock": {}, "cards": ["gold_1"]}, {}).when(0, build(7))
    story.stands({"/work/uncovered": 2}).when(0, pay(production=3)).stands({"/work/uncovered": 1})
    story.when(0, pay(card="gold_1")).happened("source_paid", "building_completed")

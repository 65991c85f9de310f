"""What version 2 changed: who begins, cards after a revolt, growth; version 1 stays as it was (Q33, Q36, Q45, Q46)."""

from typing import Any

import pytest

from games.sa_re import SA_RE, SA_RE_1
from tests.games.sa_re.table import city, given, in_construction, in_sites, site
from tests.rulesets.story import Story, builtins, refuses_to_begin

CARRIED = [{"id": "wood_1", "kept": True}, {"id": "gold_gold", "kept": True}]
ONE_DEMOLISHED: Any = {
    "phase": "construction",
    "players": [
        {
            "spaces": city({"6": site("barracks")}),
            "ever_built": ["temple"],
            "cards": ["gold_gold", "stone_stone", "stone_wood"],
        },
        {"cards": ["wood_1"]},
    ],
}
PAYMENTS: list[dict[str, Any]] = [
    {"type": "start_work", "kind": "build", "space": 6},
    *({"type": "pay", "source": {"card": card}} for card in ("gold_gold", "stone_stone", "stone_wood")),
]


def in_revolt(cards: list[Any], **more: Any) -> dict[str, Any]:
    return {"obelisk": "revolt", "revolt": 7, "cards": cards, **more}


def end(*keep: str) -> dict[str, Any]:
    return {"type": "end_construction", "keep": list(keep)}


# -- cards after a revolt (Q33) -------------------------------------------------------------------------------------


def test_a_revolt_leaves_one_card_of_the_season_besides_those_of_earlier_rounds() -> None:
    story = in_construction(in_revolt([*CARRIED, "stone_1", "stone_2"]), {"cards": ["wood_2"]})
    assert story.legal(0) == [end("stone_1"), end("stone_2")]
    story.refuses(0, end("gold_gold"), "carried_over")
    story.when(0, end("stone_1"))
    assert [card.id for card in story.state.players[0].cards] == ["wood_1", "gold_gold", "stone_1"]


def test_in_version_1_a_revolt_leaves_one_card_of_all() -> None:
    players = [in_revolt(["wood_1", "gold_gold", "stone_1"]), {"cards": ["wood_2"]}]
    story = Story(SA_RE_1).given({"phase": "construction", "players": players}, seats=2)
    assert story.legal(0) == [end("gold_gold"), end("stone_1"), end("wood_1")]


def test_a_player_in_revolt_without_a_card_of_this_season_keeps_all_and_is_passed_over() -> None:
    """E42"""
    story = in_construction(in_revolt(CARRIED), {"cards": ["wood_2"]})
    story.happened(
        "game_set_up", {"type": "construction_ended", "seat": 0, "lost": []}, "construction_started"
    )
    assert len(story.state.players[0].cards) == 2


def test_who_does_not_revolt_chooses_among_all_cards() -> None:
    story = in_construction({"cards": [*CARRIED, "stone_1"]}, {"cards": ["wood_2"]})
    story.refuses(0, end("gold_gold", "stone_1", "wood_1"), "bad_keep_count")
    story.when(0, end("stone_1", "wood_1"))
    assert [card.id for card in story.state.players[0].cards] == ["wood_1", "stone_1"]


def test_cards_of_a_new_round_are_marked_and_in_version_1_are_not() -> None:
    for ruleset, kept in ((SA_RE, True), (SA_RE_1, None)):
        position = {"phase": "construction", "players": [{"cards": ["wood_1"]}, {}]}
        story = Story(ruleset).given(position, seats=2).when(0, end("wood_1"))
        while story.state.phase == "construction":
            story.when(story.state.to_act[0], end())
        assert builtins(story.state)["players"][0]["cards"][0].get("kept") is kept


def test_a_kept_card_that_the_market_exchanges_is_a_card_of_this_season() -> None:
    """E43"""
    players = [
        {"spaces": city({"1": ["market"]}), "cards": [CARRIED[0]]},
        {"cards": [{"id": "gold_1", "kept": True}]},
    ]
    story = given({"phase": "season", "deck": ["stone_1", "stone_2", "stone_3"], "players": players})
    story.when(0, {"type": "use_market", "give": "wood_1", "take": "gold_1", "from": 1})
    for player in builtins(story.state)["players"]:
        assert player["cards"] == [{"id": player["cards"][0]["id"], "joker": False, "exchanged": True}]


def test_version_1_knows_no_kept_cards() -> None:
    fault = refuses_to_begin(SA_RE_1, "invalid_position", {"players": [{"cards": CARRIED}, {}]}, seats=2)
    assert "cannot lie in front of a player like that" in fault


def test_cards_pile_up_by_one_a_revolt_and_the_state_is_a_position() -> None:
    players = [in_revolt([*CARRIED, "stone_1"]), {}]
    story = given({"phase": "construction", "round": 2, "players": players})
    while story.state.phase == "construction":
        story.when(story.state.to_act[0], end())
    state = builtins(story.state)
    assert [len(player["cards"]) for player in state["players"]] == [3, 0]
    assert builtins(given(state, mode="scribe").state) == state


# -- growth (Q36) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "growth"), [(SA_RE, ("administrative",)), (SA_RE_1, ())])
def test_the_second_administrative_building_counts_even_if_the_first_is_gone(
    ruleset: Any, growth: Any
) -> None:
    story = Story(ruleset).given(ONE_DEMOLISHED, seats=2)
    for action in PAYMENTS:
        story.when(0, action)
    me = story.state.players[0]
    assert (me.growth, me.revolt_limit) == (growth, 7 - len(growth))


@pytest.mark.parametrize("ruleset", [SA_RE, SA_RE_1])
def test_growth_in_a_position_follows_the_rules_of_its_version(ruleset: Any) -> None:
    players = [{"ever_built": ["temple", "market"]}, {}]
    story = Story(ruleset).given({"players": players}, seats=2)
    assert story.state.players[0].growth == (("administrative",) if ruleset is SA_RE else ())
    without = [{"ever_built": ["temple", "market"], "growth": []}, {}]
    if ruleset is SA_RE:
        assert "growth" in refuses_to_begin(ruleset, "invalid_position", {"players": without}, seats=2)
    else:
        Story(ruleset).given({"players": without}, seats=2)


# -- who begins (Q45), and what replacing a site costs (Q46) --------------------------------------------------------


def test_a_seat_that_the_game_does_not_have_cannot_begin() -> None:
    """E45"""
    for position in (None, {}, {"round": 2}):
        refuses_to_begin(SA_RE, "invalid_options", position, seats=2, options={"begins": 2})
    refuses_to_begin(SA_RE_1, "invalid_options", seats=2, options={"begins": 0})


def test_a_position_says_itself_who_is_first_player() -> None:
    """E46"""
    story = given({"round": 2, "first_seat": 1}, seats=3, begins="drawn")
    story.stands({"/first_seat": 1, "/active_seat": 1})
    assert "begins" not in {draw.label for draw in story.draws}
    given({"round": 2}, seats=3, begins=2).stands({"/first_seat": 0})


def test_the_first_player_drawn_founds_first_and_begins() -> None:
    story = given(seats=4, begins="drawn")
    (drawn,) = [draw.result for draw in story.draws if draw.label == "begins"]
    assert sorted(drawn) == [0, 1, 2, 3]
    story.stands({"/options/begins": "drawn", "/first_seat": drawn[0], "/active_seat": drawn[0]})


def test_replacing_a_site_is_a_launch() -> None:
    """E44"""
    story = in_sites({"spaces": city({"5": site("carpenter")})}, {})
    for building, space in (("temple", 6), ("market", 7)):
        story.when(0, {"type": "launch_site", "building": building, "space": space})
    story.when(0, {"type": "cancel_site", "space": 5})
    story.refuses(0, {"type": "launch_site", "building": "palace", "space": 5}, "site_limit")

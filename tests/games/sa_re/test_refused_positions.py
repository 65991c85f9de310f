"""Positions that no game begins from (4.3): each is refused with its fault."""

from typing import Any

import pytest

from games.sa_re import SA_RE
from tests.games.sa_re.table import city, in_construction, site
from tests.rulesets.story import refuses_to_begin

SEASON: dict[str, Any] = {"phase": "season", "deck": ["wood_1", "gold_1"]}
BUILDING: dict[str, Any] = {"phase": "construction"}


def with_player(**members: Any) -> dict[str, Any]:
    return {"players": [members, {}]}


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ({"pharaoh": 1}, "unknown field `pharaoh`"),
        ({"pharaoh": None}, "unknown field `pharaoh`"),
        ({"penalty": 1}, "unknown field `penalty`"),
        ({"sequence": "fresh"}, "a WorkSequence is a JSON object"),
        (with_player(to_act=[0]), "unknown field `to_act`"),
        (with_player(cards=[{"id": "wood_1", "worth": None}]), "unknown field `worth`"),
        (with_player(stock={"wood": None}), "got `null`"),
        ({"phase": "ended"}, "cannot begin at its end"),
        ({"options": {"mode": "priest"}}, "its options are not"),
        ({"round": 61}, "no round 61"),
        ({"active_seat": 2}, "no seat 2"),
        ({"players": [{}, {}, {}]}, "one player for each seat"),
        (with_player(spaces={"12": []}), "no space '12'"),
        (with_player(spaces=[["master_builder"]]), "12 spaces"),
        (with_player(spaces=city({"5": ["sphinx"]})), "no building 'sphinx'"),
        (with_player(spaces=city({"5": [{"building": "temple", "token": True}]})), "cannot have `token`"),
        (with_player(spaces=city({"5": site("carpenter", token=True)})), "cannot produce"),
        (with_player(spaces=city({"5": ["temple", "market"]})), "more than one tile"),
        (with_player(spaces=city({"5": [*site("temple"), "market"]})), "more than one tile"),
        (with_player(spaces=city({"5": ["market", *site("temple")]})), "more than one tile"),
        (with_player(spaces=city({"5": ["port"]})), "off the bank"),
        (with_player(spaces=city({"5": ["temple"], "6": ["temple"]})), "two of temple"),
        (with_player(spaces=city({"5": site("pyramid", number=4)})), "(pyramids), not 1"),
        (with_player(spaces=city({"5": site("pyramid", number=9)})), "unknown number"),
        (with_player(spaces=city({"5": site("pyramid", steps=3)})), "3 steps"),
        (with_player(spaces=city({"5": [{"building": "pyramid", "steps": 2}]})), "built with the last of them"),
        (with_player(spaces={"0": ["warehouse"]}), "master builder"),
        (with_player(spaces=city({str(s): site(b, new=True) for s, b in enumerate(("temple", "market", "palace"), 1)})), "more new sites"),
        (with_player(spaces=city({"1": site("carpenter", new=True), "2": site("carpenter", new=True)})), "two sites of one type"),
        (with_player(spaces=city({"5": site("temple")}), ever_built=["temple"]), "site again"),
        (with_player(spaces=city({"5": ["temple"]}), ever_built=[]), "missing in `ever_built`"),
        (with_player(ever_built=["warehouse"]), "administrative buildings, port and pyramid only"),
        (with_player(ever_built=["temple", "temple"]), "nothing twice"),
        (with_player(growth=["main"]), "first main building"),
        (with_player(growth=["administrative"]), "needs two administrative"),
        (with_player(spaces=city({"1": ["temple"], "2": ["market"]}), growth=[]), "without growth"),
        (with_player(undone=["temple", "temple"]), "`undone`"),
        (with_player(stock={"wood": 4}), "do not fit"),
        (with_player(stock={"wood": -1}), "negative"),
        (with_player(caravans=4), "at most 3 caravans"),
        (with_player(caravans_new=1), "at most 3 caravans"),
        (with_player(revolt=7), "outside 0 to 6"),
        (with_player(obelisk="revolt", revolt=6), "at its limit"),
        (with_player(obelisk="down"), "every obelisk stands"),
        (with_player(cards=["wood_1", "wood_2", "wood_3"]), "at most 2 cards"),
        (with_player(cards=["trouble_1"]), "cannot lie in front of a player like that"),
        (SEASON | with_player(cards=[{"id": f"stone_{n}", "kept": True} for n in (1, 2, 3)]), "at most 2 cards"),
        (with_player(cards=["horus_1"]), "cannot lie in front"),
        (with_player(cards=["wood_9"]), "no season card"),
        (with_player(cards=[{"id": "wood_1", "joker": True}]), "cannot lie in front"),
        (with_player(to_place=["temple"]), "in `setup` only"),
        (with_player(vacated="resigned"), "two players"),
        ({"supply": {"temple": 3}}, "cannot hold 3 of temple"),
        ({"supply": {"temple": 1}}, "`temple` (tiles) lies nowhere"),
        ({"supply": {"temple": 10**9}}, "cannot hold"),
        ({"supply": {"pyramid": 1}}, "cannot hold"),
        ({"pyramids": [1]}, "`2` (pyramids) lies nowhere"),
        ({"pyramids": [2, 1]}, "lowest number first"),
        ({"deck": ["wood_1"]}, "belong to the season"),
        ({"discard": ["wood_1"]}, "(cards) lies nowhere"),
        ({"sequence": {}}, "belong to the season"),
        ({"phase": "setup", "active_seat": 1}, "seat 0 is the next"),
        ({"phase": "setup", "round": 2}, "before round 1"),
        ({"phase": "setup", **with_player(spaces={"5": ["palace"], "6": ["market"]})}, "at most one more"),
        (SEASON | {"deck": ["wood_1", "wood_1"]}, "of `wood_1` (cards), not 2"),
        (SEASON | {"deck": ["wood_9"]}, "0 of `wood_9` (cards), not 1"),
        (SEASON | {"discard": ["hoshekh"], "deck_face_up": True}, "face up exactly"),
        (SEASON | {"set_aside": ["wood_2", "hoshekh"]}, "one card is set aside"),
        (SEASON | {"top_known_to": 0}, "face-down deck"),
        (SEASON | {"reactions": [0]}, "only opponents"),
        (SEASON | {"sequence": {"seat": 1}}, "active seat"),
        (SEASON | {"sequence": {"pending": ["hoshekh"]}}, "never drawn"),
        (SEASON | {"sequence": {"pending": [{"id": "trouble_1", "level": 2}]}}, "level 2"),
        (SEASON | {"sequence": {"temple": ["gold_2"], "pending": ["gold_3"]}}, "two cards at most"),
        (SEASON | {"sequence": {"temple": [{"id": "gold_2", "dark": True}]}}, "in the dark"),
        (SEASON | {"sequence": {"passed_to": [0]}}, "names opponents"),
        (SEASON | {"deck": [], "sequence": {"owed": 2}}, "owes nothing"),
        (SEASON | with_player(obelisk="down") | {"sequence": {"pending": ["gold_2"]}}, "out of the season"),
        ({"work": {"kind": "caravan"}}, "belong to construction"),
        (BUILDING | {"work": {"kind": "build"}}, "has a space"),
        (BUILDING | {"work": {"kind": "build", "space": 5}}, "no open site"),
        (BUILDING | {"work": {"kind": "caravan", "seat": 1}}, "active seat"),
        (BUILDING | with_player(stock={}) | {"work": {"kind": "caravan"}}, "does not cover"),
        (BUILDING | {"work": {"kind": "caravan", "paid": [{"source": {"caravan": True}}]}}, "does not fit"),
        (BUILDING | {"cancelled": ["build:5"]}, "`cancelled`"),
    ],
)  # fmt: skip
def test_a_position_that_breaks_the_rules_is_refused_with_its_fault(
    position: dict[str, Any], fault: str
) -> None:
    sentence = refuses_to_begin(SA_RE, "invalid_position", position, seats=2)
    assert fault in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("cards", [["wood_1", "wood_2", "wood_3"], ["trouble_1"]], ids=["three", "a joker"])
def test_a_seat_whose_construction_is_over_holds_no_more_than_it_may_keep(cards: list[str]) -> None:
    players: list[Any] = [{"cards": cards}, {"cards": ["gold_1"]}, {}]
    position = {"phase": "construction", "players": players, "active_seat": 1}
    assert "kept" in refuses_to_begin(SA_RE, "invalid_position", position, seats=3)
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
    assert sentence in refuses_to_begin(SA_RE, "invalid_position", position, seats=2)


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
    refuses_to_begin(SA_RE, "invalid_position", position, seats=2, options={"max_rounds": None})


@pytest.mark.parametrize("options", [{"divinity": 0}, {"max_rounds": 60.0}, {"mode": "scribe"}])
def test_options_in_a_position_are_read_as_strictly_as_those_of_a_game(options: Any) -> None:
    position = {"options": options, "round": 2}
    mode = {"mode": "priest"} if "mode" in options else {}
    refuses_to_begin(SA_RE, "invalid_position", position, seats=2, options=mode)


def test_a_list_is_no_position() -> None:
    refuses_to_begin(SA_RE, "invalid_position", [], seats=2)

"""The board of Sa-Ré as a picture."""

from games.chance import Chance
from games.pictures import Scene
from games.sa_re import SA_RE
from games.sa_re.board import draw
from games.sa_re.board.stamps import SIGNS
from tests.games.sa_re.table import city, in_construction, in_season, in_sites, site
from tests.rulesets.looking import Picture


def test_the_gauge_shows_where_it_stands_and_where_revolt_breaks_out() -> None:
    story = in_season({"revolt": 3}, {"growth": ["main"], "ever_built": ["port"]}, deck=["wood_1", "gold_1"])
    picture = Picture(story, 0)
    assert picture.written("gauge-0") == ["3"]
    assert picture.parts["gauge-0"][0].text == "revolt 3 of 7"
    assert picture.parts["gauge-1"][0].text == "revolt 0 of 6"


def test_the_stock_says_how_full_the_warehouses_are() -> None:
    story = in_sites({"spaces": city({}), "stock": {"wood": 2}}, {"spaces": city({"1": ["warehouse"]})})
    assert "2 of 3 stored" in Picture(story, 0).written("stock-0")
    state = SA_RE.fold(None, SA_RE.new_game(None, 2, Chance(bytes(32))))
    drawn = draw(SA_RE.view(state, 0), Scene(0, (), (), SA_RE.names["en"]))
    assert ">3 stored<" in drawn
    assert " of 0 " not in drawn


def test_spaces_are_numbered_from_1_on() -> None:
    picture = Picture(in_sites({"spaces": city({})}, {}), 0)
    assert [picture.written(f"space-0-{at}") for at in range(1, 12)] == [[str(at + 1)] for at in range(1, 12)]
    assert picture.parts["space-0-1"][0].text == "space 2"
    assert picture.parts["space-0-3"][0].text == "space 4, on the Nile"


def test_a_wind_gilds_every_gauge_that_it_raises() -> None:
    story = in_season({}, {}, deck=["wood_wood", "gold_1", "gold_2"]).when(0, {"type": "draw"})
    assert {"gauge-0", "gauge-1", "card-wood_wood"} <= Picture(story, 1).latest()


def test_the_top_of_a_closed_deck_is_drawn_for_who_knows_it_alone() -> None:
    dark = {"deck_face_up": False, "top_known_to": 0, "discard": ["hoshekh"]}
    story = in_season({}, {}, deck=["gold_3", "wood_1", "stone_1"], **dark)
    assert "card-gold_3" in Picture(story, 0).parts
    for viewer in (1, None):
        assert "card-gold_3" not in Picture(story, viewer).parts


def test_a_site_wears_what_it_still_costs_beside_its_crafts() -> None:
    spaces = city({"1": ["carpenter"], "2": site("temple")})
    picture = Picture(in_construction({"spaces": spaces}, {}), 0)
    assert picture.written("space-0-2") == ["Temple", "2", "2", "3"]


def test_a_used_power_lies_in_the_night() -> None:
    moon = SIGNS["hoshekh"]
    for used in (False, True):
        spaces = city({"1": [{"building": "market", "used": used}]})
        story = in_season({"spaces": spaces}, {}, deck=["wood_1", "gold_1"])
        assert (moon in Picture(story, 1).outlines("space-0-1")) is used


def test_everything_that_can_pay_is_a_source() -> None:
    rich = {
        "spaces": city({"1": ["goldsmith"], "2": site("warehouse")}),
        "cards": ["wood_1"],
        "caravans": 1,
        "stock": {"stone": 1},
    }
    story = in_construction(rich, {})
    assert Picture(story, 0).named("source") >= {
        '{"card":"wood_1"}', '{"stock":"stone"}', '{"production":1}', '{"caravan":true}',
    }  # fmt: skip
    assert Picture(story, 1).named("source") == {
        f'{{"stock":"{each}"}}' for each in ("wood", "gold", "stone", "joker")
    } | {'{"caravan":true}'}


def test_two_buildings_that_share_a_space_can_be_told_apart() -> None:
    picture = Picture(in_sites({}, {}), 0)
    demolished = [
        part.attrib["data-building"]
        for part in picture.parts["space-0-0"].iter()
        if "data-building" in part.attrib
    ]
    assert demolished == ["warehouse", "master_builder"]


def test_the_supply_names_what_is_left() -> None:
    picture = Picture(in_sites({}, {}), 0)
    assert picture.parts["supply-temple"].attrib["data-building"] == "temple"
    assert "×2" in picture.written("supply-temple")

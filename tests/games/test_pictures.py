"""The kit that boards are drawn with."""

from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pictures import (
    DARK,
    LIGHT,
    SMALLEST,
    THEMES,
    Scene,
    Theme,
    board,
    contrast,
    mixed,
    part,
    seat_mark,
    sign,
    words,
)
from games.svg import Element, Print, Stamp, document, fitted, number, rect, text, width_of, wrapped

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@each_theme
def test_text_and_signs_stand_out_from_every_surface(theme: Theme) -> None:
    for surface in (theme.ground, theme.panel, theme.raised):
        assert contrast(theme.text, surface) >= 4.5
        assert contrast(theme.quiet, surface) >= 4.5
        for colour in (*theme.seats, *theme.hues.values(), theme.danger):
            assert contrast(colour, surface) >= 3, (colour, surface)
    for colour in (*theme.seats, *theme.hues.values(), theme.back, theme.text, theme.danger, theme.gold):
        assert contrast(theme.on(colour), colour) >= 4.5, colour


def test_gold_stands_out_by_its_edge_where_it_would_not_by_itself() -> None:
    assert contrast(LIGHT.gold, LIGHT.panel) < 3 <= contrast(LIGHT.edge, LIGHT.panel)
    assert contrast(DARK.gold, DARK.panel) >= 3


def test_contrast_is_measured_as_people_measure_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"


@each_theme
def test_every_seat_has_a_shape_of_its_own(theme: Theme) -> None:
    drawn = [document(seat_mark(theme, seat, 0, 0, 20, fill="#000000")) for seat in range(4)]
    assert len(set(drawn)) == 4
    assert len(set(theme.seats)) == 4


@given(st.text(), st.text())
def test_nothing_that_is_written_becomes_markup(content: str, value: str) -> None:
    root = fromstring(document(Element("g", (text(0, 0, content),), id=value)))
    assert [each.tag for each in root.iter()] == ["g", "text", "defs"]
    assert root.attrib.keys() == {"id"}


def test_a_stamp_is_written_once_and_used_wherever_it_is_printed() -> None:
    stamp = Stamp(rect(0, 0, 5, 5))
    root = fromstring(
        document(Element("g", (Print(stamp, x=1), Print(stamp, x=9), sign("M0 0", 0, 0, 24, "#000000"))))
    )
    assert [each.tag for each in root.iter()] == ["g", "use", "use", "use", "defs", "rect", "path"]
    assert root[0].attrib["href"] == f"#{root[3][0].attrib['id']}"


def test_a_part_names_what_actions_may_name() -> None:
    drawn = part(
        id="x",
        at=(1.25, 2),
        names={"space": (3, 4), "site": "medes", "run": 0},
        actions=("a", "b"),
        label="X",
    )
    root = fromstring(document(drawn))
    assert root.attrib == {
        "id": "x",
        "transform": "translate(1.2 2)",
        "data-space": "[3,4]",
        "data-site": "medes",
        "data-run": "0",
        "data-actions": "a b",
    }
    assert root.findtext("title") == "X"


def test_words_are_set_smaller_and_then_cut_to_fit() -> None:
    assert fitted("temple", 200, 20, SMALLEST) == ("temple", 20)
    shorter, size = fitted("realm of the dead", 150, 20, SMALLEST)
    assert shorter == "realm of the dead"
    assert SMALLEST <= size < 20
    cut, smallest = fitted("realm of the dead", 60, 20, SMALLEST)
    assert cut.endswith("…")
    assert smallest == SMALLEST
    assert width_of(cut) * smallest <= 60


def test_lines_break_between_words() -> None:
    assert wrapped("realm of the dead", 80, 14, 3) == ["realm of", "the dead"]
    assert wrapped("realm of the dead", 80, 14, 1) == ["realm of…"]


def test_numbers_are_short() -> None:
    assert [number(each) for each in (3, 3.0, 2.25, 0.04, -1.5)] == ["3", "3", "2.2", "0", "-1.5"]


def test_the_places_of_the_latest_entry_are_named_by_its_facts() -> None:
    scene = Scene(latest=({"type": "moved", "seat": 1, "to": "a"}, {"type": "slept"}))
    assert scene.touched({"moved": ("pawn-{seat}", "{to}")}) == {"pawn-1", "a"}


def test_a_scene_names_players_and_things() -> None:
    scene = Scene(players=("Ana", None, "Chloé"), words={"win": "Sieg"}, language="fr")
    assert scene.moment((0, 1, 2), "jouer") == "Ana, Joueur 1 et Chloé : jouer"
    assert scene.end((), "win") == "personne ne gagne (Sieg)"
    assert [scene.word(each) for each in ("win", "other", 4)] == ["Sieg", "other", "4"]


@each_theme
def test_a_board_says_what_it_shows(theme: Theme) -> None:
    root = fromstring(board(Scene(theme=theme), 500, "A & B", "two < three", [words(theme, 0, 0, "x")]))
    named = {each.attrib.get("id"): each.text for each in root}
    assert [named[each] for each in root.attrib["aria-labelledby"].split()] == ["A & B", "two < three"]
    assert [each.text for each in root.iter() if each.text == "x"] == ["x"]

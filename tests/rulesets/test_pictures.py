"""What holds for the picture of every board."""

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gallery import board_of, own_board
from games.kernel import Viewer
from games.pictures import SHAPES, TALL_WIDTH, TALLEST, TARGET, THEMES, WIDTH, Scene
from tests.rulesets.extents import Box, Extents
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, a_sample, moments, randoms, situations, some_moments, unhurried
from tests.rulesets.story import builtins

DRAWN = [kit for kit in KITS if own_board(kit.ruleset.name)]
each_drawn_kit = pytest.mark.parametrize("kit", DRAWN, ids=str)
LATEST = list({kit.ruleset.name: kit for kit in DRAWN}.values())
each_game = pytest.mark.parametrize("kit", LATEST, ids=str)
"""The latest version of each game: what a board looks like does not hang on the version of the rules."""
each_shape = pytest.mark.parametrize("shape", SHAPES)

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "use",
           "defs"}  # fmt: skip
PLAYERS = ("Ana", "Bruno", "Chloé", "Dmitri")
NOT_ON_THE_BOARD = {
    "sa_re": {"discard"},
    "temple_of_five": {"rotation", "face_up"},
}
"""Parameters of actions that name no part of the board, by the name of the ruleset."""
PIECES = {
    "data-card",
    "data-cards",
    "data-tile",
    "data-building",
    "data-bonus",
    "data-god",
    "data-nation",
    "data-space",
}
"""What names a thing that players handle."""
QUIET = {"end_turn", "end_sites", "end_sequence", "end_construction", "stay"}
"""Actions that may change nothing on the table."""


def scene(moment: Moment, viewer: Viewer, theme: str = "light", language: str = "en", **others: Any) -> Scene:
    """What a viewer's picture of this moment is drawn from."""
    ruleset, index = moment.ruleset, moment.index
    facts = moment.game.steps[index - 1].facts if index else moment.game.opening
    latest = [builtins(ruleset.redact(fact, viewer)) for fact in facts]
    return Scene(
        **{
            "viewer": viewer,
            "players": PLAYERS,
            "latest": latest,
            "words": ruleset.names[language],
            "language": language,
            "theme": THEMES[theme],
        }
        | others
    )


def picture(moment: Moment, viewer: Viewer, **how: Any) -> str:
    view = moment.ruleset.view(moment.state, viewer)
    return board_of(moment.ruleset.name).draw(view, scene(moment, viewer, **how))


def a_moment_of_each_kind(kit: Kit, most: int = 1) -> Iterator[Moment]:
    for _, moments_of_a_kind in sorted(situations(kit).items()):
        yield from a_sample(moments_of_a_kind, most, Random(1))


def elements(svg: str) -> list[Element]:
    return list(fromstring(svg).iter())


# -- the picture itself -----------------------------------------------------------------------------------------------


@each_drawn_kit
@each_shape
@pytest.mark.parametrize(("theme", "language"), [("light", "fr"), ("dark", "en")])
def test_a_board_is_plain_light_and_legible(kit: Kit, theme: str, language: str, shape: str) -> None:
    for moment in a_moment_of_each_kind(kit):
        for viewer in moment.game.viewers:
            seen = scene(moment, viewer, theme, language, shape=shape)
            svg = board_of(kit.ruleset.name).draw(kit.ruleset.view(moment.state, viewer), seen)
            assert len(svg.encode()) < 60_000, moment
            assert not re.search(r'href="(?!#)|url\(|@import|<style|javascript:', svg), moment
            parts = elements(svg)
            assert {part.tag.removeprefix(SVG) for part in parts} <= ALLOWED
            assert not [name for part in parts for name in part.attrib if name.startswith("on")]
            ids = [part.attrib["id"] for part in parts if "id" in part.attrib]
            assert len(ids) == len(set(ids)), sorted({each for each in ids if ids.count(each) > 1})
            assert all(
                float(part.attrib["font-size"]) >= seen.smallest for part in parts if part.tag == f"{SVG}text"
            )


@each_drawn_kit
def test_title_and_description_tell_the_moment_and_the_board(kit: Kit) -> None:
    for moment in a_moment_of_each_kind(kit):
        root = fromstring(picture(moment, None, language="fr"))
        title, description = (root.findtext(f"{SVG}{tag}") or "" for tag in ("title", "desc"))
        assert title.startswith(kit.ruleset.names["fr"][kit.ruleset.name])
        waited_for = moment.state.to_act or moment.state.outcome.winners
        assert all(PLAYERS[seat] in title for seat in waited_for), title
        assert all(PLAYERS[seat] in description for seat in range(moment.game.setting.seats)), description
        assert root.attrib["viewBox"].split()[2] == str(WIDTH)


@each_game
@each_shape
def test_everything_lies_within_the_picture(kit: Kit, shape: str) -> None:
    for moment in a_moment_of_each_kind(kit):
        for viewer in (0, None):
            root = fromstring(picture(moment, viewer, shape=shape))
            _, _, width, height = map(float, root.attrib["viewBox"].split())
            assert width == (TALL_WIDTH if shape == "tall" else WIDTH)
            assert shape == "wide" or height <= TALLEST, (moment, height)
            whole = Box(0, 0, width, height)
            extents = Extents(root)
            outside = [
                (part.attrib, box) for part, box in extents.boxes.items() if not whole.holds(box, slack=8)
            ]
            assert not outside, (moment, outside[-1])


@each_game
@each_shape
def test_every_thing_and_every_number_is_explained(kit: Kit, shape: str) -> None:
    """What the board shows has an entry in the player's guide; no number stands there by itself."""
    guides = [kit.ruleset.guide(language) for language in ("en", "fr")]
    for moment in a_moment_of_each_kind(kit):
        for viewer in (0, None):
            root = fromstring(picture(moment, viewer, shape=shape))
            explained = {
                part for each in root.iter() if "data-explain" in each.attrib for part in (each, *each.iter())
            }
            for key in {each.attrib["data-explain"] for each in explained if "data-explain" in each.attrib}:
                for guide in guides:
                    assert guide is not None
                    assert guide.section(key if "." in key else f"things.{key}"), key
            told = [each for each in root.iter(f"{SVG}text") if re.search(r"\d", each.text or "")]
            stamps = {each for definitions in root.iter(f"{SVG}defs") for each in definitions.iter()}
            bare = [each.text for each in told if each not in explained | stamps]
            assert not bare, (moment, bare)
            assert not [each.text for each in told if re.fullmatch(r"\(\d+\)", each.text or "")]
            named = [each for each in root.iter() if each.attrib.keys() & PIECES]
            assert not [each.attrib for each in named if each not in explained], moment


@each_game
@some_moments
@given(data=st.data())
def test_what_is_clicked_on_a_phone_is_large_enough_for_a_thumb(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    elsewhere = NOT_ON_THE_BOARD.get(kit.ruleset.name, set()) | {"type"}
    for seat in moment.state.to_act:
        root = fromstring(picture(moment, seat, shape="tall"))
        boxes = Extents(root).boxes
        parts = [(part, part.attrib.get("data-actions", "").split()) for part in root.iter()]
        wanted = {
            (raw["type"], f"data-{parameter}", value)
            for raw in map(builtins, a_sample(moment.legal(seat), 60, random))
            for parameter in raw.keys() - elsewhere
            for value in _values(raw[parameter], {})
        }
        for kind, name, value in wanted:
            for part, actions in parts:
                if part.attrib.get(name) == value and (not actions or kind in actions):
                    box = boxes[part]
                    assert min(box.width, box.height) >= TARGET - 0.5, (str(moment), part.attrib, box)


@each_drawn_kit
def test_a_colon_in_french_stands_apart_from_the_word_before(kit: Kit) -> None:
    for moment in a_moment_of_each_kind(kit):
        for viewer in moment.game.viewers:
            told = [
                part.text or ""
                for shape in SHAPES
                for part in elements(picture(moment, viewer, language="fr", shape=shape))
            ]
            assert not [text for text in told if re.search(r"\S[:;!?](\s|$)", text)], moment


@each_drawn_kit
def test_names_of_players_are_text_whatever_they_hold(kit: Kit) -> None:
    players = ("<script>alert(1)</script>", 'a"b&c\x00\x0b', "]]>", "W" * 64)
    for moment in a_moment_of_each_kind(kit):
        parts = elements(picture(moment, 0, players=players))
        assert {part.tag.removeprefix(SVG) for part in parts} <= ALLOWED
        texts = "".join(part.text or "" for part in parts)
        assert "<script>" in texts
        assert 'a"b&c' in texts


# -- what front-ends build on -----------------------------------------------------------------------------------------


@each_drawn_kit
@some_moments
@given(data=st.data())
def test_what_an_action_names_is_found_on_the_board(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    elsewhere = NOT_ON_THE_BOARD.get(kit.ruleset.name, set()) | {"type"}
    shape = data.draw(st.sampled_from(SHAPES))
    for seat in moment.state.to_act:
        named = _named(picture(moment, seat, shape=shape))
        for action in a_sample(moment.legal(seat), 60, random):
            raw = builtins(action)
            for parameter in raw.keys() - elsewhere:
                for value in _values(raw[parameter], named.get(parameter, {})):
                    actions = named.get(parameter, {}).get(value)
                    assert actions, f"{moment}: nothing has data-{parameter}={value!r}, as in {raw}"
                    assert raw["type"] in actions or None in actions, (
                        f"data-{parameter}={value!r} is not for {raw}"
                    )


def _named(svg: str) -> dict[str, dict[str, set[str | None]]]:
    """By parameter and value: the actions that the parts are for, None for any."""
    named: dict[str, dict[str, set[str | None]]] = {}
    for part in elements(svg):
        actions = part.attrib.get("data-actions")
        for name, value in part.attrib.items():
            if name.startswith("data-"):
                said = named.setdefault(name.removeprefix("data-"), {}).setdefault(value, set())
                said.update(actions.split() if actions else [None])
    return named


def _values(value: Any, named: dict[str, set[str | None]]) -> list[str]:
    """A value as an attribute has it; of a list that is no value itself, each item."""
    whole = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if isinstance(value, list) and whole not in named:
        return [item if isinstance(item, str) else msgspec.json.encode(item).decode() for item in value]
    return [whole]


@each_drawn_kit
@each_shape
def test_the_latest_entry_wears_gold(kit: Kit, shape: str) -> None:
    """Whatever an action changes on the table is marked; a step that changes nothing there need not be."""
    marked = {
        situation: any(
            "data-latest" in picture(Moment(m.game, m.index + 1), m.game.steps[m.index].seat, shape=shape)
            for m in moments_of_a_kind[:6]
        )
        for situation, moments_of_a_kind in situations(kit).items()
        if situation != "ended" and situation.split(": ")[1] not in QUIET
    }
    assert all(marked.values()), [situation for situation, gold in marked.items() if not gold]
    start = situations(kit)[next(iter(situations(kit)))][0]
    assert "data-latest" not in picture(start, None, latest=(), shape=shape)


@each_drawn_kit
@each_shape
def test_parts_keep_their_ids_while_a_game_goes_on(kit: Kit, shape: str) -> None:
    """From one entry to the next most of the board stays the same thing."""
    game = next(a_moment_of_each_kind(kit)).game
    shown = [_ids(picture(Moment(game, index), 0, shape=shape)) for index in range(min(40, len(game.steps)))]
    for before, after in pairwise(shown):
        assert len(before & after) > 0.7 * len(before)


def _ids(svg: str) -> set[str]:
    return set(re.findall(r' id="([^"]*)"', svg))


@each_drawn_kit
def test_a_layout_tells_where_things_lie(kit: Kit) -> None:
    for name in kit.ruleset.component_sets:
        layout = board_of(kit.ruleset.name).layout(name)
        assert layout.colours.keys() == THEMES.keys()
        for zone in layout.zones.values():
            assert 0 <= zone.x < zone.x + zone.width <= layout.width
            assert 0 <= zone.y < zone.y + zone.height <= layout.height
        assert msgspec.json.decode(msgspec.json.encode(layout), type=type(layout)) == layout


# -- nothing leaks ----------------------------------------------------------------------------------------------------


@each_drawn_kit
@some_moments
@given(data=st.data())
def test_a_picture_does_not_depend_on_what_its_viewer_may_not_know(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    draw, ruleset = board_of(kit.ruleset.name).draw, kit.ruleset
    shape = data.draw(st.sampled_from(SHAPES))
    for viewer in moment.game.viewers:
        seen = scene(moment, viewer, shape=shape)
        drawn = draw(ruleset.view(moment.state, viewer), seen)
        twin = kit.exchange(moment.state, viewer, random)
        assert draw(ruleset.view(twin, viewer), seen) == drawn, f"viewer {viewer}, {shape}"


@each_drawn_kit
@unhurried
@given(data=st.data())
def test_an_open_state_can_be_drawn_for_anyone(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    shape = data.draw(st.sampled_from(SHAPES))
    for viewer in moment.game.viewers:
        facts = scene(moment, viewer, shape=shape)
        assert board_of(kit.ruleset.name).draw(moment.state, facts)

"""The board of Aton as a picture."""

from typing import Any
from xml.etree.ElementTree import Element, fromstring

from games import RULESETS
from games.chance import Chance
from games.gallery import board_of
from games.kernel import Viewer
from games.pictures import LIGHT, Scene
from tests.rulesets.extents import Extents
from tests.rulesets.story import builtins

RULES = RULESETS.latest("aton")


def table(*lays: int) -> tuple[Any, list[Any]]:
    """A new game in which these seats have laid their cards as they hold them."""
    chance = Chance(bytes(32))
    facts = RULES.new_game(None, 2, chance)
    state = RULES.fold(None, facts)
    for seat in lays:
        raw = {"type": "allocate", "cards": list(state.players[seat].hand)}
        facts = RULES.decide(state, seat, RULES.read_action(raw), chance)
        state = RULES.fold(state, facts)
    return state, facts


def drawn(game: tuple[Any, list[Any]], viewer: Viewer) -> dict[str, Element]:
    """The parts of a picture by their ids."""
    state, facts = game
    latest = [builtins(RULES.redact(fact, viewer)) for fact in facts]
    scene = Scene(viewer, ("Ana", "Bo"), latest, RULES.names["en"])
    root = fromstring(board_of("aton").draw(RULES.view(state, viewer), scene))
    return {part.attrib["id"]: part for part in root.iter() if "id" in part.attrib}


def printed(parts: dict[str, Element], name: str) -> str:
    """Everything that is written on a part, stamps included."""
    texts = []
    for part in parts[name].iter():
        texts.append(part.text or "")
        if "href" in part.attrib:
            texts += [each.text or "" for each in parts[part.attrib["href"].removeprefix("#")].iter()]
    return "".join(texts)


def test_cards_that_lie_face_down_are_seen_by_their_seat_alone() -> None:
    game = table(0)
    cards = game[0].players[0].cartouches
    for number, card in enumerate(cards, start=1):
        assert str(card) in printed(drawn(game, 0), f"cartouche-0-{number}").split("points")[-1]
    hidden = [
        printed(drawn(game, viewer), f"cartouche-0-{number}")
        for viewer in (1, None)
        for number in (1, 2, 3, 4)
    ]
    labels = [RULES.names["en"][f"cartouche_{number}"] for number in (1, 2, 3, 4)] * 2
    assert hidden == [f"Ana, {label}" for label in labels]


def test_the_other_hand_lies_in_a_box_of_its_own() -> None:
    state, _ = table()
    scene = Scene(0, ("Ana", "Bo"), (), RULES.names["en"])
    root = fromstring(board_of("aton").draw(RULES.view(state, 0), scene))
    boxes = {part.attrib.get("id"): box for part, box in Extents(root).boxes.items()}
    assert boxes["hand-1"].bottom < boxes["hand-0"].top
    assert boxes["plate-1"].right < boxes["hand-1"].left


def test_laid_cards_wear_gold() -> None:
    parts = drawn(table(0), 1)
    assert {name for name, part in parts.items() if "data-latest" in part.attrib} == {
        f"cartouche-0-{number}" for number in (1, 2, 3, 4)
    }


def test_lamps_burn_over_the_temples_that_cartouche_3_opens() -> None:
    state, facts = table(0, 1)
    parts = drawn((state, facts), 0)
    for temple in (1, 2, 3, 4):
        burning = [part for part in parts[f"temple-{temple}"].iter() if part.attrib.get("fill") == LIGHT.gold]
        assert len(burning) == sum(player.cartouches[2] >= temple for player in state.players)


def test_every_space_lies_where_the_layout_says() -> None:
    layout, parts = board_of("aton").layout("aton_standard"), drawn(table(), None)
    for space in RULES.component_sets["aton_standard"].box.spaces:
        zone = layout.zones[space.id]
        assert parts[space.id].attrib["transform"] == f"translate({zone.x:g} {zone.y:g})"
        assert parts[space.id].attrib["data-space"] == space.id


def test_the_token_of_ones_own_exchanges_the_hand() -> None:
    parts = drawn(table(), 1)
    assert parts["trade-token-1"].attrib["data-actions"] == "exchange"
    assert "data-actions" not in parts["trade-token-0"].attrib

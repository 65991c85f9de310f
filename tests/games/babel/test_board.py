"""The board of Babel as a picture."""

from typing import Any
from xml.etree.ElementTree import Element, fromstring

from games import RULESETS
from games.babel.board import draw
from games.chance import Chance
from games.kernel import Viewer
from games.pictures import Scene
from tests.rulesets.story import builtins

RULES = RULESETS.latest("babel")
NAMES = RULES.names["en"]


def table(*actions: dict[str, Any]) -> tuple[Any, list[Any]]:
    """A new game after some actions, and the facts of the last."""
    chance = Chance(bytes(32))
    facts = RULES.new_game(None, 2, chance)
    state = RULES.fold(None, facts)
    for raw in actions:
        facts = RULES.decide(state, state.to_act[0], RULES.read_action(raw), chance)
        state = RULES.fold(state, facts)
    return state, facts


def drawn(game: tuple[Any, list[Any]], viewer: Viewer) -> list[Element]:
    state, facts = game
    latest = [builtins(RULES.redact(fact, viewer)) for fact in facts]
    return list(
        fromstring(draw(RULES.view(state, viewer), Scene(viewer, ("Ana", "Bo"), latest, NAMES))).iter()
    )


def having(parts: list[Element], name: str) -> dict[str, str]:
    """The ids of the parts with an attribute, and its value there."""
    return {part.attrib.get("id", ""): part.attrib[name] for part in parts if name in part.attrib}


def first_travel(state: Any) -> dict[str, Any]:
    return {"type": "travel", "site": state.players[0].hand[0]}


def test_a_start_card_names_itself_to_its_owner_alone() -> None:
    game = table()
    assert having(drawn(game, 0), "data-source") == {"start-card-0": "start"}
    assert having(drawn(game, 1), "data-source") == {"start-card-1": "start"}
    assert having(drawn(game, None), "data-source") == {}


def test_the_cards_of_ones_own_hand_can_be_deployed_and_nobody_elses() -> None:
    game = table()
    held = game[0].players[0].hand
    named = having(drawn(game, 0), "data-nation")
    assert sorted(named.values()) == list(held)
    assert all(part.startswith("hand-0-") for part in named)
    assert having(drawn(game, 1), "data-nation").keys().isdisjoint(named)


def test_hidden_cards_have_no_ids() -> None:
    ids = having(drawn(table(), None), "id")
    assert "hand-0" in ids
    assert not [
        each for each in ids if each.startswith(("hand-0-", "hand-1-", "nation-pile-", "temple-pile-"))
    ]


def test_a_pawn_that_has_travelled_is_the_same_pawn_in_gold_elsewhere() -> None:
    before = table()
    after = table(first_travel(before[0]))
    places = [having(drawn(game, 1), "transform")["pawn-0"] for game in (before, after)]
    assert places[0] != places[1]
    assert having(drawn(after, 1), "data-latest").keys() >= {"pawn-0", "discard"}


def test_the_columns_under_ones_pawn_name_runs() -> None:
    state = table()[0]
    first, second, *_ = state.players[0].hand
    game = table({"type": "travel", "site": first}, {"type": "deploy", "nation": second})
    assert having(drawn(game, 0), "data-run") == {f"column-0-{first}-{second}-1": "0"}
    assert having(drawn(game, 1), "data-run") == {}

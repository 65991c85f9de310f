"""The board of Temple of Five as a picture."""

from xml.etree.ElementTree import fromstring

import pytest
from msgspec.structs import replace

from games.chance import Chance
from games.pictures import Scene
from games.temple_of_five import TEMPLE_OF_FIVE
from games.temple_of_five.board import draw
from games.temple_of_five.board.stamps import CELL, SIGNS, stitches
from games.temple_of_five.state import box_of
from tests.games.temple_of_five.tables import given, last_turn, priest_turn
from tests.rulesets.extents import Extents
from tests.rulesets.looking import Picture

TILES = (0, "d09"), (1, "d01"), (2, "d03")
"""Their decorations join each other and those of the border."""
CHAINS = priest_turn(*TILES)


def test_a_thread_joins_the_spaces_of_a_chain_that_share_a_side() -> None:
    square = stitches(((0, 0), (0, 1), (1, 1)))
    assert square == f"M{CELL - 12} {CELL // 2}h24M{CELL + CELL // 2} {CELL - 12}v24"


def test_open_chains_can_be_pointed_at_and_wear_their_length() -> None:
    story = given(CHAINS)
    chains = story.state.players[0].chains
    picture = Picture(story, 0)
    assert chains
    assert picture.named("space") == {f"[{r},{c}]" for chain in chains for r, c in chain.spaces}
    lengths = [int(number) for number in picture.written("lengths-0")]
    assert sorted(lengths) == sorted(chain.length for chain in chains)


def test_a_used_chain_is_closed_and_gilds_its_priest_and_the_space_of_the_card() -> None:
    story = given(CHAINS)
    use = next(action for action in story.legal(0) if action["type"] == "use_chain")
    story.when(0, use)
    picture = Picture(story, 1)
    (row, column), (space, *_) = use["space"], use["card_spaces"]
    assert f"priest-0-{row}-{column}" in picture.latest()
    assert f"{use['target']}-space-{space}" in picture.latest()
    assert f"[{row},{column}]" not in Picture(story, 0).named("space")


def test_slots_are_named_by_who_builds_and_by_nobody_else() -> None:
    story = given({"phase": "build"})
    assert Picture(story, 0).named("slot") == {str(slot) for slot in range(9)}
    assert Picture(story, None).named("slot") == set()
    assert Picture(given(CHAINS), 0).named("slot") == set()


def test_a_promise_in_the_exchange_is_written_for_its_owner_alone() -> None:
    story = given()
    keep, *others = story.state.players[0].hand
    story.when(0, {"type": "exchange", "keep": keep, "left": others})
    assert Picture(story, 0).written(f"tile-{keep}") == ["keep"]
    assert [Picture(story, 0).written(f"tile-{name}") for name in others] == [["to Bruno"]] * 2
    for viewer in (1, None):
        assert f"tile-{keep}" not in Picture(story, viewer).parts


def test_bonus_decorations_of_others_are_numbers() -> None:
    story = given(priest_turn(*TILES, me={"bonus_2": ["b2_red_1", "b2_red_2"]}))
    assert Picture(story, 0).named("bonus") == {"b2_red_1"}
    assert "2" in Picture(story, 0).written("piece-b2_red_1")
    assert Picture(story, 1).named("bonus") == set()
    assert Picture(story, 1).written("bonus-2-0") == ["2"]


def test_a_top_that_lies_face_down_is_blank_to_all() -> None:
    story = given(last_turn("s_red_1", face_up=False))
    for viewer in (0, 1, None):
        assert SIGNS["red"] not in Picture(story, viewer).outlines("special-0")
    shown = given(last_turn("s_red_1"))
    assert SIGNS["red"] in Picture(shown, 1).outlines("special-0")


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("won", [1, 3, 7])
def test_the_cards_that_a_player_has_won_lie_in_the_block_of_that_player(seats: int, won: int) -> None:
    state = TEMPLE_OF_FIVE.fold(None, TEMPLE_OF_FIVE.new_game(None, seats, Chance(bytes(32))))
    cards = tuple(card.id for card in box_of(state).cards)[:won]
    rich = replace(state.players[1], completed=cards)
    players = tuple(rich if seat == 1 else player for seat, player in enumerate(state.players))
    drawn = draw(replace(state, players=players), Scene(0, (), (), TEMPLE_OF_FIVE.names["en"]))
    boxes = {part.attrib.get("id"): box for part, box in Extents(fromstring(drawn)).boxes.items()}
    assert boxes["block-1"].holds(boxes["completed-1"])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_name_of_a_side_of_the_goal_card_is_whole_though_everyone_goes_for_it(
    seats: int, language: str
) -> None:
    opening = TEMPLE_OF_FIVE.new_game({"ultimate_goal": True}, seats, Chance(bytes(32)))
    state = TEMPLE_OF_FIVE.view(TEMPLE_OF_FIVE.fold(None, opening), 0)
    everyone = tuple(replace(player, goal_side="b") for player in state.players)
    names = TEMPLE_OF_FIVE.names[language]
    scene = Scene(0, (), (), names, language)
    drawn = draw(replace(state, players=everyone), scene)
    assert f">{names['a']}<" in drawn
    assert f">{names['b']}<" in drawn

"""The component set as data: the board of the specification (1.1), and sets that no game could be played with."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from games.aton import ATON
from games.aton.box import Box
from games.components import InvalidComponentSet, read_component_set

SOURCE = (files("games.aton") / "components" / "aton_standard.json").read_bytes()
BOX: Box = ATON.component_sets["aton_standard"].box


def test_the_board_has_the_spaces_that_the_specification_counts() -> None:
    rows = {
        temple: Counter(space.colour for space in BOX.spaces if space.temple == temple)
        for temple in (1, 2, 3, 4)
    }
    wide = {"yellow": 4, "green": 4, "black": 2, "blue": 1, "bonus": 1}
    narrow = {"yellow": 3, "green": 3, "black": 3, "blue": 1, "bonus": 2}
    assert rows == {1: wide, 2: wide, 3: narrow, 4: narrow}
    assert sum(space.bonus for space in BOX.spaces) == 8
    assert all((space.bonus > 0) == (space.colour == "bonus") for space in BOX.spaces)
    assert len({(space.x, space.y) for space in BOX.spaces}) == 48


def test_every_figure_says_where_it_comes_from() -> None:
    data = ATON.component_sets["aton_standard"].data
    derived = {"id", "provenance", "cull_pieces", "colours"}
    assert data["provenance"].keys() == data.keys() - derived


def changed(**members: Any) -> bytes:
    return json.dumps({**json.loads(SOURCE), **members}).encode()


@pytest.mark.parametrize(
    ("fault", "source"),
    [
        ("same id", changed(spaces=json.loads(SOURCE)["spaces"] * 2)),
        ("temples 1 to 4", changed(spaces=json.loads(SOURCE)["spaces"][:36])),
        ("some of each", changed(spaces=[{**s, "colour": "black"} for s in json.loads(SOURCE)["spaces"]])),
        ("values 1 to 4", changed(cards_per_value={"1": 9, "2": 9, "3": 9, "5": 9})),
        ("two hands", changed(cards_per_value={"1": 1, "2": 1, "3": 1, "4": 1})),
        ("from each temple", changed(cull_pieces=3)),
        ("pieces_per_player", changed(pieces_per_player=0)),
        ("dead_spaces", changed(dead_spaces=-1)),
        ("winning_score", changed(winning_score=0)),
        ("cards_per_value", changed(cards_per_value={"1": 20, "2": 20, "3": -1, "4": 5})),
        ("scoring", changed(scoring={"temple_2": -5, "temple_4_per_blue": 3, "black": 8})),
        ("unknown field", changed(expansion=True)),
    ],
)
def test_a_set_that_no_game_could_be_played_with_is_refused(fault: str, source: bytes) -> None:
    with pytest.raises(InvalidComponentSet, match=fault):
        read_component_set(source, Box, origin="other.json")

"""No shuffle decides whether a position is sound (4.3)."""

from typing import Any

import pytest

from games.chance import Chance
from games.kernel import InvalidSetup
from games.temple_of_five import TEMPLE_OF_FIVE
from tests.rulesets.story import Story

SEEDS = [bytes([number]) * 32 for number in range(12)]
PRIEST_ON_TWO_BOARDS = {"board_priests": [[0, 3]]}
PIECE_ON_TWO_BOARDS = {"pieces": [{"bonus": "b2_red_1", "level": 0, "spaces": [[0, 4], [0, 5]]}]}
PRIEST_ON_EVERY_BOARD = {"board_priests": [[0, 1]]}


def begins(seed: bytes, player: dict[str, Any]) -> bool:
    """Whether a game can begin from this position."""
    try:
        TEMPLE_OF_FIVE.new_game({}, 2, Chance(seed), {"players": [player, {}]})
    except InvalidSetup:
        return False
    return True


def seeds_that_accept(player: dict[str, Any]) -> int:
    """With how many seeds a game can begin from this position."""
    return sum(begins(seed, player) for seed in SEEDS)


@pytest.mark.parametrize("player", [PRIEST_ON_TWO_BOARDS, PIECE_ON_TWO_BOARDS], ids=["priest", "piece"])
def test_no_seed_decides_whether_a_position_without_boards_is_sound(player: dict[str, Any]) -> None:
    assert seeds_that_accept(player) == 0


@pytest.mark.parametrize(
    "player", [PRIEST_ON_EVERY_BOARD, {**PRIEST_ON_TWO_BOARDS, "board": "board_a"}], ids=["any", "named"]
)
def test_what_fits_every_board_that_may_be_dealt_is_sound(player: dict[str, Any]) -> None:
    assert seeds_that_accept(player) == len(SEEDS)


def test_no_seed_decides_whether_a_choice_fits_its_hand() -> None:
    for seed in SEEDS:
        keep, *left = Story(TEMPLE_OF_FIVE, seed).given(seats=2).state.players[0].hand
        assert seeds_that_accept({"choice": {"keep": keep, "left": left}}) == 0

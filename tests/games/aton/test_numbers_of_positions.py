"""Numbers of a position: play counts on from them, within what the log can hold."""

from typing import Any

import pytest

from games.aton import ATON
from tests.games.aton.positions import given
from tests.rulesets.story import refuses_to_begin

MOST = 10**9
"""The log holds integers up to 2⁵³ − 1, and rounds and rebuilt decks are counted on from a position."""


def in_round(number: int) -> dict[str, Any]:
    return {"round": number}


def after_rebuilding(times: int) -> dict[str, Any]:
    return {"players": [{"rebuilds": times}, {}]}


@pytest.mark.parametrize("position", [in_round, after_rebuilding])
def test_a_position_counts_no_further_than_the_log_can_go_on_counting(position: Any) -> None:
    given(position(MOST))
    for number in (MOST + 1, 2**53 - 1):
        message = refuses_to_begin(ATON, "invalid_position", position(number), seats=2)
        assert str(MOST) in message

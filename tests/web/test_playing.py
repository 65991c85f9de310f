"""Whole games by clicks alone, two windows against each other, while a third one watches."""

import pytest

from tests.system.stele import Stele
from tests.web.games import OPERATOR
from tests.web.tables import Table, nearly_over
from tests.web.windows import OpenWindow

NEARLY_OVER = {
    "aton": ("aton/points_at_scoring.json", 14),
    "babel": ("babel/hand_count_2013.json", 14),
    "sa_re": ("sa_re/round_limit.json", 16),
    "temple_of_five": ("temple_of_five/two_single_colour.json", 16),
}
"""By ruleset: a record, and how many entries before its end windows take over."""


@pytest.mark.parametrize("ruleset", NEARLY_OVER)
def test_two_windows_play_to_the_end_by_clicks_while_a_third_watches(
    ruleset: str, windows: OpenWindow, stele: Stele
) -> None:
    record, before = NEARLY_OVER[ruleset]
    table = Table(stele, nearly_over(stele, OPERATOR, record, before))
    watcher = windows()
    watcher.go(f"#/watch/{table.id}")
    table.join(windows(), "Ana")
    table.join(windows(), "Omar")
    table.play()
    assert table.game()["outcome"]
    assert table.on_board, "nothing was clicked on the board"
    for window in (watcher, *table.windows.values()):
        window.page.locator(".ending h2").wait_for()
        assert window.page.locator(".ending .scores li").count() == 2

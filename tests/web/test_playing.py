"""Whole games by clicks alone, two windows against each other, while a third one watches."""

import pytest

from tests.seeding import rotated
from tests.system.stele import Stele
from tests.web.games import OPERATOR
from tests.web.tables import Table, call, nearly_over
from tests.web.test_lobby import create
from tests.web.windows import OpenWindow

NEARLY_OVER = {
    "aton": ("aton/points_at_scoring.json", 14),
    "babel": ("babel/hand_count_2013.json", 14),
    "sa_re": ("sa_re/round_limit.json", 16),
    "temple_of_five": ("temple_of_five/two_single_colour.json", 16),
}
"""By ruleset: a record, and how many entries before its end windows take over."""


@pytest.mark.parametrize("ruleset", rotated(NEARLY_OVER))
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


@pytest.mark.parametrize("ruleset", rotated([*NEARLY_OVER][::-1]))
def test_a_phone_plays_against_a_bot_to_the_end_by_touch(
    ruleset: str, windows: OpenWindow, stele: Stele
) -> None:
    record, before = NEARLY_OVER[ruleset]
    table = Table(stele, nearly_over(stele, OPERATOR, record, before))
    window = windows(width=360, height=740, has_touch=True)
    table.join(window, "Ana")
    window.page.locator(".chairs [data-bot=greedy]").click()
    table.play()
    window.page.locator(".ending h2").wait_for()


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("ruleset", NEARLY_OVER)
def test_two_windows_play_a_whole_game_from_its_start(
    ruleset: str, windows: OpenWindow, stele: Stele
) -> None:
    options = {"max_rounds": 6} if ruleset == "sa_re" else {}
    game = call(stele, "POST", "/v1/games", json={"ruleset": ruleset, "options": options})
    table = Table(stele, game["id"])
    watcher = windows(width=390, height=844)
    watcher.go(f"#/watch/{table.id}")
    table.join(windows(), "Ana")
    table.join(windows(lang="fr", theme="dark"), "Omar")
    table.play(most=2000)
    watcher.page.locator(".ending h2").wait_for()


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("ruleset", NEARLY_OVER)
def test_a_phone_plays_a_whole_game_against_a_bot_by_touch(
    ruleset: str, windows: OpenWindow, stele: Stele
) -> None:
    window = windows(width=390, height=844, has_touch=True)
    table = Table(stele, create(window, ruleset, "Ana", seat_1="greedy"))
    table.windows[0] = window
    table.play(most=2000)
    window.page.locator(".ending h2").wait_for()

"""The end of a game: who won and why, the score sheet line by line, a rematch, a link to share."""

import pytest
from playwright.sync_api import expect

from tests.seeding import rotated
from tests.system.stele import Stele
from tests.web.games import bring_in
from tests.web.tables import call, tokens
from tests.web.test_others_moves import start
from tests.web.windows import OpenWindow

SHEETS = {
    "aton/temple_filled": "Round 3",
    "babel/hand_count_2013": "Turn 2",
    "temple_of_five/two_single_colour": "Completed cards",
}
"""By golden game: a line of its score sheet."""


@pytest.mark.parametrize("name", rotated(SHEETS))
def test_the_score_sheet_adds_up_line_by_line(windows: OpenWindow, stele: Stele, name: str) -> None:
    game = bring_in(stele, name)
    window = windows()
    window.go(f"#/games/{game['id']}")
    sheet = window.page.locator("#score-sheet")
    expect(sheet).to_contain_text(SHEETS[name])
    rows = sheet.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('.n')].map((each) => Number(each.textContent)))"
    )
    *lines, total = rows
    assert [sum(points) for points in zip(*lines, strict=True)] == total == game["outcome"]["scores"]
    expect(window.page.locator(".ending .how")).not_to_be_empty()
    window.check_accessible()


def test_after_giving_up_both_play_a_rematch(windows: OpenWindow, stele: Stele) -> None:
    window, other = windows(), windows()
    game, held = start(window, stele, "babel", seed=None)
    seat = {"1": {"token": held[1], "name": "Omar"}}
    other.hold({game: {"seats": seat, "ruleset": "babel", "since": "2026-01-01"}})
    other.go(f"#/games/{game}")
    other.page.locator(".pane svg").wait_for()
    window.page.locator("details.menu summary").click()
    for _ in range(2):
        window.page.locator("#resign").click()
    expect(window.page.locator(".ending h2")).to_have_text("You lose this one")
    expect(window.page.locator(".ending .how")).to_have_text("You gave up.")
    expect(other.page.locator(".ending .how")).to_have_text("Ana gave up.")
    expect(other.page.locator(".ending .scores")).to_have_text("Omar" + "won" + "Ana" + "gave up")
    assert f"/g/{game}" in other.page.locator(".ending .link input").input_value()
    window.page.locator("#rematch").click()
    expect(window.page.locator(".waiting")).to_be_visible()
    expect(other.page.locator(".rematch")).to_contain_text("Ana would like a rematch.")
    other.page.locator("#rematch").click()
    for each in (window, other):
        each.page.locator(".table .pane svg").wait_for()
    assert window.place == other.place != f"#/games/{game}"
    again = call(stele, "GET", f"/v1/games/{window.place.removeprefix('#/games/')}")
    assert [each["name"] for each in again["seats"]] == ["Omar", "Ana"]
    assert again["fairness"] == "sealed"
    assert tokens(window, again["id"]).keys() == {1}

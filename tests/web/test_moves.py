"""Choosing a move on the board: it is shown before it is sent, changed freely, and taken back by Escape; and phones."""

import pytest
from playwright.sync_api import expect

from games import RULESETS
from tests.system.stele import Stele
from tests.web.games import OPERATOR
from tests.web.tables import call
from tests.web.windows import OpenWindow, Window

NAMES = sorted({ruleset.name for ruleset in RULESETS})


SMALL = """(least) => [...document.querySelectorAll(".turn button, .bar button, .bar summary, [data-page-lit]")]
  .map((each) => [each.getBoundingClientRect(), each.matches("[data-page-lit]") ? least : 44, each.id || each.textContent])
  .filter(([{width, height}, fits]) => width && Math.min(width, height) < fits - 0.5)
  .map(([{width, height}, , name]) => [name, width, height])"""
"""Buttons and lit parts that are smaller than a fingertip; a part of the board may be as much smaller as the window is, for
taps within a fingertip of it count."""


def take_seat(window: Window, stele: Stele, ruleset: str) -> str:
    """Let a window hold the first seat of a game, which is always dealt the same and signs nothing; the game's id."""
    body = {"ruleset": ruleset, "players": [{"name": "Ana"}, {"name": "Omar"}], "seed": "07" * 32}
    game = call(stele, "POST", "/v1/games", OPERATOR, json=body)
    seats = {"0": {"token": game["seats"][0]["token"], "name": "Ana"}}
    window.hold({game["id"]: {"seats": seats, "ruleset": ruleset, "since": "2026-01-01"}})
    window.go(f"#/games/{game['id']}")
    window.page.locator(".pane svg [data-page-lit]").first.wait_for()
    return str(game["id"])


def test_cards_lie_in_the_cartouches_before_they_are_sent_and_escape_takes_them_back(
    windows: OpenWindow, stele: Stele
) -> None:
    window = windows()
    page = window.page
    take_seat(window, stele, "aton")
    expect(page.locator(".ghost")).to_have_count(0)
    page.locator(".options [data-value=allocate]").click()
    while page.locator("#confirm").count() == 0:
        before = page.locator(".chooser").inner_html()
        page.locator(".options button").first.click()
        assert page.locator(".chooser").inner_html() != before
    expect(page.locator(".ghost")).to_have_count(4)
    expect(page.locator("#will")).not_to_be_empty()
    while page.locator("#back").count():
        page.keyboard.press("Escape")
    expect(page.locator("#will")).to_have_count(0)
    expect(page.locator(".ghost")).to_have_count(0)


def test_another_lit_target_takes_the_place_of_the_chosen_one(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    take_seat(window, stele, "babel")
    sites = page.locator(".options [data-param=site]").evaluate_all(
        "(each) => each.map((one) => one.dataset.value)"
    )
    first, second, *_ = sites
    page.locator(f".options [data-value={first}]").click()
    page.locator("#confirm").wait_for()
    chosen = page.locator("#will").inner_text()
    page.locator(f"[data-page-lit][data-site={second}]").first.click(force=True)
    expect(page.locator("#will")).not_to_have_text(chosen)
    version = page.locator(".table").get_attribute("data-version")
    page.locator(".pane").focus()
    page.keyboard.press("Enter")
    page.locator(f".table:not([data-version='{version}'])").wait_for(state="attached")


def test_the_menu_closes_on_escape_and_on_a_click_outside(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    page = window.page
    take_seat(window, stele, "babel")
    menu = page.locator("details.menu")
    menu.locator("summary").click()
    expect(page.locator("#resign")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#resign")).to_be_hidden()
    menu.locator("summary").click()
    page.locator("h1").first.click()
    expect(page.locator("#resign")).to_be_hidden()


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844)])
def test_on_a_phone_nothing_scrolls_sideways_and_fingers_hit_what_they_aim_at(
    windows: OpenWindow, stele: Stele, ruleset: str, width: int, height: int
) -> None:
    window = windows(width=width, height=height, has_touch=True)
    take_seat(window, stele, ruleset)
    for element in ("document.documentElement", "document.querySelector('.pane')"):
        assert window.page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), element
    window.page.locator("details.menu summary").tap()
    small = window.page.evaluate(SMALL, 44 * min(1, width / 388))
    assert not small, small


def test_the_end_says_who_won_and_that_giving_up_is_no_score(windows: OpenWindow, stele: Stele) -> None:
    window = windows()
    take_seat(window, stele, "babel")
    window.page.locator("details.menu summary").click()
    window.page.locator("#resign").click()
    window.page.locator("#resign").click()
    ending = window.page.locator(".ending")
    expect(ending.locator("h2")).to_have_text("You lose this one")
    expect(ending.locator("li").filter(has_text="Ana")).to_contain_text("gave up")

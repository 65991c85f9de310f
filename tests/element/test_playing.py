"""Whole games in a page of another origin, through `<stele-board>`: by clicks and by the keyboard."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.element.conftest import OpenPage
from tests.element.site import Site
from tests.seeding import rotated
from tests.system.stele import Stele
from tests.web.clicks import Clicks, Keys
from tests.web.games import OPERATOR
from tests.web.tables import Table, call, nearly_over
from tests.web.test_playing import NEARLY_OVER

EXAMPLES = Path(__file__).parents[2] / "examples/element"
MOST = 2000
"""Moves of a game."""


def against_a_bot(stele: Stele, ruleset: str, *, whole: bool) -> tuple[str, str]:
    """A game of one person and a bot, from its start or near its end; its id and the person's token."""
    if whole:
        options = {"max_rounds": 6} if ruleset == "sa_re" else {}
        body = {"ruleset": ruleset, "options": options, "players": [{"name": "Ana"}, {"bot": "greedy"}]}
        game = call(stele, "POST", "/v1/games", json=body)
        return game["id"], game["seats"][0]["token"]
    record, before = NEARLY_OVER[ruleset]
    id_ = nearly_over(stele, OPERATOR, record, before)
    seat = call(stele, "POST", f"/v1/games/{id_}/seats", json={"name": "Ana"})
    call(stele, "POST", f"/v1/games/{id_}/seats", seat["token"], json={"bot": "greedy"})
    return id_, seat["token"]


def open_with(page: Page, site: Site, stele: Stele, game: str, token: str) -> None:
    """Open the example with a seat that its origin holds already."""
    held = json.dumps(json.dumps({"game": game, "token": token}))
    page.add_init_script(f"sessionStorage.setItem('seat', {held})")
    page.goto(f"{site.origin}/#server={stele.url}")


def play(page: Page, stele: Stele, game: str, token: str, how: type[Clicks]) -> Table:
    """Play on until the game is over, as well as a bot would."""
    table = Table(stele, game)
    for _ in range(MOST):
        view = table.game(token)
        if view["status"] in ("ended", "aborted"):
            return table
        if view["to_act"] != [view["you"]]:  # what the bot does meanwhile may change what can be chosen
            page.wait_for_timeout(30)
            continue
        page.locator(f".stele-frame[data-version='{view['version']}']").wait_for(state="attached")
        action = table.chosen(view, view["you"])
        table.on_board += how(page, action, table.kinds[action["type"]], ".stele-frame").play()
    raise AssertionError(f"the game is not over after {MOST} moves")


def check_over(page: Page, table: Table) -> None:
    assert table.game()["outcome"]
    expect(page.locator("#news")).to_have_text("Over: ended.")
    expect(page.locator("stele-board [part=ending] li")).to_have_count(2)
    told: Any = page.evaluate("document.documentElement.outerHTML + location.href")
    assert "token" not in told


@pytest.mark.parametrize("ruleset", rotated(NEARLY_OVER))
def test_a_page_of_another_origin_plays_to_the_end_by_clicks(
    ruleset: str, pages: OpenPage, site: Site, stele: Stele
) -> None:
    site.put(EXAMPLES / "plain")
    page = pages()
    game, token = against_a_bot(stele, ruleset, whole=False)
    open_with(page, site, stele, game, token)
    table = play(page, stele, game, token, Clicks)
    assert table.on_board, "nothing was clicked on the board"
    check_over(page, table)


@pytest.mark.parametrize("ruleset", rotated([*NEARLY_OVER][::-1]))
def test_a_page_of_another_origin_plays_to_the_end_by_the_keyboard(
    ruleset: str, pages: OpenPage, site: Site, stele: Stele
) -> None:
    site.put(EXAMPLES / "plain")
    page = pages(width=390, height=844)
    game, token = against_a_bot(stele, ruleset, whole=False)
    open_with(page, site, stele, game, token)
    check_over(page, play(page, stele, game, token, Keys))


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("how", [Clicks, Keys])
@pytest.mark.parametrize("ruleset", NEARLY_OVER)
def test_a_page_of_another_origin_plays_a_whole_game(
    ruleset: str, how: type[Clicks], pages: OpenPage, site: Site, stele: Stele
) -> None:
    site.put(EXAMPLES / "plain")
    page = pages()
    game, token = against_a_bot(stele, ruleset, whole=True)
    open_with(page, site, stele, game, token)
    check_over(page, play(page, stele, game, token, how))

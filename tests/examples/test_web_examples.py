"""The examples without Python: a page on another origin, and a session of curl."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.chromium import serving
from tests.system.stele import Stele, stele_up
from tests.web.windows import running_chromium

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 90_000
GAME = re.compile(r"[^?]*/v1/games/[0-9a-z-]+")


def pick(page: Page) -> None:
    """Take something that is lit; or an action by its name, where the board has no place for it."""
    lit = page.locator("#board [data-lit]")
    if lit.count():
        lit.first.dispatch_event("click")
    else:
        page.locator("#choices button").first.click()


def version_of(page: Page) -> int:
    """How far the game of the page has come."""
    asked = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    (game,) = {found[0] for address in asked if (found := GAME.match(address))}
    version: int = httpx.get(game, timeout=PATIENCE / 1000).json()["version"]
    return version


def test_a_page_on_another_origin_shows_the_board_and_plays() -> None:
    files = {"/page.html": (EXAMPLES / "page.html").read_bytes()}
    with (
        serving(files, Queue()) as origin,
        stele_up(STELE_CORS_ORIGINS=origin) as server,
        running_chromium() as browser,
    ):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(f"{origin}/page.html#server={server.url}&ruleset=babel")
        expect(page.locator("#status")).to_have_text("Your turn.")
        assert page.locator("#board svg title").first.text_content()
        began = version_of(page)
        for _ in range(8):
            expect(page.locator("#status")).to_have_text("Your turn.", timeout=PATIENCE)
            expect(page.locator("#choices button").first).to_be_visible()
            pick(page)
            page.wait_for_timeout(300)
        assert version_of(page) > began + 2
        assert not complaints


@pytest.fixture(scope="module")
def reserved() -> Iterator[Stele]:
    """A server that lets the pages of one other origin in."""
    with stele_up(STELE_CORS_ORIGINS="http://elsewhere.example") as server:
        yield server


def test_a_page_of_an_origin_that_is_not_allowed_cannot_play(reserved: Stele) -> None:
    files = {"/page.html": (EXAMPLES / "page.html").read_bytes()}
    with serving(files, Queue()) as origin, running_chromium() as browser:
        page = browser.new_page()
        with page.expect_event("pageerror", timeout=PATIENCE):
            page.goto(f"{origin}/page.html#server={reserved.url}")
        expect(page.locator("#status")).to_have_text("Connecting …")


def test_the_session_of_curl_goes_from_the_first_game_to_its_audit(reserved: Stele) -> None:
    done = subprocess.run(
        [EXAMPLES / "session.sh", reserved.url], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "idempotent-replayed: true" in done.stdout.lower()
    assert '"code":"not_your_turn"' in done.stdout
    assert "304" in done.stdout
    assert '"verdict":"pass"' in done.stdout

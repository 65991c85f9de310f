"""The examples without Python: a page on another origin, and a session of curl."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest
from playwright.sync_api import expect

from tests.chromium import serving
from tests.seeding import SEED, rotated
from tests.system.stele import Stele, stele_up
from tests.system.test_every_game import SHORT
from tests.web.windows import running_chromium

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 90_000


RULESETS = ["babel", "aton", "temple_of_five", "sa_re"]
PLAY_ON = """async (seed) => {
  const board = document.getElementById("board"), status = document.getElementById("status");
  const random = () => ((seed = (seed * 48271) % 2147483647), seed / 2147483647);
  const one = (list) => list[Math.floor(random() * list.length)];
  const until = async (condition) => { while (!condition()) await new Promise((done) => setTimeout(done, 5)); };
  let onBoard = 0, inWords = 0;
  for (;;) {
    await until(() => status.textContent === "Your turn." || status.textContent.startsWith("Over:"));
    if (status.textContent.startsWith("Over:")) return { onBoard, inWords };
    const lit = [...board.querySelectorAll("[data-lit]")];
    if (lit.length && random() < 0.9) { one(lit).dispatchEvent(new MouseEvent("click", { bubbles: true })); onBoard++; }
    else { one([...document.querySelectorAll("#choices button")].slice(0, 12)).click(); inWords++; }
  }
}"""
"""Plays to the end: by what is lit, now and then by the words beside the board."""


@pytest.mark.parametrize("ruleset", rotated(RULESETS))
def test_a_page_on_another_origin_plays_every_game_to_its_end_by_clicks(ruleset: str) -> None:
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
        page.on("dialog", lambda dialog: dialog.dismiss())
        options = json.dumps(SHORT.get(ruleset) or {})
        page.goto(f"{origin}/page.html#server={server.url}&ruleset={ruleset}&options={options}")
        expect(page.locator("#status")).not_to_have_text("Connecting …")
        clicks = page.evaluate(PLAY_ON, SEED + 1)
        assert clicks["onBoard"] > 10
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

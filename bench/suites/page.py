"""The page in a real browser while the server is busy: how soon a click is answered, and what a first visit weighs."""

import statistics
import time
from typing import Any

from bench.figures import Figure
from bench.loading import loader
from bench.node import CannotMeasure
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import Stele, stele
from services.api.page import ELEMENT, site
from tests.node import CannotFetch
from tests.node.__main__ import main as bring_browser
from tests.web.clicks import Clicks, kinds_of
from tests.web.windows import Window, running_chromium, window_of

EVERY_MS = 50
"""Between two actions in a game of those that keep the server busy."""
SLOWEST, HEAVIEST, HEAVIEST_ELEMENT = 100.0, 150.0, 40.0
STOPWATCH = """() => {
  window.answered = [];
  addEventListener("click", () => {
    const began = performance.now();
    const painted = () => setTimeout(() => window.answered.push(performance.now() - began));
    const watching = new MutationObserver(() => {
      watching.disconnect();
      requestAnimationFrame(painted);
    });
    watching.observe(document.getElementById("main"), {subtree: true, childList: true, attributes: true});
  }, true);
}"""
"""Notes, of each click, the milliseconds until what it changes in the page is painted."""


class Player:
    """Someone who plays Babel against a bot, in a window."""

    def __init__(self, server: Stele, window: Window) -> None:
        self._server, self._window = server, window
        self._kinds = kinds_of(server.call("GET", "/v1/rulesets/babel"))
        self._sit_down()
        window.page.evaluate(STOPWATCH)

    def _sit_down(self) -> None:
        """To a new game."""
        body = {"ruleset": "babel", "players": [{"name": "Ann"}, {"bot": "greedy"}]}
        game = self._server.call("POST", "/v1/games", body)
        self._path = f"/v1/games/{game['id']}"
        self._token = game["seats"][0]["token"]
        seats = {"0": {"token": self._token, "name": "Ann"}}
        self._window.hold({game["id"]: {"seats": seats, "ruleset": "babel", "since": "2026-01-01"}})
        self._window.go(f"#/games/{game['id']}")
        self._window.page.locator(".pane svg").wait_for()

    def act(self) -> bool:
        """One move by clicks, if it is this player's turn; in a new game where one is over."""
        game = self._server.call("GET", f"{self._path}?include=actions", token=self._token)
        if game["status"] != "playing":
            self._sit_down()
            return False
        if not game["actions"]:
            return False
        action = game["actions"][0]
        Clicks(self._window.page, action, self._kinds[action["type"]]).play()
        return True

    def answers(self) -> list[float]:
        """How long each click since the last time took to be answered."""
        return list(self._window.page.evaluate("window.answered.splice(0)"))


def run(run: Run) -> list[Figure]:
    try:
        bring_browser()
    except CannotFetch as problem:
        raise CannotMeasure(str(problem)) from None
    slowest: list[float] = []
    usual: list[float] = []
    scale = run.scale
    with stele() as server, running_chromium() as browser, scripts(scale.players) as file:
        weight = first_visit(browser, server)
        for _ in run.rounds():
            with window_of(browser, server.port) as window:
                job = busy(run, server, str(file))
                answers = clicked(server, window, job, scale.watched_seconds)
                slowest.append(answers[len(answers) * 95 // 100])
                usual.append(statistics.median(answers))
    return [
        Figure("page: a click is answered, p95, server busy", slowest, "ms", (), SLOWEST, "≤"),
        Figure("page: a click is answered, median, server busy", usual, "ms", (), SLOWEST, "≤"),
        Figure("page: a first visit weighs", [weight], "kB", (), HEAVIEST, "≤"),
        Figure("element: its file weighs", [element_weight()], "kB", (), HEAVIEST_ELEMENT, "≤"),
    ]


def first_visit(browser: Any, server: Stele) -> float:
    """Everything that comes over the wire until the lobby stands."""
    with window_of(browser, server.port) as window:
        window.go()
        window.page.locator("h1").first.wait_for()
        window.page.wait_for_load_state("networkidle")
        return len(window.wire.heard) / 1000


def element_weight() -> float:
    """What another page loads of `<stele-board>`, compressed."""
    return len(site().files[ELEMENT].gzipped) / 1000


def busy(run: Run, server: Stele, file: str) -> dict[str, Any]:
    """What keeps the server busy meanwhile."""
    scale = run.scale
    return {
        "seconds": scale.watched_seconds,
        "warm": scale.warm,
        "every": EVERY_MS,
        "players": scale.players,
        "games": 4 * scale.players,
        "per_game": 10_000,
        "scripts": file,
        "token": server.token,
    }


def clicked(server: Stele, window: Window, job: dict[str, Any], seconds: float) -> list[float]:
    """Milliseconds until each click was answered, in order of length."""
    player = Player(server, window)
    answers: list[float] = []
    with loader(server, "stele", "acting", **job) as others:
        others.begin()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not player.act():
                time.sleep(0.02)
            answers += player.answers()
        others.result()
    if not answers:
        raise CannotMeasure("not one click was made: the time is too short")
    return sorted(answers)

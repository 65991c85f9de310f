"""Tables at which windows play: who sits where, what a good player would do, and games that are nearly over."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from games import RULESETS
from games.chance import Stream
from tests.servers import wait_until
from tests.system.stele import Stele
from tests.web.clicks import Clicks, kinds_of
from tests.web.windows import Window

GOLDEN = Path(__file__).parents[1] / "golden"


def call(stele: Stele, method: str, path: str, token: str | None = None, **how: Any) -> Any:
    """One request to the server, beside the windows."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = stele.http.request(method, stele.url + path, headers=headers, **how)
    assert answer.is_success, answer.text
    return answer.json()


def nearly_over(stele: Stele, operator: str, record: str, before: int) -> str:
    """A game with free seats that goes on from so many entries before the end of a golden record."""
    content = (GOLDEN / record).read_bytes()
    parent = json.loads(content)
    headers = {"Authorization": f"Bearer {operator}", "Content-Type": "application/json"}
    answer = stele.http.post(f"{stele.url}/v1/records?import=true", content=content, headers=headers)
    assert answer.is_success or answer.json()["code"] == "game_exists", answer.text
    last = len(parent["entries"])
    path = f"/v1/games/{parent['game']}/forks"
    return str(call(stele, "POST", path, operator, json={"version": last - before})["id"])


NOTHING_SIDEWAYS = """scrollX === 0 && [document.documentElement, ...document.querySelectorAll(".pane")]
  .every(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)"""


class Table:
    """A game and the windows that play it, by seat."""

    def __init__(self, stele: Stele, id_: str) -> None:
        self.stele = stele
        self.id = id_
        self.windows: dict[int, Window] = {}
        game = self.game()
        self.rules = RULESETS.get(game["ruleset"], game["ruleset_version"])
        self.kinds = kinds_of(call(stele, "GET", f"/v1/rulesets/{game['ruleset']}"))
        self.on_board = 0
        self.moves = 0

    def game(self, token: str | None = None) -> Any:
        return call(self.stele, "GET", f"/v1/games/{self.id}", token)

    def join(self, window: Window, name: str) -> int:
        """Sit down by the link of an invitation."""
        window.go(f"#/join/{self.id}")
        window.page.locator("#name").fill(name)
        window.page.locator("#sit").click()
        window.page.locator(".table").wait_for()
        (seat,) = tokens(window, self.id)
        self.windows[seat] = window
        return seat

    def play(self, most: int = 400) -> None:
        """Play on by clicks until the game is over, as well as a bot would."""
        for _ in range(most):
            game = self.game()
            if game["status"] in ("ended", "aborted"):
                return
            seat = next((seat for seat in game["to_act"] if seat in self.windows), None)
            if seat is None:
                next(iter(self.windows.values())).page.wait_for_timeout(50)
            else:
                self.move(seat)
        raise AssertionError(f"the game is not over after {most} moves")

    def chosen(self, view: Any, seat: int) -> dict[str, Any]:
        """What a bot would do in this seat, which sees the game so."""
        state = self.rules.read_state(view["view"])
        dice = Stream(b"clicks", f"{self.id}/{view['version']}")
        action: dict[str, Any] = msgspec.to_builtins(self.rules.bot("greedy").choose(state, seat, dice))
        return action

    def move(self, seat: int) -> Mapping[str, Any]:
        """Do what a bot would do in this seat, by clicks."""
        window = self.windows[seat]
        view = self.shown_to(seat)
        action = self.chosen(view, seat)
        self.on_board += Clicks(window.page, action, self.kinds[action["type"]]).play()
        self.moves += 1
        assert window.page.evaluate(NOTHING_SIDEWAYS), f"{action} made the page wider than its window"
        return action

    def shown_to(self, seat: int) -> Any:
        """What this seat sees, once its window shows it: others may act meanwhile, and another version is shown."""
        window = self.windows[seat]
        token = tokens(window, self.id)[seat]
        view: Any = None

        def is_shown() -> bool:
            nonlocal view
            view = self.game(token)
            return window.page.locator(".table").get_attribute("data-version") == str(view["version"])

        wait_until(is_shown, "the window to show what its seat sees")
        return view


def tokens(window: Window, game: str) -> dict[int, str]:
    """The tokens that a window holds for a game, by seat."""
    held = json.loads(window.page.evaluate("localStorage.getItem('stele.games')"))
    return {int(seat): each["token"] for seat, each in held[game]["seats"].items()}

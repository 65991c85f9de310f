"""Takes pictures of the page in a real browser: part of `make pictures`. Its games are bots', dealt from one seed."""

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image
from playwright.sync_api import Browser
from rich.progress import track

from games import RULESETS
from games.chance import Stream
from tests.system.stele import Stele, stele_up
from tests.web.games import OPERATOR, bring_in
from tests.web.windows import Window, running_chromium, window_of

SEED = "07" * 32
MADE = 900_000
"""Milliseconds within which a review is made."""
NAMES = ("Ana", "Bruno", "Chloé", "Dimitri")
WIDE, PHONE = (1400, 900), (390, 844)
REPLAYED = "temple_of_five/three_effect_and_goals"
REVIEWED = "babel/hand_count_2013"
SETTLED = ("babel/fifteen_to_nine_2013", "aton/temple_filled")


class Table:
    """A game that goes on to a moment worth a picture."""

    def __init__(self, stele: Stele, ruleset: str, seats: int, moves: int) -> None:
        self.stele = stele
        players = [{"name": name} for name in NAMES[:seats]]
        self.game = self._call("POST", "", OPERATOR, {"ruleset": ruleset, "players": players, "seed": SEED})
        self.id: str = self.game["id"]
        self.tokens = [seat["token"] for seat in self.game["seats"]]
        while self._call("GET", f"/{self.id}")["version"] < moves or not self._is_first_to_act():
            self._move()

    def _call(self, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"{self.stele.url}/v1/games{path}"
        return self.stele.http.request(method, url, headers=headers, json=body).raise_for_status().json()

    def _is_first_to_act(self) -> bool:
        return 0 in self._call("GET", f"/{self.id}")["to_act"]

    def _move(self) -> None:
        """Whoever is to act does what a bot would do."""
        seat = self._call("GET", f"/{self.id}")["to_act"][0]
        seen = self._call("GET", f"/{self.id}", self.tokens[seat])
        rules = RULESETS.latest(self.game["ruleset"])
        dice = Stream(b"pictures", str(seen["version"]))
        action = rules.bot("greedy").choose(rules.read_state(seen["view"]), seat, dice)
        self._call("POST", f"/{self.id}/actions", self.tokens[seat], msgspec.to_builtins(action))

    def shown_to_ana(self, window: Window) -> None:
        seats = {"0": {"token": self.tokens[0], "name": "Ana"}}
        window.hold({self.id: {"seats": seats, "ruleset": self.game["ruleset"], "since": "2026-01-01"}})
        window.go(f"#/games/{self.id}")
        window.page.locator(".pane svg [data-page-lit]").first.wait_for()


def lobby(stele: Stele, window: Window) -> None:
    for ruleset, name, seats in (
        ("aton", "Bruno", 2),
        ("sa_re", "Chloé", 3),
        ("temple_of_five", "Dimitri", 4),
    ):
        body = {"ruleset": ruleset, "seats": seats, "players": [{"name": name}]}
        stele.http.post(f"{stele.url}/v1/games", json=body).raise_for_status()
    window.page.wait_for_timeout(2500)  # until a worker has brought the lobby up to date
    window.go("#/")
    window.page.locator("h1").first.wait_for()


def replay(stele: Stele, window: Window) -> None:
    game = bring_in(stele, REPLAYED)
    window.go(f"#/games/{game['id']}/replay?at={round(game['version'] * 0.6)}")
    window.page.locator(".pane svg").wait_for()
    window.page.locator(f'.log [data-version="{game["version"]}"]').wait_for(state="attached")


def review(stele: Stele, window: Window) -> None:
    """A replay with its review, at the move that cost most; making it takes a minute or two."""
    game = bring_in(stele, REVIEWED)
    path = f"{stele.url}/v1/games/{game['id']}/review"
    stele.http.post(path, headers={"Authorization": f"Bearer {OPERATOR}"}).raise_for_status()
    window.go(f"#/games/{game['id']}/replay?review=1")
    window.page.locator(".curve").wait_for(timeout=MADE)
    found = stele.http.get(path).json()["turning_points"]
    dearest = max(found, key=lambda point: int(point["lost"]))
    window.page.locator(f'.turning-points [data-version="{dearest["version"]}"] button').click()
    window.page.evaluate("scrollTo(0, 0)")


def audit(stele: Stele, window: Window) -> None:
    window.go(f"#/games/{bring_in(stele, SETTLED[0])['id']}/audit")
    window.page.locator(".banner").wait_for()


def main(folder: Path) -> None:
    """Each view once, wide or as on a phone, by day or by night."""
    with stele_up(STELE_OPERATOR_TOKENS=OPERATOR) as stele, running_chromium() as browser:
        for name in SETTLED:
            bring_in(stele, name)
        babel, aton = Table(stele, "babel", 2, 60), Table(stele, "aton", 2, 60)
        shots: dict[str, tuple[tuple[int, int], str, Callable[[Window], None]]] = {
            "page-lobby": (WIDE, "light", lambda window: lobby(stele, window)),
            "page-game": (WIDE, "light", babel.shown_to_ana),
            "page-game-dark": (WIDE, "dark", babel.shown_to_ana),
            "page-game-phone": (PHONE, "light", aton.shown_to_ana),
            "page-replay": (WIDE, "dark", lambda window: replay(stele, window)),
            "page-review": (WIDE, "light", lambda window: review(stele, window)),
            "page-audit": (WIDE, "light", lambda window: audit(stele, window)),
        }
        for name, (size, theme, show) in track(shots.items(), "Looking"):
            take(browser, stele, folder / f"{name}.png", size, theme, show)


def take(
    browser: Browser,
    stele: Stele,
    path: Path,
    size: tuple[int, int],
    theme: Any,
    show: Callable[[Window], None],
) -> None:
    width, height = size
    with window_of(browser, stele.port, width=width, height=height, theme=theme) as window:
        show(window)
        window.page.wait_for_timeout(500)
        image = Image.open(BytesIO(window.page.screenshot())).convert("RGB")
        image = image.quantize(256, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
        image.save(path, optimize=True)
        window.check_sound()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

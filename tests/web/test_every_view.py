"""What holds of every view: nothing serious for axe-core by day and by night, wide and on a phone; and a light first visit."""

from typing import Any

import pytest

from tests.seeding import rotated
from tests.system.stele import Player, Stele, sit_down
from tests.web.games import bring_in
from tests.web.windows import OpenWindow, Theme

LIGHTEST = 150_000
"""Bytes that a first visit may weigh."""
SETTLED = "aton/temple_filled"
SIZES = {"wide": (1400, 900), "tablet": (1000, 700), "phone": (390, 844)}
LOOKS: list[tuple[str, Theme]] = [
    ("wide", "light"),
    ("wide", "dark"),
    ("tablet", "light"),
    ("phone", "light"),
    ("phone", "dark"),
]


@pytest.fixture(scope="module")
def table(stele: Stele) -> list[Player]:
    """A game in its middle."""
    players = sit_down(stele, "babel")
    for _ in range(12):
        seat = players[0].look()["to_act"][0]
        assert players[seat].act(players[seat].legal()[0]).status_code == 201
    return players


def views(stele: Stele, table: list[Player]) -> dict[str, str]:
    """Every view, and what shows that it is there."""
    game, settled = table[0].look()["id"], bring_in(stele, SETTLED)["id"]
    body = {"ruleset": "babel", "seats": 2}
    waiting = stele.http.post(f"{stele.url}/v1/games", json=body).raise_for_status().json()["id"]
    return {
        "#/": "h1",
        "#/create": "form button",
        f"#/join/{waiting}": "form button",
        f"#/games/{game}": ".pane svg",
        f"#/watch/{game}": ".pane svg",
        f"#/games/{settled}": ".pane svg",
        f"#/games/{settled}/replay?at=20": ".pane svg",
        f"#/games/{settled}/audit": ".banner",
        "#/audit": "#record-file",
        "#/nowhere": ".notice",
    }


@pytest.mark.parametrize("look", rotated(LOOKS, most=3))
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_window(
    stele: Stele, windows: OpenWindow, table: list[Player], look: tuple[str, Theme]
) -> None:
    size, theme = look
    width, height = SIZES[size]
    window = windows(theme=theme, width=width, height=height, lang="fr" if theme == "dark" else "en")
    game, token = table[0].look(), table[0].headers["Authorization"].removeprefix("Bearer ")
    seats: Any = {"0": {"token": token, "name": "Player 0"}}
    window.hold({game["id"]: {"seats": seats, "ruleset": "babel", "since": "2026-01-01"}})
    for place, shown in views(stele, table).items():
        window.go(place)
        window.page.locator(shown).first.wait_for()
        found = window.findings()
        assert not found, f"{place}: " + "\n".join(found)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width, place


def test_a_first_visit_is_light(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.locator("h1").first.wait_for()
    window.page.wait_for_load_state("networkidle")
    weight = len(window.wire.heard)
    assert weight < LIGHTEST, f"{weight} bytes"


def test_a_second_visit_asks_for_nothing_that_may_be_kept(windows: OpenWindow) -> None:
    window = windows(service_workers="block")
    window.go()
    window.page.locator("h1").first.wait_for()
    window.page.wait_for_load_state("networkidle")
    heard = len(window.wire.heard)
    window.page.reload()
    window.page.locator("h1").first.wait_for()
    window.page.wait_for_load_state("networkidle")
    again = bytes(window.wire.heard[heard:])
    assert b"text/javascript" not in again
    assert b"text/css" not in again

"""The replay: a game is looked through, by hand, by keys and by itself, with anyone's eyes."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.seeding import rotated
from tests.system.stele import Stele, sit_down
from tests.web.games import bring_in
from tests.web.windows import OpenWindow, Window

GAMES = ("babel/fifteen_to_nine_2013", "aton/temple_filled", "temple_of_five/fork", "sa_re/fork")


@pytest.fixture
def babel(stele: Stele) -> Any:
    return bring_in(stele, GAMES[0])


def opened(window: Window, game: Any, more: str = "") -> None:
    window.go(f"#/games/{game['id']}/replay{more}")
    window.page.locator(".pane svg").wait_for()
    last = window.page.locator(f'.log [data-version="{game["version"]}"]')
    last.wait_for(state="attached")


def title(window: Window) -> str:
    """What the board shows, in its own words."""
    return str(window.page.locator("#board-title").text_content())


def entry(window: Window) -> int:
    return int(window.page.locator("#scrubber").input_value())


@pytest.mark.parametrize("name", rotated(GAMES))
def test_every_game_is_scrubbed_from_its_start_to_its_end(
    stele: Stele, windows: OpenWindow, name: str
) -> None:
    game, window = bring_in(stele, name), windows()
    opened(window, game)
    scrubber = window.page.locator("#scrubber")
    first, last = int(scrubber.get_attribute("min") or 0), int(scrubber.get_attribute("max") or 0)
    assert (entry(window), last) == (first, game["version"])
    titles = {title(window)}
    for share in (0.25, 0.5, 0.75, 1.0):
        version = round(first + share * (last - first))
        drawn = stele.http.get(f"{stele.url}/v1/games/{game['id']}/replay/{version}/board.svg").text
        wanted = re.search(r"<title[^>]*>([^<]*)<", drawn)
        assert wanted
        scrubber.fill(str(version))
        expect(window.page.locator("#board-title")).to_have_text(
            wanted[1].replace("&#x27;", "'").replace("&amp;", "&")
        )
        current = window.page.locator(".log [aria-current]")
        expect(current).to_have_attribute("data-version", str(version))
        titles.add(title(window))
    assert len(titles) > 1
    assert window.page.locator(".mark-of-turn").count() > 1
    window.check_accessible()


def test_keys_go_by_entries_and_by_turns_and_to_both_ends(windows: OpenWindow, babel: Any) -> None:
    window = windows()
    opened(window, babel)
    first = entry(window)
    for key, wanted in (("ArrowRight", first + 1), ("ArrowRight", first + 2), ("ArrowLeft", first + 1)):
        window.page.keyboard.press(key)
        assert entry(window) == wanted
    window.page.keyboard.press("Shift+ArrowRight")
    second_turn = entry(window)
    turn = window.page.locator(f'.log [data-version="{second_turn}"] .turn-name')
    expect(turn).to_have_text("Turn 2")
    window.page.keyboard.press("Shift+ArrowLeft")
    assert entry(window) == first
    window.page.keyboard.press("End")
    assert entry(window) == babel["version"]
    window.page.keyboard.press("ArrowRight")
    assert entry(window) == babel["version"]
    window.page.keyboard.press("Home")
    assert entry(window) == first


def test_it_plays_by_itself_until_it_is_stopped(windows: OpenWindow, babel: Any) -> None:
    window = windows()
    opened(window, babel)
    first = entry(window)
    window.page.locator("#speed").select_option("4")
    window.page.locator("body").press(" ")
    expect(window.page.locator("#play")).to_have_text("Pause")
    window.until(f"Number(document.getElementById('scrubber').value) >= {first + 3}")
    window.page.locator("#play").click()
    stopped = entry(window)
    window.page.wait_for_timeout(800)
    assert entry(window) == stopped


def test_a_link_leads_another_window_to_the_same_moment_and_the_same_eyes(
    windows: OpenWindow, babel: Any
) -> None:
    window, other = windows(permissions=["clipboard-read", "clipboard-write"]), windows()
    opened(window, babel)
    window.page.locator("#scrubber").fill("20")
    window.page.locator("#eyes").select_option("1")
    window.page.locator("#copy-moment").click()
    expect(window.page.get_by_text("Copied.")).to_be_visible()
    link = str(window.page.evaluate("navigator.clipboard.readText()"))
    opened(other, babel, link.partition("/replay")[2])
    assert entry(other) == 20
    assert other.page.locator("#eyes").input_value() == "1"
    assert title(other) == title(window)


def test_a_seats_eyes_see_no_more_than_that_seat_saw(stele: Stele, windows: OpenWindow, babel: Any) -> None:
    window = windows()
    opened(window, babel, "?at=30&as=0")
    frame = stele.http.get(f"{stele.url}/v1/games/{babel['id']}/replay/30?as=0").json()
    assert frame["view"]["players"][1]["hand"] is None or "hand" not in frame["view"]["players"][1]
    asked = [address for _, address in window.requests if "/replay" in address and "/v1/" in address]
    assert asked
    assert all("as=0" in address for address in asked)


def test_who_plays_a_running_game_looks_back_as_himself_and_others_as_spectators(
    stele: Stele, windows: OpenWindow
) -> None:
    players = sit_down(stele, "babel")
    players[0].act(players[0].legal()[0])
    game, token = players[0].look(), players[0].headers["Authorization"].removeprefix("Bearer ")
    window, stranger = windows(), windows()
    window.hold({game["id"]: {"seats": {"0": {"token": token, "name": "Player 0"}}, "since": "2026-01-01"}})
    for each, eyes in ((window, ["you", "a spectator"]), (stranger, ["a spectator"])):
        opened(each, game)
        assert each.page.locator("#eyes option").all_text_contents() == eyes
        assert each.page.locator("#play-on").count() == 0
    hand = players[0].look()["view"]["players"][0]["hand"]
    assert hand
    assert window.page.locator(".pane [data-nations], .pane [data-nation]").count() > 0
    assert token.encode() not in stranger.wire.said
    assert f"token={token}".encode() not in window.wire.said


def test_a_game_is_played_on_from_a_moment(stele: Stele, windows: OpenWindow, babel: Any) -> None:
    window = windows()
    opened(window, babel, "?at=20")
    window.page.locator("#play-on").click()
    window.page.locator("#play-on-name").fill("Mia")
    window.check_accessible()
    window.page.locator("#play-on-begin").click()
    window.until("/^#\\/games\\/[\\w-]+$/.test(location.hash)")
    fork = window.place.removeprefix("#/games/")
    begun = stele.http.get(f"{stele.url}/v1/games/{fork}").json()
    assert begun["origin"]["game"] == babel["id"]
    assert begun["origin"]["version"] == 20
    assert begun["seats"][0]["name"] == "Mia"
    assert begun["seats"][1]["bot"] == "greedy"


def test_a_moment_where_no_game_can_begin_says_so(windows: OpenWindow, babel: Any) -> None:
    window = windows()
    window.forgive("409")
    opened(window, babel, f"?at={babel['version']}")
    window.page.locator("#play-on").click()
    window.page.locator("#play-on-name").fill("Mia")
    window.page.locator("#play-on-begin").click()
    expect(window.page.locator(".play-on .refusal")).to_contain_text("was over")


def test_a_moment_is_kept_as_a_picture(windows: OpenWindow, babel: Any, tmp_path: Path) -> None:
    window = windows()
    opened(window, babel, "?at=20")
    window.page.locator(".keep summary").click()
    for kind, begins in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with window.page.expect_download() as download:
            window.page.locator(f"#keep-{kind}").click()
        assert download.value.suggested_filename == f"babel-{babel['id']}-20.{kind}"
        download.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(begins)


def test_a_game_is_kept_as_a_film(stele: Stele, windows: OpenWindow, tmp_path: Path) -> None:
    game, window = bring_in(stele, "aton/supply_empty"), windows()
    opened(window, game)
    window.page.locator(".keep summary").click()
    window.page.locator("#keep-film").click()
    with window.page.expect_download(timeout=60_000) as download:
        window.page.locator("#film-start").click()
    download.value.save_as(tmp_path / "film")
    assert (tmp_path / "film").read_bytes().startswith(b"\x1aE\xdf\xa3")  # Matroska, of which WebM is a kind

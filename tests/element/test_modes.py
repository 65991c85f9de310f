"""What attributes select: a game watched live, played, moved through, or shown as it stood; and what a host page sees."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.element.conftest import OpenPage
from tests.element.site import Site
from tests.system.stele import Stele
from tests.web.games import bring_in
from tests.web.tables import call
from tests.web.wire import Wire

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Somebody</title>
<script type="module" src="{server}/element/stele-board.js"></script><main></main>"""
ADD = """([attributes, token]) => {
  const board = document.createElement("stele-board");
  for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
  board.token = token;
  window.heard ??= [];
  for (const name of ["turn", "played", "refused", "over"])
    document.addEventListener(name, ({ detail }) => window.heard.push([name, detail]));
  document.querySelector("main").append(board);
}"""


def add(page: Page, stele: Stele, token: str | None = None, **attributes: str) -> None:
    """Put an element into the page."""
    page.evaluate(ADD, [{"server": stele.url, **attributes}, token])


def heard(page: Page) -> list[tuple[str, Any]]:
    """What the elements of a page have told it."""
    return [(name, detail) for name, detail in page.evaluate("window.heard")]


@pytest.fixture
def page(pages: OpenPage, site: Site, stele: Stele) -> Page:
    """A page that has the element, and no game yet."""
    site.files = {"/index.html": PAGE.format(server=stele.url).encode()}
    page = pages()
    page.goto(site.origin)
    return page


def two_people(stele: Stele, **more: Any) -> Any:
    body = {"ruleset": "babel", "players": [{"name": "Ana"}, {"name": "Omar"}], **more}
    return call(stele, "POST", "/v1/games", json=body)


def act(stele: Stele, game: Any) -> int:
    """Let whoever is to act do something; the version after it."""
    for seat in game["seats"]:
        found = call(stele, "GET", f"/v1/games/{game['id']}/actions", seat["token"])
        if found["actions"]:
            path = f"/v1/games/{game['id']}/actions"
            return int(call(stele, "POST", path, seat["token"], json=found["actions"][0])["version"])
    raise AssertionError("nobody can act")


def shown(page: Page, version: int) -> None:
    page.locator(f"stele-board .stele-frame[data-version='{version}']").first.wait_for(state="attached")


def test_games_are_watched_over_one_socket(page: Page, stele: Stele) -> None:
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    games = [two_people(stele), two_people(stele)]
    for game in games:
        add(page, stele, game=game["id"])
    expect(page.locator("stele-board [part=connection]").first).to_have_text("live")
    expect(page.locator("stele-board [part=connection]").last).to_have_text("live")
    versions = [act(stele, game) for game in games]
    for version in versions:
        shown(page, version)
    expect(page.locator("stele-board [part=said]").first).to_contain_text("Ana")
    expect(page.locator("stele-board .chooser button")).to_have_count(0)
    assert len(sockets) == 1
    assert {name for name, _ in heard(page)} == {"played"}


def test_where_no_socket_is_allowed_the_game_is_followed_all_the_same(
    pages: OpenPage, site: Site, stele: Stele, complaints: list[str]
) -> None:
    site.files = {"/index.html": PAGE.format(server=stele.url).encode()}
    site.sockets = False
    page = pages()
    page.goto(site.origin)
    game = two_people(stele)
    add(page, stele, game=game["id"])
    expect(page.locator("stele-board [part=connection]")).to_have_text("live")
    shown(page, act(stele, game))
    assert any("connect-src" in each for each in complaints), "the browser says what it has not let through"
    complaints.clear()


def test_with_a_token_the_seat_is_told_of_its_turn_and_of_a_refusal(page: Page, stele: Stele) -> None:
    game = two_people(stele)
    seat = game["to_act"][0]
    token = game["seats"][seat]["token"]
    add(page, stele, token, game=game["id"])
    page.locator("stele-board .options button").first.wait_for()
    (turn,) = [detail for name, detail in heard(page) if name == "turn"]
    assert (turn["game"], turn["seat"], turn["version"]) == (game["id"], seat, game["version"])
    call(stele, "POST", f"/v1/games/{game['id']}/resignation", token)
    expect(page.locator("stele-board [part=ending] h2")).to_be_visible()
    (over,) = [detail for name, detail in heard(page) if name == "over"]
    assert over["status"] == "ended"
    assert over["outcome"]["winners"] == [1 - seat]


def test_a_still_picture_shows_one_moment_and_asks_for_nothing_else(page: Page, stele: Stele) -> None:
    game = bring_in(stele, "babel/hand_count_2013")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    add(page, stele, game=game["id"], at="20", theme="dark")
    page.locator("stele-board .pane svg").wait_for()
    assert [url for url in asked if "/v1/" in url and "/replay/20/board.svg" not in url] == []
    expect(page.locator("stele-board .stele-frame")).to_have_attribute("data-theme", "dark")
    for part in ("moment", "players", "controls", "turn"):
        expect(page.locator(f"stele-board [part={part}]")).to_be_hidden()


def test_controls_move_through_a_game_by_buttons_and_keys(page: Page, stele: Stele) -> None:
    game = bring_in(stele, "babel/hand_count_2013")
    add(page, stele, game=game["id"], at="20", controls="", lang="fr")
    rail = page.locator("stele-board #scrubber")
    expect(rail).to_have_value("20")
    page.locator("stele-board [part=step]").nth(1).click()
    shown(page, 19)
    rail.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    shown(page, 21)
    page.keyboard.press("End")
    shown(page, game["version"])
    page.keyboard.press("Home")
    page.locator("stele-board [part=play]").click()
    expect(page.locator("stele-board [part=play]")).to_have_text("Pause")
    expect(rail).not_to_have_value(rail.get_attribute("min") or "")


def test_who_looks_back_in_a_running_game_stays_there_while_it_goes_on(page: Page, stele: Stele) -> None:
    game = two_people(stele)
    act(stele, game)
    add(page, stele, game=game["id"], controls="")
    rail = page.locator("stele-board #scrubber")
    expect(rail).to_have_value(str(game["version"] + 1))
    shown(page, act(stele, game))
    expect(rail).to_have_value(str(game["version"] + 2))
    page.locator("stele-board [part=step]").nth(1).click()
    version = act(stele, game)
    expect(rail).to_have_attribute("max", str(version))
    expect(rail).to_have_value(str(game["version"] + 1))


@pytest.mark.parametrize("alternative", [None, "Nothing to see"])
def test_a_game_that_cannot_be_shown_is_told_to_the_page(
    alternative: str | None, page: Page, stele: Stele, complaints: list[str]
) -> None:
    private = two_people(stele, private=True)
    if alternative:
        page.evaluate("customElements.whenDefined('stele-board')")
        page.locator("main").evaluate(
            "(main, [server, game]) => { const board = document.createElement('stele-board');"
            " board.setAttribute('server', server); board.append('Nothing to see');"
            " board.setAttribute('game', game); main.append(board); }",
            [stele.url, private["id"]],
        )
        expect(page.locator("stele-board")).to_have_text(alternative)
        expect(page.locator("stele-board slot")).to_have_count(1)
    else:
        add(page, stele, game=private["id"])
        expect(page.locator("stele-board [part=problem]")).to_be_visible()
        (refused,) = [detail for name, detail in heard(page) if name == "refused"]
        assert refused["code"] == "game_not_found"
    complaints[:] = [each for each in complaints if "404" not in each]


def test_a_host_page_dresses_it(page: Page, stele: Stele) -> None:
    game = two_people(stele)
    page.evaluate(
        "() => { const sheet = new CSSStyleSheet();"
        " sheet.replaceSync('stele-board { --stele-panel: rgb(1, 2, 3); width: 380px }"
        " stele-board::part(moment) { color: rgb(4, 5, 6) }');"
        " document.adoptedStyleSheets = [sheet]; }"
    )
    add(page, stele, game=game["id"])
    page.locator("stele-board .pane svg").wait_for()
    colour = "(element, name) => getComputedStyle(element)[name]"
    frame = page.locator("stele-board .stele-frame")
    assert frame.evaluate(colour, "backgroundColor") == "rgb(1, 2, 3)"
    assert page.locator("stele-board [part=moment]").evaluate(colour, "color") == "rgb(4, 5, 6)"
    expect(frame).to_have_attribute("data-shape", "tall")
    page.evaluate("document.adoptedStyleSheets = []")
    expect(frame).to_have_attribute("data-shape", "wide")


@pytest.mark.parametrize("sockets", [True, False])
def test_what_happened_while_the_connection_was_cut_is_shown_when_it_is_back(
    sockets: bool, pages: OpenPage, site: Site, stele: Stele, complaints: list[str]
) -> None:
    wire = Wire(stele.port)
    try:
        page = pages()
        site.server, site.sockets = wire.address, sockets
        site.files = {"/index.html": PAGE.format(server=wire.address).encode()}
        page.goto(site.origin)
        game = two_people(stele)
        add(page, stele, game=game["id"], server=wire.address)
        connection = page.locator("stele-board [part=connection]")
        expect(connection).to_have_text("live")
        wire.cut()
        expect(connection).to_have_attribute("data-state", "lost")
        version = act(stele, game)
        wire.mend()
        shown(page, version)
        expect(connection).to_have_text("live")
    finally:
        page.close()
        wire.close()
    complaints[:] = [each for each in complaints if not re.search("ERR_|connect-src|WebSocket", each)]


def test_an_element_that_is_moved_or_changed_follows_what_it_shows_and_nothing_else(
    page: Page, stele: Stele
) -> None:
    one, other = two_people(stele), two_people(stele)
    add(page, stele, game=one["id"])
    shown(page, one["version"])
    page.evaluate("document.querySelector('main').prepend(document.querySelector('stele-board'))")
    page.evaluate("(id) => document.querySelector('stele-board').setAttribute('game', id)", other["id"])
    shown(page, other["version"])
    act(stele, one)
    shown(page, act(stele, other))
    page.evaluate("document.querySelector('stele-board').remove()")
    act(stele, other)
    page.wait_for_timeout(300)
    assert {detail["game"] for _, detail in heard(page)} == {other["id"]}

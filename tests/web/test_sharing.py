"""Links that are shared, and frames in other people's pages: a game can be read there, and played nowhere but here."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.system.stele import Stele, sit_down
from tests.web.games import bring_in
from tests.web.windows import OpenWindow


@contextmanager
def page_elsewhere(html: str) -> Iterator[str]:
    """The address of a page on another origin."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def test_a_shared_link_leads_to_the_game_and_to_a_moment_of_it(windows: OpenWindow, stele: Stele) -> None:
    game = bring_in(stele, "babel/fork")
    window = windows()
    window.go(f"/g/{game['id']}")
    window.page.locator(".pane svg").wait_for()
    assert window.place == f"#/games/{game['id']}"
    window.go(f"/g/{game['id']}/20")
    window.page.locator(".pane svg").wait_for()
    assert window.place == f"#/games/{game['id']}/replay?at=20"


@pytest.mark.parametrize(
    ("opponents", "sitter"), [("quick", "greedy"), ("strong", "strong"), ("friend", "open")]
)
def test_a_new_game_is_one_press_away(windows: OpenWindow, stele: Stele, opponents: str, sitter: str) -> None:
    window = windows()
    window.go(f"/new/babel?with={opponents}")
    window.page.locator("#name").fill("Ana")
    expect(window.page.locator("#sitter-1")).to_have_value(sitter)
    assert not [address for method, address in window.requests if method == "POST"]
    window.page.locator("#begin").click()
    window.until("location.hash.startsWith('#/games/')")
    game = window.place.removeprefix("#/games/")
    answer = stele.http.get(f"{stele.url}/v1/games/{game}")
    if opponents == "friend":
        assert answer.status_code == 404, "it is private"
    else:
        assert [seat["bot"] for seat in answer.json()["seats"]] == [None, sitter]


def test_no_page_frames_a_game_that_can_be_played(windows: OpenWindow, stele: Stele) -> None:
    """Somebody's page frames this server before a player who is at its table, and lures clicks into the frame."""
    player = sit_down(stele, "babel")[0]
    game = player.look()
    window = windows()
    token = player.headers["Authorization"].removeprefix("Bearer ")
    window.hold({game["id"]: {"seats": {"0": {"token": token, "name": "Ana"}}, "since": "2026-01-01"}})
    own = window.wire.address
    paths = ["/", f"/play/{game['id']}", f"/g/{game['id']}", "/new/babel?with=quick", f"/embed/{game['id']}"]
    frames = "".join(f'<iframe src="{own}{path}" width="900" height="600"></iframe>' for path in paths)
    window.forgive("frame-ancestors|Framing|Refused|403|404|Failed to load")
    before = len(window.requests)
    with page_elsewhere(f"<!doctype html><title>Win a prize</title>{frames}") as address:
        window.page.goto(address)
        embedded = window.page.frame_locator("iframe").nth(len(paths) - 1)
        embedded.locator("stele-board").wait_for(state="attached")
        shown = [frame for frame in window.page.frames[1:] if stands_on(frame, own)]
        assert [frame.url.removeprefix(own) for frame in shown] == [paths[-1]]
        for at in range(len(paths)):
            box = window.page.locator("iframe").nth(at).bounding_box()
            assert box
            for x, y in ((0.2, 0.3), (0.5, 0.5), (0.5, 0.9)):
                window.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    asked = window.requests[before:]
    assert not [each for each in asked if each[0] != "GET"]
    assert not [address for _, address in asked if token in address]
    assert player.look()["version"] == game["version"]
    window.page.goto("about:blank")
    window.requests[:] = [each for each in window.requests if not each[1].startswith(address)]


def stands_on(frame: Any, origin: str) -> bool:
    """Does a frame show a page of this origin, and not the browser's own word that it may not?"""
    return bool(frame.evaluate("(own) => location.origin === own", origin))


def test_a_sandboxed_frame_shows_the_board_as_a_picture(windows: OpenWindow, stele: Stele) -> None:
    """As WordPress puts strange frames into its pages: no script of theirs is of any origin."""
    game = sit_down(stele, "babel")[0].look()
    window = windows()
    window.forgive("CORS|Failed to load|null|Blocked")
    frame = f'<iframe src="{window.wire.address}/embed/{game["id"]}" sandbox="allow-scripts" width="600" height="500">'
    with page_elsewhere(f"<!doctype html><title>A blog</title>{frame}</iframe>") as address:
        window.page.goto(address)
        picture = window.page.frame_locator("iframe").locator("img")
        expect(picture).to_be_visible()
        assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 1000
        window.page.goto("about:blank")
        window.requests[:] = [each for each in window.requests if not each[1].startswith(address)]

"""The page without its server."""

import os
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.web.windows import OpenWindow

WEB = Path(__file__).parents[2] / "web"
SHOWN = {
    "app.js",
    "board.css",
    "views/audit.js",
    "views/lobby.js",
    "icon.svg",
    "style.css",
    "views/audit.css",
}
"""What works without a server: the frame, the audit of a file, and a lobby that says what is wrong."""
IMPORTED = re.compile(r'^import (?:[^;"]* from )?"(\.[^"]+)";$', re.MULTILINE)


def needed(name: str) -> set[str]:
    """A file, and what it imports before it is shown."""
    if not name.endswith(".js"):
        return {name}
    below = [(WEB / name).parent / each for each in IMPORTED.findall((WEB / name).read_text())]
    names = [os.path.relpath(path, WEB) for path in below]
    return {name}.union(*(needed(each) for each in names))


def test_the_worker_keeps_what_works_without_a_server_and_nothing_else() -> None:
    listed = (WEB / "offline.js").read_text().split("FILES = `")[1].split("`")[0].split()
    assert sorted(listed) == sorted(set().union(*map(needed, SHOWN)))


def test_after_the_first_visit_the_page_opens_without_a_server(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    window.forgive("ERR_")
    window.wire.cut()
    window.go("#/audit")
    window.page.reload()
    expect(window.page.locator("#main h1")).to_be_visible()
    window.go("#/")
    expect(window.page.get_by_role("alert")).to_contain_text("server cannot be reached", timeout=20_000)

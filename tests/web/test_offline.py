"""The page without its server."""

from pathlib import Path

from playwright.sync_api import expect

from tests.web.windows import OpenWindow

WEB = Path(__file__).parents[2] / "web"
REVIEWS = {f"parts/{name}" for name in ("curve.js", "findings.js", "review.css", "review.js")}
"""What shows a review, which nobody has without a server."""


def test_the_worker_keeps_every_file_of_the_page_but_those_for_reviews() -> None:
    listed = (WEB / "offline.js").read_text().split("FILES = `")[1].split("`")[0].split()
    files = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.*")}
    assert sorted(listed) == sorted(files - REVIEWS - {"index.html", "offline.js"} | {"verify.mjs"})


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

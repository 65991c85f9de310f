"""The pages that describe the element (front-ends.md, the package's README.md) show what works."""

import pytest
from playwright.sync_api import expect

from tests.docs.blocks import BLOCKS
from tests.element.conftest import OpenPage
from tests.element.site import Site
from tests.element.test_modes import two_people
from tests.system.stele import Stele

PAGES = ("docs/front-ends.md", "clients/board/README.md")


@pytest.mark.parametrize("path", PAGES)
def test_the_markup_that_a_page_shows_plays_a_game(
    path: str, pages: OpenPage, site: Site, stele: Stele
) -> None:
    game = two_people(stele)
    token = game["seats"][game["to_act"][0]]["token"]
    shown = [block for block in BLOCKS if block.page == path and "stele-board" in block.code]
    markup = "".join(block.code for block in shown if block.language == "html")
    script = "".join(
        block.code for block in shown if block.language == "js" and "querySelector" in block.code
    )
    assert "<stele-board" in markup
    scripts = f"<script type=module>const seat = {{ token: {token!r} }};\n{script}</script>" if script else ""
    given = {"https://stele.example": stele.url, "GAME": game["id"], "TOKEN OF A SEAT": token}
    for word, value in given.items():
        markup = markup.replace(word, value)
    site.files = {
        "/index.html": f"<!doctype html><meta charset=utf-8><title>Docs</title>{markup}{scripts}".encode()
    }
    site.inline = True
    page = pages()
    page.goto(site.origin)
    page.locator("stele-board .options button").first.wait_for()
    expect(page).to_have_title("● Your turn")

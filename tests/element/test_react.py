"""The element in React, from the package that is published: typed, played to the end, and changed while it is shown."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.element.conftest import OpenPage
from tests.element.packages import built_react_example
from tests.element.site import Site
from tests.element.test_playing import against_a_bot, check_over, open_with, play
from tests.seeding import rotated
from tests.system.stele import Stele
from tests.web.clicks import Clicks
from tests.web.test_playing import NEARLY_OVER


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_react_example(tmp_path_factory.mktemp("react") / "example")


@pytest.mark.parametrize("ruleset", rotated([*NEARLY_OVER][1:] + [*NEARLY_OVER][:1]))
def test_a_page_made_with_react_plays_to_the_end(
    ruleset: str, example: Path, pages: OpenPage, site: Site, stele: Stele
) -> None:
    site.put(example)
    page = pages()
    game, token = against_a_bot(stele, ruleset, whole=False)
    open_with(page, site, stele, game, token)
    expect(page.locator("stele-board .chooser button").first).to_be_visible()
    page.get_by_role("button", name="Français").click()
    expect(page.locator("stele-board [part=moment]")).to_have_text("À vous de jouer")
    check_over(page, play(page, stele, game, token, Clicks))


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("ruleset", NEARLY_OVER)
def test_a_page_made_with_react_plays_a_whole_game(
    ruleset: str, example: Path, pages: OpenPage, site: Site, stele: Stele
) -> None:
    site.put(example)
    page = pages(width=390, height=844)
    game, token = against_a_bot(stele, ruleset, whole=True)
    open_with(page, site, stele, game, token)
    check_over(page, play(page, stele, game, token, Clicks))

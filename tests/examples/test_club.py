"""The club in a browser: from a signed link to a rematch, for two members and three devices."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.servers import free_ports, wait_until
from tests.system.stele import Stele, stele_up
from tests.web.clicks import Clicks
from tests.web.tables import Table, call
from tests.web.windows import PATIENCE, running_chromium

EXAMPLES = Path(__file__).parents[2] / "examples"
TOKEN = "the-token-of-the-club-as-a-host"
SECRET = "what-the-club-signs-its-links-with"


class Club(NamedTuple):
    url: str
    outbox: Path
    stele: Stele

    def mails(self, to: str) -> list[str]:
        if not self.outbox.exists():
            return []
        mails = map(json.loads, self.outbox.read_text().splitlines())
        return [mail["text"] for mail in mails if mail["to"] == to]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The club as its page says to start it, beside a server."""
    folder = tmp_path_factory.mktemp("club")
    (port,) = free_ports(1)
    url = f"http://127.0.0.1:{port}"
    with stele_up(STELE_HOST_TOKENS=f"club:{TOKEN}", STELE_CORS_ORIGINS=url) as stele:
        environ = {
            "CLUB_TOKEN": TOKEN,
            "CLUB_SECRET": SECRET,
            "CLUB_STELE": stele.url,
            "CLUB_DATABASE": str(folder / "club.sqlite3"),
            "CLUB_OUTBOX": str(folder / "outbox"),
            "CLUB_PORT": str(port),
        }
        with (folder / "said").open("wb") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "club"],
                cwd=EXAMPLES,
                env=os.environ | environ,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        try:
            wait_until(lambda: answers(url), "the club to answer")
            yield Club(url, folder / "outbox", stele)
            assert process.poll() is None, (folder / "said").read_text()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_its_page_names_all_that_it_is_started_with() -> None:
    page = (EXAMPLES / "club/README.md").read_text()
    assert "\npython -m club\n" in page
    read = (EXAMPLES / "club/settings.py").read_text()
    for name in (
        "CLUB_TOKEN",
        "CLUB_SECRET",
        "CLUB_STELE",
        "CLUB_PUBLIC_STELE",
        "CLUB_DATABASE",
        "CLUB_OUTBOX",
        "CLUB_HTTPS",
    ):
        assert name in page
        assert f'"{name}"' in read


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code == 200
    except httpx.TransportError:
        return False


class Devices:
    """Browsers of members; none may complain, or ask anybody but the club and its game server."""

    def __init__(self, browser: Browser, club: Club) -> None:
        self.browser = browser
        self.club = club
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, email: str, name: str, **look: Any) -> Page:
        """A device on which a member signs in by a link."""
        context = self.browser.new_context(reduced_motion="reduce", **look)
        self.contexts.append(context)
        known = {urlsplit(self.club.url).netloc, urlsplit(self.club.stele.url).netloc}

        def check(url: str) -> None:
            if urlsplit(url).netloc not in known:
                self.complaints.append(f"asked for {url}")

        context.on("request", lambda request: check(request.url))
        context.on(
            "console", lambda said: self.complaints.append(said.text) if said.type == "error" else None
        )
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("websocket", lambda socket: check(socket.url))
        before = len(self.club.mails(email))
        page.goto(self.club.url)
        page.get_by_label("Your address").fill(email)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Send me a link").click()
        page.get_by_text("Look at your mail").wait_for()
        link = self.club.mails(email)[before].rpartition(" ")[2]
        page.goto(link)
        page.locator("#enter").click()
        page.locator("#games").wait_for()
        return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def devices(browser: Browser, club: Club) -> Iterator[Devices]:
    devices = Devices(browser, club)
    yield devices
    for context in devices.contexts:
        context.close()
    assert not devices.complaints, "\n".join(devices.complaints)


def move(page: Page, club: Club, game: str) -> None:
    """Play one action through the element, by clicks."""
    token = page.evaluate("document.querySelector('stele-board').token")
    table = Table(club.stele, game)
    view = table.game(token)
    page.locator(f".stele-frame[data-version='{view['version']}']").wait_for(state="attached")
    action = table.chosen(view, view["you"])
    Clicks(page, action, table.kinds[action["type"]], ".stele-frame").play()


def test_members_meet_play_on_every_device_and_play_again(devices: Devices, club: Club) -> None:
    ana = devices.open("ana@example.org", "Ana")
    omar = devices.open("omar@example.org", "Omar")
    ana.reload()
    form = ana.locator("form#ask")
    form.get_by_label("Whom").select_option(label="Omar")
    form.get_by_label("Which game").select_option("babel")
    form.get_by_role("button", name="Challenge").click()
    assert "Ana wants to play with you" in club.mails("omar@example.org")[-1]
    omar.locator("#news a", has_text="Ana challenges you").click()
    omar.get_by_role("button", name="Accept").click()
    omar.locator("stele-board [part=moment]").wait_for()
    game = urlsplit(omar.url).path.rpartition("/")[2]

    ana.locator("#news a", has_text="It is your move").click()
    ana.locator("stele-board .chooser button").first.wait_for()
    phone = devices.open("ana@example.org", "Ana", viewport={"width": 390, "height": 844})
    phone.locator(".games .mine a").click()
    phone.locator("stele-board .chooser button").first.wait_for()
    move(phone, club, game)
    version = call(club.stele, "GET", f"/v1/games/{game}")["version"]
    for page in (ana, omar, phone):
        page.locator(f".stele-frame[data-version='{version}']").wait_for(state="attached")
    token = ana.evaluate("document.querySelector('stele-board').token")
    assert token not in ana.content()

    call(club.stele, "POST", f"/v1/games/{game}/resignation", token)
    for page in (ana, omar):
        expect(page.locator("#rematch button")).to_be_visible()
    ana.get_by_role("button", name="Play again").click()
    ana.wait_for_url(lambda url: not url.endswith(game))
    omar.locator("#news a", has_text="play again").click()
    omar.get_by_role("button", name="Play again").click()
    omar.wait_for_url(lambda url: not url.endswith(game))
    assert urlsplit(ana.url).path == urlsplit(omar.url).path
    for page in (ana, omar):
        expect(page.locator("stele-board [part=moment]")).to_have_text(re.compile("Your move|to act"))

    def is_rated() -> bool:
        ana.goto(f"{club.url}/ratings/babel")
        return ana.locator("tbody td:first-child").all_inner_texts() == ["Omar", "Ana"]

    wait_until(is_rated, "the ratings to follow the game")


def test_a_member_practises_against_a_bot(devices: Devices, club: Club) -> None:
    page = devices.open("eva@example.org", "Eva")
    page.locator("form#practice").get_by_label("Which game").select_option("aton")
    page.get_by_role("button", name="Play against a bot").click()
    page.locator("stele-board .chooser button").first.wait_for()
    page.goto(club.url)
    expect(page.locator(".games li")).to_have_count(1)


def test_a_link_is_good_for_once_and_a_forged_one_for_nothing(devices: Devices, club: Club) -> None:
    page = devices.open("mia@example.org", "Mia")
    link = club.mails("mia@example.org")[-1].rpartition(" ")[2]
    with httpx.Client() as stranger:
        assert stranger.get(link).status_code == 200, "to look at it uses nothing up"
        assert stranger.post(link).status_code == 403
        assert stranger.get(link[:-2] + "xx").status_code == 403
        assert stranger.get(f"{club.url}/games/1-x/seat").status_code == 302
    own = {cookie["name"]: cookie["value"] for cookie in page.context.cookies() if "value" in cookie}
    with httpx.Client(cookies=own) as lured:
        elsewhere = {"Origin": "https://elsewhere.example"}
        assert lured.post(f"{club.url}/sign-out", headers=elsewhere).status_code == 403


def test_a_seat_is_for_its_member_alone_and_comes_back_when_its_token_is_lost(
    devices: Devices, club: Club
) -> None:
    eva, mia = devices.open("eva2@example.org", "Eva"), devices.open("mia2@example.org", "Mia")
    eva.get_by_role("button", name="Play against a bot").click()
    eva.locator("stele-board .chooser button").first.wait_for()
    path = urlsplit(eva.url).path
    asked = "async (path) => (await (await fetch(`${path}/seat`)).json()).token"
    assert mia.evaluate(asked, path) is None
    mine = eva.evaluate(asked, path)
    database = club.outbox.with_name("club.sqlite3")
    with sqlite3.connect(database) as db:
        db.execute("DELETE FROM seats WHERE token = ?", (mine,))
    db.close()
    renewed = eva.evaluate(asked, path)
    assert renewed
    assert renewed != mine
    eva.wait_for_function("(token) => document.querySelector('stele-board').token === token", arg=renewed)
    expect(eva.locator("stele-board [part=connection]")).to_have_text("live")
    devices.complaints[:] = [each for each in devices.complaints if "401" not in each]

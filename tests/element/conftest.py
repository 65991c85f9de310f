"""A server, somebody's site that it lets in, and windows on that site."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.element.site import Site, somebodys_site
from tests.system.stele import Stele, stele_up
from tests.web.games import OPERATOR
from tests.web.windows import INSIDE, PATIENCE, running_chromium

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with somebodys_site() as site:
        yield site


@pytest.fixture(scope="session")
def stele(site: Site) -> Iterator[Stele]:
    """A server whose games the pages of that site may play."""
    with stele_up(STELE_OPERATOR_TOKENS=OPERATOR, STELE_CORS_ORIGINS=site.origin) as server:
        site.server = server.url
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def complaints() -> list[str]:
    """What goes wrong in the windows of a test; in the end it must be empty."""
    return []


@pytest.fixture
def pages(chromium: Browser, site: Site, stele: Stele, complaints: list[str]) -> Iterator[OpenPage]:
    """Opens pages of the site; none may complain, nor ask anyone but the site and the server for anything."""

    def watch(context: BrowserContext) -> None:
        context.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        context.on("weberror", lambda error: complaints.append(error.error.stack or str(error.error)))
        context.on("request", lambda request: check(request.url))

    def check(url: str) -> None:
        address = urlsplit(url)
        known = {urlsplit(each).netloc for each in (site.origin, site.server)}
        if address.scheme not in INSIDE and address.netloc not in known:
            complaints.append(f"asked for {url}")

    with ExitStack() as stack:

        def open_page(*, width: int = 1200, height: int = 900, still: bool = True, **more: Any) -> Page:
            context = chromium.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce" if still else "no-preference",
                **more,
            )
            stack.callback(context.close)
            watch(context)
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.on("websocket", lambda socket: check(socket.url))
            return page

        site.server, site.sockets, site.inline = stele.url, True, False
        yield open_page
        assert not complaints, "\n".join(complaints)

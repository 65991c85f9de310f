"""Windows of a real Chromium on the page of a real server.

    window = windows()                       a window of its own: nothing is shared with others but the server
    window.go("#/audit")                     an address of the page
    window.page.get_by_role(…)               Playwright's page, for all that a reader does
    window.wire.heard                        every byte that the server has sent to it
    window.wire.cut(), window.wire.mend()    a lost connection
    window.forgive("409")                    console errors that the test itself provokes
    window.check_accessible()                no serious finding of axe-core

When a test is over, none of its windows may have complained, nor asked another host for anything.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.chromium import FLAGS, executable, libraries
from tests.node import package
from tests.servers import wait_until
from tests.web.wire import Wire

PATIENCE = 90_000
"""Milliseconds that a window waits for something to appear, on a machine that has much else to do."""
expect.set_options(timeout=PATIENCE)
SERIOUS = ("serious", "critical")
INSIDE = ("blob", "data", "about")
"""Addresses that lead nowhere outside the window."""

Theme = Literal["light", "dark"]
OpenWindow = Callable[..., "Window"]


class Window:
    """One reader's window, with storage of its own."""

    def __init__(self, context: BrowserContext, wire: Wire) -> None:
        self.context = context
        self.wire = wire
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[tuple[str, str]] = []
        """Method and address of everything that it has asked for."""
        self._complaints: list[str] = []
        self._forgiven: list[str] = []
        context.on("request", lambda request: self.requests.append((request.method, request.url)))
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._complaints.append(error.error.stack or str(error.error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._complaints.append(message.text)

    def go(self, place: str = "#/") -> None:
        """Go to an address of the page: after the `#`, or a path."""
        path = place if place.startswith("/") else f"/{place}"
        self.page.goto(self.wire.address + path)

    @property
    def place(self) -> str:
        """Where it is, after the `#`."""
        return self.page.evaluate("location.hash") or "#/"

    def until(self, condition: str) -> None:
        """Wait until something holds in the page (Playwright's own way is stopped by the page's policy)."""
        wait_until(lambda: bool(self.page.evaluate(condition)), condition, PATIENCE / 1000)

    def hold(self, games: Mapping[str, Any]) -> None:
        """Let the browser hold seats and heads of these games."""
        self.go("#/audit")  # which looks at none of them
        self.page.evaluate("(held) => localStorage.setItem('stele.games', held)", json.dumps(games))

    def forgive(self, pattern: str) -> None:
        """Let pass console errors in which this pattern is found."""
        self._forgiven.append(pattern)

    @property
    def complaints(self) -> list[str]:
        """What went wrong in it, but for what the test forgives."""
        return [
            text for text in self._complaints if not any(re.search(each, text) for each in self._forgiven)
        ]

    @property
    def strange_requests(self) -> list[str]:
        """What it asked of anyone but its server."""
        own = urlsplit(self.wire.address).netloc
        addresses = [urlsplit(address) for _, address in self.requests]
        return [
            address.geturl()
            for address in addresses
            if address.scheme not in INSIDE and address.netloc != own
        ]

    def findings(self) -> list[str]:
        """What axe-core finds that is serious."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((package("axe-core") / "axe.min.js").read_text())
        found: Any = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{each['id']}: {each['help']}: {node['html'][:200]} {node.get('failureSummary', '')}"
            for each in found["violations"]
            if each["impact"] in SERIOUS
            for node in each["nodes"]
        ]

    def check_accessible(self) -> None:
        found = self.findings()
        assert not found, "\n".join(found)

    def check_sound(self) -> None:
        assert not self.complaints, "\n".join(self.complaints)
        assert not self.strange_requests, self.strange_requests

    def picture(self, path: Path) -> None:
        """What is seen in it, as a file."""
        self.page.screenshot(path=path)


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """A browser, for as long as it is needed."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=list(FLAGS), env={**os.environ, **libraries()}
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window_of(
    browser: Browser,
    port: int,
    *,
    width: int = 1400,
    height: int = 900,
    theme: Theme = "light",
    lang: str = "en",
    still: bool = True,
    **more: Any,
) -> Iterator[Window]:
    """A window on the server at this port; pieces do not take time to move if it is `still`."""
    wire = Wire(port)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        locale=lang,
        reduced_motion="reduce" if still else "no-preference",
        **more,
    )
    try:
        yield Window(context, wire)
    finally:
        context.close()
        wire.close()

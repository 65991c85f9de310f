"""A real server, a real browser, and as many windows as a test wants."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.system.stele import Stele, stele_up
from tests.web.games import OPERATOR
from tests.web.windows import OpenWindow, Window, running_chromium, window_of


@pytest.fixture(scope="session")
def stele() -> Iterator[Stele]:
    """`stele up` with an operator, who may bring records in and begin from positions."""
    with stele_up(STELE_OPERATOR_TOKENS=OPERATOR, STELE_LOG_SECONDS="1") as server:
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one file: as long as it is open, nothing else can run an event loop here."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def windows(chromium: Browser, stele: Stele) -> Iterator[OpenWindow]:
    """Opens windows; in the end none may have complained, nor asked another host for anything."""
    opened: list[Window] = []
    with ExitStack() as stack:

        def open_window(**how: Any) -> Window:
            opened.append(stack.enter_context(window_of(chromium, stele.port, **how)))
            return opened[-1]

        yield open_window
        for window in opened:
            window.check_sound()

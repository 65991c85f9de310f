"""What the other tests of the page lean on: a window that complains when something is wrong."""

import pytest

from tests.web.windows import OpenWindow


def test_the_page_opens_without_a_complaint_and_asks_nobody_else(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.locator("#top .brand").wait_for()
    assert any("/web/" in address for _, address in window.requests)
    assert b"text/javascript" in window.wire.heard
    window.check_sound()


def test_an_error_in_the_page_is_a_complaint(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.evaluate("setTimeout(() => { throw new Error('a stone fell') })")
    window.page.wait_for_timeout(200)
    assert any("a stone fell" in text for text in window.complaints)
    with pytest.raises(AssertionError, match="a stone fell"):
        window.check_sound()
    window.forgive("a stone fell")


def test_what_the_policy_stops_is_a_complaint(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.2/away.png'}))"
    )
    window.page.wait_for_timeout(200)
    assert window.complaints or window.strange_requests
    window.requests.clear()
    window.forgive("Content Security Policy|away")


def test_a_fault_for_those_who_do_not_see_is_found(windows: OpenWindow) -> None:
    window = windows()
    window.go()
    window.page.locator("#top .brand").wait_for()
    window.page.evaluate("document.getElementById('main').append(document.createElement('select'))")
    assert any(finding.startswith("select-name") for finding in window.findings())


def test_a_wire_can_be_cut_and_mended(windows: OpenWindow) -> None:
    window = windows(service_workers="block")
    window.go()
    window.page.locator("#top .brand").wait_for()
    ask = "fetch('/healthz').then((answer) => answer.status, () => 'lost')"
    assert window.page.evaluate(ask) == 200
    window.forgive("ERR_")
    window.wire.cut()
    assert window.page.evaluate(ask) == "lost"
    window.wire.mend()
    assert window.page.evaluate(ask) == 200

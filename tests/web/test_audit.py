"""The audit: each check is shown, a tampered file turns it red, and what the browser saw is a witness."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from replays.audit.verify import read_checkpoint
from replays.transparency.notes import NoteSigner
from tests.servers import wait_until
from tests.system.stele import Stele
from tests.web.games import OPERATOR, bring_in, golden_file
from tests.web.windows import OpenWindow, Window

NAME = "babel/fifteen_to_nine_2013"


def verdict(window: Window) -> str | None:
    return window.page.locator(".banner").get_attribute("data-verdict")


def audited(window: Window, game: Any) -> None:
    window.go(f"#/games/{game['id']}/audit")
    window.page.locator(".banner").wait_for()


def dropped(window: Window, *files: Path) -> None:
    window.go("#/audit")
    window.page.locator("#record-file").set_input_files(list(files))
    window.page.locator(".banner").wait_for()


def tampered(path: Path) -> Path:
    """The same record, but for one move."""
    record = json.loads(golden_file(NAME).read_bytes())
    moved = next(entry for entry in record["entries"] if entry["type"] == "action_taken")
    moved["at"] = moved["at"][:-2] + ("1Z" if moved["at"][-2] != "1" else "2Z")
    path.write_text(json.dumps(record))
    return path


def test_every_check_of_the_server_and_of_the_browser_is_shown(stele: Stele, windows: OpenWindow) -> None:
    game, window = bring_in(stele, NAME), windows()
    audited(window, game)
    told = stele.http.get(f"{stele.url}/v1/games/{game['id']}/audit").json()
    rows = window.page.locator("tr[data-check]")
    shown = [row.get_attribute("data-check") for row in rows.all()]
    assert set(shown) >= {check["check"] for check in told["checks"]}
    expect(window.page.locator(".fairness h2")).to_be_visible()
    assert window.page.locator("td .verdict.fail").count() == 0
    window.check_accessible()


def test_a_record_file_is_checked_without_any_server(windows: OpenWindow) -> None:
    window = windows()
    window.go("#/audit")
    window.page.locator("#record-file").wait_for()
    window.page.wait_for_load_state("networkidle")
    window.forgive("ERR_CONNECTION")  # the page's worker may be fetching files to keep
    window.wire.cut()
    window.requests.clear()
    window.page.locator("#record-file").set_input_files(golden_file(NAME))
    window.page.locator(".banner").wait_for()
    assert verdict(window) == "partly"
    assert not [address for _, address in window.requests if "/v1/" in address]
    window.check_accessible()


def test_a_tampered_file_turns_it_red_and_names_the_entry(windows: OpenWindow, tmp_path: Path) -> None:
    window = windows()
    dropped(window, tampered(tmp_path / "game.json"))
    assert verdict(window) == "fail"
    colour = "getComputedStyle(document.querySelector('.banner')).color"
    danger = "getComputedStyle(document.documentElement).getPropertyValue('--danger')"
    red, green, blue = (int(part) for part in window.page.evaluate(colour)[4:-1].split(","))
    assert window.page.evaluate(danger) == f"#{red:02x}{green:02x}{blue:02x}"
    assert red > 2 * max(green, blue)
    row = window.page.locator("tr[data-check=chain]")
    expect(row.locator(".verdict.fail")).to_be_visible()
    expect(row.locator(".fault")).to_contain_text("Entry ")
    window.check_accessible()


def test_it_says_of_each_file_what_the_verifier_says(windows: OpenWindow, tmp_path: Path) -> None:
    window = windows()
    for source in (b"{}", b"no record", b'{"format": "stele-record/1", "entries": []}'):
        (tmp_path / "file.json").write_bytes(source)
        dropped(window, tmp_path / "file.json")
        assert verdict(window) == "fail"
        expect(window.page.locator("tr[data-check=schema] .fault")).to_be_visible()


def test_keys_that_are_dropped_too_check_the_signature(
    stele: Stele, windows: OpenWindow, tmp_path: Path
) -> None:
    players = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
    game = stele.http.post(f"{stele.url}/v1/games", json=players).raise_for_status().json()
    token = game["seats"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"{stele.url}/v1/games/{game['id']}"
    assert stele.http.post(f"{path}/resignation", headers=headers).status_code == 201
    stele.http.get(path, params={"after": game["version"] + 1, "wait": 20})
    (tmp_path / "game.json").write_bytes(stele.http.get(f"{path}/record").raise_for_status().content)
    (tmp_path / "keys.json").write_bytes(stele.http.get(f"{stele.url}/.well-known/stele-keys.json").content)
    window = windows()
    dropped(window, tmp_path / "game.json")
    expect(window.page.locator("tr[data-check=signature] .verdict")).to_have_class("verdict not_checked")
    dropped(window, tmp_path / "game.json", tmp_path / "keys.json")
    expect(window.page.locator("tr[data-check=signature] .verdict")).to_have_class("verdict pass")
    window.page.locator("#ask-server").click()
    expect(window.page.locator(".banner")).to_have_attribute("data-verdict", "pass")


@pytest.mark.parametrize("is_true", [True, False])
def test_a_head_that_was_seen_is_a_witness(stele: Stele, windows: OpenWindow, is_true: bool) -> None:
    game, window = bring_in(stele, NAME), windows()
    record = json.loads(golden_file(NAME).read_bytes())
    seen = {"3": record["entries"][2]["hash"], "7": record["entries"][6]["hash"] if is_true else "ab" * 32}
    window.hold({game["id"]: {"seats": {}, "heads": seen, "since": "2026-01-01"}})
    audited(window, game)
    row = window.page.locator("tr[data-check=witness]")
    expect(row.locator(".verdict")).to_have_class(f"verdict {'pass' if is_true else 'fail'}")
    assert (verdict(window) == "fail") is not is_true
    if not is_true:
        expect(row.locator(".fault")).to_contain_text("Entry 7")


@pytest.mark.parametrize("is_mine", [True, False])
def test_the_share_of_chance_that_a_browser_brought_is_looked_for(
    stele: Stele, windows: OpenWindow, is_mine: bool
) -> None:
    name = "babel/sealed_entropy"
    record = json.loads(golden_file(name).read_bytes())
    opened = [entry["data"] for entry in record["entries"] if entry["type"] == "entropy_revealed"]
    entropy = opened[0]["entropy"] if is_mine else "00" * 32
    seats = {str(opened[0]["seat"]): {"token": "none", "entropy": entropy}}
    window = windows()
    window.hold({record["game"]: {"seats": seats, "since": "2026-01-01"}})
    dropped(window, golden_file(name))
    expect(window.page.locator("tr[data-check=seal] .verdict")).to_have_class(
        f"verdict {'pass' if is_mine else 'fail'}"
    )


def test_a_game_that_is_not_settled_opens_later(stele: Stele, windows: OpenWindow) -> None:
    body = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
    game = stele.http.post(f"{stele.url}/v1/games", json=body).raise_for_status().json()
    window = windows()
    window.go(f"#/games/{game['id']}/audit")
    expect(window.page.get_by_text("not settled yet")).to_be_visible()


def logged_game(stele: Stele) -> Any:
    """A game of two bots, settled and in the transparency log."""
    terms = {"ruleset": "babel", "players": [{"bot": "random"}, {"bot": "random"}]}
    headers = {"Authorization": f"Bearer {OPERATOR}"}
    game = stele.http.post(f"{stele.url}/v1/games", json=terms, headers=headers).raise_for_status().json()
    proof = f"{stele.url}/v1/games/{game['id']}/proof"
    wait_until(lambda: stele.http.get(proof).json()["settled"] is not None, "the settlement to be logged", 60)
    return game


def test_a_returning_browser_names_a_log_that_was_rolled_back(stele: Stele, windows: OpenWindow) -> None:
    game, window = logged_game(stele), windows()
    audited(window, game)
    expect(window.page.locator("tr[data-check=logged] .verdict.pass")).to_have_count(2)
    assert window.page.locator("tr[data-check=history]").count() == 0, "it has seen nothing before"
    audited(window, logged_game(stele))
    expect(window.page.locator("tr[data-check=history] .verdict.pass")).to_have_count(1)
    kept = json.loads(window.page.evaluate("localStorage.getItem('stele.log')"))
    seen = read_checkpoint(kept["note"])
    private = bytes.fromhex((stele.directory / "data" / "log.key").read_text().strip())
    for size, detail in ((seen.size + 5, "leaves, and shows"), (seen.size, "another history")):
        forged = {**kept, "note": NoteSigner(seen.origin, private).checkpoint(size, bytes(32))}
        window.page.evaluate("(text) => localStorage.setItem('stele.log', text)", json.dumps(forged))
        audited(window, game)
        window.page.reload()
        window.page.locator(".banner.fail").wait_for()
        expect(window.page.locator("tr[data-check=history].fail")).to_contain_text(detail)
        assert json.loads(window.page.evaluate("localStorage.getItem('stele.log')")) == forged, (
            "the evidence is kept"
        )

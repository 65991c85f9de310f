"""The page and its files: quick, kept by browsers, closed to everything from elsewhere."""

import gzip
import re
import tomllib
from pathlib import Path

import pytest

from services.api import page
from tests.api.client import Api

HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
ROOT = Path(__file__).parents[2]
ADDRESS = re.compile(r'(?:src|href)="(/[^"]*)"')


def addresses(quiet_api: Api) -> list[str]:
    """What the page loads first."""
    return ADDRESS.findall(quiet_api.get("/", Accept=HTML).body.decode())


def test_browsers_get_the_page_and_programs_a_signpost(quiet_api: Api) -> None:
    page, signpost = quiet_api.get("/", Accept=HTML), quiet_api.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.body.lower().startswith(b"<!doctype html>")
    assert signpost.headers["content-type"] == "application/json"
    for address in signpost.json["links"].values():
        assert quiet_api.get(address).status == 200, address
    for each in (page, signpost):
        assert "Accept" in each.headers["vary"].split(", ")


@pytest.mark.parametrize("path", ["/play", "/play/0", "/replay/0/17", "/audit", "/audit/0"])
def test_the_pages_own_addresses_show_the_page(quiet_api: Api, path: str) -> None:
    assert quiet_api.get(path).body == quiet_api.get("/", Accept=HTML).body


def test_everything_the_page_loads_first_is_here_and_may_be_kept_for_ever(quiet_api: Api) -> None:
    loaded = addresses(quiet_api)
    assert loaded
    for address in loaded:
        answer = quiet_api.get(address)
        assert answer.status == 200, address
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_every_file_is_served_and_is_part_of_the_package(quiet_api: Api) -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"][
        "web"
    ]
    packed = {path for pattern in patterns for path in (ROOT / "web").glob(pattern)}
    for path in (ROOT / "web").rglob("*"):
        if path.is_file() and path.name != "index.html":
            assert quiet_api.get(f"/web/{path.relative_to(ROOT / 'web')}").body == path.read_bytes()
            assert path in packed
    assert quiet_api.get("/web/verify.mjs").body == (ROOT / "replays/audit/verify.mjs").read_bytes()


def test_a_file_is_sent_compressed_to_who_takes_it_so_and_not_again_to_who_has_it(quiet_api: Api) -> None:
    plain = quiet_api.get("/web/words.js")
    small = quiet_api.get("/web/words.js", Accept_Encoding="gzip, br")
    assert small.headers["content-encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body
    assert len(small.body) < len(plain.body) / 2
    assert small.headers["etag"] != plain.headers["etag"]
    for headers in ({}, {"Accept_Encoding": "gzip"}):
        tag = quiet_api.get("/web/words.js", **headers).headers["etag"]
        again = quiet_api.get("/web/words.js", If_None_Match=tag, **headers)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/audit", "/web/words.js", "/web/verify.mjs"])
def test_nothing_may_come_from_elsewhere_and_nothing_is_guessed(quiet_api: Api, path: str) -> None:
    headers = quiet_api.get(path, Accept=HTML).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert not re.search(r"http|\*|unsafe", policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    ["index.html", "nothing.js", "../pyproject.toml", "..%2Fpyproject.toml", "%2Fetc%2Fpasswd", "views/"],
)
def test_nothing_else_is_served(quiet_api: Api, path: str) -> None:
    assert quiet_api.get(f"/web/{path}").code == "not_found"


def test_files_are_read_and_compressed_once(quiet_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "packed_file", None)
    monkeypatch.setattr(Path, "read_bytes", None)
    assert quiet_api.get("/", Accept=HTML).status == quiet_api.get("/web/words.js").status == 200


def test_the_page_takes_no_thread_that_others_need(quiet_api: Api) -> None:
    find = quiet_api.application.table.find
    routes = [find("GET", path).route for path in ("/", "/play/0", "/web/words.js")]
    assert {route.runs_in for route in routes if route} == {"loop"}
    assert None not in routes


def test_the_script_that_opens_the_page_without_a_server_may_look_after_all_of_it(quiet_api: Api) -> None:
    headers = quiet_api.get("/web/offline.js").headers
    assert (headers["service-worker-allowed"], headers["cache-control"]) == ("/", "no-cache")

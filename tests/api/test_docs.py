"""What the document tells, and its page, which needs nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.api.client import Api
from tests.chromium import told_by_page

CODES = {
    "body_too_large", "forbidden", "game_exists", "game_full", "game_not_found",
    "game_not_started", "game_over", "idempotency_key_reused", "internal_error", "invalid_options",
    "invalid_position", "invalid_request", "invalid_seats", "malformed_action", "malformed_json", "not_forkable",
    "not_found", "not_sealing", "not_settled", "seal_mismatch", "seat_is_bot", "seat_taken", "seat_withdrawn",
    "store_full", "store_unavailable", "unauthorized", "unknown_action", "unknown_ruleset",
    "unsupported_media_type", "version_conflict", "weak_idempotency_key",
}  # fmt: skip
"""The codes that the API itself may give. (`decision_passed` comes with those of the rules, which are any.)"""


@pytest.fixture
def document(api: Api) -> Any:
    return api.get("/openapi.json").json


def operations(document: Any) -> list[tuple[str, str, Any]]:
    return [
        (method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def problems(operation: Any) -> list[Any]:
    return [
        answer["content"]["application/problem+json"]["schema"]
        for answer in operation["responses"].values()
        if "application/problem+json" in answer.get("content", {})
    ]


def codes(operation: Any) -> set[str]:
    limited = [schema["allOf"][1] for schema in problems(operation) if "allOf" in schema]
    return {code for schema in limited for code in schema["properties"]["code"]["enum"]}


PAGE = ("home", "page_inside", "page_file")
"""What browsers load is no part of the API."""


def test_every_route_is_in_the_document(api: Api, document: Any) -> None:
    told = {(method.upper(), path) for method, path, _ in operations(document)}
    for rule in api.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        if not path.startswith(("/docs", "/openapi")) and rule.endpoint not in PAGE:
            assert {(method, path) for method in (rule.methods or set()) & {"GET", "POST"}} <= told


def test_every_route_tells_what_it_is_for_and_which_problems_it_may_give(document: Any) -> None:
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert "500" in operation["responses"], path
        assert "default" not in operation["responses"], "that would allow anything"
        if "{game_id}" in path:
            assert {"401", "404", "503"} <= operation["responses"].keys(), path
        if method == "post":
            assert {"400", "413", "415", "422"} <= operation["responses"].keys(), path


def test_every_code_is_told_somewhere(document: Any) -> None:
    told = set().union(*(codes(operation) for _, _, operation in operations(document)))
    assert told >= CODES


def test_an_action_is_one_of_some_game_or_a_list_of_them(api: Api, document: Any) -> None:
    body = document["paths"]["/v1/games/{game_id}/actions"]["post"]["requestBody"]
    one, some = body["content"]["application/json"]["schema"]["anyOf"]
    assert (some["items"], some["maxItems"]) == (one, 32)
    schemas = document["components"]["schemas"]
    games = {choice["$ref"].rpartition("/")[2] for choice in schemas["Action"]["anyOf"]}
    assert games == {f"{ruleset.name}_{ruleset.version}_action" for ruleset in api.context.rulesets}
    assert schemas["lanterns_1_action"]["anyOf"][0]["properties"]["type"] == {"enum": ["lay"]}


def test_the_document_describes_nothing_that_is_not_used(document: Any) -> None:
    text = str(document)
    for name in document["components"]["schemas"]:
        assert f"'#/components/schemas/{name}'" in text, name


def test_a_token_is_told_and_not_demanded(document: Any) -> None:
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["security"] == [{}, {"token": []}]


def test_the_document_refers_to_nothing_outside(api: Api) -> None:
    text = api.get("/openapi.json").body.decode()
    assert all(reference.startswith("#/") for reference in re.findall(r'"\$ref": ?"([^"]*)"', text))
    assert "://" not in text


class Links(HTMLParser):
    """Every address that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("src", "href") and value]


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    links = Links()
    links.feed(page.body.decode())
    assert len(links.found) == 3
    addresses = [*links.found, *re.findall(r'url: "([^"]*)"', api.get("/docs/start.js").body.decode())]
    assert "/openapi.json" in addresses
    for address in addresses:
        assert address.startswith("/")
        assert not address.startswith("//")
        assert api.get(address).status == 200, address


def test_the_page_may_not_fetch_anything_from_elsewhere(api: Api) -> None:
    """What the browser would not allow, the scripts cannot do; and they are told not to try."""
    assert "validatorUrl: null" in api.get("/docs/start.js").body.decode()
    policy = api.get("/docs").headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "http" not in policy
    styles = api.get("/docs/swagger-ui.css").body.decode()
    assert all(address.lstrip("\"'").startswith("data:") for address in re.findall(r"url\(([^)]*)", styles))
    assert "@import" not in styles


LOOKER = """<!doctype html>
<meta charset="utf-8">
<iframe src="/docs" width="1200" height="900"></iframe>
<script type="module">
const shown = () => [...document.querySelector("iframe").contentDocument.querySelectorAll(".opblock-summary-path")];
while (!shown().length) await new Promise((resolve) => setTimeout(resolve, 50));
const paths = shown().map((path) => path.textContent.replaceAll("\u200b", ""));
await fetch("/told", { method: "POST", body: JSON.stringify(paths) });
</script>
"""


def test_a_browser_that_gets_these_files_and_no_others_shows_every_operation(api: Api, document: Any) -> None:
    page = api.get("/docs").body
    links = Links()
    links.feed(page.decode())
    files = {address: api.get(address).body for address in (*links.found, "/openapi.json")}
    told = json.loads(told_by_page({"/page.html": LOOKER.encode(), "/docs": page} | files))
    assert sorted(told) == sorted(path for _, path, _ in operations(document))

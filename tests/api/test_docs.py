"""What the document tells, and its page, which needs nothing from elsewhere."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from events.entries import DATA_TYPES
from games import RULESETS
from services.api.document import openapi_document
from tests.api.client import CLUB, Api
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


def codes(operation: Any) -> set[str]:
    return {code for problems in operation["x-problems"].values() for code in problems}


def test_every_route_is_in_the_document_but_for_what_browsers_load(api: Api, document: Any) -> None:
    documented = {(method.upper(), path) for method, path, _ in operations(document)}
    for route in api.application.table.routes:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path)
        assert ((route.method, path) in documented) == route.documented
        assert route.documented or not path.startswith("/v1")


def test_every_route_tells_what_it_is_for_and_which_problems_it_may_give(document: Any) -> None:
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"] not in ("", operation["summary"]), path
        assert "500" in operation["responses"], path
        assert any(status.startswith("4") for status in operation["responses"]), path
        assert "default" not in operation["responses"], "that would allow anything"
        if "{game_id}" in path:
            assert {"401", "404", "503"} <= operation["responses"].keys(), path
        if method == "post" and not path.endswith("/test"):
            assert {"400", "413", "415", "422"} <= operation["responses"].keys(), path


def test_every_operation_has_a_name_of_its_own(document: Any) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)


def test_every_code_is_told_somewhere(document: Any) -> None:
    listed = set().union(*(codes(operation) for _, _, operation in operations(document)))
    assert listed >= CODES


def test_problems_of_a_status_are_one_answer_that_all_operations_share(document: Any) -> None:
    for _, path, operation in operations(document):
        for status, problems in operation["x-problems"].items():
            answer = operation["responses"][status]
            name = answer["$ref"].removeprefix("#/components/responses/")
            shared = document["components"]["responses"][name]["content"]["application/problem+json"]
            assert shared["schema"] == {"$ref": "#/components/schemas/Problem"}, path
            assert all(f"`{code}`" in answer["description"] for code in problems), path


def everything(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in the document."""
    if isinstance(node, dict):
        yield node
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from everything(value)


def test_every_member_of_every_component_is_described(document: Any) -> None:
    undescribed = [
        f"{name}.{member}"
        for name, schema in document["components"]["schemas"].items()
        for member, said in schema.get("properties", {}).items()
        if not said.get("description") and not name.startswith("Lanterns")
    ]
    assert not undescribed
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description") or name.startswith("Lanterns"), name


def test_no_reference_points_to_nothing_and_no_list_says_false(document: Any) -> None:
    for node in everything(document):
        assert node.get("items") is not False
        if isinstance(reference := node.get("$ref"), str):
            target = document
            for step in reference.removeprefix("#/").split("/"):
                target = target[step]


def test_legal_actions_are_actions_told_apart_by_their_type(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["LegalActions"]["properties"]["actions"]["items"] == {
        "$ref": "#/components/schemas/Action"
    }
    mapping = schemas["Action"]["discriminator"]["mapping"]
    assert mapping["place"] == "#/components/schemas/AtonPlace"
    both = [each["$ref"].rpartition("/")[2] for each in schemas["Exchange"]["anyOf"]]
    assert both == ["TempleOfFiveExchange", "AtonExchange"], "what demands more comes first"
    assert schemas["TempleOfFiveExchange"]["required"] == ["type", "keep"], "the others have defaults"
    assert schemas["SaRePay"]["properties"]["source"]["$ref"] == "#/components/schemas/SaReSource"


def test_a_game_is_told_apart_by_its_ruleset_and_an_event_by_its_type(api: Api, document: Any) -> None:
    schemas = document["components"]["schemas"]
    names = {ruleset.name for ruleset in api.context.rulesets}
    for name in ("Game", "NewGame"):
        assert schemas[name]["discriminator"]["mapping"].keys() == names
    view = schemas["BabelGame"]["properties"]["view"]["anyOf"][0]
    versions = [{"$ref": f"#/components/schemas/{name}"} for name in ("BabelView", "BabelV1View")]
    assert view == {"anyOf": versions}
    assert schemas["Event"]["discriminator"]["mapping"].keys() == DATA_TYPES.keys()


def test_an_action_is_one_of_some_game_or_a_list_of_them(document: Any) -> None:
    body = document["paths"]["/v1/games/{game_id}/actions"]["post"]["requestBody"]
    one, some = body["content"]["application/json"]["schema"]["anyOf"]
    assert (some["items"], some["maxItems"]) == (one, 32)


def test_the_document_in_docs_is_the_one_that_is_served() -> None:
    written = json.loads(Path("docs/openapi.json").read_bytes())
    assert written == json.loads(openapi_document(RULESETS)), "run `make openapi`"


def test_the_document_is_written_once_a_process(api: Api) -> None:
    assert openapi_document(api.context.rulesets) is openapi_document(api.context.rulesets)
    served = api.get("/openapi.json")
    assert served.body == openapi_document(api.context.rulesets)
    assert api.get("/openapi.json", If_None_Match=served.headers["etag"]).status == 304


def test_the_document_describes_nothing_that_is_not_used(document: Any) -> None:
    used: set[str] = set()
    waiting = [document["paths"], document["webhooks"]]
    while waiting:
        for node in everything(waiting.pop()):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference not in used:
                used.add(reference)
                _, _, kind, name = reference.split("/")
                waiting.append(document["components"][kind][name])
    described = {
        f"#/components/{kind}/{name}"
        for kind in ("schemas", "responses")
        for name in document["components"][kind]
    }
    assert used == described


def test_the_document_names_its_server_and_its_licence(document: Any) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]
    assert document["info"]["license"] == {"name": "MIT", "url": "https://opensource.org/license/mit"}


def test_what_is_refused_does_not_fit_its_schema(api: Api, document: Any) -> None:
    schemas = document["components"]["schemas"]
    alone = {"ruleset": "babel", "seats": 2}
    for member, refused in (
        ("players", [{"bot": "greedy", "entropy": "the third of May"}]),
        ("players", [{"bot": "greedy", "public_key": "ab" * 32}]),
        ("clock", {"turn_seconds": 9, "total_seconds": 9}),
        ("clock", {"turn_seconds": 9, "increment_seconds": 9}),
        ("clock", {"total_seconds": 9, "reserve_seconds": 9}),
        ("tags", ["cup", "cup"]),
    ):
        assert api.post("/v1/games", {**alone, member: refused}, CLUB).code == "invalid_request"
        schema = schemas["BabelNewGame"]["properties"][member] | {"components": document["components"]}
        assert not Draft202012Validator(schema).is_valid(refused), refused
    for path in ("/v1/games", "/v1/results", "/v1/standings", "/v1/export"):
        assert api.get(f"{path}?cursor=").code == "invalid_request"
        named = {each["name"]: each for each in document["paths"][path]["get"]["parameters"]}
        assert named["cursor"]["schema"]["minLength"] == 1


def test_a_token_is_told_and_not_demanded(document: Any) -> None:
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["security"] == [{}, {"token": []}]


def test_the_document_refers_to_nothing_outside(api: Api) -> None:
    text = api.get("/openapi.json").body.decode()
    for address in (
        "https://club.example/",
        "https://push.example.org/",
        "https://opensource.org/license/mit",
    ):
        text = text.replace(address, "")
    assert all(reference.startswith("#/") for reference in re.findall(r'"\$ref": ?"([^"]*)"', text))
    assert "://" not in text


class Links(HTMLParser):
    """Every address that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if name in ("src", "href") and value]


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    links = Links()
    links.feed(page.body.decode())
    assert len(links.addresses) == 3
    addresses = [*links.addresses, *re.findall(r'url: "([^"]*)"', api.get("/docs/start.js").body.decode())]
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
const errors = document.querySelector("iframe").contentDocument.querySelectorAll(".errors-wrapper").length;
await fetch("/told", { method: "POST", body: JSON.stringify({ paths, errors }) });
</script>
"""


def test_a_browser_that_gets_these_files_and_no_others_shows_every_operation(api: Api, document: Any) -> None:
    page = api.get("/docs").body
    links = Links()
    links.feed(page.decode())
    files = {address: api.get(address).body for address in (*links.addresses, "/openapi.json")}
    shown = json.loads(told_by_page({"/page.html": LOOKER.encode(), "/docs": page} | files))
    assert sorted(shown["paths"]) == sorted(
        [*(path for _, path, _ in operations(document)), *document["webhooks"]]
    )
    assert not shown["errors"]

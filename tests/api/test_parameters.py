"""Query parameters: one that is not known is refused, and the known ones are named."""

from typing import Any

import pytest

from tests.api.client import Api, new_game


@pytest.mark.parametrize(
    "path", ["/v1/games?staus=open", "/v1/rulesets?x=", "/v1/results?players=ada&limit=2"]
)
def test_an_unknown_parameter_is_refused(quiet_api: Api, path: str) -> None:
    answer = quiet_api.get(path)
    assert (answer.status, answer.code) == (422, "invalid_request")
    (name,) = answer.json["errors"]["query"]
    assert f"`{name}`" in answer.json["detail"]


def test_the_known_ones_are_named(quiet_api: Api) -> None:
    game = new_game(quiet_api)
    detail = game.get("?veiw=full").json["detail"]
    assert detail.endswith("Known here: after, wait, view, include, lang, ticket, join_code.")
    assert game.post("/seats?seat=1", {"name": "Zoe"}).json["detail"].endswith("There are none here.")


def test_nothing_is_changed_by_a_request_with_an_unknown_parameter(quiet_api: Api) -> None:
    game = new_game(quiet_api)
    head = game.head
    answer = game.post("/actions?dryrun=true", game.legal(0)[0], game.token(0))
    assert (answer.status, game.head) == (422, head)


def test_what_is_not_under_v1_takes_what_comes(quiet_api: Api) -> None:
    assert quiet_api.get("/healthz?from=probe").status == 200
    assert quiet_api.get("/v1/nothing?x=1").code == "not_found"


def test_every_parameter_that_the_document_names_is_known(quiet_api: Api) -> None:
    """Asked for with nonsense, it may be refused, but not as unknown."""
    document: Any = quiet_api.get("/openapi.json").json
    asked = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if not path.startswith("/v1/") or method not in ("get", "post", "delete"):
                continue
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query":
                    answer = quiet_api.send(method.upper(), f"{path}?{parameter['name']}=~")
                    assert b"There is no query parameter" not in answer.body
                    asked += 1
    assert asked > 40

"""Pages of other origins: let in where the settings name them, and nowhere else."""

import pytest

from tests.api.client import Api, new_game
from tests.api.conftest import MakeApi

HOME, STRANGE = "https://play.example.org", "https://strange.example.org"
PREFLIGHT = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization"}


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    return make_api(cors_origins=(HOME,))


def test_a_page_of_a_named_origin_reads_answers_and_problems(api: Api) -> None:
    game = new_game(api)
    for path, status in ((game.path, 200), ("/v1/games/none", 404), ("/nowhere", 404)):
        answer = api.get(path, Origin=HOME)
        assert answer.status == status
        assert answer.headers["access-control-allow-origin"] == HOME
        assert "ETag" in answer.headers["access-control-expose-headers"]
        assert "Origin" in answer.headers["vary"]


def test_a_page_of_a_named_origin_may_send_what_the_api_takes(api: Api) -> None:
    answer = api.send("OPTIONS", "/v1/games", None, None, Origin=HOME, **PREFLIGHT)
    assert answer.status == 200
    allowed = answer.headers["access-control-allow-headers"].lower()
    routes = api.application.table.routes
    taken = {
        parameter["name"] for route in routes for parameter in route.params if parameter["in"] == "header"
    }
    assert {"Idempotency-Key", "Stele-Signature"} <= taken
    for name in {"Authorization", "Content-Type", *taken}:
        assert name.lower() in allowed
    assert "POST" in answer.headers["access-control-allow-methods"]


def test_no_other_origin_is_let_in(api: Api) -> None:
    for origin in (STRANGE, f"{HOME}.evil.example", "null", HOME.upper()):
        for method in ("GET", "OPTIONS"):
            answer = api.send(method, "/v1/games", None, None, Origin=origin, **PREFLIGHT)
            assert not [name for name in answer.headers if name.startswith("access-control")]
            assert "Origin" in answer.headers["vary"], "else a cache could give it another's answer"


def test_without_origins_nobody_is_let_in(make_api: MakeApi) -> None:
    answer = make_api().get("/v1/games", Origin=HOME)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_cookies_are_never_asked_for(api: Api) -> None:
    """Tokens are sent on purpose, so no other page can act with them."""
    answer = api.get("/v1/games", Origin=HOME)
    assert "access-control-allow-credentials" not in answer.headers
    assert "set-cookie" not in answer.headers

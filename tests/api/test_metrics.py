"""`/metrics` is for this machine, and for whoever brings a token: nobody else counts how much is played here."""

import pytest

from services.http.messages import Request, Response
from tests.api.client import CLUB, OPERATOR, Api
from tests.api.conftest import MakeApi

METRICS_TOKEN = "token-of-prometheus-and-nobody"


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    return make_api(metrics_token=METRICS_TOKEN)


def status(api: Api, peer: str, token: str | None = None, **headers: str) -> int:
    """The status of an answer to someone who connects from this address."""
    sent = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    if token:
        sent["authorization"] = f"Bearer {token}"
    found = api.application.table.find("GET", "/metrics")
    answer = api.application.respond(Request("GET", "/metrics", "", sent, b"", peer, api.context, *found))
    assert isinstance(answer, Response)
    return answer.status


@pytest.mark.parametrize("peer", ["127.0.0.1:5000", "127.9.9.9", "[::1]:5000", "::ffff:127.0.0.1"])
def test_this_machine_reads_them_without_a_token(api: Api, peer: str) -> None:
    assert status(api, peer) == 200


@pytest.mark.parametrize("peer", ["10.0.0.7:5000", "2001:db8::1", "", "nonsense"])
def test_others_need_a_token(api: Api, peer: str) -> None:
    assert status(api, peer) == 401
    assert [status(api, peer, token) for token in (METRICS_TOKEN, OPERATOR)] == [200, 200]
    assert [status(api, peer, token) for token in (CLUB, METRICS_TOKEN[:-1], "x")] == [401, 401, 401]


@pytest.mark.parametrize("header", ["Forwarded", "X_Forwarded_For", "X_Forwarded_Proto", "X_Forwarded_Host"])
def test_who_comes_through_a_proxy_is_not_this_machine(api: Api, header: str) -> None:
    assert status(api, "127.0.0.1", **{header: "127.0.0.1"}) == 401
    assert status(api, "127.0.0.1", METRICS_TOKEN, **{header: "127.0.0.1"}) == 200


def test_without_a_setting_operators_alone_read_them_from_elsewhere(make_api: MakeApi) -> None:
    api = make_api()
    assert [status(api, "10.0.0.7", token) for token in (None, METRICS_TOKEN, OPERATOR)] == [401, 401, 200]

"""Who pays for expensive work: hosts by name, all seats and strangers by their address."""

from services.api.payers import payer_of
from services.http.messages import Request
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, new_game


def payer(api: Api, token: str | None = None, peer: str = "192.0.2.1") -> str:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return payer_of(api.context, Request("GET", "/", "", headers, b"", peer, api.context))


def test_hosts_are_known_by_name_and_everybody_else_by_address(api: Api) -> None:
    game = new_game(api, "babel")
    assert [payer(api, token) for token in (CLUB, SCHOOL, OPERATOR)] == [
        "host:club",
        "host:school",
        "operator",
    ]
    stranger = payer(api)
    assert {payer(api, game.token(0)), payer(api, game.token(1)), payer(api, "nonsense")} == {stranger}
    assert payer(api, peer="192.0.2.2") != stranger
    assert (
        payer(api, peer="2001:db8::1")
        == payer(api, peer="2001:db8:0:ff::2")
        != payer(api, peer="2001:db8:1::1")
    )
    assert "192.0.2.1" not in stranger


def test_a_header_that_cannot_be_read_is_a_strangers(api: Api) -> None:
    request = Request("GET", "/", "", {"authorization": "Basic x"}, b"", "192.0.2.1", api.context)
    assert payer_of(api.context, request) == payer(api)

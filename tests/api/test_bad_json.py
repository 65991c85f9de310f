"""Bodies that are not JSON as the log keeps it, or not JSON at all: refused before anyone looks at what they say."""

import json

import pytest

from tests.api.client import Answer, Api, Table, new_game
from tests.api.refusals import Case, assert_refused

LAY = {"type": "lay", "card": 1}


@pytest.fixture(scope="module")
def api(quiet_api: Api) -> Api:
    return quiet_api


@pytest.fixture(scope="module")
def game(api: Api) -> Table:
    """A game of Lanterns in play, in which nothing happens: all three seats are to act."""
    return new_game(api)


def raw(case: str, status: int, code: str, body: bytes, content_type: str = "application/json") -> Case:
    """These very bytes, sent as an action."""

    def send(api: Api, game: Table) -> Answer:
        return api.send("POST", f"{game.path}/actions", body, game.token(0), Content_Type=content_type)

    return Case(case, status, code, send)


JSON = [
    raw("no JSON at all", 400, "malformed_json", b"lay a one"),
    raw("JSON cut off", 400, "malformed_json", b'{"type": "lay"'),
    raw("two values", 400, "malformed_json", b"{} {}"),
    raw("a key twice", 400, "malformed_json", b'{"type": "lay", "card": 1, "card": 2}'),
    raw("a key twice far inside", 400, "malformed_json", b'{"type": "lay", "card": [{"a": 1, "a": 1}]}'),
    raw("a number that is none", 400, "malformed_json", b'{"type": "lay", "card": NaN}'),
    raw("an infinite number", 400, "malformed_json", b'{"type": "lay", "card": -Infinity}'),
    raw("a number beyond all floats", 400, "malformed_json", b'{"type": "lay", "card": 1e999}'),
    raw("a fraction", 400, "malformed_json", b'{"type": "lay", "card": 1.0}'),
    raw("an integer beyond 2 to the 53", 400, "malformed_json", b'{"type": "lay", "card": 9007199254740992}'),
    raw("an integer of 5000 digits", 400, "malformed_json", b'{"type": "lay", "card": ' + b"9" * 5000 + b"}"),
    raw("a negative integer of 5000 digits", 400, "malformed_json", b"[-" + b"9" * 5000 + b"]"),
    raw("a lone surrogate", 400, "malformed_json", b'{"type": "\\ud800"}'),
    raw("a lone surrogate as bytes", 400, "malformed_json", b'{"type": "\xed\xa0\x80"}'),
    raw("a lone surrogate in a key", 400, "malformed_json", b'{"\\udfff": 1}'),
    raw("a key that is not ASCII", 400, "malformed_json", '{"é": 1}'.encode()),
    raw("a control character in a string", 400, "malformed_json", b'{"type": "\x01"}'),
    raw("bytes that are not UTF-8", 400, "malformed_json", b'{"type": "\xff"}'),
    raw("UTF-16", 400, "malformed_json", json.dumps(LAY).encode("utf-16")),
    raw("a byte order mark", 400, "malformed_json", b"\xef\xbb\xbf{}"),
    raw("a bomb of lists", 400, "malformed_json", b"[" * 100_000),
    raw("a bomb of closed lists", 400, "malformed_json", b"[" * 100_000 + b"]" * 100_000),
    raw("a bomb of objects", 400, "malformed_json", b'{"a":' * 40_000),
    raw("65 levels", 400, "malformed_json", b"[" * 65 + b"]" * 65),
    raw("300 kB", 413, "body_too_large", b'{"type": "' + b"a" * 300_000 + b'"}'),
    raw("300 kB of spaces", 413, "body_too_large", b" " * 300_000),
    raw("text", 415, "unsupported_media_type", b'{"type": "lay", "card": 1}', "text/plain"),
    raw(
        "what it calls UTF-16",
        415,
        "unsupported_media_type",
        json.dumps(LAY).encode("utf-16"),
        "application/json; charset=utf-16",
    ),
    raw(
        "what it calls Latin-1",
        415,
        "unsupported_media_type",
        json.dumps(LAY).encode(),
        "application/json; charset=latin-1",
    ),
    raw("a form", 415, "unsupported_media_type", b"type=lay&card=1", "application/x-www-form-urlencoded"),
    raw("a multipart form", 415, "unsupported_media_type", b"--x--", "multipart/form-data; boundary=x"),
    raw("no content type", 415, "unsupported_media_type", b'{"type": "lay", "card": 1}', ""),
]


@pytest.mark.parametrize("case", JSON, ids=str)
def test_a_body_that_is_not_the_logs_json_is_refused(api: Api, game: Table, case: Case) -> None:
    assert_refused(api, game, case)

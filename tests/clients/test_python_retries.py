"""What the Python client does when a server is busy, breaks off or talks nonsense: tries again, and not for ever."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from stele_client import Retries, Stele, SteleError
from stele_client.retrying import Patience
from stele_client.sse import Parser, Sent

BUSY = b'{"code": "rate_limited", "detail": "Slower, please."}'
Step = tuple[int, dict[str, str], bytes] | None


class Moody(BaseHTTPRequestHandler):
    """Answers as its script says, step by step; at None it hangs up without a word."""

    script: list[Step]
    keys: list[str | None]

    def do_POST(self) -> None:
        if self.path == "/v1/socket":  # it has none, so that streams come as they always did
            self.send_error(404)
            return
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.keys.append(self.headers.get("Idempotency-Key"))
        step = self.script.pop(0)
        if step is None:
            self.close_connection = True
            return
        status, headers, body = step
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_DELETE = do_POST  # noqa: N815  # names that the server looks for

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def moody(*script: Step) -> Iterator[tuple[str, list[str | None]]]:
    """A server that does this, and the keys of the requests that came."""
    keys: list[str | None] = []
    handler = type("Handler", (Moody,), {"script": list(script), "keys": keys})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", keys
    finally:
        server.shutdown()
        server.server_close()


LEFT: Step = (200, {}, b'{"version": 3, "hash": "h"}')


def test_a_change_is_sent_again_with_the_same_key_until_it_is_answered() -> None:
    with moody(None, (503, {}, b"gone"), (429, {"Retry-After": "1"}, BUSY), LEFT) as (url, keys):
        with Stele(url) as stele:
            began = time.monotonic()
            assert do_leave(stele).version == 3
        assert time.monotonic() - began >= 1, "it waits as long as it is asked to"
        assert len(keys) == 4
        assert len(set(keys)) == 1
        assert keys[0]
        assert len(keys[0]) >= 22


def do_leave(stele: Stele) -> Any:
    return stele.game("g", "0.0.t").leave(0)


def test_two_changes_have_two_keys() -> None:
    with moody(LEFT, LEFT) as (url, keys), Stele(url) as stele:
        do_leave(stele)
        do_leave(stele)
        assert len(set(keys)) == 2


def test_what_is_refused_for_good_is_sent_once() -> None:
    refusal = b'{"code": "not_open", "detail": "It has begun.", "status": 409}'
    with moody((409, {}, refusal)) as (url, keys), Stele(url) as stele:
        with pytest.raises(SteleError, match="not_open"):
            do_leave(stele)
        assert len(keys) == 1


def test_a_server_that_asks_for_more_time_than_there_is_gets_none() -> None:
    with moody((429, {"Retry-After": "3600"}, BUSY)) as (url, keys), Stele(url) as stele:
        with pytest.raises(SteleError, match="rate_limited") as error:
            do_leave(stele)
        assert error.value.retry_after == 3600
        assert len(keys) == 1


def test_retries_come_to_an_end() -> None:
    brief = Retries(seconds=0.5)
    with moody(*[None] * 50) as (url, keys), Stele(url, retries=brief) as stele:
        with pytest.raises(SteleError, match="unreachable"):
            do_leave(stele)
        assert 1 < len(keys) < 50


@pytest.mark.parametrize("answer", [(200, {}, b"<html>"), (404, {}, b"<html>"), (500, {}, b"")])
def test_an_answer_of_someone_else_is_told_as_such(answer: Step) -> None:
    with moody(answer) as (url, _), Stele(url) as stele, pytest.raises(SteleError, match="unexpected_answer"):
        do_leave(stele)


def test_pauses_grow_and_begin_anew_when_things_go_on() -> None:
    patience = Patience(Retries(seconds=100, first=1, longest=4))
    lost = SteleError("unreachable", "")
    grown = [patience.pause(lost) for _ in range(5)]
    assert [bound / 2 <= pause <= bound for pause, bound in zip(grown, [1, 2, 4, 4, 4], strict=True)] == [
        True
    ] * 5
    patience.is_well()
    assert patience.pause(lost) <= 1


def test_all_the_time_that_there_is_may_be_waited_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    patience = Patience(Retries(seconds=5, first=1, longest=4))
    assert patience.pause(SteleError("unreachable", "", retry_after=5)) == 5
    with pytest.raises(SteleError):
        patience.pause(SteleError("unreachable", "", retry_after=6))


def test_a_stream_is_taken_apart_however_its_bytes_come() -> None:
    raw = (
        b': hello\n\nid: 1\ndata: {"a": "\xe2\x80\xa8"}\n\r\n:\nid: 7\n\ndata:x\ndata: y\n\nid: 9\ndata: cut'
    )
    whole = [Sent("1", b'{"a": "\xe2\x80\xa8"}'), Sent("7", b""), Sent(None, b"x\ny")]
    for size in (1, 2, 5, len(raw)):
        parser = Parser()
        parts = [raw[at : at + size] for at in range(0, len(raw), size)]
        assert [sent for part in parts for sent in parser.feed(part)] == whole


# -- a game that a server has forgotten in part --------------------------------------------------------------------------


def event(seq: int, kind: str) -> str:
    entry = {"seq": seq, "type": kind, "at": "", "actor": {}, "data": {}, "game": "g", "prev": "", "hash": ""}
    return json.dumps(entry)


def frame(version: int, kind: str, status: str, decision: int) -> str:
    stands = {"status": status, "to_act": [0], "decisions": {"0": decision}, "deadlines": {}}
    shown = {"version": version, "event": json.loads(event(version, kind)), "view": {}, **stands}
    return json.dumps({**shown, "actions": [{"type": "pass"}]})


def told(*messages: tuple[int, str], rewound: bool = False) -> Step:
    body = "".join(f"id: {number}\ndata: {data}\n\n" for number, data in messages)
    body += "event: news\ndata: {}\n\n" + ("event: rewound\nid: 0\ndata: {}\n\n" if rewound else "")
    return 200, {"Content-Type": "text/event-stream"}, body.encode()


def test_who_follows_the_log_is_told_that_it_was_rewound() -> None:
    with moody(told((1, event(1, "game_created")), rewound=True)) as (url, _), Stele(url) as stele:
        events = stele.game("g").follow()
        assert next(events).seq == 1
        with pytest.raises(SteleError, match="rewound"):
            next(events)


def test_turns_go_on_from_what_a_rewound_game_is_now() -> None:
    look = {"id": "g", "ruleset": "r", "ruleset_version": 1, "options": {}, "origin": {}, "private": False}
    look |= {"clock": None, "created": "", "settled": False, "version": 9, "hash": "", "seats": [], "you": 0}
    look |= {"seed_commitment": "", "fairness": None, "view": {}, "links": {}, "status": "playing"}
    look |= {"to_act": [0], "decisions": {}, "deadlines": {}}
    before = told((9, frame(9, "action_taken", "playing", 9)), rewound=True)
    now = told((7, frame(7, "action_taken", "playing", 7)), (8, frame(8, "game_settled", "ended", 0)))
    with moody((200, {}, json.dumps(look).encode()), before, now) as (url, _), Stele(url) as stele:
        assert [turn.decision for turn in stele.game("g", "0.0.t").my_turns()] == [9, 7]

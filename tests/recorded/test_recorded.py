"""Requests of every kind are answered as 0.2.0 answered them; members may have been added, none has changed."""

import json
import lzma
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.api.client import Answer, build_api
from tests.recorded.record import no_entropy, work
from tests.servers import ValkeyServer

EXCHANGES = Path(__file__).with_name("exchanges.jsonl.xz")
PASSING = frozenset({"now", "expires", "ticket", "since", "ruleset_version", "terms"})
"""Members whose value depends on the moment of the request, or on what a newly created game is held to."""
HASH = re.compile(r"[0-9a-f]{32,}")
REDRAWN = "image/svg+xml"
"""Pictures may be drawn better; `tests/games` holds them to what they must show."""
SHOWN = 20
KNOWN = "Known here: "
REWORDED = {
    "Seeded, positioned and bot-only games are for hosts and operators here.": (
        "Seeded and positioned games are for hosts and operators here."  # games of bots alone have a setting of their own
    )
}


def lost(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Where an answer no longer says what it said; hashes follow from entries, which have members of their own terms."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            if name not in now:
                yield f"{where}/{name} is gone"
            elif name not in PASSING:
                yield from lost(value, now[name], f"{where}/{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from lost(old, new, f"{where}/{place}")
    elif (
        REWORDED.get(str(before), before) != now
        and not knows_more(before, now)
        and not (HASH.fullmatch(str(before)) and HASH.fullmatch(str(now)))
    ):
        yield f"{where} was {str(before)[:200]}, is {str(now)[:200]}"


def knows_more(before: Any, now: Any) -> bool:
    """Does a refusal name the same query parameters as known, and further ones?"""
    if not (isinstance(before, str) and isinstance(now, str)):
        return False
    (said, _, known), (says, _, knows) = before.partition(KNOWN), now.partition(KNOWN)
    return said == says and {*known.strip(".").split(", ")} <= {*knows.strip(".").split(", ")}


def changes(before: Any, answer: Answer) -> Iterator[str]:
    """How an answer differs from the one that was kept."""
    if answer.status != before["status"]:
        yield f"{before['status']} is {answer.status} {answer.body[:200]!r}"
        return
    kind = before["headers"].get("content-type", "")
    yield from lost(kind, answer.headers.get("content-type", ""), "content-type")
    for name in ("cache-control", "location", "www-authenticate", "idempotent-replayed", "content-language"):
        yield from lost(before["headers"].get(name), answer.headers.get(name), name)
    body = before["body"].encode("latin-1")
    if "json" in kind and body:
        yield from lost(json.loads(body), answer.json)
    elif REDRAWN not in kind and body != answer.body:
        yield f"{body[:200]!r} is {answer.body[:200]!r}"


def test_recorded_requests_get_the_answers_that_they_got(
    valkey: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", no_entropy)
    monkeypatch.setattr(secrets, "token_hex", lambda nbytes=None: no_entropy(nbytes).hex())
    valkey.client().flushall()
    api = build_api(valkey.url)
    api.compares = False
    found: list[str] = []
    lines = lzma.decompress(EXCHANGES.read_bytes()).splitlines()
    for exchange in map(msgspec.json.decode, lines):
        if "work" in exchange:
            work(api, exchange["work"], exchange["game"])
            continue
        sent, before = exchange["request"], exchange["answer"]
        content = None if sent["body"] is None else sent["body"].encode("latin-1")
        answer = api.send(sent["method"], sent["path"], content, sent["token"], **sent["headers"])
        found += (f"{sent['method']} {sent['path']}: {change}" for change in changes(before, answer))
    api.close()
    assert len(lines) > 5000
    assert found[:SHOWN] == []


def test_a_changed_a_missing_and_an_added_member_are_told_apart() -> None:
    before = {"view": {"hand": ["a", "b"], "count": 2}, "hash": "ab" * 32, "now": "then"}
    assert list(lost(before, {**before, "hash": "cd" * 32, "now": "later", "more": 1})) == []
    assert list(lost(before, {**before, "view": {"hand": ["a", "c"]}})) == [
        "/view/hand/1 was b, is c",
        "/view/count is gone",
    ]
    assert list(lost(before, {**before, "hash": None})) == [f"/hash was {'ab' * 32}, is None"]

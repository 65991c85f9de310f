"""What is fuzzed, and what must hold: each attempt is made of a number alone, so every failure can be made again."""

import json
import socket
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from random import Random
from typing import Any

from games import RULESETS
from games.canonical import canonical
from games.chance import Chance
from games.kernel import InvalidSetup
from replays.audit.audit import Audit
from replays.audit.heads import Trust
from replays.audit.verify import LogTrust
from services.core.sandboxed_audit import audit_record_bytes
from tests.golden.records import RECORDS, golden
from tests.rulesets.fuzz import OUTLANDISH, fuzzed, reworked
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, played, refusal_of
from tests.rulesets.story import builtins

Attempt = Callable[[Random], None]
SHORT = 60_000
"""Bytes of the golden records that are fuzzed: an audit of a long game leaves no time for others."""


OF_THE_HOUSE = [kit for kit in KITS if kit.ruleset.name in {ruleset.name for ruleset in RULESETS}]
"""The toy is for reading, and takes any position for good."""


def some_moment(random: Random) -> Moment:
    kit = random.choice(OF_THE_HOUSE)
    game = played(kit, random.randrange(len(kit.settings)), random.randrange(2))
    return Moment(game, random.randrange(len(game.steps)))


# -- the rules --------------------------------------------------------------------------------------------------------


def decide(random: Random) -> None:
    """An action is accepted in a form that the list of legal ones has, or refused with a code; nothing else happens."""
    moment = some_moment(random)
    rules, state, seat = moment.ruleset, moment.state, random.randrange(moment.game.setting.seats)
    before = canonical(state)
    for _ in range(20):
        raw = fuzzed(moment.game.vocabulary, random)
        refusal = refusal_of(rules, state, seat, raw)
        if refusal is None:
            accepted = rules.canonical(state, seat, rules.read_action(raw))
            assert accepted in rules.legal_actions(state, seat), (moment, seat, raw)
        else:
            assert refusal.code.isidentifier(), (moment, seat, raw)
            assert refusal.message, (moment, seat, raw)
    assert canonical(state) == before


# -- what is read -----------------------------------------------------------------------------------------------------


def changed(value: Any, random: Random) -> Any:
    """A JSON value with something about it changed, anywhere in it."""
    match value:
        case dict() if value and random.random() < 0.9:
            member = random.choice(sorted(value))
            if random.random() < 0.1:
                return {name: each for name, each in value.items() if name != member}
            return {**value, member: changed(value[member], random)}
        case list() if value and random.random() < 0.9:
            at = random.randrange(len(value))
            return [*value[:at], changed(value[at], random), *value[at + 1 :]]
    return random.choice(OUTLANDISH) if random.random() < 0.3 else reworked(value, random)


def position(random: Random) -> None:
    """A position is refused with a sentence, or it begins a game that can be played and shown."""
    moment = some_moment(random)
    rules, setting = moment.ruleset, moment.game.setting
    whole = builtins(moment.state)
    member = random.choice(sorted(whole))
    raw = {**whole, member: changed(whole[member], random)}
    try:
        facts = rules.new_game(setting.options, setting.seats, Chance(bytes(32)), raw)
    except InvalidSetup:
        return
    state = rules.fold(None, facts)
    for viewer in moment.game.viewers:
        canonical(rules.view(state, viewer))
    for seat in state.to_act:
        assert rules.legal_actions(state, seat), (moment, raw)


@cache
def short_records() -> list[Any]:
    return [path for path in RECORDS if path.stat().st_size < SHORT]


def record(random: Random) -> None:
    """A record whose entries were changed is no record, or fails its audit; bytes that were changed harm nobody."""
    genuine = golden(random.choice(short_records()))
    forged = changed(genuine, random)
    source = json.dumps(forged, ensure_ascii=random.random() < 0.5).encode()
    if random.random() < 0.3:
        source = scrambled(source, random)
    audit = audit_record_bytes(RULESETS, source, Trust({}), LogTrust({}))
    if isinstance(audit, Audit) and audit.verdict == "pass":
        assert json.loads(source)["entries"] == genuine["entries"]


def scrambled(source: bytes, random: Random) -> bytes:
    """Some bytes changed, left out or doubled."""
    data = bytearray(source)
    for _ in range(random.choice((1, 1, 2, 8))):
        if not data:
            break
        at, much = random.randrange(len(data)), random.choice((1, 1, 2, 16))
        match random.randrange(4):
            case 0:
                data[at : at + 1] = random.randbytes(1)
            case 1:
                del data[at : at + much]
            case 2:
                data[at:at] = data[at : at + much]
            case _:
                data[at:at] = random.choice(
                    (b"\0", b"\r\n", b"\xff", b'"', b"{", b"[" * 50, b"9" * 30, b": ")
                )
    return bytes(data)


# -- the door ---------------------------------------------------------------------------------------------------------

REQUESTS = (
    b"GET /v1/games?status=open&limit=2 HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n",
    b"GET /v1/games/00000000000000000000000000/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n",
    b"GET /v1/games/00000000000000000000000000/replay/3 HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"3.x\"\r\n\r\n",
    b"GET /v1/feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\nLast-Event-ID: 1\r\n\r\n",
    b'POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"ruleset": "nobody"}',
    b'POST /v1/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    b"POST /v1/games/00000000000000000000000000/actions?decision=3 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b'Transfer-Encoding: chunked\r\nIdempotency-Key: abc\r\n\r\n8\r\n{"a": 1}\r\n0\r\n\r\n',
    b"GET /docs/swagger-ui.css HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
)  # fmt: skip


def door(port: int) -> Attempt:
    """A request of any bytes gets an answer that is no fault of the server, or none at all."""

    def attempt(random: Random) -> None:
        sent = scrambled(random.choice(REQUESTS), random)
        with socket.create_connection(("127.0.0.1", port), 30) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            try:
                reply = client.recv(1 << 16)
            except ConnectionResetError:
                return
        if reply:
            version, status, *_ = reply.split(b" ", 2)
            assert version.startswith(b"HTTP/1."), (sent, reply)
            assert HTTPStatus(int(status)) < HTTPStatus.INTERNAL_SERVER_ERROR, (sent, reply)

    return attempt


FUZZERS: dict[str, Attempt] = {"decide": decide, "position": position, "record": record}

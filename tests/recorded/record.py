"""`python -m tests.recorded.record FILE`: play games through the API, and keep every request with its answer.

It was run on 0.2.0. It is kept to show what was asked, and to record a later release.
"""

import lzma
import secrets
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, build_api
from tests.servers import ValkeyServer

SEED = "5e" * 32
STEPS = {"babel": 60, "aton": 40, "temple_of_five": 50, "sa_re": 60, "lanterns": 12}
SEATS = {"babel": (2, 2), "aton": (2, 2), "lanterns": (3, 3)}
PEOPLE = ("Ada", "Ben", "Cleo", "Zoë ✨")
BAD_ACTIONS: tuple[Any, ...] = (
    {"type": "fly"},
    {"type": "pass", "colour": "red"},
    {},
    [],
    None,
    7,
    "pass",
    {"type": 7},
    [{"type": "fly"}] * 33,
    {"type": "pass", "nested": {"deep": [1, 2, 3]}},
)
BAD_BODIES: tuple[tuple[bytes, str], ...] = (
    (b"{", "application/json"),
    (b"", "application/json"),
    (b'{"type":"pass","type":"pass"}', "application/json"),
    (b'{"type":1e999}', "application/json"),
    (b"\xff\xfe", "application/json"),
    (b"{}", "text/plain"),
    (b"{}", "application/json; charset=utf-16"),
)
BAD_GAMES: tuple[Any, ...] = (
    {},
    {"ruleset": "go"},
    {"ruleset": "babel", "options": {"fog": True}},
    {"ruleset": "babel", "players": [{"name": ""}]},
    {"ruleset": "babel", "players": [{"name": "A"}] * 3},
    {"ruleset": "babel", "colour": "red"},
    {"ruleset": "babel", "position": {"turn": 0}},
    {"ruleset": "aton", "clock": {"turn_seconds": 0}},
    {"ruleset": "aton", "clock": {"hours": 1}},
    {"ruleset": "aton", "seed": "5e"},
    {"ruleset": "sa_re", "seats": 9},
    {"ruleset": "temple_of_five", "tags": ["", "x"]},
    {"ruleset": "temple_of_five", "players": [{"bot": "nobody"}]},
)
READS = (
    "",
    "?include=actions",
    "?view=full",
    "?after=0&wait=0",
    "/actions",
    "/head",
    "/events",
    "/events?from=3",
    "/events?from=2&limit=2",
    "/replay",
    "/replay?from=2&limit=3",
    "/replay/1",
    "/replay/5",
    "/replay/99999",
    "/board.svg",
    "/board.svg?theme=dark&lang=fr",
    "/replay/4/board.svg",
    "/record",
    "/audit",
    "/forks",
    "/review",
    "?colour=red",
    "?view=half",
    "/nowhere",
)
LISTS = (
    "/v1/games",
    "/v1/games?limit=2",
    "/v1/games?limit=101",
    "/v1/games?status=playing",
    "/v1/games?status=ended",
    "/v1/games?status=nothing",
    "/v1/games?ruleset=aton",
    "/v1/games?tag=cup",
    "/v1/games?host=club",
    "/v1/games?player=ada",
    "/v1/games?to_act=ada",
    "/v1/games?cursor=%21",
    "/v1/results",
    "/v1/results?ruleset=babel",
    "/v1/standings?host=club",
    "/v1/standings?tag=cup",
    "/v1/standings",
    "/v1/rulesets/go",
    "/v1/rulesets/aton/9",
    "/v1/webhooks",
    "/v1/feed",
    "/.well-known/stele-keys.json",
    "/healthz",
    "/nowhere",
    "/v1",
    "//v1/games",
)


class Recorder:
    """An API whose every exchange is kept."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.exchanges: list[Any] = []

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> Answer:
        """Send a request, and keep it with its answer. A body that is no bytes is sent as JSON."""
        content = body
        if body is not None and not isinstance(body, bytes):
            content = msgspec.json.encode(body)
            headers.setdefault("Content_Type", "application/json")
        answer = self.api.send(method, path, content, token, **headers)
        request = {"method": method, "path": path, "headers": headers, "token": token}
        request["body"] = None if content is None else content.decode("latin-1")
        kept = {"status": answer.status, "headers": answer.headers, "body": answer.body.decode("latin-1")}
        self.exchanges.append({"request": request, "answer": kept})
        return answer

    def work(self, kind: str, game: str) -> None:
        """What a worker does in between."""
        self.exchanges.append({"work": kind, "game": game})
        work(self.api, kind, game)


def work(api: Api, kind: str, game: str) -> None:
    """Do what a worker does: settle a game that is over, or bring its projections up to date."""
    if kind == "settle":
        Table(api, {"id": game, "seats": []}).settle()
    api.project(game)


def create(recorder: Recorder, ruleset: str, number: int, seats: int, **more: Any) -> Table:
    """A game of the club, with its id and its chances fixed."""
    players = [{"name": name, "ref": name.split()[0].lower()} for name in PEOPLE[:seats]]
    body = {"ruleset": ruleset, "players": players, "seed": SEED, **more}
    answer = recorder.ask("POST", "/v1/games", body, CLUB, Idempotency_Key=f"recorded-{ruleset}-{number}")
    assert answer.status == 201, answer
    recorder.ask("POST", "/v1/games", body, CLUB, Idempotency_Key=f"recorded-{ruleset}-{number}")
    recorder.work("project", answer.json["id"])
    return Table(recorder.api, answer.json)


def play(recorder: Recorder, table: Table, steps: int, random: Random) -> None:
    """Play on, and between two actions ask and try what random numbers choose."""
    for step in range(steps):
        shown = recorder.ask("GET", table.path, None, CLUB).json
        if shown["status"] != "playing":
            return
        seat = random.choice(shown["to_act"])
        token = table.token(seat)
        legal = recorder.ask("GET", f"{table.path}/actions", None, token).json["actions"]
        action = random.choice(legal)
        other = table.token((seat + 1) % len(table.tokens))
        for viewer in random.sample([None, token, other, CLUB, SCHOOL, OPERATOR, "x"], 3):
            recorder.ask("GET", table.path + random.choice(READS), None, viewer)
        recorder.ask("POST", f"{table.path}/actions/check", action, random.choice([token, other]))
        recorder.ask(
            "POST", f"{table.path}/actions", random.choice(BAD_ACTIONS), token, Accept_Language="fr, en;q=0.5"
        )
        content, kind = random.choice(BAD_BODIES)
        recorder.ask("POST", f"{table.path}/actions", content, token, Content_Type=kind)
        recorder.ask("POST", f"{table.path}/actions", action, other)
        recorder.ask("POST", f"{table.path}/actions", action, token, If_Match='"1.x"')
        sent = [action] if random.random() < 0.2 else action
        key = f"act-{table.id}-{step}"
        for _ in range(2 if random.random() < 0.3 else 1):
            recorder.ask("POST", f"{table.path}/actions?include=actions", sent, token, Idempotency_Key=key)


def end(recorder: Recorder, table: Table, seats: int) -> None:
    """End a game, settle it, and look at everything that opens with that."""
    if recorder.ask("GET", table.path, None, CLUB).json["status"] == "playing":
        for seat in range(seats - 1):
            recorder.ask(
                "POST", f"{table.path}/resignation", None, table.token(seat), Idempotency_Key=f"resign-{seat}"
            )
            recorder.ask(
                "POST", f"{table.path}/resignation", None, table.token(seat), Idempotency_Key=f"resign-{seat}"
            )
    recorder.work("settle", table.id)
    for viewer in (None, table.token(0), OPERATOR):
        for path in READS:
            recorder.ask("GET", table.path + path, None, viewer)
    recorder.ask("POST", f"{table.path}/forks", {"at": 4}, CLUB, Idempotency_Key=f"fork-{table.id}")
    recorder.ask("POST", f"{table.path}/forks", {"at": 0}, CLUB)
    recorder.ask("POST", f"{table.path}/abort", {"reason": "too late"}, OPERATOR)


def ask_the_rest(recorder: Recorder) -> None:
    """Lists, refused creations, seats that are taken and left, tickets, webhooks."""
    for path in LISTS:
        for viewer in (None, CLUB, SCHOOL, OPERATOR, "x"):
            recorder.ask("GET", path, None, viewer)
        for method in ("PUT", "OPTIONS", "HEAD", "DELETE"):
            recorder.ask(method, path)
    for body in BAD_GAMES:
        for language in ("en", "fr"):
            recorder.ask("POST", "/v1/games", body, CLUB, Accept_Language=language)
        recorder.ask("POST", "/v1/games", body)
    for content, kind in BAD_BODIES:
        recorder.ask("POST", "/v1/games", content, CLUB, Content_Type=kind)
    body = {"ruleset": "aton", "seed": SEED, "private": True, "tags": ["cup"]}
    table = Table(
        recorder.api, recorder.ask("POST", "/v1/games", body, CLUB, Idempotency_Key="recorded-private").json
    )
    for token in (None, CLUB, SCHOOL, OPERATOR):
        for path in READS:
            recorder.ask("GET", table.path + path, None, token)
        recorder.ask("POST", f"{table.path}/seats", {"name": "Eve"}, token)
        recorder.ask("POST", f"{table.path}/seats", {"name": "\u200b"}, token)
        recorder.ask("POST", f"{table.path}/adjudication", {"winners": [0], "why": "x"}, token)
        recorder.ask("DELETE", f"{table.path}/seats/0", None, token)
        recorder.ask("POST", f"{table.path}/tickets", None, token)
    for token in (None, CLUB):
        for body in (
            {},
            {"url": "nowhere"},
            {"url": "ftp://127.0.0.1/"},
            {"url": "https://example.org", "types": ["x"]},
        ):
            recorder.ask("POST", "/v1/webhooks", body, token)


def no_entropy(nbytes: int | None = None) -> bytes:
    """A stand-in for `secrets.token_bytes`: the nonces of names are the same in every run."""
    return bytes(nbytes or 32)


def record(api: Api) -> list[Any]:
    """All exchanges, in order."""
    recorder = Recorder(api)
    for ruleset, steps in STEPS.items():
        random = Random(ruleset)
        for number, seats in enumerate(SEATS.get(ruleset, (2, 3))):
            more = {"clock": {"turn_seconds": 3600}, "tags": ["cup"]} if number else {}
            table = create(recorder, ruleset, number, seats, **more)
            play(recorder, table, steps, random)
            end(recorder, table, seats)
    ask_the_rest(recorder)
    return recorder.exchanges


if __name__ == "__main__":
    secrets.token_bytes = no_entropy
    with TemporaryDirectory() as folder:
        server = ValkeyServer(Path(folder))
        server.start()
        try:
            exchanges = record(build_api(server.url))
        finally:
            server.stop()
    Path(sys.argv[1]).write_bytes(lzma.compress(b"\n".join(map(msgspec.json.encode, exchanges)), preset=9))
    print(f"{len(exchanges)} exchanges")

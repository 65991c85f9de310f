"""The API for tests: the real application over a real store, a tidy client, and games to play through it.

    api = fixture `api`                        hosts and operators are set; times, salts and keys are fixed
    api.get("/v1/games", token=CLUB)           every call gives an `Answer`: status, headers, body, json, code
    api.post("/v1/games", {...}, token=CLUB, If_Match='"3.x"')
    api.send("PUT", "/v1/games", b"raw bytes", Content_Type="text/plain")

    game = new_game(api, "babel")              a seated, started game (`Table`), each seat with its token
    game.act(0, {"type": "pass"})              a seat acts; `game.legal(0)`, `game.view(0)`, `game.head`
    game.post("/abort", token=OPERATOR)

`build_api(url, host_tokens={}, …)` plugs an application together like any other, with settings of the test's choice.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar, copy_context
from functools import cache
from typing import Any, cast
from urllib.parse import unquote

from flask import Flask
from werkzeug.local import LocalProxy

from events.batch import EntryFactory
from games import RULESETS
from games.kernel import Registry
from games.toy import LANTERNS
from projections.catch_up import catch_up
from services.api import Context
from services.api.app import make_application, wsgi_app
from services.api.wiring import make_context
from services.core.settings import Settings
from services.http.application import Application
from services.http.messages import LongPoll, Request, Response, Stream
from services.worker.settlement import settle_game
from tests.events.logs import ticking_scribe

GAMES = Registry([*RULESETS, LANTERNS])
"""The games of the house and the toy."""
TOKEN_KEY = "a key of thirty-two characters.."
SIGNING_KEY = "5c" * 32
PUSH_KEY = "2e" * 32
CLUB = "token-of-the-host-called-club"
SCHOOL = "token-of-the-host-called-school"
OPERATOR = "token-of-an-operator-here"
HOSTS = {"club": CLUB, "school": SCHOOL}
SEED = "5e" * 32
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
NO_BODY: Any = object()
SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
TIME_OF_DAY = re.compile(rb'(?<="now":")[^"]*')


class Answer:
    """What came back, byte for byte."""

    def __init__(self, status: int, headers: Sequence[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.headers: dict[str, str] = {}
        for name, value in headers:
            before = self.headers.get(name.lower())
            self.headers[name.lower()] = value if before is None else f"{before}, {value}"
        self.body = body

    def __repr__(self) -> str:
        return f"{self.status} {self.headers} {self.body[:2000]!r}"

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """A problem's code; empty if it is none, or has no body."""
        is_problem = self.body and self.headers.get("content-type") == "application/problem+json"
        return str(self.json["code"]) if is_problem else ""

    @property
    def lasting(self) -> bytes:
        """`bytes`, without the time of day by which no two answers are alike."""
        return TIME_OF_DAY.sub(b"", self.bytes)

    @property
    def bytes(self) -> bytes:
        """Everything a client can see of the answer."""
        lines = [str(self.status), *(f"{name}: {value}" for name, value in sorted(self.headers.items()))]
        return "\n".join(lines).encode() + b"\n\n" + self.body


SERVED: ContextVar[Application] = ContextVar("SERVED")
"""What the one Flask of this process serves at the moment."""


@cache
def flask_for_all() -> Flask:
    """One for all tests: its rules take longer to compile than most tests to run."""
    return wsgi_app(cast(Application, LocalProxy(SERVED)))


class Api:
    """A client of one application. Header names are given with underscores.

    Requests go where the front would send them: routes of the loop are called directly, others through Flask. What
    changes nothing is asked for both ways, and both must give the same bytes (unless `compares` is set to False).
    """

    def __init__(self, context: Context) -> None:
        self.application = make_application(context)
        self.context = context
        self.compares = True

    @property
    def app(self) -> Flask:
        """Flask over this application."""
        SERVED.set(self.application)
        return flask_for_all()

    def send(
        self, method: str, path: str, body: bytes | None = None, token: str | None = None, **headers: str
    ) -> Answer:
        """Send these very bytes."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        route = self.application.table.find(method, unquote(path.partition("?")[0])).route
        if route and (route.streams or (route.runs_in == "loop" and method not in SAFE)):
            return self.call(method, path, body, sent)
        answer = self.call_through_flask(method, path, body, sent)
        if self.compares and method in SAFE and path != "/metrics":
            directly = self.call(method, path, body, sent)
            assert directly.lasting == answer.lasting, (directly, answer)
        return answer

    def call(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """Call the handler, as the front does in its loop."""
        address, _, query = path.partition("?")
        address = unquote(address)
        found = self.application.table.find(method, address)
        named = {"host": "localhost"} | {name.lower(): value for name, value in headers.items()}
        request = Request(method, address, query, named, body or b"", "127.0.0.1", self.context, *found)
        result = copy_context().run(self.application.respond, request)
        if isinstance(result, LongPoll):
            result = copy_context().run(result.then)
        response = result.head if isinstance(result, Stream) else result
        assert isinstance(response, Response)
        content = b"".join(response.rest) if response.rest is not None else response.body
        return Answer(response.status, response.headers, b"" if method == "HEAD" else content)

    def call_through_flask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        response = self.app.test_client().open(path, method=method, data=body, headers=dict(headers))
        try:
            return Answer(response.status_code, list(response.headers), response.get_data())
        finally:
            response.close()

    def get(self, path: str, token: str | None = None, **headers: str) -> Answer:
        return self.send("GET", path, None, token, **headers)

    def post(self, path: str, body: Any = NO_BODY, token: str | None = None, **headers: str) -> Answer:
        """Post a JSON value; without one, no body at all."""
        if body is NO_BODY:
            return self.send("POST", path, None, token, **headers)
        headers.setdefault("Content_Type", "application/json")
        return self.send("POST", path, json.dumps(body).encode(), token, **headers)

    def put(self, path: str, body: Any, token: str | None = None, **headers: str) -> Answer:
        headers.setdefault("Content_Type", "application/json")
        return self.send("PUT", path, json.dumps(body).encode(), token, **headers)

    def delete(self, path: str, token: str | None = None, **headers: str) -> Answer:
        return self.send("DELETE", path, None, token, **headers)

    def project(self, game: str) -> None:
        """Do a worker's work: bring the lobby's row of a game up to date."""
        ledger = self.context.ledger
        catch_up(self.context.store, ledger.projections, ledger.rulesets, game)

    def close(self) -> None:
        self.context.store.client.close()
        pool = getattr(self.context.store.client, "connection_pool", None)
        if pool:
            pool.disconnect()


def build_api(
    url: str, *, rulesets: Registry = GAMES, entry_factory: EntryFactory | None = None, **settings: Any
) -> Api:
    """The API on this store. Ids are fixed by the token key and an Idempotency-Key, times and salts by the scribe."""
    usual: dict[str, Any] = {"token_key": TOKEN_KEY, "host_tokens": HOSTS, "operator_tokens": (OPERATOR,)}
    usual["signing_key"] = SIGNING_KEY
    usual["push_key"] = PUSH_KEY
    usual |= {
        "creations_per_minute": 0,
        "joins_per_minute": 0,
        "unfinished_games": 0,
        "requests_per_second": 0,
    }
    chosen = Settings(store_url=url, **(usual | settings))
    context = make_context(chosen, rulesets, entry_factory=entry_factory or ticking_scribe())
    return Api(context)


class Table:
    """A game that a test plays: its id, and the tokens of its seats."""

    def __init__(self, api: Api, created: Any) -> None:
        self.api = api
        self.id = str(created["id"])
        self.created = created
        self.path = f"/v1/games/{self.id}"
        self.tokens = {seat["seat"]: seat["token"] for seat in created["seats"] if "token" in seat}

    def token(self, seat: int | None) -> str | None:
        """The token of a seat; None for a spectator."""
        return None if seat is None else str(self.tokens[seat])

    def get(self, path: str = "", token: str | None = None, **headers: str) -> Answer:
        return self.api.get(self.path + path, token, **headers)

    def post(self, path: str, body: Any = NO_BODY, token: str | None = None, **headers: str) -> Answer:
        return self.api.post(self.path + path, body, token, **headers)

    def leave(self, seat: int, token: str | None, **headers: str) -> Answer:
        """Someone gives up a seat."""
        return self.api.delete(f"{self.path}/seats/{seat}", token, **headers)

    def act(self, seat: int, action: Any, **headers: str) -> Answer:
        """A seat acts: one action, or a list."""
        return self.post("/actions", action, self.token(seat), **headers)

    def legal(self, seat: int) -> list[Any]:
        return list(self.get("/actions", self.token(seat)).json["actions"])

    def show(self, seat: int | None = None) -> Any:
        """The game as a seat, or a spectator, sees it."""
        return self.get("", self.token(seat)).json

    def play(self, moves: int = 1) -> None:
        """Whoever is first to act does its first legal action, so many times."""
        for _ in range(moves):
            seat = self.show()["to_act"][0]
            answer = self.act(seat, self.legal(seat)[0])
            assert answer.status == 201, answer

    def settle(self) -> None:
        """Do a worker's work: audit a game that is over, and open it."""
        assert settle_game(self.api.context.ledger, self.id)

    @property
    def head(self) -> tuple[int, str]:
        """Where the log in the store ends, whoever may see it."""
        seq, digest = self.api.context.store.head(self.id)
        return seq, digest


def new_game(
    api: Api,
    ruleset: str = "lanterns",
    players: Sequence[Any] | int | None = None,
    token: str | None = CLUB,
    key: str | None = None,
    **more: Any,
) -> Table:
    """Create a game; `players` are names, bodies or a number of people (by default as few as it takes).

    With `seats=3, players=0` all seats stay free. The same `key` gives the same id in every store.
    """
    if players is None:
        players = min(GAMES.latest(ruleset).seat_counts)
    named = NAMES[:players] if isinstance(players, int) else players
    bodies = [{"name": each} if isinstance(each, str) else each for each in named]
    headers = {"Idempotency_Key": key} if key else {}
    wanted = {"ruleset": ruleset, **more} | ({"players": bodies} if bodies else {})
    answer = api.post("/v1/games", wanted, token, **headers)
    assert answer.status == 201, answer
    return Table(api, answer.json)

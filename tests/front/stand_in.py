"""A small application behind the front, for tests: games of Lanterns without any ceremony."""

import os
import threading
from collections.abc import Iterator
from typing import Any

from flask import Flask, Response, jsonify, request, stream_with_context
from redis import Redis
from redis.cluster import RedisCluster

from events import commands
from events.batch import EntryBatch
from events.keys import game_id
from events.store import Client, EventStore
from projections.store import ProjectionStore
from services.core.ledger import Change, Dossier, Ledger
from services.core.warm_decoders import warm_decoders
from services.front.live import Live
from services.front.rsgi import Front
from services.front.sending import CHUNK_BYTES
from services.host import die_with_parent
from services.http import messages
from services.http.application import Application
from services.http.messages import LongPoll, Request, Stream, this_request
from services.http.routing import LARGEST_BODY, Body
from services.http.routing import Table as Routes
from services.http.streams import Watch
from tests.events.logs import SERVER_SEED, TOYS, next_action

MEETING = 4
"""Requests that are answered when all of them have come."""
THROUGH_FLASK = (
    "/broken",
    "/echo/<path:path>",
    "/empty/<int:status>",
    "/gate",
    "/left",
    "/parts/<end>",
    "/threads",
)


class Table:
    """Games that are created, played and settled by whoever says so."""

    def __init__(self, client: Client) -> None:
        self.ledger = Ledger(EventStore(client), ProjectionStore(client, TOYS))

    def create(self) -> str:
        """A new game with everyone seated."""

        def write(batch: EntryBatch) -> None:
            commands.create(
                batch, {"anonymous": True}, commands.NewGame(TOYS.latest("lanterns"), {}, 3, SERVER_SEED)
            )
            for seat in range(3):
                commands.sit(batch, seat, commands.Sitter())
            commands.start_if_ready(batch, TOYS, SERVER_SEED)

        game = game_id()
        self.ledger.create(game, write, server_seed=SERVER_SEED)
        return game

    def play(self, game: str, moves: int = 1) -> int:
        """Whoever is next acts, so many times one after the other; the version after it."""

        def write(batch: EntryBatch, dossier: Dossier) -> None:
            seat, action = next_action(dossier.game)
            commands.act(batch, seat, action, TOYS, dossier.seed)

        version = 0
        for _ in range(moves):
            change = self.ledger.change(game, write)
            assert isinstance(change, Change)
            version = change.game.version
        return version

    def renew(self, game: str, seat: int) -> None:
        self.ledger.change(game, lambda batch, _: commands.renew_token(batch, {"host": "club"}, seat))

    def settle(self, game: str) -> None:
        audit: dict[str, Any] = {"verdict": "pass", "checks": [], "fairness": None, "head": {}}
        self.ledger.change(game, lambda batch, dossier: commands.settle(batch, dossier.server_seed, audit))

    def version(self, game: str) -> int:
        return self.ledger.get(game).game.version


def routes(client: Client) -> Routes:
    """The handlers give streams and long polls exactly as the API does; who is calling they simply believe."""
    found = Routes()
    route = found.section("games")
    table = Table(client)

    @route("GET", "/games/<game>", runs_in="loop")
    def show(game: str) -> Any:
        args = this_request().args

        def now() -> messages.Response:
            return messages.response(b'{"version":%d}' % table.version(game), "application/json")

        if "after" in args and table.version(game) <= int(args["after"]):
            return LongPoll(game, int(args["after"]), float(args.get("wait", 0)), now)
        return now()

    @route("GET", "/games/<game>/events", streams=True)
    def events(game: str) -> Any:
        args = this_request().args
        after = int(this_request().headers.get("last-event-id") or args.get("after", "0"))
        viewer, generation = (int(args[name]) if name in args else None for name in ("seat", "generation"))
        head = messages.response(b"", "text/event-stream; charset=utf-8", cache_control="no-store")
        return Stream(head, Watch(game, viewer, after, generation))

    meeting, released = threading.Barrier(MEETING), threading.Event()

    @route("GET", "/meet", streams=True)
    def meet() -> Any:
        meeting.wait(30)
        return messages.response(b"met", "text/plain")

    @route("GET", "/held", streams=True)
    def hold() -> Any:
        released.wait(30)
        return messages.response(b"held", "text/plain")

    @route("GET", "/release", runs_in="loop")
    def release() -> Any:
        released.set()
        return messages.response(b"", "text/plain")

    for path in THROUGH_FLASK:
        route("GET", path)(in_flask)
    route("POST", "/echo/<path:path>", body=Body({}, largest=LARGEST_BODY))(in_flask)
    return found


def in_flask(**_: Any) -> Any:
    raise AssertionError("the front gives this to Flask")


class NoHooks:
    """What the front needs of an application, and no more."""

    def begin(self, request: Request) -> None: ...

    def check(self, request: Request) -> None: ...

    def explain(self, request: Request, error: Exception) -> messages.Response:
        raise error

    def missing(self, request: Request, allowed: list[str]) -> messages.Response:
        return messages.response(b"", "text/plain", 404)

    def end(self, request: Request, answer: messages.Response, seconds: float) -> messages.Response:
        return answer


def flask_application() -> Flask:
    app = Flask(__name__)
    add_curiosities(app)
    add_parts(app)
    return app


def add_parts(app: Flask) -> None:
    """Answers that are made while they are sent."""
    gate, left = threading.Event(), threading.Event()

    @app.get("/parts/<end>")
    def parts(end: str) -> Any:
        gate.clear()
        left.clear()

        def made() -> Iterator[bytes]:
            try:
                yield request.path.encode().ljust(CHUNK_BYTES, b".")
                gate.wait(10)
                if end == "broken":
                    raise RuntimeError("a secret in a message")
                for _ in range(50):
                    yield request.path.encode().ljust(CHUNK_BYTES, b",")
                yield b"the end"
            finally:
                left.set()

        return Response(stream_with_context(made()), mimetype="text/plain")

    @app.get("/gate")
    def open_gate() -> Any:
        gate.set()
        return "open"

    @app.get("/left")
    def was_left() -> Any:
        return jsonify(left.is_set())


def add_curiosities(app: Flask) -> None:
    """Requests and answers of every kind, to see what the front makes of them."""

    @app.route("/echo/<path:path>", methods=["GET", "POST"])
    def echo(path: str) -> Any:
        answer = jsonify(
            path=path,
            query=request.args.to_dict(flat=False),
            headers=sorted([name, value] for name, value in request.headers),
            size=len(request.get_data()),
            length=request.content_length,
            remote=request.remote_addr,
            url=request.url,
        )
        answer.headers.add("X-Twice", "one")
        answer.headers.add("X-Twice", "two")
        return answer

    @app.get("/empty/<int:status>")
    def empty(status: int) -> Any:
        return Response(status=status, headers={"ETag": '"1"'})

    @app.get("/threads")
    def threads() -> Any:
        return jsonify(sum(thread.name.startswith("request") for thread in threading.enumerate()))


def broken(app: Flask) -> Any:
    """An application of which even the error handling is broken, at one path."""

    def wsgi(environ: Any, start_response: Any) -> Any:
        if environ["PATH_INFO"] == "/broken":
            raise RuntimeError("a secret in a message")
        return app(environ, start_response)

    return wsgi


def front() -> Front:
    """What the server runs in each of its worker processes, which end when it ends."""
    die_with_parent.request_parent_death_signal(os.getppid())
    warm_decoders(TOYS)  # as the real one does: two threads that are first at a type end the process
    url, clustered = os.environ["STAND_IN_STORE"], "STAND_IN_CLUSTER" in os.environ
    client: Client = RedisCluster.from_url(url) if clustered else Redis.from_url(url)
    application = Application(routes(client), None, NoHooks())
    return Front(application, broken(flask_application()), Live(url, TOYS, clustered=clustered))

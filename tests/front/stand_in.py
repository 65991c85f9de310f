"""A small application behind the front, for tests: games of Lanterns without any ceremony."""

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

from flask import Flask, Response, jsonify, request, stream_with_context
from redis import Redis
from redis.cluster import RedisCluster

from events import acts
from events.keys import game_id
from events.scribe import Page
from events.store import Client, EventStore
from projections.store import ProjectionStore
from services.core.ledger import Change, Dossier, Ledger
from services.core.types import look_at_all_types
from services.front.live import HANDOFF, WAITED, Live, Wait, Watch
from services.front.rsgi import Front
from services.front.sending import PART
from services.host import leash
from tests.events.logs import SERVER_SEED, TOYS, next_action


class Table:
    """Games that are created, played and settled by whoever says so."""

    def __init__(self, client: Client) -> None:
        self.ledger = Ledger(EventStore(client), ProjectionStore(client, TOYS))

    def create(self) -> str:
        """A new game with everyone seated."""

        def write(page: Page) -> None:
            acts.create(page, {"anonymous": True}, acts.NewGame(TOYS.latest("lanterns"), {}, 3, SERVER_SEED))
            for seat in range(3):
                acts.sit(page, seat, acts.Sitter())
            acts.start_if_ready(page, TOYS, SERVER_SEED)

        game = game_id()
        self.ledger.create(game, write, server_seed=SERVER_SEED)
        return game

    def play(self, game: str, moves: int = 1) -> int:
        """Whoever is next acts, so many times one after the other; the version after it."""

        def write(page: Page, dossier: Dossier) -> None:
            seat, action = next_action(dossier.game)
            acts.act(page, seat, action, TOYS, dossier.seed)

        version = 0
        for _ in range(moves):
            change = self.ledger.change(game, write)
            assert isinstance(change, Change)
            version = change.game.version
        return version

    def renew(self, game: str, seat: int) -> None:
        self.ledger.change(game, lambda page, _: acts.renew_token(page, {"host": "club"}, seat))

    def settle(self, game: str) -> None:
        audit: dict[str, Any] = {"verdict": "pass", "checks": [], "fairness": None, "head": {}}
        self.ledger.change(game, lambda page, dossier: acts.settle(page, dossier.server_seed, audit))

    def version(self, game: str) -> int:
        return self.ledger.get(game).game.version


def application(client: Client) -> Flask:
    """The views hand streams and waits over exactly as the API does; who is calling they simply believe."""
    app = Flask(__name__)
    table = Table(client)

    @app.get("/games/<game>")
    def show(game: str) -> Any:
        after, wait = request.args.get("after", type=int), request.args.get("wait", 0.0, type=float)
        version = table.version(game)
        if after is not None and version <= after and not request.environ[WAITED]:
            request.environ[HANDOFF].append(Wait(game, after, wait))
        return jsonify(version=version, waited=request.environ[WAITED])

    @app.get("/games/<game>/events")
    def events(game: str) -> Any:
        after = int(request.headers.get("Last-Event-ID") or request.args.get("after", "0"))
        viewer, generation = (request.args.get(name, type=int) for name in ("seat", "generation"))
        request.environ[HANDOFF].append(Watch(game, viewer, after, generation))
        return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store"})

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
                yield request.path.encode().ljust(PART, b".")
                gate.wait(10)
                if end == "broken":
                    raise RuntimeError("a secret in a message")
                for _ in range(50):
                    yield request.path.encode().ljust(PART, b",")
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

    @app.get("/slow")
    def slow() -> Any:
        time.sleep(0.5)
        return "slept"

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
    leash.die_with(os.getppid())
    look_at_all_types(TOYS)  # as the real one does: two threads that are first at a type end the process
    url, clustered = os.environ["STAND_IN_STORE"], "STAND_IN_CLUSTER" in os.environ
    client: Client = RedisCluster.from_url(url) if clustered else Redis.from_url(url)
    return Front(broken(application(client)), Live(url, TOYS, clustered=clustered))

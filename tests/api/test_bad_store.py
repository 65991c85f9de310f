"""A store that is away, full or read-only: what can be read is read, what cannot be written is not, and it is said so."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from redis import Redis
from redis.connection import DefaultParser

from events.store_errors import UNAVAILABLE
from services.api.routes import health
from services.core.disk import Disk
from tests.api.client import CLUB, Api, Table, build_api, new_game
from tests.api.refusals import assert_problem
from tests.servers import ValkeyServer, running_valkey

READS = ("", "/actions", "/events", "/head", "/replay")


@pytest.fixture
def store() -> Iterator[ValkeyServer]:
    """A store of the test's own, which keeps what it acknowledges."""
    with running_valkey(appendonly="always") as server:
        yield server


@pytest.fixture
def api(store: ValkeyServer) -> Iterator[Api]:
    api = build_api(store.url)
    yield api
    api.close()


@pytest.fixture
def game(api: Api) -> Table:
    return new_game(api, seats=3, players=2)


def writes(game: Table) -> Iterator[tuple[str, Any, str | None]]:
    """Everything that would write."""
    yield "/v1/games", {"ruleset": "babel"}, CLUB
    yield f"{game.path}/seats", {"name": "Zoe"}, None
    yield f"{game.path}/seats/0/token", None, CLUB
    yield f"{game.path}/abort", None, CLUB


def playing(api: Api) -> Iterator[tuple[str, Any, str | None]]:
    """The writes of a game in play."""
    game = new_game(api)
    yield f"{game.path}/actions", game.legal(0)[0], game.tokens[0]
    yield f"{game.path}/actions", [game.legal(0)[0]], game.tokens[0]
    yield f"{game.path}/resignation", None, game.tokens[0]


def assert_only_reads(
    api: Api, game: Table, requests: list[tuple[str, Any, str | None]], code: str = "store_full"
) -> None:
    head = game.head
    for path, body, token in requests:
        answer = api.post(path, body, token)
        assert_problem(answer, 503, code)
        assert int(answer.headers["retry-after"]) == (60 if code == "store_full" else 1)
    for path in READS:
        assert game.get(path, game.tokens[0]).status == 200
    assert game.head == head


def test_with_a_full_disk_the_api_only_reads(api: Api, game: Table, tmp_path: Path) -> None:
    requests = [*writes(game), *playing(api)]
    full = dataclasses.replace(api.context, disk=Disk(tmp_path, min_free_mb=10**9))
    reader = Api(full)
    assert_only_reads(reader, Table(reader, game.created), requests)
    assert reader.get("/readyz").json["checks"]["disk"] == "full"


def test_a_retry_is_answered_again_though_the_disk_is_full(api: Api, tmp_path: Path) -> None:
    """It was carried out, and needs no room: a repeated request is found before all else."""
    key = {"Idempotency_Key": "a-key-from-before-the-disk-was-full"}
    created = api.post("/v1/games", {"ruleset": "babel", "seats": 2}, CLUB, **key)
    game = Table(api, created.json)
    requests = [("/seats", {"name": "Zoe"}, None), ("/seats/0/token", None, CLUB), ("/abort", None, CLUB)]
    full = dataclasses.replace(api.context, disk=Disk(tmp_path, min_free_mb=10**9))
    reader = Api(full)
    for number, (path, body, token) in enumerate(requests):
        again = {"Idempotency_Key": f"{key['Idempotency_Key']}-{number}"}
        first = game.post(path, body, token, **again)
        second = reader.post(game.path + path, body, token, **again)
        assert (first.status, second.status, second.body) == (201, 201, first.body)
    assert reader.post("/v1/games", {"ruleset": "babel", "seats": 2}, CLUB, **key).body == created.body
    other = reader.post("/v1/games", {"ruleset": "aton"}, CLUB, **key)
    assert_problem(other, 422, "idempotency_key_reused")


Setting = Callable[[Redis], Any]


@pytest.mark.parametrize(
    ("spoil", "mend", "code"),
    [
        (
            lambda store: store.config_set("maxmemory", 1),
            lambda store: store.config_set("maxmemory", 0),
            "store_full",
        ),
        (
            lambda store: store.replicaof("127.0.0.1", 1),
            lambda store: store.replicaof("NO", "ONE"),
            "store_unavailable",
        ),
        (
            lambda store: store.config_set("min-replicas-to-write", 1),
            lambda store: store.config_set("min-replicas-to-write", 0),
            "store_unavailable",
        ),
    ],
    ids=["it has no memory left", "it is a replica", "it has lost its replicas"],
)
def test_a_store_that_takes_nothing_only_reads(
    store: ValkeyServer, api: Api, game: Table, spoil: Setting, mend: Setting, code: str
) -> None:
    """What passes by itself may be tried again at once; only memory needs somebody to make room."""
    requests = [*writes(game), *playing(api)]
    with store.client() as client:
        spoil(client)
        assert_only_reads(api, game, requests, code)
        mend(client)
    assert game.post("/seats", {"name": "Zoe"}).status == 201


WORDS = [
    ("NOREPLICAS Not enough good replicas to write.", "store_unavailable"),
    ("READONLY You can't write against a read only replica.", "store_unavailable"),
    ("MISCONF Errors writing to the AOF file: No space left on device", "store_unavailable"),
    ("LOADING Valkey is loading the dataset in memory", "store_unavailable"),
    ("TRYAGAIN Multiple keys request during rehashing of slot", "store_unavailable"),
    ("CLUSTERDOWN The cluster is down", "store_unavailable"),
    ("MASTERDOWN Link with MASTER is down", "store_unavailable"),
    ("OOM command not allowed when used memory > 'maxmemory'.", "store_full"),
]


@pytest.mark.parametrize(("words", "code"), WORDS, ids=[words.split()[0] for words, _ in WORDS])
def test_each_word_of_a_store_in_trouble_is_weather_but_that_it_is_full(
    api: Api, game: Table, monkeypatch: pytest.MonkeyPatch, words: str, code: str
) -> None:
    def says(*_: Any, **__: Any) -> NoReturn:
        raise DefaultParser.parse_error(words)  # type: ignore[no-untyped-call]  # of redis-py

    monkeypatch.setattr(api.context.ledger.store, "_append", says)
    answer = game.post("/seats", {"name": "Zoe"})
    assert_problem(answer, 503, code)
    assert int(answer.headers["retry-after"]) == (1 if code == "store_unavailable" else 60)


def test_a_store_that_is_away_is_told_and_found_again(store: ValkeyServer, api: Api, game: Table) -> None:
    requests = [*writes(game), *playing(api)]
    head = game.head
    store.kill9()
    for path, body, token in requests:
        answer = api.post(path, body, token)
        assert_problem(answer, 503, "store_unavailable")
        assert int(answer.headers["retry-after"]) > 0
    for path in [*(game.path + each for each in READS), "/v1/games", "/v1/results"]:
        assert_problem(api.get(path), 503, "store_unavailable")
    assert api.get("/healthz").status == 200
    assert (api.get("/readyz").status, api.get("/readyz").json["ready"]) == (503, False)
    for path in ("/docs", "/openapi.json", "/v1/rulesets", "/v1/rulesets/babel"):
        assert api.get(path).status == 200
    store.start()
    assert game.head == head
    assert game.post("/seats", {"name": "Zoe"}).status == 201


@pytest.mark.parametrize("away", UNAVAILABLE)
def test_a_store_that_is_away_is_told_whatever_a_client_calls_it(
    api: Api, game: Table, monkeypatch: pytest.MonkeyPatch, away: type[Exception]
) -> None:
    def nobody_listens(*_: Any) -> NoReturn:
        raise away("nobody listens")

    for reading in ("load", "news"):
        monkeypatch.setattr(api.context.ledger.projections, reading, nobody_listens)
    monkeypatch.setattr(health, "backlog", nobody_listens)
    assert_problem(game.get(""), 503, "store_unavailable")
    assert (api.get("/readyz").status, api.get("/readyz").json["ready"]) == (503, False)


def test_metrics_say_so_too_when_the_store_is_away(store: ValkeyServer, api: Api) -> None:
    assert b"stele_store_up 1.0" in api.get("/metrics").body
    store.kill9()
    answer = api.get("/metrics")
    assert (answer.status, b"stele_store_up 0.0" in answer.body) == (200, True)
    assert b"stele_dirty" not in answer.body, "what only the store knows is absent"

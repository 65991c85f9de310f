"""Rehearsals of the runbook: each alert's fault is caused, and its rule evaluated on the real `/metrics` by Prometheus."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from events.batch import EntryFactory
from events.keys import keys_of
from services.api.routes import health
from services.core import metrics
from services.core.connections import connect
from services.core.disk import Disk
from services.core.high_water_mark import HighWaterMark
from services.front import open_files
from services.front.load_shedding import ConcurrencyLimit
from services.front.reading import RequestRefused
from services.host.embedded import EmbeddedStore
from services.worker import scrub
from services.worker.scrub import Scrub
from tests.api.client import CLUB, Api, build_api, new_game
from tests.debian import debian_program
from tests.docs.blocks import ROOT
from tests.host.test_embedded import serving
from tests.host.test_store_files import tail_of
from tests.servers import ValkeyServer, free_ports, running_valkey, short_directory
from tests.worker.house import House
from tests.worker.test_failures import poison

pytestmark = pytest.mark.long
RULES = {
    rule["alert"]: rule
    for rule in yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())["groups"][0]["rules"]
}
MINUTES_BEFORE, MINUTES_AFTER = 3, 12
"""A scrape a minute: before the fault, and for longer than the longest `for` and window of a rule after it."""
Series = dict[str, float]


class Server:
    """An API on a store of its own, with the work of its workers done at a test's word."""

    def __init__(self, store: ValkeyServer, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.directory, self.monkeypatch = store, directory, monkeypatch
        self.api = build_api(store.url, entry_factory=EntryFactory())
        self.client = connect(store.url)
        self.house = House(self.client, Redis.from_url(store.url))
        self.watch_disk(1)

    def watch_disk(self, min_free_mb: int) -> None:
        """Have the API keep so much of the disk free, as with the embedded store."""
        self.api = Api(replace(self.api.context, disk=Disk(self.directory, min_free_mb)))

    def scrape(self) -> Series:
        """What Prometheus would keep of `/metrics` at one moment."""
        text = self.api.get("/metrics").body.decode()
        samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
        return {name_of(sample.name, sample.labels): sample.value for sample in samples} | {UP: 1.0}


def name_of(name: str, labels: dict[str, str]) -> str:
    return name + (
        json.dumps(labels).replace('": "', '="').replace('{"', "{").replace(', "', ", ") if labels else ""
    )


UP = name_of("up", {"job": "stele"})


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(scrub, "BREATH_SECONDS", 0)
    with running_valkey() as store:
        server = Server(store, tmp_path, monkeypatch)
        yield server
        server.api.close()


def ends(server: Server) -> Series:
    """The process is gone: nobody listens where it did."""
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{free_ports(1)[0]}/metrics")
    return {UP: 0.0}


def store_dies(server: Server) -> None:
    server.store.kill9()


def log_is_rewound(server: Server) -> None:
    """The store loses an entry that the API knows."""
    game = new_game(server.api, "babel", players=["Ada", "Ben"])
    game.play(2)
    server.client.xdel(keys_of(game.id).stream, f"{game.show()['version']}-0")
    game.show()


def clients_are_ahead(server: Server) -> None:
    game = new_game(server.api, "babel", players=["Ada", "Ben"])
    for _ in range(10):
        assert game.get("/events?after=999").code == "rewound"


def tail_is_torn(server: Server) -> None:
    """A power cut in the middle of a write: the embedded store starts without the torn command."""
    with short_directory() as directory:
        with serving(EmbeddedStore(directory)), Redis.from_url(EmbeddedStore(directory).url) as client:
            client.set("some", "thing")
        with tail_of(directory).open("ab") as file:
            file.write(b"*3\r\n$3\r\nSET\r\n$4\r\nso")
        store = EmbeddedStore(directory)
        with serving(store):
            assert "torn tail" in store.ready_line()
        for note in directory.glob("truncations*"):
            (server.directory / note.name).write_bytes(note.read_bytes())


def byte_rots(server: Server) -> None:
    game = server.house.create(bots=(None,) * 3)
    server.house.rewrite(
        game,
        lambda row: (
            row | {b"e": row[b"e"].replace(b'"at":"20', b'"at":"21')} if b'"seq":2' in row[b"e"] else row
        ),
    )
    mark = HighWaterMark(server.directory)
    Scrub(server.house.ledger.store, server.house.projections, server.house.queue, mark).check_all()


def game_is_stuck(server: Server) -> None:
    game = server.house.create()
    poison(server.house, game)
    server.house.workshop.project([game])


def disk_fills(server: Server) -> None:
    server.watch_disk(10**9)


def memory_fills(server: Server) -> None:
    used = server.house.client.info("memory")["used_memory"]
    server.client.config_set("maxmemory", int(used * 1.05))


def workers_stand_still(server: Server) -> None:
    for _ in range(510):
        new_game(server.api)


def bots_wait(server: Server) -> None:
    for _ in range(30):
        server.house.create("babel", ("strong", "strong"))
    server.house.hear()
    server.house.workshop.project(list(server.house.projections.dirty()))
    server.house.sweeper.sweep()


def receiver_sleeps(server: Server) -> None:
    """A receiver has not taken an event for eleven minutes."""
    assert server.api.post("/v1/webhooks", {"url": "https://example.org/hooks"}, CLUB).status == 201
    game = new_game(server.api, "babel", players=["Ada", "Ben"], token=CLUB)
    server.house.workshop.project([game.id])
    now = time.time()
    server.monkeypatch.setattr(health, "time", SimpleNamespace(time=lambda: now + 660))


def files_run_out(server: Server) -> None:
    """The process may open few more files than it has open."""
    open_files.count_open_files()
    metrics.MAX_OPEN_FILES.set(1.1 * sum(1 for _ in Path("/proc/self/fd").iterdir()))


def load_is_shed(server: Server) -> None:
    limit = ConcurrencyLimit("slow")
    for _ in range(1000):
        with suppress(RequestRefused):
            limit.enter()


FAULTS: dict[str, Callable[[Server], Series | None]] = {
    "SteleDown": ends,
    "SteleStoreDown": store_dies,
    "SteleEntriesLost": log_is_rewound,
    "SteleClientsAheadOfLogs": clients_are_ahead,
    "SteleStoreFileTorn": tail_is_torn,
    "SteleFailedAudits": byte_rots,
    "SteleGamesStuck": game_is_stuck,
    "SteleDiskNearlyFull": disk_fills,
    "SteleStoreMemoryNearlyFull": memory_fills,
    "SteleWorkersBehind": workers_stand_still,
    "SteleBotsWait": bots_wait,
    "SteleWebhookBehind": receiver_sleeps,
    "SteleFewOpenFilesLeft": files_run_out,
    "SteleShedsLoad": load_is_shed,
}
ON_A_CLUSTER = {"StelePartitionsMissing"}
"""Rehearsed by tests/worker/test_cluster.py, which takes a part of a real cluster away."""


def test_every_alert_has_its_rehearsal() -> None:
    assert set(FAULTS) | ON_A_CLUSTER == set(RULES)


@pytest.mark.parametrize("alert", FAULTS)
def test_an_alert_is_silent_before_its_fault_and_fires_after_it(alert: str, server: Server) -> None:
    new_game(server.api, "babel", players=["Ada", "Ben"])
    before = server.scrape()
    after = FAULTS[alert](server) or server.scrape()
    fires = [evaluated(alert, before, after, minute, server.directory) for minute in (2, MINUTES_AFTER)]
    assert fires == [True, True]


def evaluated(alert: str, before: Series, after: Series, minute: int, directory: Path) -> bool:
    """Whether a rule says at that minute what it should: nothing before the fault, something after it."""
    series = [
        {"series": name, "values": " ".join(minute_by_minute(name, before, after))}
        for name in sorted({*before, *after})
    ]
    expected = 1 if minute >= MINUTES_BEFORE else 0
    expr = f"(count({RULES[alert]['expr']}) > bool 0) or vector(0)"
    test = {"expr": expr, "eval_time": f"{minute}m", "exp_samples": [{"labels": "{}", "value": expected}]}
    file = directory / f"{minute}.yml"
    body = {
        "evaluation_interval": "1m",
        "tests": [{"interval": "1m", "input_series": series, "promql_expr_test": [test]}],
    }
    file.write_text(yaml.safe_dump(body))
    command = [debian_program("prometheus", "usr/bin/promtool"), "test", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return True


def minute_by_minute(name: str, before: Series, after: Series) -> Iterator[str]:
    """What is scraped each minute; while the fault lasts, counters go on as they went when it was caused."""
    step = after.get(name, 0) - before.get(name, 0) if "_total" in name else 0
    for _ in range(MINUTES_BEFORE):
        yield f"{before[name]:.0f}" if name in before else "_"
    for minute in range(MINUTES_AFTER):
        yield f"{after[name] + step * minute:.0f}" if name in after else "_"


def test_prometheus_accepts_the_rules() -> None:
    command = [
        debian_program("prometheus", "usr/bin/promtool"),
        "check",
        "rules",
        str(ROOT / "deploy/alerts.yml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(RULES)} rules found" in done.stdout

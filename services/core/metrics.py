"""What the processes count, for Prometheus. With PROMETHEUS_MULTIPROC_DIR set, all processes count together.

They may run in containers that share the directory and not their process ids, so each is known by its host's name too.
"""

import os
import socket
from collections.abc import Iterator

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from projections.health import Backlog

__all__ = ["CONTENT_TYPE_LATEST", "exposition"]

MULTIPROC = "PROMETHEUS_MULTIPROC_DIR"
HOST = socket.gethostname().replace("_", "-")  # an underscore parts the names of the files


def process_name() -> str:
    """What this process is called among all that count in one directory."""
    return f"{HOST}-{os.getpid()}"


if os.environ.get(MULTIPROC):
    values.ValueClass = values.MultiProcessValue(process_name)  # type: ignore[no-untyped-call]  # of prometheus_client

REQUESTS = Counter("stele_requests", "Requests answered.", ["method", "route", "status"])
ACTION_SECONDS = Histogram(
    "stele_action_seconds",
    "Seconds from an action's arrival to its answer.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
CONFLICTS = Counter(
    "stele_append_conflicts", "Appends that had to be tried again because others were faster."
)
DIVERGED = Counter("stele_forks", "Logs that did not hold what a process knew: entries were lost.")
JOBS = Counter("stele_jobs", "Jobs done by workers.", ["job", "result"])
JOBS_WAITING = Gauge(
    "stele_jobs_waiting", "Jobs that wait in each queue.", ["queue"], multiprocess_mode="mostrecent"
)
THOUGHT_SECONDS = Histogram(
    "stele_thought_seconds",
    "Seconds that bots took to choose, by their level.",
    ["level"],
    buckets=(0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
PROJECTION_LAG = Histogram(
    "stele_projection_lag_seconds",
    "Seconds from an entry's time to its projection.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
SETTLED = Counter("stele_games_settled", "Games settled, by the verdict of their audit.", ["verdict"])
TURNED_AWAY = Counter("stele_turned_away", "Requests refused as there was too much to do.", ["place"])
WATCHERS = Gauge("stele_watchers", "Open live streams.", multiprocess_mode="livesum")


class BacklogCollector(Collector):
    """What waits in the store, looked up when asked."""

    def __init__(self, backlog: Backlog) -> None:
        self._backlog = backlog

    def collect(self) -> Iterator[GaugeMetricFamily]:
        about = {
            "dirty": "Games whose projections are behind their logs.",
            "owed": "Games that wait for a worker.",
            "stuck": "Games that cannot be projected, or whose owed work cannot be done.",
            "failed_audits": "Settled games whose audit did not pass.",
            "feed_lag": "Entries of the feeds that no dispatcher has read.",
        }
        for name, meaning in about.items():
            yield GaugeMetricFamily(f"stele_{name}", meaning, value=getattr(self._backlog, name))


def exposition(backlog: Backlog) -> bytes:
    """Everything that is counted, as Prometheus reads it."""
    registry: CollectorRegistry = REGISTRY
    if os.environ.get(MULTIPROC):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client leaves it untyped
    waiting = CollectorRegistry()
    waiting.register(BacklogCollector(backlog))
    return generate_latest(registry) + generate_latest(waiting)

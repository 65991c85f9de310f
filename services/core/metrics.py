"""What the processes count, for Prometheus. With PROMETHEUS_MULTIPROC_DIR set, all processes count together.

They may run in containers that share the directory and not their process ids, so each is known by its host's name too.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from typing import Any

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

__all__ = ["CONTENT_TYPE_LATEST", "exposition"]

MULTIPROC = "PROMETHEUS_MULTIPROC_DIR"
HOSTNAME = socket.gethostname().replace("_", "-")  # an underscore parts the names of the files


def process_name() -> str:
    """What this process is called among all that count in one directory."""
    return f"{HOSTNAME}-{os.getpid()}"


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
LOGS_DIVERGED = Counter("stele_forks", "Logs that did not hold what a process knew: entries were lost.")
POSITIONS_ABOVE_HEAD = Counter(
    "stele_positions_above_head", "Of the forks: positions above the head that clients have named."
)
JOBS_DONE = Counter("stele_jobs", "Jobs done by workers.", ["job", "result"])
JOBS_WAITING = Gauge(
    "stele_jobs_waiting", "Jobs that wait in each queue.", ["queue"], multiprocess_mode="mostrecent"
)
THINKING_SECONDS = Histogram(
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
PUSHES = Counter("stele_pushes", "Push messages, by what has become of them.", ["result"])
REQUESTS_SHED = Counter("stele_turned_away", "Requests refused as there was too much to do.", ["place"])
OPEN_FILES = Gauge(
    "stele_open_files", "Open files of the API process that has most.", multiprocess_mode="livemax"
)
MAX_OPEN_FILES = Gauge(
    "stele_max_open_files", "Open files that an API process may have.", multiprocess_mode="livemin"
)
WATCHERS = Gauge("stele_watchers", "Open live streams.", multiprocess_mode="livesum")


GAUGES = {
    "store_up": "1 while the store answers, all of it or in part.",
    "missing_partitions": "Partitions of the store that do not answer.",
    "store_replicas": "Replicas that are connected to a single store.",
    "dirty": "Games whose projections are behind their logs.",
    "owed": "Games that wait for a worker.",
    "stuck": "Games that cannot be projected, or whose owed work cannot be done.",
    "failed_audits": "Settled games whose audit did not pass, and games whose log was found damaged.",
    "feed_lag": "Entries of the feeds that no projector has read.",
    "truncations": "Torn tails that the store has dropped at a start-up, and nobody has acknowledged.",
    "lost_games": "Games that a start-up found without entries they had, and nobody has acknowledged.",
    "disk_free_bytes": "Free bytes of the embedded store's disk.",
    "disk_reserve_bytes": "Free bytes below which the server only reads.",
    "store_memory_bytes": "Bytes of memory that the store uses.",
    "store_max_memory_bytes": "Bytes of memory that the store may use; 0: no limit.",
    "store_file_bytes": "Size of the store's append-only file.",
}
"""What is looked up when somebody asks, and what it means."""


class StateCollector(Collector):
    """The state of the server as it is when somebody asks."""

    def __init__(self, values: Mapping[str, Any], lags: Mapping[str, float]) -> None:
        self._values = values
        self._lags = lags

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, meaning in GAUGES.items():
            if name in self._values:
                yield GaugeMetricFamily(f"stele_{name}", meaning, value=self._values[name])
        behind = "Seconds since the oldest event that a webhook's receiver has not taken."
        lag = GaugeMetricFamily("stele_webhook_lag_seconds", behind, labels=["webhook"])
        for webhook, seconds in self._lags.items():
            lag.add_metric([webhook], seconds)
        yield lag


def exposition(state: Mapping[str, Any], lags: Mapping[str, float]) -> bytes:
    """Everything that is counted, as Prometheus reads it, with the gauges of this state and each webhook's lag."""
    registry: CollectorRegistry = REGISTRY
    if os.environ.get(MULTIPROC):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client leaves it untyped
    waiting = CollectorRegistry()
    waiting.register(StateCollector(state, lags))
    return generate_latest(registry) + generate_latest(waiting)

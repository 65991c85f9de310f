"""File descriptors of an API process: each connection takes one, and players and /healthz must always find some."""

import logging
import resource
from pathlib import Path

from services.core import metrics

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 16_384
"""What a process serves at once, streams included. It is for the server to know (granian's `backpressure`): with the
1,024 that it takes by itself, as many watchers would leave no connection for players."""
FILES_BESIDE = 64
"""Descriptors for what is no client's connection: the store, the archive, logs, pipes."""
KEPT_FOR_REQUESTS = 100
"""Connections that are kept for requests: so many before the last, nobody else may watch."""


def raise_file_limit() -> int:
    """Have as many open files as the system lets this process have; how many that is (often 1,024 unless it asks)."""
    wanted = 2 * MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY in (soft, hard):
        hard = max(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < min(wanted, hard):
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    limit = wanted if soft == resource.RLIM_INFINITY else soft
    metrics.MAX_OPEN_FILES.set(limit)
    return limit


def connection_limit(files: int) -> int:
    """How many connections a process takes that may open so many files."""
    return max(16, min(MAX_CONNECTIONS, files - FILES_BESIDE))


def watcher_limit(files: int) -> int:
    """How many of them may watch at once."""
    return max(1, connection_limit(files) - KEPT_FOR_REQUESTS)


def report_file_limit(files: int) -> None:
    """Say that this machine allows fewer open files than the server could use."""
    if connection_limit(files) < MAX_CONNECTIONS:
        log.warning(
            "this process may open %d files: it serves %d connections, %d of them watchers (ulimit -n raises it)",
            files,
            connection_limit(files),
            watcher_limit(files),
        )


def count_open_files() -> None:
    """Put the number of open files into the metrics, where the system tells it (Linux does)."""
    try:
        metrics.OPEN_FILES.set(sum(1 for _ in Path("/proc/self/fd").iterdir()))
    except OSError as problem:
        log.debug("open files cannot be counted: %s", problem)

"""Memory limit of the store, and how full it is: beyond the limit the store refuses writes and evicts nothing."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from redis import Redis

from events.store import Client
from services.core.disk import MB
from services.core.settings import Settings

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""What a container may use, where there is one."""
NEARLY = 0.9

Fill = Literal["ok", "nearly full", "full"]


def limit_of(settings: Settings) -> int:
    """How many bytes the embedded store may fill: what was set, or half of the machine's memory."""
    return settings.max_memory_mb * MB if settings.max_memory_mb else machine_memory() // 2


def machine_memory(limit_file: Path = CGROUP) -> int:
    """The bytes that this machine, or this container, has."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # no container, or one without a limit ("max")
        memory = min(memory, int(limit_file.read_text()))
    return memory


def store_gauges(client: Client) -> dict[str, float]:
    """Bytes of memory that a single store uses and may use (0: all), size of its append-only file, connected replicas."""
    if not isinstance(client, Redis):
        return {}
    said: Any = client.info("memory", "persistence", "replication")
    return {
        "store_replicas": said["connected_slaves"],
        "store_memory_bytes": said["used_memory"],
        "store_max_memory_bytes": said["maxmemory"],
        "store_file_bytes": said.get("aof_current_size", 0),
    }


def fill_of(client: Client) -> Fill:
    """How full the store's memory is. That of a cluster's nodes is for those who run it to watch."""
    if not isinstance(client, Redis):
        return "ok"
    memory: Any = client.info("memory")
    limit = memory["maxmemory"]
    used = memory["used_memory"] / limit if limit else 0.0
    return "full" if used >= 1 else "nearly full" if used >= NEARLY else "ok"

"""The memory that the store may fill: it refuses to write beyond a limit, and never throws anything away."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from redis import Redis

from events.store import Client
from services.core.settings import Settings

MB = 2**20
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


def fill_of(client: Client) -> Fill:
    """How full the store's memory is. That of a cluster's nodes is for those who run it to watch."""
    if not isinstance(client, Redis):
        return "ok"
    memory: Any = client.info("memory")
    limit = memory["maxmemory"]
    used = memory["used_memory"] / limit if limit else 0.0
    return "full" if used >= 1 else "nearly full" if used >= NEARLY else "ok"

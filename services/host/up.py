"""What `stele up` runs on this machine: the store, the API, the projector, the workers and the thinkers."""

import errno
import http.client
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import click

from services.core.datadir import check_secrets, free_mb, lock_data_dir, prepare_data_dir, stamp_format
from services.core.high_water_mark import HighWaterMark
from services.core.memory import limit_of
from services.core.metrics import MULTIPROC
from services.core.settings import CannotStart, Settings
from services.core.store_files import has_store_files, refuse_to_start_empty
from services.host.embedded import EmbeddedStore
from services.host.external_store import check_external_store
from services.host.metrics_dir import metrics_directory
from services.host.supervisor import Child, Supervisor


def run(settings: Settings, environ: Mapping[str, str], *, start_empty: bool = False) -> int:
    """Check that everything can start, and look after it until it is stopped."""
    prepare_data_dir(settings.data_dir)
    check_secrets(settings)
    with ExitStack() as on_exit:
        store = None
        if settings.store_url:
            click.echo(f"✓ store: {check_external_store(settings.store_url, settings.queue_url)}")
        else:
            on_exit.enter_context(lock_data_dir(settings.data_dir, "stele up"))
            if not start_empty:
                refuse_to_start_empty(settings.data_dir)
            elif not has_store_files(settings.data_dir):
                HighWaterMark(settings.data_dir).reset()
            stamp_format(settings.data_dir)
            store = EmbeddedStore(settings.data_dir, limit_of(settings))
            on_exit.callback(store.clear_away)
            warn_of_a_full_disk(settings)
        refuse_a_port_in_use(settings)
        counted = {MULTIPROC: str(on_exit.enter_context(metrics_directory())), **environ}
        return Supervisor(store, programs(settings, counted), say=click.echo).run()


def programs(settings: Settings, environ: Mapping[str, str]) -> list[Child]:
    """What runs besides the store."""
    address = url(settings)
    api = Child(
        "api",
        [sys.executable, "-P", "-m", "services.api"],
        environ,
        tells=f"{address} (Ctrl-C stops everything)",
        ready=lambda: api_is_alive(address),
    )
    projector = Child(
        "projector",
        [sys.executable, "-P", "-m", "services.worker.projector"],
        environ,
        tells="passes on what is played",
    )
    return [
        api,
        projector,
        *workers(settings.workers, environ),
        *thinkers(settings.thinkers, environ),
    ]


def workers(number: int, environ: Mapping[str, str]) -> list[Child]:
    """So many worker processes, for a supervisor."""
    argv = [sys.executable, "-P", "-m", "services.worker.process"]
    return [Child(f"worker {n}", argv, environ, tells="ready for work") for n in range(1, number + 1)]


def thinkers(number: int, environ: Mapping[str, str]) -> list[Child]:
    """So many processes in which bots think, for a supervisor."""
    argv = [sys.executable, "-P", "-m", "services.worker.thinker"]
    return [Child(f"thinker {n}", argv, environ, tells="ready to think") for n in range(1, number + 1)]


def url(settings: Settings) -> str:
    """The address for people on this machine, also where the API listens on all of them."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - read, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def api_is_alive(address: str) -> bool:
    """Whether the API says that it is alive (asked directly, past any proxy)."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc, timeout=0.5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def warn_of_a_full_disk(settings: Settings) -> None:
    free = free_mb(settings.data_dir)
    if free < settings.min_free_mb:
        click.echo(
            f"! Only {free} MB are free in {settings.data_dir}: games can be read, not played,"
            f" until there are {settings.min_free_mb} (STELE_MIN_FREE_MB)"
        )


def refuse_a_port_in_use(settings: Settings) -> None:
    problems = [try_to_listen(place) for place in places(settings)]
    if any(problem == errno.EADDRINUSE for problem in problems):
        raise CannotStart(
            f"Port {settings.port} of {settings.host} is in use by another program:"
            " stop it, or choose another port with --port (STELE_PORT)."
        )
    if all(problems):
        why = os.strerror(problems[0]).lower() if problems else "it is no address of this machine"
        raise CannotStart(
            f"Nothing can listen on port {settings.port} of {settings.host}: {why}."
            " Choose others with --host and --port (STELE_HOST, STELE_PORT)."
        )


def places(settings: Settings) -> list[tuple[socket.AddressFamily, Any]]:
    """What the host's name stands for; `localhost` may be two addresses."""
    try:
        addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [(family, address) for family, _, _, _, address in addresses]


def try_to_listen(place: tuple[socket.AddressFamily, Any]) -> int:
    """The number of the error, 0 if there is none."""
    family, address = place
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as problem:
        return problem.errno or errno.EINVAL
    return 0

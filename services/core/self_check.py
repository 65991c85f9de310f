"""Self-check of an installation for `stele doctor`: settings, limits, store, disk, clock, keys and versions."""

import resource
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from redis import Redis

from events.store import Client
from events.store_errors import STORE_FAILED
from projections.health import backlog
from services.core.connections import connect, store_url
from services.core.datadir import STAMP, check_secrets, free_mb, stamp_format
from services.core.high_water_mark import HighWaterMark
from services.core.memory import fill_of
from services.core.settings import CannotStart, Settings, unknown_variables
from services.core.store_files import appended_files, find_damage, refuse_to_start_empty, truncations

FEW_FILES = 1024
"""Open files below which a server has little room for watchers."""
CLOCK_SECONDS = 2.0
"""By how much the clocks of this machine and of the store may differ."""
MIN_STORE_VERSION = 7


@dataclass(frozen=True)
class CheckResult:
    """What a check has found: good, worth a look, or wrong; and what to do."""

    name: str
    state: Literal["ok", "warning", "wrong"]
    detail: str


def check_installation(settings: Settings, environ: Mapping[str, str]) -> Iterator[CheckResult]:
    """Make every check; one that cannot be made is wrong and says why."""
    yield from check_settings(environ)
    yield from check_files_limit()
    yield from refusals("keys", lambda: check_secrets(settings), "the key files can be used")
    if settings.store_url is None and settings.data_dir.exists():
        yield from check_data_dir(settings)
    try:
        yield from check_store(connect(store_url(settings)))
    except STORE_FAILED as error:
        yield CheckResult("store", "wrong", f"it does not answer ({type(error).__name__}): run stele up")


def check_settings(environ: Mapping[str, str]) -> Iterator[CheckResult]:
    unknown = unknown_variables(environ)
    if unknown:
        yield CheckResult(
            "settings", "warning", f"there is no setting {', '.join(unknown)}: see stele settings"
        )
    else:
        yield CheckResult("settings", "ok", "every variable is known")


def check_files_limit() -> Iterator[CheckResult]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < FEW_FILES:
        yield CheckResult(
            "limits", "warning", f"{hard} open files leave room for few watchers: raise ulimit -n"
        )
    else:
        yield CheckResult("limits", "ok", "open files are enough")


def refusals(name: str, check: Callable[[], object], good: str) -> Iterator[CheckResult]:
    """A check that refuses by raising: the sentence says what to do."""
    try:
        check()
        yield CheckResult(name, "ok", good)
    except CannotStart as problem:
        yield CheckResult(name, "wrong", problem.message)


def check_data_dir(settings: Settings) -> Iterator[CheckResult]:
    """The directory of the embedded store: its format, its files, what they have lost, and room."""
    where = settings.data_dir
    if (where / STAMP).exists():
        yield from refusals("version", lambda: stamp_format(where), "this version can use the data directory")
    yield from refusals("files", lambda: refuse_to_start_empty(where), "the store's files are all there")
    if any(find_damage(file) for file in appended_files(where)):
        yield CheckResult("files", "wrong", f"the tail is damaged: stele repair --data-dir {where}")
    lost = len(HighWaterMark(where).lost())
    if lost or truncations(where):
        yield CheckResult("losses", "warning", f"{lost} games have lost entries: stele losses lists them")
    else:
        yield CheckResult("losses", "ok", "no game is known to have lost entries")
    free = free_mb(where)
    state: Literal["ok", "wrong"] = "ok" if free >= settings.min_free_mb else "wrong"
    yield CheckResult(
        "disk", state, f"{free} MB are free, and {settings.min_free_mb} must be (STELE_MIN_FREE_MB)"
    )


def check_store(client: Client) -> Iterator[CheckResult]:
    """What only a store that answers can tell."""
    yield CheckResult("store", "ok", "it answers")
    waiting = backlog(client)
    if waiting.failed_audits or waiting.stuck:
        sentence = f"{waiting.failed_audits} games failed an audit, {waiting.stuck} are stuck: stele jobs"
        yield CheckResult("games", "warning", sentence)
    else:
        yield CheckResult("games", "ok", "none is stuck, and none has failed an audit")
    if not isinstance(client, Redis):
        return
    fill = fill_of(client)
    yield CheckResult("memory", "ok" if fill == "ok" else "warning", f"the store's memory: {fill}")
    seconds, _ = cast(Any, client.time())
    off = abs(time.time() - seconds)
    detail = f"the store's clock differs by {off:.0f} s: both machines need NTP"
    yield CheckResult(
        "clock", "ok" if off <= CLOCK_SECONDS else "warning", detail if off > CLOCK_SECONDS else "in step"
    )
    yield from check_configuration(client)


def check_configuration(client: Redis) -> Iterator[CheckResult]:
    """Whether the store keeps what it acknowledges."""
    server: Any = client.info("server")
    version = str(server.get("valkey_version") or server["redis_version"])
    known = int(version.split(".", maxsplit=1)[0]) >= MIN_STORE_VERSION
    yield CheckResult("store version", "ok" if known else "wrong", f"{version}, and it must be 7 or later")
    kept: Any = client.config_get("appendonly", "appendfsync")
    durable = kept.get("appendonly") == "yes" and kept.get("appendfsync") == "always"
    detail = "every write is on disk before its answer"
    if not durable:
        detail = "acknowledged moves may be lost: set appendonly yes and appendfsync always"
    yield CheckResult("durability", "ok" if durable else "warning", detail)

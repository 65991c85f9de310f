"""One run: everyone comes, plays and watches, too much is asked for a while, everyone goes; then the judgement."""

import asyncio
import resource
import secrets
import statistics
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from tests.soak.people import Notes, Table, Watcher, leave
from tests.soak.processes import STORE, Observer, Process, family, store_grows_with_its_logs
from tests.soak.storm import LEAST_STORM, SETTINGS, Flood, eager_seat, strangers, uploads
from tests.system.stele import Stele, stele_up

WARM_UP, STORM_AT, STORM = 1 / 3, 0.6, 0.1
"""Shares of the time: until memory counts, until too much is asked for, and how long that lasts."""
SECONDS_BETWEEN = 10.0
"""Between two actions at one table, on the average."""
CREATORS, CONNECTIONS = 8, 64
FAREWELL = 60.0
SLOWED = 0.25
"""The least share of their usual pace that players keep while others ask for too much."""

PRESENT = 0.95
"""The share of watchers that must be there at once; the others are just coming back."""

Say = Callable[[float, str], None]
"""Told how much of the time is over, from 0 to 1, and what happens."""


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    minutes: float = 10.0
    games: int = 500
    watchers: int = 2000
    seed: int = 1

    @property
    def seconds(self) -> float:
        return 60 * self.minutes

    @property
    def pause(self) -> float:
        """Seconds between two actions of a table; in a short run they hurry."""
        return min(SECONDS_BETWEEN, self.seconds / 20)

    @property
    def stay(self) -> tuple[float, float]:
        """How long a watcher stays: long enough to see something, short enough to come back often."""
        return 2 * self.pause, 12 * self.pause


@dataclass
class Report:
    """What came of a run."""

    size: Size
    notes: Notes
    processes: Sequence[Process]
    gone: Sequence[str]
    entries: Sequence[tuple[float, int]]
    floods: Sequence[Flood]
    steady_pace: float
    storm_pace: float
    most_watching: int
    behind: int
    forgotten: Sequence[str]
    """Games that know less than was acknowledged."""

    @property
    def memory_faults(self) -> list[str]:
        """Processes that grow."""
        faults = []
        for each in self.processes:
            good = store_grows_with_its_logs(each, self.entries) if each.name == STORE else each.is_flat
            if not good:
                faults.append(f"memory of {each.name} grew from {each.first:.1f} to {each.last:.1f} MB")
        return faults

    @property
    def faults(self) -> list[str]:
        """Every other promise that was broken."""
        notes = self.notes
        faults = [f"{name} has ended" for name in self.gone]
        faults += [
            f"{p.name} keeps {p.left} files, {p.at_rest} at rest" for p in self.processes if p.leaks_files
        ]
        faults += [
            f"refused within the limits, {count} times: {what}" for what, count in notes.refused.items()
        ]
        faults += [f"gap: {gap}" for gap in notes.gaps]
        faults += [f"{game} lost what was acknowledged" for game in self.forgotten]
        faults += [fault for flood in self.floods for fault in flood.faults]
        if self.most_watching < PRESENT * self.size.watchers:
            faults.append(f"only {self.most_watching} watched at once")
        if notes.unanswered:
            faults.append(f"{notes.unanswered} requests of players were never answered")
        if self.storm_pace < SLOWED * self.steady_pace:
            faults.append("players came to a stop while others asked for too much")
        if self.behind:
            faults.append(f"{self.behind} things still waited for the workers in the end")
        return faults

    def figures(self) -> dict[str, str]:
        """What there is to tell, in words."""
        notes = self.notes
        waits = sorted(notes.waits) or [0.0]
        ours = [each for each in self.processes if each.name != STORE]
        worst = max(ours, key=lambda each: each.last / each.first)
        files = max(self.processes, key=lambda each: each.left - each.at_rest)
        return {
            "time, games, watchers": f"{self.size.minutes:g} min, {self.size.games}, {self.most_watching} at once",
            "acknowledged actions": f"{len(notes.acknowledged):,}, {self.steady_pace:.1f} a second; lost {len(self.forgotten)}",
            "an action's wait, median / 99 % / longest": " / ".join(
                f"{1000 * wait:.0f} ms"
                for wait in (statistics.median(waits), waits[int(0.99 * (len(waits) - 1))], waits[-1])
            ),
            "streams": f"{notes.visits:,} opened, {notes.events:,} events, {len(notes.gaps)} gaps, {notes.cuts} cut",
            "memory after warm-up, of the process that grew most": f"{worst.name}: {worst.first:.1f} → {worst.last:.1f} MB",
            "open files before and after, of the process that kept most": f"{files.name}: {files.at_rest} → {files.left}",
            "players' pace while others ask for too much": f"{self.storm_pace / max(self.steady_pace, 0.001):.0%} of usual",
            **{
                f"too much: {flood.name}": f"{flood.granted} granted, {flood.refused} refused, "
                + ("served again" if flood.recovered else "not served again")
                for flood in self.floods
            },
        }


def soak(size: Size, say: Say) -> Report:
    """Run a server of our own for so long, and judge it."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each watcher is an open file
    host = secrets.token_hex(16)
    with stele_up(STELE_HOST_TOKENS=f"soak:{host}", STELE_MIN_FREE_MB="0", **SETTINGS) as server:
        return asyncio.run(Run(size, server, host, say).run())


class Run:
    """The course of one run."""

    def __init__(self, size: Size, server: Stele, host: str, say: Say) -> None:
        self.size, self.server, self.host, self.say = size, server, host, say
        self.notes = Notes()
        self.entries: list[tuple[float, int]] = []
        self.most_watching = 0

    async def run(self) -> Report:
        size, notes = self.size, self.notes
        assert self.server.process
        lasting = family(self.server.process.pid)
        await asyncio.sleep(2)
        self.observer = Observer(lasting & family(self.server.process.pid))
        limits = httpx.Limits(max_connections=CONNECTIONS)
        async with httpx.AsyncClient(base_url=self.server.url, limits=limits, timeout=60) as self.http:
            tables = [Table(n, size.seed, self.http, self.host, notes) for n in range(size.games)]
            await self._open(tables)
            self.began = time.monotonic()
            people = [asyncio.create_task(table.play(size.pause)) for table in tables]
            people += [
                asyncio.create_task(Watcher(n, size.seed, self.server.port, notes, size.stay).watch())
                for n in range(size.watchers)
            ]
            stranger = asyncio.create_task(strangers(self.server.url))
            await self._look_until(STORM_AT, "playing")
            steady = self._pace(WARM_UP * size.seconds, self._now)
            begin = self._now
            floods = await self._storm(self.size.seconds * STORM)
            storm = self._pace(begin, self._now)
            await self._look_until(1.0, "playing on")
            self.say(1.0, "waiting for those who were told to come back")
            floods.append(await stranger)
            await leave(people)
            forgotten = await self._forgotten()
        behind = await self._farewell()
        return Report(
            size, notes, self.observer.processes(), self.observer.gone, self.entries, floods,
            steady, storm, self.most_watching, behind, forgotten,
        )  # fmt: skip

    @property
    def _now(self) -> float:
        return time.monotonic() - self.began

    def _pace(self, begin: float, end: float) -> float:
        """Acknowledged actions a second between these moments."""
        actions = sum(begin <= moment - self.began <= end for moment in self.notes.acknowledged)
        return actions / max(end - begin, 0.001)

    async def _open(self, tables: Sequence[Table]) -> None:
        waiting = list(tables)

        async def create() -> None:
            while waiting:
                await waiting.pop().open()
                self.say(0.0, f"opening games: {len(tables) - len(waiting)} of {len(tables)}")

        await asyncio.gather(*(create() for _ in range(CREATORS)))

    async def _look_until(self, share: float, what: str) -> None:
        """Look at every process about two hundred times in a run, until so much of the time is over."""
        step = max(0.25, min(2.0, self.size.seconds / 200))
        while self._now < share * self.size.seconds:
            self.most_watching = max(self.most_watching, self.notes.watching)
            if self._now >= WARM_UP * self.size.seconds:
                self.observer.look(self._now)
                self.entries.append((self._now, len(self.notes.acknowledged)))
            self.say(
                self._now / self.size.seconds,
                f"{what}: {len(self.notes.acknowledged):,} actions, {self.notes.watching:,} watch",
            )
            await asyncio.sleep(step)

    async def _storm(self, seconds: float) -> list[Flood]:
        """All kinds of too much at once."""
        self.say(self._now / self.size.seconds, "asking for too much")
        game = await self.http.post(
            "/v1/games",
            json={"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Ben"}]},
            headers={"Authorization": f"Bearer {self.host}"},
        )
        path, token = game.json()["links"]["self"], game.json()["seats"][0]["token"]
        async with httpx.AsyncClient(base_url=self.server.url, timeout=60) as eager:
            storms: list[Coroutine[Any, Any, Flood]] = [
                eager_seat(eager, path, token, max(seconds, LEAST_STORM)),
                uploads(eager, self.server.port),
            ]
            return list(await asyncio.gather(*storms))

    async def _forgotten(self) -> list[str]:
        """Games whose version is behind what was acknowledged; in a long run, of a hundred."""
        games = Random(self.size.seed).sample(sorted(self.notes.versions), min(100, len(self.notes.versions)))
        shown = [await self.http.get(f"/v1/games/{game}") for game in games]
        return [
            game
            for game, answer in zip(games, shown, strict=True)
            if answer.status_code != 200 or answer.json()["version"] < self.notes.versions[game]
        ]

    async def _farewell(self) -> int:
        """Wait until the server is at rest again; what waits for the workers even then."""
        until, behind = time.monotonic() + FAREWELL, 1
        while time.monotonic() < until:
            self.say(1.0, "everyone has gone")
            checks = httpx.get(f"{self.server.url}/readyz").json()["checks"]
            behind = sum(checks[name] for name in ("dirty", "owed", "feed_lag"))
            if not behind and not any(each.leaks_files for each in self.observer.processes()):
                break
            await asyncio.sleep(1)
        return behind

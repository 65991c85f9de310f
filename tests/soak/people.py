"""Who comes to a soaked server: tables that play at a human pace, and watchers who come, stay a while and come back."""

import asyncio
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

RULESETS = {"babel": 2, "aton": 2, "temple_of_five": 2, "sa_re": 3}
EVENT = re.compile(rb"\nid: (\d+)\n")
LAST_CHUNK = b"\r\n0\r\n\r\n"
ATTEMPTS = 5
REST = 0.5


@dataclass
class Notes:
    """What all of them saw."""

    versions: dict[str, int] = field(default_factory=dict)
    """The last version of each game that was acknowledged."""
    running: list[str] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    unanswered: int = 0
    ended: int = 0
    watching: int = 0
    events: int = 0
    visits: int = 0
    cuts: int = 0
    gaps: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """Answers that nobody who keeps to the limits may get."""


class Table:
    """All players of a table, who play game after game."""

    def __init__(self, number: int, seed: int, http: httpx.AsyncClient, host: str, notes: Notes) -> None:
        self.number, self.http, self.host, self.notes = number, http, host, notes
        self.dice = Random(f"{seed} table {number}")
        self.sent = 0

    async def open(self) -> None:
        """A new game with everyone named. It is asked for by a host, whom no limit for strangers holds."""
        ruleset = self.dice.choice(sorted(RULESETS))
        wish = {"ruleset": ruleset, "players": [{"name": f"Player {n}"} for n in range(RULESETS[ruleset])]}
        game = await self._call("POST", "/v1/games", self.host, wish)
        self.path, self.id = game["links"]["self"], game["id"]
        self.tokens = {seat["seat"]: seat["token"] for seat in game["seats"]}
        self.to_act: list[int] = game["to_act"]
        self.notes.versions[self.id] = game["version"]
        self.notes.running.append(self.id)

    async def play(self, pause: float) -> None:
        """Act every so many seconds, on the average, until cancelled."""
        while True:
            await asyncio.sleep(self.dice.uniform(0.0, 2 * pause))
            try:
                if not self.to_act:
                    self.notes.running.remove(self.id)
                    self.notes.ended += 1
                    await self.open()
                await self.move()
            except (Unanswered, httpx.TransportError):
                self.notes.unanswered += 1

    async def move(self) -> None:
        seat = self.dice.choice(self.to_act)
        legal = await self._call("GET", f"{self.path}/actions", self.tokens[seat])
        if not legal["actions"]:  # the clock or a simultaneous choice has moved on
            self.to_act = (await self._call("GET", self.path, self.tokens[seat]))["to_act"]
            return
        began = time.monotonic()
        action = self.dice.choice(legal["actions"])
        done = await self._call("POST", f"{self.path}/actions", self.tokens[seat], action)
        now = time.monotonic()
        self.notes.acknowledged.append(now)
        self.notes.waits.append(now - began)
        self.notes.versions[self.id] = done["version"]
        self.to_act = done["to_act"]

    async def _call(self, method: str, path: str, token: str, body: Any = None) -> Any:
        """The answer, repeated with its key if the connection broke."""
        self.sent += 1
        headers = {"Authorization": f"Bearer {token}"}
        if body is not None:
            headers["Idempotency-Key"] = f"soak-{self.number}-{self.sent}-{self.dice.getrandbits(64):x}"
        for attempt in range(ATTEMPTS):
            try:
                answer = await self.http.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                if attempt == ATTEMPTS - 1:
                    raise
                await asyncio.sleep(REST)
                continue
            self.notes.statuses[answer.status_code] += 1
            if answer.status_code in (429, 500, 503):
                self.notes.refused[f"a player: {answer.status_code} {answer.text[:200]}"] += 1
                await asyncio.sleep(float(answer.headers.get("Retry-After", "1")))
                continue
            return answer.raise_for_status().json()
        raise Unanswered(f"{method} {path}")


class Unanswered(Exception):
    """A request was refused again and again."""


class Watcher:
    """Someone who watches, now this game, now that; after a cut it goes on behind the last event that it got."""

    def __init__(self, number: int, seed: int, port: int, notes: Notes, stay: tuple[float, float]) -> None:
        self.port, self.notes, self.stay = port, notes, stay
        self.dice = Random(f"{seed} watcher {number}")

    async def watch(self) -> None:
        while True:
            game, self.cursor = self.dice.choice(self.notes.running), 0
            for _ in range(2):  # who has hung up comes back to the same game once
                try:
                    async with asyncio.timeout(self.dice.uniform(*self.stay)):
                        await self._read(game)
                        break  # the game is over
                except TimeoutError:
                    continue
                except OSError:
                    self.notes.cuts += 1
                    await asyncio.sleep(REST)

    async def _read(self, game: str) -> None:
        """Follow a stream to its end, from where this watcher was."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            request = (
                f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: soak\r\n"
                f"Accept: text/event-stream\r\nLast-Event-ID: {self.cursor}\r\n\r\n"
            )
            writer.write(request.encode())
            status = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
            if status == "204":  # the game is settled, and this watcher has seen it all
                return
            if status != "200":
                self.notes.refused[f"a watcher: {status}"] += 1
                await asyncio.sleep(REST)
                return
            self.notes.visits += 1
            self.notes.watching += 1
            try:
                await self._take(game, reader)
            finally:
                self.notes.watching -= 1
        except asyncio.IncompleteReadError:
            raise ConnectionError from None
        finally:
            writer.transport.abort()

    async def _take(self, game: str, reader: asyncio.StreamReader) -> None:
        rest = b""
        while data := await reader.read(1 << 16):
            data = rest + data
            for event in EVENT.finditer(data):
                number = int(event[1])
                if number != self.cursor + 1:
                    self.notes.gaps.append(f"{game}: {number} after {self.cursor}")
                self.cursor = number
                self.notes.events += 1
            if data.endswith(LAST_CHUNK):
                return
            rest = data[data.rfind(b"\n") :]


async def leave(tasks: list[asyncio.Task[None]]) -> None:
    """Have them all go; who failed by itself says so."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome

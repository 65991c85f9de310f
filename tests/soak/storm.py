"""More than is allowed: each kind of it must be refused early, with a word on when to come back, and then be served."""

import asyncio
import time
from dataclasses import dataclass, field

import httpx

PACE, CREATIONS = 10, 20
"""The limits of the server that is soaked: requests of a seat in a second, games of a stranger in a minute."""
SETTINGS = {
    "STELE_REQUESTS_PER_SECOND": str(PACE),
    "STELE_CREATIONS_PER_MINUTE": str(CREATIONS),
    "STELE_UNFINISHED_GAMES": "1000",
    "STELE_WORKERS": "2",  # as many as people have
    "STELE_THINKERS": "2",
}
EAGER, BREATH = 32, 0.1
"""How many requests a seat in haste has under way, and how soon each is followed by the next."""
STRANGERS, UPLOADS = 3 * CREATIONS, 12
LARGE = 300_000
UPLOAD_PATIENCE = 40.0
LEAST_STORM = 14.0
"""Seconds: a large body waits ten for its place."""


@dataclass
class Flood:
    """One kind of too much, and what came of it."""

    name: str
    granted: int = 0
    most_granted: float = 0.0
    """How many the limit allows, at most."""
    refused: int = 0
    silent: int = 0
    """Refusals that do not say when to come back."""
    others: list[str] = field(default_factory=list)
    recovered: bool = False

    def note(self, status: int, headers: httpx.Headers, expected: int) -> None:
        if status == expected:
            self.refused += 1
            self.silent += not headers.get("Retry-After", "").isdigit()
        elif status < 300:
            self.granted += 1
        else:
            self.others.append(str(status))

    @property
    def faults(self) -> list[str]:
        faults = []
        if not self.refused:
            faults.append("nothing was refused")
        if self.granted > self.most_granted:
            faults.append(f"{self.granted} were granted where {self.most_granted:.0f} are allowed")
        if self.silent:
            faults.append(f"{self.silent} refusals did not say when to come back")
        if self.others:
            faults.append(f"answers that nobody expected: {', '.join(sorted(set(self.others)))}")
        if not self.recovered:
            faults.append("who came back in time was not served")
        return [f"{self.name}: {each}" for each in faults]


async def eager_seat(http: httpx.AsyncClient, path: str, token: str, seconds: float) -> Flood:
    """A seat that asks as fast as it can, over some connections at once."""
    flood = Flood("a seat in haste")
    headers, began = {"Authorization": f"Bearer {token}"}, time.monotonic()

    async def ask() -> None:
        while time.monotonic() - began < seconds:
            answer = await http.get(path, headers=headers)
            flood.note(answer.status_code, answer.headers, 429)
            await asyncio.sleep(BREATH)

    await asyncio.gather(*(ask() for _ in range(EAGER)))
    flood.most_granted = 1.1 * PACE * (time.monotonic() - began + 1)
    await asyncio.sleep(1)
    flood.recovered = (await http.get(path, headers=headers)).status_code == 200
    return flood


async def strangers(url: str) -> Flood:
    """Someone without a token creates game after game; after the wait that was named, one more is created."""
    flood = Flood("a stranger who creates games")
    wish = {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Ben"}]}
    wait = 60
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        for _ in range(STRANGERS):
            answer = await http.post("/v1/games", json=wish)
            flood.note(answer.status_code, answer.headers, 429)
            wait = int(answer.headers.get("Retry-After", wait))
        flood.most_granted = 2 * CREATIONS  # a minute may end in between
        await asyncio.sleep(wait + 1)
        flood.recovered = (await http.post("/v1/games", json=wish)).status_code == 201
    return flood


async def uploads(http: httpx.AsyncClient, port: int) -> Flood:
    """Large bodies that never end: few have a place, the others are refused; then one is taken that is whole."""
    flood = Flood("large bodies that do not end")
    for status, headers in await asyncio.gather(*(endless_upload(port) for _ in range(UPLOADS))):
        if status == 408:
            flood.granted += 1  # it had its place, and lost it
        else:
            flood.note(status, headers, 503)
    flood.most_granted = UPLOADS - 1
    whole = await http.post("/v1/records", content=b'"' + b"x" * LARGE + b'"', headers=JSON)
    flood.recovered = whole.status_code in (400, 422)
    return flood


JSON = {"Content-Type": "application/json"}


async def endless_upload(port: int) -> tuple[int, httpx.Headers]:
    """The answer to a body that stops in the middle."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = f"POST /v1/records HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
        writer.write(head.encode() + b'"' + b"x" * 1000)
        async with asyncio.timeout(UPLOAD_PATIENCE):
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    finally:
        writer.transport.abort()
    first, *lines = answer.strip().split("\r\n")
    return int(first.split()[1]), httpx.Headers(dict(line.split(": ", 1) for line in lines))

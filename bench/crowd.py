"""A crowd of watchers in a process of its own: `python -m bench.crowd PORT WATCHERS GAME…`.

It is told what to do line by line on its standard input, and answers each line with a line of JSON:
`join {game: version}` (everyone connects; answered when all have got what there is), `cut` (every connection is cut, and everyone
comes back with the number of the last event it got), `leave {game: version}` (answered when all have got everything).

Watchers are elsewhere in real life. So that they cost players as little as possible of the processor that they share
here, the crowd looks at all its connections together, forty times a second, and sleeps in between.
"""

import json
import re
import resource
import select
import socket
import sys
import time
from contextlib import suppress
from datetime import datetime
from typing import Any

EVENT = re.compile(rb"\nid: (\d+)\n")
TIME = re.compile(rb'"at":"([^"]+)"')
SAMPLED = 20
"""One watcher in so many notes how old events are when they arrive."""
NAP = 0.025
PATIENCE = 60.0
STDIN = 0


class Watcher:
    """Someone who watches a game, over one connection after the other."""

    def __init__(self, game: str, sampled: bool) -> None:
        self.game = game
        self.last = 0
        self.events = self.gaps = self.duplicates = 0
        self.ages: list[float] = []
        self._sampled = sampled

    def connect(self, port: int) -> int:
        self._rest = b""
        self._socket = socket.create_connection(("127.0.0.1", port))
        request = (
            f"GET /v1/games/{self.game}/events HTTP/1.1\r\nHost: bench\r\n"
            f"Accept: text/event-stream\r\nLast-Event-ID: {self.last}\r\n\r\n"
        )
        self._socket.sendall(request.encode())
        self._socket.setblocking(False)
        return self._socket.fileno()

    def read(self) -> None:
        with suppress(BlockingIOError):
            while data := self._socket.recv(1 << 16):
                self._take(self._rest + data)

    def _take(self, data: bytes) -> None:
        for event in EVENT.finditer(data):
            seq = int(event[1])
            self.events += 1
            self.gaps += seq > self.last + 1
            self.duplicates += seq <= self.last
            self.last = max(self.last, seq)
        if self._sampled:
            now = time.time()
            self.ages += [now - datetime.fromisoformat(at.decode()).timestamp() for at in TIME.findall(data)]
        self._rest = data[data.rfind(b"\n") :]

    def cut(self) -> None:
        self._socket.close()


class Crowd:
    """Watchers, spread evenly over the games."""

    def __init__(self, port: int, watchers: int, games: list[str]) -> None:
        self._port = port
        self._watchers = [Watcher(games[n % len(games)], n % SAMPLED == 0) for n in range(watchers)]
        self._connected: dict[int, Watcher] = {}
        self._epoll = select.epoll()
        self._epoll.register(STDIN, select.EPOLLIN)

    def run(self) -> None:
        """Watch, and do as told, until there is no one to tell anything."""
        while True:
            if self._look():
                line = sys.stdin.readline()
                if not line:
                    return
                print(json.dumps(self._obey(line.strip())), flush=True)
            time.sleep(NAP)

    def _look(self) -> bool:
        """Take what has come on any connection; whether there is an order, too."""
        ready = [number for number, _ in self._epoll.poll(0)]
        for number in ready:
            if number != STDIN:
                self._connected[number].read()
        return STDIN in ready

    def _obey(self, line: str) -> Any:
        order, _, rest = line.partition(" ")
        match order:
            case "join":
                self._connect()
                self._until_complete(json.loads(rest))
                for watcher in self._watchers:
                    watcher.ages.clear()  # of what was there before they came
                return {}
            case "cut":
                self._cut()
                return self._connect()
            case _:
                return self._leave(json.loads(rest))

    def _connect(self) -> dict[str, float]:
        begun = time.monotonic()
        for watcher in self._watchers:
            number = watcher.connect(self._port)
            self._connected[number] = watcher
            self._epoll.register(number, select.EPOLLIN)
        return {"seconds": time.monotonic() - begun}

    def _cut(self) -> None:
        self._connected.clear()
        for watcher in self._watchers:
            watcher.cut()

    def _leave(self, versions: dict[str, int]) -> dict[str, Any]:
        self._until_complete(versions)
        self._cut()
        return {
            "events": sum(watcher.events for watcher in self._watchers),
            "gaps": sum(watcher.gaps for watcher in self._watchers),
            "duplicates": sum(watcher.duplicates for watcher in self._watchers),
            "incomplete": sum(watcher.last != versions[watcher.game] for watcher in self._watchers),
            "ages": [age for watcher in self._watchers for age in watcher.ages],
        }

    def _until_complete(self, versions: dict[str, int]) -> None:
        deadline = time.monotonic() + PATIENCE
        while any(each.last < versions[each.game] for each in self._watchers) and time.monotonic() < deadline:
            self._look()
            time.sleep(NAP)


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each watcher is an open file
    Crowd(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]).run()

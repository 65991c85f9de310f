"""Players over HTTP, with a plain client of their own: they repeat each request with its key until it is answered."""

import hashlib
import http.client
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

LONGEST = 120.0
"""Seconds after which a request that is never answered is called stuck."""
PAUSE = 0.1
BOTS_PAUSE = 0.05
"""Seconds between two looks whether a bot has acted."""
TAKEN_BACK = 0.3
"""How likely an action is taken back that can be."""
RULESETS = ("babel", "aton", "temple_of_five", "sa_re")


class Ack(NamedTuple):
    """An action that was acknowledged: where it must stand in the log, and when its player heard of it."""

    game: str
    request: str
    """The hash of its key, as the log has it."""
    version: int
    hash: str
    when: float


@dataclass
class Notes:
    """What all players saw."""

    acks: list[Ack] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    stuck: list[str] = field(default_factory=list)
    lost_games: list[str] = field(default_factory=list)
    at_the_table: Counter[str] = field(default_factory=Counter)
    """Take-backs, pauses, hand-overs and rematches that were acknowledged."""
    cuts: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Unanswered(Exception):
    """A request was never answered."""


class Caller:
    """A client that gives up no request, and may be told to hang up in the middle of an answer."""

    def __init__(self, port: int, notes: Notes, cut: threading.Event, stop: threading.Event) -> None:
        self.port, self.notes, self.cut, self.stop = port, notes, cut, stop

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None, key: str | None = None
    ) -> tuple[int, Any]:
        """The answer, after as many attempts as it takes."""
        began = time.monotonic()
        while time.monotonic() - began < LONGEST:
            answer = self._try(method, path, body, token, key)
            if answer and answer[0] not in (429, 500, 502, 503):
                return answer
            time.sleep(PAUSE)
        with self.notes.lock:
            self.notes.stuck.append(f"{method} {path}")
        raise Unanswered(path)

    def _try(
        self, method: str, path: str, body: Any, token: str | None, key: str | None
    ) -> tuple[int, Any] | None:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            if self.cut.is_set():
                assert connection.sock
                connection.sock.recv(8)
                self.notes.cuts += 1
                return None
            response = connection.getresponse()
            content = response.read()
            answer = json.loads(content) if content else None
        except (OSError, http.client.HTTPException, ValueError):
            self._count("no answer")
            return None
        finally:
            connection.close()
        code = answer.get("code") if isinstance(answer, dict) and response.status >= 400 else None
        self._count(f"{response.status} {code}" if code else str(response.status))
        return response.status, answer

    def _count(self, status: str) -> None:
        with self.notes.lock:
            self.notes.statuses[status] += 1


def request_hash(caller: str, key: str) -> str:
    return hashlib.sha256(caller.encode() + b"\0" + key.encode()).hexdigest()


HAND_OVER_AT, PAUSE_AT, RESIGN_AT = 3, 5, 15
"""The turns of a game at which a seat goes to another person, the game is paused, and some games are given up."""


@dataclass
class Sitting:
    """A game in play, and the tokens of its seats."""

    game: Any
    tokens: dict[int, str]
    handed_over: Counter[int] = field(default_factory=Counter)

    @property
    def path(self) -> str:
        return str(self.game["links"]["self"])

    def caller_at(self, seat: int) -> str:
        """How the log names who sits there as the caller of a request."""
        return f"{seat}~{self.handed_over[seat]}" if self.handed_over[seat] else str(seat)


class Table(threading.Thread):
    """Plays game after game, all its seats, until it is told to stop."""

    varied = True
    """Does more happen here than actions?"""

    def __init__(self, number: int, caller: Caller, dice: Random) -> None:
        super().__init__(name=f"table {number}", daemon=True)
        self.number, self.caller, self.dice = number, caller, dice

    def run(self) -> None:
        game = 0
        try:
            while not self.caller.stop.is_set():
                self.play(game)
                game += 1
        except Unanswered:
            return

    def play(self, number: int) -> None:
        """A game and its rematch, each to its end or until all is to stop."""
        status, game = self.caller.call(
            "POST", "/v1/games", self.wished_game(number), key=self.key_of_game(number)
        )
        if status != 201:
            return
        tokens = {seat["seat"]: seat["token"] for seat in game["seats"] if "token" in seat}
        self.play_on(Sitting(game, tokens), resigns=self.varied and (self.number + number) % 4 == 3)
        if self.varied and (again := self.rematch(Sitting(game, tokens))):
            self.play_on(again, resigns=False)

    def play_on(self, sitting: "Sitting", *, resigns: bool) -> None:
        with self.caller.notes.lock:
            self.caller.notes.games.append(sitting.game["id"])
        turn = 0
        while not self.caller.stop.is_set() and self.move(sitting, turn):
            turn += 1
            if self.varied:
                self.vary(sitting, turn)
            if resigns and turn == RESIGN_AT:
                self.act(sitting, min(sitting.tokens), "resignation", None, "resignation")

    def wished_game(self, number: int) -> dict[str, Any]:
        wish: dict[str, Any] = {"ruleset": RULESETS[(self.number + number) % len(RULESETS)]}
        wish["players"] = [
            {"name": f"Player {seat}"} for seat in range(3 if wish["ruleset"] == "sa_re" else 2)
        ]
        if (self.number + number) % 3 == 2:
            wish["clock"] = {"turn_seconds": 600, "reserve_seconds": 60}
        return wish

    def key_of_game(self, number: int) -> str:
        return f"chaos-game-{self.number}-{number}-{self.dice.random()}"

    def move(self, sitting: "Sitting", turn: int) -> bool:
        """One action; False if the game is over, or lost."""
        path, tokens = sitting.path, sitting.tokens
        status, now = self.caller.call("GET", path)
        if status == 404:
            with self.caller.notes.lock:
                self.caller.notes.lost_games.append(sitting.game["id"])
            return False
        if now["status"] != "playing" or not now["to_act"]:
            return False
        if now["paused"]:
            self.act(sitting, self.dice.choice([*tokens]), "resume", None, "resume")
            return True
        seat = self.choose_seat([seat for seat in now["to_act"] if seat in tokens])
        if seat is None:
            time.sleep(BOTS_PAUSE)
            return True
        status, legal = self.caller.call("GET", f"{path}/actions", token=tokens[seat])
        if status != 200 or not legal["actions"]:
            return status == 200
        done = self.act(sitting, seat, "actions", self.dice.choice(legal["actions"]), f"move-{turn}")
        if self.varied and done and done["takeback"] is not None and self.dice.random() < TAKEN_BACK:
            back = self.act(sitting, seat, "takebacks", {"to": done["takeback"]}, f"back-{turn}")
            self.count("take-back", back)
        return True

    def act(self, sitting: "Sitting", seat: int, call: str, body: Any, what: str) -> Any:
        """What a seat has done and was acknowledged; None if it was refused."""
        key = f"chaos-{what}-{self.number}-{self.dice.random()}"
        path = f"{sitting.path}/{call}"
        status, done = self.caller.call("POST", path, body, sitting.tokens[seat], key)
        if status != 201:
            return None
        request = request_hash(sitting.caller_at(seat), key)
        self.heard(Ack(sitting.game["id"], request, done["version"], done["hash"], time.monotonic()))
        return done

    def count(self, kind: str, done: Any) -> None:
        with self.caller.notes.lock:
            self.caller.notes.at_the_table[kind] += done is not None

    # -- at the table -------------------------------------------------------------------------------------------------

    def vary(self, sitting: "Sitting", turn: int) -> None:
        """What happens at a table besides playing."""
        if turn == HAND_OVER_AT:
            self.hand_over(sitting, self.dice.choice([*sitting.tokens]))
        if turn == PAUSE_AT and sitting.game["clock"]:
            agreed = [self.act(sitting, seat, "pause", None, "pause") for seat in sitting.tokens]
            self.count("pause", agreed[-1])

    def hand_over(self, sitting: "Sitting", seat: int) -> None:
        """A seat goes to another person, whose token alone holds from then on."""
        path, token = f"{sitting.path}/seats/{seat}", sitting.tokens[seat]
        status, code = self.caller.call("POST", f"{path}/handover", {}, token)
        if status != 201:
            return
        key = f"chaos-takeover-{self.number}-{self.dice.random()}"
        body = {"code": code["code"], "name": "Another"}
        status, taken = self.caller.call("POST", f"{path}/takeover", body, key=key)
        if status == 201:
            sitting.tokens[seat] = taken["token"]
            sitting.handed_over[seat] += 1
            self.count("hand-over", taken)

    def rematch(self, sitting: "Sitting") -> "Sitting | None":
        """The next game of the same people; None if this one is not over."""
        again = None
        for token in sitting.tokens.values():
            key = f"chaos-rematch-{self.number}-{self.dice.random()}"
            status, joined = self.caller.call("POST", f"{sitting.path}/rematch", {}, token, key)
            if status != 201:
                return None
            again = again or Sitting(joined["game"], {})
            again.tokens[joined["seat"]] = joined["token"]
            game, request = joined["game"], request_hash(str(joined["seat"]), key)
            self.heard(Ack(game["id"], request, game["version"], game["hash"], time.monotonic()))
        self.count("rematch", again)
        return again

    def choose_seat(self, seats: list[int]) -> int | None:
        """Who of these acts; None if only bots are to act."""
        return self.dice.choice(seats) if seats else None

    def heard(self, ack: Ack) -> None:
        with self.caller.notes.lock:
            self.caller.notes.acks.append(ack)


class Watcher(threading.Thread):
    """Watches games one after another by their live streams, and notes every gap."""

    def __init__(self, port: int, notes: Notes, stop: threading.Event) -> None:
        super().__init__(name="watcher", daemon=True)
        self.port, self.notes, self.stop = port, notes, stop
        self.gaps: list[str] = []
        self.seen = 0
        self.rewound = 0

    def run(self) -> None:
        number = 0
        while not self.stop.is_set():
            with self.notes.lock:
                game = self.notes.games[number % len(self.notes.games)] if self.notes.games else None
            if game is None:
                time.sleep(PAUSE)
                continue
            self.watch(game)
            number += 1

    def watch(self, game: str) -> None:
        """Follow a game for some seconds, over as many connections as that takes."""
        cursor, until = 0, time.monotonic() + 6
        while time.monotonic() < until and not self.stop.is_set():
            try:
                cursor = self._read(game, cursor, until)
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(PAUSE)

    def _read(self, game: str, cursor: int, until: float) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=3)
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(cursor)}
        try:
            connection.request("GET", f"/v1/games/{game}/events", headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                time.sleep(PAUSE)
                return cursor
            while time.monotonic() < until and (line := response.readline()):
                if line == b"event: rewound\n":
                    self.rewound += 1
                    return 0
                if line.startswith(b"id: "):
                    number = int(line[4:])
                    if number != cursor + 1:
                        self.gaps.append(f"{game}: {number} after {cursor}")
                    cursor, self.seen = number, self.seen + 1
        finally:
            connection.close()
        return cursor

"""People at tables of their own, each against a bot that searches: how long they wait for it, and a neighbour for a quick one.

They take about a second for each action, as quick people do, and do anything that is allowed. A wait is what the log tells:
from the entry that asked the bot (its own, where it is asked again) to its next, or until its person leaves.
"""

import statistics
import threading
from collections.abc import Iterator
from random import Random
from typing import Any

from redis import Redis

from bench.figures import Figure
from bench.runs import Run
from bench.servers import Stele, stele
from events.game import Game, unfold
from events.store import EventStore
from events.times import milliseconds
from games import RULESETS

LEVEL, QUICK_LEVEL = "strong", "greedy"
PERSON, BOT = 0, 1
PATIENCE = 2
"""Seconds of one wait for news of a game."""


class Person(threading.Thread):
    """Someone who plays one game after the other against a bot."""

    def __init__(self, server: Stele, ruleset: str, level: str, pause: float) -> None:
        super().__init__(daemon=True)
        self.games: list[str] = []
        self.problem: Exception | None = None
        self._server, self._ruleset, self._level = server, ruleset, level
        self._pause = pause
        self._dice = Random()
        self._over = threading.Event()

    def leave(self) -> None:
        self._over.set()
        self.join()
        if self.problem:
            raise self.problem

    def run(self) -> None:
        try:
            while not self._over.is_set():
                self._play()
        except Exception as problem:  # whatever it is, whoever measures must know
            self.problem = problem

    def _play(self) -> None:
        wanted = {"ruleset": self._ruleset, "players": [{"name": "Ada"}, {"bot": self._level}]}
        shown = self._server.call("POST", "/v1/games", wanted)
        self.games.append(shown["id"])
        path, token = shown["links"]["self"], shown["seats"][PERSON]["token"]
        while shown["status"] == "playing" and not self._over.is_set():
            if PERSON in shown["to_act"]:
                actions = self._call("GET", f"{path}/actions", token)["actions"]
                self._over.wait(self._dice.uniform(0.5, 1.5) * self._pause)
                self._call("POST", f"{path}/actions", token, self._dice.choice(actions))
                shown = self._call("GET", path, token)
            else:
                shown = self._call("GET", f"{path}?after={shown['version']}&wait={PATIENCE}", token)
        if shown["status"] == "playing":
            self._call("POST", f"{path}/resignation", token)

    def _call(self, method: str, path: str, token: str, body: Any = None) -> Any:
        return self._server.call(method, path, body, token)


def run(run: Run) -> list[Figure]:
    tables = run.scale.tables
    medians: list[float] = []
    longest: list[float] = []
    beside: list[float] = []
    with stele() as server, Redis(unix_socket_path=str(server.socket)) as client:
        for _ in run.rounds():
            people = [Person(server, ruleset, LEVEL, run.scale.pause) for ruleset in games_for(tables)]
            neighbour = Person(server, "aton", QUICK_LEVEL, run.scale.pause)
            play([*people, neighbour], run.scale.thinking_seconds)
            server.settle()
            waits = [wait for person in people for game in person.games for wait in waits_in(client, game)]
            medians.append(statistics.median(waits))
            longest.append(max(waits))
            run.say(f"{len(waits)} decisions, {medians[-1]:.2f} s in the median, {longest[-1]:.2f} s at most")
            beside.append(max(wait for game in neighbour.games for wait in waits_in(client, game)))
    at_once = f"{tables} {LEVEL} games at once"
    return [
        Figure(f"{at_once}: the wait for a bot, median", medians, "s", aim=2.0, direction="≤"),
        Figure(f"{at_once}: the longest wait of all rounds", [max(longest)], "s", aim=6.0, direction="≤"),
        Figure(f"{at_once}: the longest for a {QUICK_LEVEL} bot beside them", beside, "s", direction="≤"),
    ]


def games_for(tables: int) -> list[str]:
    """Every game as often as any other."""
    names = sorted({ruleset.name for ruleset in RULESETS})
    return [names[table % len(names)] for table in range(tables)]


def play(people: list[Person], seconds: float) -> None:
    """Let everyone play for so long, and wait for those who are just being answered."""
    for person in people:
        person.start()
    threading.Event().wait(seconds)
    for person in people:
        person.leave()


def waits_in(client: Redis, game_id: str) -> Iterator[float]:
    """The seconds that the bot of a game took for each of its decisions, or had taken when the game was over."""
    before: Game | None = None
    times: dict[int, int] = {}
    for carved, game in unfold(EventStore(client).read(game_id), RULESETS):
        times[carved.seq] = milliseconds(carved.entry.at)
        decided = carved.entry.actor == {"seat": BOT} or not game.to_act
        if before and BOT in before.decisions and decided:
            yield (times[carved.seq] - times[before.decisions[BOT]]) / 1000
        before = game

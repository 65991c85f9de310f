"""Probers: two in each partition, who act in games of it at a steady pace. How long they wait is how long it stands still.

One plays both seats, so it needs the API and the store alone: what counts is the time between two acknowledged actions. The
other plays against a bot, so it needs projector and workers too: what counts is the time from its action to the bot's.
"""

import time
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, ClassVar, NamedTuple

from events.keys import game_id, partition_of, partitions
from services.api.authentication import ANYONE, Authenticator
from tests.chaos.players import Ack, Caller, Table

TOKEN_KEY = "the-key-of-a-server-under-chaos"
"""Known here, so that the Idempotency-Key of a creation can be chosen by the partition that it leads to."""
PACE, PACE_WITH_BOTS = 0.25, 2.0
"""Seconds from an answer to the next action: what workers do for a bot's move takes several times what the API does."""


class Still(NamedTuple):
    """A time in which nothing happened where something should."""

    partition: str
    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


class Prober(Table):
    """Plays both seats of a game, in one partition alone."""

    varied = False
    pace = PACE
    opponent: ClassVar = {"name": "Another"}

    def __init__(self, partition: str, caller: Caller, seed: int) -> None:
        super().__init__(int(partition), caller, Random(f"{seed} {type(self).__name__} {partition}"))
        self.partition = partition
        self.stills: list[Still] = []
        self.last = 0.0
        """When an action was acknowledged last, in this game."""

    def wished_game(self, number: int) -> dict[str, Any]:
        self.last = 0.0
        ruleset = ("babel", "aton")[number % 2]
        return {"ruleset": ruleset, "players": [{"name": "Prober"}, self.opponent]}

    def key_of_game(self, number: int) -> str:
        authenticator = Authenticator(TOKEN_KEY.encode(), {}, ())
        keys = (f"chaos-{type(self).__name__}-{number}-{n}-{self.dice.random()}" for n in count())
        return next(
            key
            for key in keys
            if partition_of(game_id(authenticator.create_id(ANYONE, key))) == self.partition
        )

    def run(self) -> None:
        super().run()
        if self.last:  # what was still waited for counts, too
            self.stills.append(Still(self.partition, self.last, time.monotonic()))

    def heard(self, ack: Ack) -> None:
        super().heard(ack)
        if self.last:
            self.stills.append(Still(self.partition, self.last, ack.when))
        self.last = ack.when
        time.sleep(self.pace)


class ProberOfBots(Prober):
    """Plays against a bot, in one partition alone."""

    pace = 0.0
    opponent: ClassVar = {"bot": "random"}

    def choose_seat(self, seats: list[int]) -> int | None:
        seat = super().choose_seat(seats)
        if seat is not None and self.last:
            self.stills.append(Still(self.partition, self.last, time.monotonic()))
            self.last = 0.0
            time.sleep(PACE_WITH_BOTS)
        return seat

    def heard(self, ack: Ack) -> None:
        Table.heard(self, ack)
        self.last = ack.when


def probers(caller: Callable[[], Caller], seed: int) -> tuple[list[Prober], list[Prober]]:
    """Those of players, and those of bots."""
    return (
        [Prober(part, caller(), seed) for part in partitions()],
        [ProberOfBots(part, caller(), seed) for part in partitions()],
    )

"""Push registrations of seats, and the messages that are due: at most one for each turn of a seat, and one at the end.

What a registered seat can be told is its *occasion*: the turn that it is asked in, or the end. The projection of a game
with registrations notes the occasions of its seats; a change marks the game until its messages are scheduled. Each is sent
when it is due, if it still holds then, and is done with once it was sent or is not needed: a kill in between loses none.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import msgspec

from events.asking import turn_of
from events.game import Game
from events.keys import game_key, partition_key, partition_of
from events.scripts import Script
from events.store import Client
from projections.scatter_gather import ask_partitions

GAMES, OCCASIONS, UNSCHEDULED, DUE = "push:games", "push:occasions", "push:unscheduled", "push:due"
"""The keys of a partition: games with registrations, the occasions of their seats, marks, and messages by when they are due."""
AT_THE_END = "end"
MOST_DUE = 200
"""Messages that are read at once of a partition."""
REGISTRATIONS = "pushes"
"""The key of a game that has its registrations by seat."""
PRESENT = "present"
"""The key of a game that says which seats are followed live, by which process, until when."""


class Registration(msgspec.Struct, frozen=True):
    """Where a seat wants to be told, and how."""

    endpoint: str
    p256dh: str
    auth: str
    after_seconds: int
    generation: int
    """That of the seat's token: whoever holds the seat after a renewal registers anew."""
    language: str
    done: str = ""
    """The occasion that is done with."""
    tries: int = 0
    """How often the present message was refused."""


class DuePush(NamedTuple):
    """A message that is to be sent now, if its occasion holds."""

    game: str
    seat: int
    occasion: str

    @property
    def member(self) -> str:
        return f"{self.game} {self.seat} {self.occasion}"


def occasion_of(game: Game, seat: int) -> str | None:
    """What a seat can be told as the game stands; None: nothing."""
    if game.status in ("ended", "aborted"):
        return AT_THE_END
    if game.paused or seat not in game.to_act or not game.chairs[seat].staying:
        return None
    return "turn:" + ":".join("-" if each is None else str(each) for each in turn_of(game.state))


def occasions_of(game: Game) -> dict[str, str]:
    """By seat what each can be told."""
    told = {
        str(seat): occasion_of(game, seat) for seat in range(len(game.chairs)) if game.chairs[seat].person
    }
    return {seat: occasion for seat, occasion in told.items() if occasion}


class Pushes:
    """What the store has of push messages."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._scheduled = Script(client, "projections", "published.lua")

    # -- registrations ------------------------------------------------------------------------------------------------

    def register(self, game: str, seat: int, registration: Registration) -> None:
        """Tell this seat from now on; the game is projected anew, so that what holds now is seen."""
        before = self.of_game(game).get(seat)
        if before and before.generation == registration.generation:
            registration = msgspec.structs.replace(registration, done=before.done)
        self.keep(game, seat, registration)
        partition = partition_of(game)
        self.client.sadd(partition_key(partition, GAMES), game)
        self.client.hdel(partition_key(partition, OCCASIONS), game)
        self.client.sadd(partition_key(partition, "dirty"), game)

    def keep(self, game: str, seat: int, registration: Registration) -> None:
        self.client.hset(_registrations(game), str(seat), msgspec.json.encode(registration))

    def remove(self, game: str, seat: int) -> None:
        """Tell this seat nothing more."""
        self.client.hdel(_registrations(game), str(seat))
        if not self.client.exists(_registrations(game)):
            partition = partition_of(game)
            self.client.srem(partition_key(partition, GAMES), game)
            self.client.hdel(partition_key(partition, OCCASIONS), game)

    def of_game(self, game: str) -> dict[int, Registration]:
        """The registrations of a game by seat."""
        lines = cast(dict[bytes, bytes], self.client.hgetall(_registrations(game)))
        read = msgspec.json.Decoder(Registration).decode
        return {int(seat): read(line) for seat, line in lines.items()}

    # -- messages -----------------------------------------------------------------------------------------------------

    def schedule(self, game: str) -> None:
        """Have the registered seats of a game told in time what they can be told; then its mark is taken off."""
        partition = partition_of(game)
        occasions, marks = (partition_key(partition, name) for name in (OCCASIONS, UNSCHEDULED))
        while True:
            line = cast(bytes | None, self.client.hget(occasions, game)) or b""
            by_seat = msgspec.json.decode(line, type=dict[str, str]) if line else {}
            for seat, registration in self.of_game(game).items():
                self._schedule(game, seat, registration, by_seat.get(str(seat)))
            if self._scheduled([occasions, marks], [game, line]):
                return

    def _schedule(self, game: str, seat: int, registration: Registration, occasion: str | None) -> None:
        if occasion is None:
            if registration.done:  # a turn has passed: the next one is another, whatever it is called
                self.keep(game, seat, msgspec.structs.replace(registration, done="", tries=0))
            return
        if occasion != registration.done:
            wait = 0 if occasion == AT_THE_END else registration.after_seconds
            due = DuePush(game, seat, occasion)
            self.client.zadd(_due(game), {due.member: (time.time() + wait) * 1000}, nx=True)

    def due(self, now: float) -> Iterator[DuePush]:
        """The messages that are due (seconds since 1970), of the partitions that answer."""
        for _, members in ask_partitions(
            self.client,
            lambda pipe, part: pipe.zrangebyscore(partition_key(part, DUE), "-inf", now * 1000, 0, MOST_DUE),
        ).each():
            yield from map(_read_due, members)

    def due_in(self, game: str, now: float) -> list[DuePush]:
        """Those of one game."""
        members = cast(Any, self.client.zrangebyscore(_due(game), "-inf", now * 1000))
        return [due for due in map(_read_due, members) if due.game == game]

    def finish(self, due: DuePush, registration: Registration) -> None:
        """This message was sent, or is not needed: there is no other for its occasion."""
        done = msgspec.structs.replace(registration, done=due.occasion, tries=0)
        if self.client.hexists(_registrations(due.game), str(due.seat)):
            self.keep(due.game, due.seat, done)
        self.drop(due)

    def drop(self, due: DuePush) -> None:
        """This message has lost its occasion."""
        self.client.zrem(_due(due.game), due.member)

    def postpone(self, due: DuePush, registration: Registration, until: float) -> None:
        """Try this message again at a moment (seconds since 1970)."""
        again = msgspec.structs.replace(registration, tries=registration.tries + 1)
        self.keep(due.game, due.seat, again)
        self.client.zadd(_due(due.game), {due.member: until * 1000}, xx=True)

    # -- presence -----------------------------------------------------------------------------------------------------

    def is_present(self, game: str, seat: int, now: float) -> bool:
        """Is this seat followed live somewhere?"""
        lines = cast(Any, self.client.zrangebyscore(presence_key(game), now, "+inf"))
        return any(line.decode().partition(" ")[0] == str(seat) for line in lines)


def presence_key(game: str) -> str:
    """Where processes note which seats of a game they have streams for: "seat process" by until when."""
    return game_key(game, PRESENT)


def _read_due(member: bytes) -> DuePush:
    game, seat, occasion = member.decode().split(" ", 2)
    return DuePush(game, int(seat), occasion)


def _registrations(game: str) -> str:
    return game_key(game, REGISTRATIONS)


def _due(game: str) -> str:
    return partition_key(partition_of(game), DUE)

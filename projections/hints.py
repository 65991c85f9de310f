"""Stored hints: those that were asked for, each for one version of one game, and the latest of each game.

A game has at most one seat that may ask for hints, so a hint is kept by game. Making one changes nothing in the log.
"""

from typing import Any, NamedTuple, cast

import msgspec

from events.keys import game_key, partition_key, partition_of
from events.store import Client
from projections.scatter_gather import ask_partitions

HINT_SECONDS = 600
"""For how long a hint is kept that nobody fetches."""


class HintRequest(NamedTuple):
    """A hint that was asked for and is not there yet."""

    game: str
    version: int
    by: str
    """Who asked for it, as limits count callers."""


class StoredHint(msgspec.Struct, frozen=True):
    """A hint as it is kept: the bytes of the answer, and the version and hash of the game that it was made for."""

    version: int
    hash: str
    body: msgspec.Raw


class HintStatus(NamedTuple):
    """Whether a hint is being made; its bytes, once it is there."""

    waiting: bool
    body: bytes | None


class Hints:
    """What the store has of hints."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def ask(self, request: HintRequest) -> None:
        """Have a hint made, unless it is being made."""
        self.client.hsetnx(_asked(request.game), _field(request.game, request.version), request.by)

    def find(self, game: str, version: int, entry_hash: str) -> HintStatus:
        """What there is of the hint for this version of a game."""
        with self.client.pipeline(transaction=False) as pipe:
            pipe.hexists(_asked(game), _field(game, version))
            pipe.get(hint_key(game))
            asked, line = pipe.execute()
        stored = msgspec.json.decode(line, type=StoredHint) if line else None
        is_this = stored is not None and (stored.version, stored.hash) == (version, entry_hash)
        return HintStatus(bool(asked), bytes(stored.body) if stored and is_this else None)

    def under_way(self) -> list[HintRequest]:
        """The hints that are asked for and not there yet, of the partitions that answer."""
        return [
            HintRequest(game, int(version), by.decode())
            for _, lines in ask_partitions(
                self.client, lambda pipe, part: pipe.hgetall(partition_key(part, "hints"))
            ).each()
            for field, by in lines.items()
            for game, version in [field.decode().split(" ")]
        ]

    def of_game(self, game: str) -> list[HintRequest]:
        """Those of one game."""
        lines = cast(dict[bytes, bytes], self.client.hgetall(_asked(game)))
        found = [(field.decode().split(" "), by.decode()) for field, by in lines.items()]
        return [HintRequest(game, int(version), by) for (of, version), by in found if of == game]

    def begins(self, request: HintRequest) -> int:
        """Somebody sets to work. How often that has come to nothing."""
        tries = f"{hint_key(request.game)}:{request.version}:tries"
        with self.client.pipeline(transaction=False) as pipe:
            pipe.incr(tries)
            pipe.expire(tries, HINT_SECONDS)
            return cast(int, pipe.execute()[0]) - 1

    def finish(self, request: HintRequest, entry_hash: str, body: bytes) -> None:
        """Keep a hint."""
        stored = StoredHint(request.version, entry_hash, msgspec.Raw(body))
        self.client.set(hint_key(request.game), msgspec.json.encode(stored), ex=HINT_SECONDS)
        self.drop(request)

    def drop(self, request: HintRequest) -> None:
        """Nobody makes this one any more."""
        self.client.hdel(_asked(request.game), _field(request.game, request.version))


def hint_key(game: str) -> str:
    """Where a game's latest hint is kept."""
    return game_key(game, "hint")


def _asked(game: str) -> str:
    return partition_key(partition_of(game), "hints")


def _field(game: str, version: int) -> Any:
    return f"{game} {version}"

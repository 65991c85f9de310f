"""Keys in the store. All keys of a partition share a hash tag, so they live in one slot of a cluster."""

import re
import secrets
from base64 import b32encode
from functools import lru_cache
from typing import NamedTuple

PARTITIONS = 16
UNLOGGED = "unlogged"
"""The leaves of a partition's games that the transparency log does not show yet."""
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 26
_OUR_LETTERS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
"""From the letters of base 32 (RFC 4648) to those that are hard to confuse."""
_ID = re.compile(f"[0-9]{{2}}-[{_ALPHABET}]{{{_ID_LENGTH}}}")


class GameKeys(NamedTuple):
    """Every key of one game, and those of its partition that an append touches: first those that every append does."""

    stream: str
    retries: str
    feed: str
    dirty: str
    deadlines: str
    archived: str
    secrets: str
    people: str
    unlogged: str


def partition_of(game: str) -> str:
    """The partition a game lives in: the two digits its id begins with."""
    return game[:2]


def partition_key(partition: str, name: str) -> str:
    """A key that belongs to a whole partition: `feed`, `dirty`, `deadlines` …"""
    return f"stele:{{{partition}}}:{name}"


def game_key(game: str, name: str) -> str:
    """A key that belongs to one game: `log`, `retries`, `secrets`, `people` …"""
    return f"stele:{{{partition_of(game)}}}:game:{game}:{name}"


@lru_cache(maxsize=4096)
def keys_of(game: str) -> GameKeys:
    """The keys that an append to this game may touch."""
    partition = partition_of(game)
    return GameKeys(
        stream=game_key(game, "log"),
        retries=game_key(game, "retries"),
        feed=partition_key(partition, "feed"),
        dirty=partition_key(partition, "dirty"),
        deadlines=partition_key(partition, "deadlines"),
        archived=game_key(game, "archived"),
        secrets=game_key(game, "secrets"),
        people=game_key(game, "people"),
        unlogged=partition_key(partition, UNLOGGED),
    )


def partitions() -> list[str]:
    """Every partition new games are spread over."""
    return [f"{number:02d}" for number in range(PARTITIONS)]


def game_id(entropy: bytes | None = None) -> str:
    """A new game's id from 17 bytes or more: random ones, or those derived from a creation's Idempotency-Key."""
    number = int.from_bytes((entropy or secrets.token_bytes(17))[:17], "big")
    letters = b32encode(number.to_bytes(20, "big"))[-_ID_LENGTH:].translate(_OUR_LETTERS).decode()
    return f"{number % PARTITIONS:02d}-{letters}"


def is_game_id(text: str) -> bool:
    """Could this be a game's id?"""
    return _ID.fullmatch(text) is not None

"""Who pays for what a game needs of the processors: its host, or the address of whoever created it without a token."""

from typing import Any

import msgspec

from events.keys import game_key, partition_key, partition_of
from events.store import Client

PAYER = "payer"
"""The key of a game with the keyed hash of its creator's address."""
PAYER_SECONDS = 60 * 24 * 3600
NOBODY = "nobody"
"""Pays for games of which nothing is known."""


class HostOfRow(msgspec.Struct):
    """What is read of a game's row in the lobby."""

    host: str | None = None


def note_payer(client: Client, game: str, address: str) -> None:
    """A stranger at this address creates a game."""
    client.set(game_key(game, PAYER), address, ex=PAYER_SECONDS)


def payer_of_game(client: Client, game: str) -> str:
    """Who pays for a game."""
    with client.pipeline(transaction=False) as pipe:
        pipe.get(game_key(game, PAYER))
        pipe.hget(partition_key(partition_of(game), "lobby:rows"), game)
        answers: list[Any] = pipe.execute()
    address, row = answers
    if address:
        return str(address.decode())
    host = msgspec.json.decode(row, type=HostOfRow).host if row else None
    return f"host:{host}" if host else NOBODY

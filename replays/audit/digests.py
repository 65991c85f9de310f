"""Hashes of a game's successive states; parts that have not changed are not serialised again."""

import hashlib
from typing import Any

import msgspec

from games.canonical import canonical

_write_into = msgspec.json.Encoder(order="sorted").encode_into


class Digests:
    """`digest` for the states of one game as it goes on. Nothing in them changes in place: the same object is the same."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._players: dict[int, tuple[Any, msgspec.Raw]] = {}

    def of(self, state: Any) -> str:
        """SHA-256 of the state's canonical JSON, in lower-case hex."""
        if len(state.players) > 2:  # of two, one has changed nearly every time
            players = [self._written(seat, player) for seat, player in enumerate(state.players)]
            state = msgspec.structs.replace(state, players=players)
        _write_into(state, self._buffer)
        return hashlib.sha256(self._buffer).hexdigest()

    def _written(self, seat: int, player: Any) -> msgspec.Raw:
        written = self._players.get(seat)
        if written is None or written[0] is not player:
            written = self._players[seat] = (player, msgspec.Raw(canonical(player)))
        return written[1]

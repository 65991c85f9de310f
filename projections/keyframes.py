"""Keyframes: a snapshot every 64 entries, so that any past version is folded from a near one."""

from collections.abc import Sequence
from typing import Any, cast

from events.game import Game, ruleset_of
from events.keys import game_key
from events.store import Client
from games.kernel import Registry
from projections.snapshots import read_snapshot, snapshot_tag, write_snapshot

KEYFRAME_INTERVAL = 64
"""Entries from one keyframe to the next."""


def is_keyframe(game: Game) -> bool:
    """Whether the game stands at one of the entries after which it is kept whole."""
    return game.version % KEYFRAME_INTERVAL == 0


class Keyframes:
    """The kept moments of games, beside their logs: in each game's slot, packed snapshots by version."""

    def __init__(self, client: Client, rulesets: Registry) -> None:
        self.client = client
        self.rulesets = rulesets

    def keep(self, moments: Sequence[Game]) -> None:
        """Keep some moments of one game."""
        if moments:
            packed: Any = {str(game.version): self._pack(game) for game in moments}
            self.client.hset(keyframes_key(moments[0].id), mapping=packed)

    def nearest(self, game: str, version: int) -> Game | None:
        """The latest kept moment up to a version. Whether the log still holds it is for the caller to check."""
        wanted = version - version % KEYFRAME_INTERVAL
        if wanted == 0:
            return None
        return self._read(game, wanted) or self._read(game, self._latest_before(game, wanted))

    def _latest_before(self, game: str, version: int) -> int:
        """Where the workers are behind, or the format has changed, an earlier moment must do; 0 if there is none."""
        versions = (int(name) for name in cast(list[bytes], self.client.hkeys(keyframes_key(game))))
        return max((number for number in versions if number < version), default=0)

    def _read(self, game: str, version: int) -> Game | None:
        packed = cast(bytes | None, self.client.hget(keyframes_key(game), str(version)))
        return None if packed is None else self._unpack(packed)

    def _pack(self, game: Game) -> bytes:
        tag = snapshot_tag(ruleset_of(game, self.rulesets))
        return tag.encode() + b"\n" + write_snapshot(game)

    def _unpack(self, packed: bytes) -> Game | None:
        tag, _, body = packed.partition(b"\n")
        return read_snapshot(body, tag.decode(), self.rulesets)


def keyframes_key(game: str) -> str:
    """Where a game's keyframes are kept."""
    return game_key(game, "keyframes")

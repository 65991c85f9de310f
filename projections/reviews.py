"""Stored reviews: finished ones, and those in progress with the steps made so far.

A review follows from its log like any projection, but is made only if somebody asks: it takes a minute of a processor.
"""

import secrets
import zlib
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

import msgspec

from events.clocks import utc_now
from events.keys import game_key, partition_key, partition_of
from events.scripts import Script
from events.store import Client
from projections.scatter_gather import ask_partitions

STEP_FIELD = "step:"
"""How the fields are named that hold the steps."""


class ReviewRequest(msgspec.Struct, frozen=True):
    """A review that is under way: by whom it was asked for, and when."""

    by: str
    at: str
    run: str
    """Tells it from one that was cancelled and asked for again."""


class ReviewStatus(NamedTuple):
    """How far a review is; its bytes, once it is done."""

    status: Literal["waiting", "running", "failed", "done"]
    progress: int
    body: bytes | None = None


class Reviews:
    """What the store has of reviews."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._note = Script(client, "projections", "review.lua")

    # -- for who asks -----------------------------------------------------------------------------------------------

    def find(self, game: str, tag: str) -> ReviewStatus | None:
        """The review of a game; None if nobody asked for it, or if it was made of anything but what `tag` says."""
        with self.client.pipeline(transaction=False) as pipe:
            pipe.hexists(_asked(game), game)
            pipe.hmget(review_key(game), "tag", "progress", "body", "failed")
            asked, (found_tag, progress, body, failed) = pipe.execute()
        if asked:
            return ReviewStatus("waiting" if progress is None else "running", int(progress or 0))
        if found_tag is None or found_tag.decode() != tag:
            return None
        if failed is not None:
            return ReviewStatus("failed", int(progress or 0))
        return ReviewStatus("done", 100, zlib.decompress(body))

    def begin(self, game: str, by: str) -> None:
        """Have a review made, unless it is under way."""
        asked = msgspec.json.encode(ReviewRequest(by, utc_now(), secrets.token_hex(8)))
        if self.client.hsetnx(_asked(game), game, cast(Any, asked)):
            self.client.delete(review_key(game))

    def remove(self, game: str) -> None:
        """Cancel a review that is under way, or drop one that is there."""
        self.client.hdel(_asked(game), game)
        self.client.delete(review_key(game))

    def under_way(self) -> dict[str, ReviewRequest]:
        """The reviews that are asked for and not done, of the partitions that answer."""
        return {
            game.decode(): msgspec.json.decode(line, type=ReviewRequest)
            for _, lines in ask_partitions(
                self.client, lambda pipe, part: pipe.hgetall(partition_key(part, "reviews"))
            ).each()
            for game, line in lines.items()
        }

    # -- for who makes it -------------------------------------------------------------------------------------------

    def run(self, game: str) -> bytes | None:
        """The review that is under way, as it was asked for; None if there is none."""
        return cast(bytes | None, self.client.hget(_asked(game), game))

    def begins(self, game: str) -> int:
        """Somebody sets to work. How often that has come to nothing since the last step."""
        return self.client.hincrby(review_key(game), "tries", 1) - 1

    def steps(self, game: str) -> list[bytes]:
        """The steps that were made so far."""
        fields = cast(dict[bytes, bytes], self.client.hgetall(review_key(game)))
        return [value for name, value in fields.items() if name.startswith(STEP_FIELD.encode())]

    def keep_step(self, game: str, run: bytes, version: int, step: bytes, progress: int) -> bool:
        """Keep a step. Is the review still wanted?"""
        return self._keep(game, run, {f"{STEP_FIELD}{version}": step, "progress": progress, "tries": 0})

    def finish(self, game: str, run: bytes, tag: str, body: bytes) -> bool:
        """Keep the whole review in the place of its steps."""
        return self._keep(game, run, {"tag": tag, "body": zlib.compress(body, 6)}, over=True)

    def fail(self, game: str, run: bytes, tag: str, reason: str) -> bool:
        """It cannot be made."""
        return self._keep(game, run, {"tag": tag, "failed": reason}, over=True)

    def _keep(
        self, game: str, run: bytes, fields: Mapping[str, str | bytes | int], *, over: bool = False
    ) -> bool:
        flat = [part for pair in fields.items() for part in pair]
        noted: int = self._note([_asked(game), review_key(game)], [game, run, int(over), *flat])
        return noted == 1


def review_key(game: str) -> str:
    """Where a game's review is kept."""
    return game_key(game, "review")


def _asked(game: str) -> str:
    return partition_key(partition_of(game), "reviews")

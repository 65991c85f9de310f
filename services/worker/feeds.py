"""Consumer of the partitions' feeds of appends, as a consumer group.

Nothing is acknowledged: what was read and not passed on is found by the marks of dirty games, and each line that
waits to be acknowledged would be one more thing to bring to disk.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, cast

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from events.feeds import FeedLine, feeds_read_together, lines_in
from events.keys import partition_key, partitions
from events.store import Client
from events.store_errors import UNAVAILABLE
from projections.health import GROUP

CONSUMER = "projector"
LINES_PER_FEED = 512
"""Lines that are read of each feed at once."""

PARTITION_OF_FEED = {partition_key(partition, "feed"): partition for partition in partitions()}
"""The partitions by their feeds."""

FeedLines = dict[str, list[FeedLine]]


class Feeds:
    """The feeds of all partitions."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.reads_can_wait = not isinstance(client, RedisCluster)
        self._reads: list[list[str]] = []
        self._out_of_reach: set[str] = set()
        self._back: list[str] = []

    def join(self, of: Sequence[str] | None = None) -> None:
        """Read the feeds of these partitions (None: of all) from now on. A group that is missing is made, and hears of
        what is appended from now on."""
        self._reads = feeds_read_together(clustered=not self.reads_can_wait, of=of)
        self._out_of_reach.clear()
        self._join(chain.from_iterable(self._reads))

    def _join(self, feeds: Iterable[str]) -> None:
        """One that is out of reach is joined when it is back: reading it says that there is no group."""
        with self.client.pipeline(transaction=False) as pipe:
            for feed in feeds:
                pipe.xgroup_create(feed, GROUP, "$", mkstream=True)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception) and not str(answer).startswith("BUSYGROUP"):
                self._tell(answer)

    def next(self, wait_ms: int) -> FeedLines:
        """New lines; on a single server this waits for some, on a cluster it does not."""
        with self.client.pipeline(transaction=False) as pipe:
            for feeds in self._reads:
                starts = cast(Any, dict.fromkeys(feeds, ">"))
                block = wait_ms if self.reads_can_wait else None
                pipe.xreadgroup(GROUP, CONSUMER, starts, count=LINES_PER_FEED, block=block, noack=True)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        lines: FeedLines = {}
        for feeds, answer in zip(self._reads, answers, strict=True):
            if isinstance(answer, ResponseError) and str(answer).startswith("NOGROUP"):
                self._join(feeds)  # someone emptied the store, or it was out of reach when we came
            elif isinstance(answer, Exception):
                self._tell(answer)
                self._out_of_reach.update(feeds)
            else:
                lines |= dict(lines_in(answer))
                self._back += self._out_of_reach.intersection(feeds)
                self._out_of_reach.difference_update(feeds)
        return lines

    def back(self) -> list[str]:
        """The partitions whose feeds were out of reach and are read again; lines may have been lost meanwhile."""
        back, self._back = self._back, []
        return [PARTITION_OF_FEED[feed] for feed in back]

    def _tell(self, error: Exception) -> None:
        """On a cluster a feed may be out of reach while others are not: its games are found by their marks later."""
        if self.reads_can_wait or not isinstance(error, UNAVAILABLE):
            raise error


def games_of(lines: FeedLines) -> dict[str, bool]:
    """The games that were written to, in the order in which they come first: is something due at once?"""
    due_by_game: dict[str, bool] = {}
    for rows in lines.values():
        for _, fields in rows:
            game = fields[b"game"].decode()
            due_by_game[game] = fields.get(b"due") == b"1" or due_by_game.get(game, False)
    return due_by_game

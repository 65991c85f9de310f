"""Hearing of appends: the partitions' feeds, read as a consumer group.

Nothing is acknowledged: what was read and not passed on is found by the marks of dirty games, and each line that
waits to be acknowledged would be one more thing to bring to disk.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, cast

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from events.feeds import Line, feeds_read_together, lines_in
from events.store import Client
from projections.health import GROUP

CONSUMER = "dispatcher"
LINES = 512
"""Lines that are read of each feed at once."""

Lines = dict[str, list[Line]]


class Feeds:
    """The feeds of all partitions."""

    def __init__(self, client: Client) -> None:
        self.client = client
        clustered = isinstance(client, RedisCluster)
        self.reads_can_wait = not clustered
        self._reads = feeds_read_together(clustered=clustered)

    def join(self) -> None:
        """Make the groups that are missing; a new one hears of what is appended from now on."""
        for feed in chain.from_iterable(self._reads):
            try:
                self.client.xgroup_create(feed, GROUP, "$", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    def next(self, wait_ms: int) -> Lines:
        """New lines; on a single server this waits for some, on a cluster it does not."""
        try:
            return dict(self._each_read(wait_ms if self.reads_can_wait else None))
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            self.join()  # someone emptied the store
            return {}

    def _each_read(self, wait_ms: int | None) -> Iterator[tuple[str, list[Line]]]:
        for feeds in self._reads:
            starts = cast(Any, dict.fromkeys(feeds, ">"))
            yield from lines_in(
                self.client.xreadgroup(GROUP, CONSUMER, starts, count=LINES, block=wait_ms, noack=True)
            )


def games_of(lines: Lines) -> dict[str, bool]:
    """The games that were written to, in the order in which they come first: is something due at once?"""
    due_by_game: dict[str, bool] = {}
    for rows in lines.values():
        for _, fields in rows:
            game = fields[b"game"].decode()
            due_by_game[game] = fields.get(b"due") == b"1" or due_by_game.get(game, False)
    return due_by_game

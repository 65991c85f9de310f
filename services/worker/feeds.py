"""Hearing of appends: the partitions' feeds, read as a consumer group."""

from collections.abc import Iterator, Sequence
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

    def unfinished(self) -> Lines:
        """Lines that a dispatcher before us read and may not have passed on."""
        return self._read("0", None)

    def next(self, wait_ms: int) -> Lines:
        """New lines; on a single server this waits for some, on a cluster it does not."""
        return self._read(">", wait_ms if self.reads_can_wait else None)

    def acknowledge(self, lines: Lines) -> None:
        """These lines are passed on."""
        for feed, rows in lines.items():
            self.client.xack(feed, GROUP, *(number for number, _ in rows))

    def _read(self, after: str, wait_ms: int | None) -> Lines:
        try:
            return dict(self._each_read(after, wait_ms))
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            self.join()  # someone emptied the store
            return {}

    def _each_read(self, after: str, wait_ms: int | None) -> Iterator[tuple[str, list[Line]]]:
        for feeds in self._reads:
            starts = cast(Any, dict.fromkeys(feeds, after))
            yield from lines_in(self.client.xreadgroup(GROUP, CONSUMER, starts, count=LINES, block=wait_ms))


def games_of(lines: Lines) -> Sequence[str]:
    """The games that were written to, each once, in the order in which they come first."""
    return list(
        dict.fromkeys(fields[b"game"].decode() for rows in lines.values() for _, fields in rows if fields)
    )

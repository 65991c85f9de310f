"""Hearing of appends: the partitions' feeds, read as a consumer group.

Feeds only wake: they may be trimmed, and a line that is lost is harmless, since a game stays marked as dirty until
it is projected.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from events.keys import partition_key, partitions
from events.store import Client
from projections.health import GROUP

CONSUMER = "dispatcher"
LINES = 512
"""Lines that are read of each feed at once."""

Lines = dict[str, list[tuple[bytes, dict[bytes, bytes]]]]


class Feeds:
    """The feeds of all partitions."""

    def __init__(self, client: Client) -> None:
        self.client = client
        names = [partition_key(partition, "feed") for partition in partitions()]
        self.reads_can_wait = not isinstance(client, RedisCluster)
        self._reads: list[list[str]] = [names] if self.reads_can_wait else [[name] for name in names]
        """Feeds that are read together; on a cluster each for itself, as a command cannot cross slots."""

    def join(self) -> None:
        """Make the groups that are missing; a new one hears of what is appended from now on."""
        for feed in self._names():
            try:
                self.client.xgroup_create(feed, GROUP, "$", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    def unfinished(self) -> Lines:
        """What a dispatcher before us read and may not have passed on."""
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

    def _each_read(self, after: str, wait_ms: int | None) -> Iterator[tuple[str, Any]]:
        for feeds in self._reads:
            found = cast(
                Any,
                self.client.xreadgroup(
                    GROUP, CONSUMER, cast(Any, dict.fromkeys(feeds, after)), count=LINES, block=wait_ms
                ),
            )
            for feed, rows in found.items() if isinstance(found, dict) else found or ():
                lines = rows[0] if rows and isinstance(found, dict) else rows
                if lines:
                    yield feed.decode(), lines

    def _names(self) -> Iterator[str]:
        for feeds in self._reads:
            yield from feeds


def games_of(lines: Lines) -> Sequence[str]:
    """The games that were written to, each once, in the order in which they come first."""
    return list(
        dict.fromkeys(fields[b"game"].decode() for rows in lines.values() for _, fields in rows if fields)
    )

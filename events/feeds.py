"""The partitions' feeds: one line for each append, which wakes workers and watchers.

Feeds only wake. They may be trimmed, and a line that is lost is harmless: games stay marked as dirty until they are
projected, and watchers read on in the logs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events.keys import partition_key, partitions

FeedLine = tuple[bytes, Mapping[bytes, bytes]]
"""A line of a feed: its id, and its fields `game`, `seq` and `due` (1 if a worker is to act on it at once, or empty)."""


def feeds_read_together(*, clustered: bool, of: Sequence[str] | None = None) -> list[list[str]]:
    """The feeds of these partitions (None: of all), in groups that one command can read; on a cluster each alone, as a
    command cannot cross slots."""
    feeds = [partition_key(partition, "feed") for partition in (partitions() if of is None else of)]
    return [[feed] for feed in feeds] if clustered else [feeds]


def lines_in(answer: Any) -> Iterator[tuple[str, list[FeedLine]]]:
    """The lines in an answer to XREAD or XREADGROUP, feed by feed; clients give it in one of two forms."""
    for feed, part in answer.items() if isinstance(answer, dict) else answer or ():
        lines = part[0] if part and isinstance(answer, dict) else part
        if lines:
            yield feed.decode(), lines

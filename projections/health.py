"""How far behind everything is: what `/readyz` and the metrics tell of the work that waits."""

from typing import Any, cast

import msgspec

from events.keys import partition_key, partitions
from events.store import Client

GROUP = "dispatch"
"""The consumer group of the dispatchers on the feeds."""


class Backlog(msgspec.Struct, frozen=True):
    """The work that waits, in numbers."""

    dirty: int
    owed: int
    stuck: int
    failed_audits: int
    feed_lag: int


def backlog(client: Client) -> Backlog:
    """Count what waits in all partitions, in one round trip a partition at most."""
    counts = {"dirty": 0, "owed": 0, "stuck": 0, "failed_audits": 0, "feed_lag": 0}
    for partition in partitions():
        with client.pipeline(transaction=False) as pipe:
            pipe.scard(partition_key(partition, "dirty"))
            pipe.hlen(partition_key(partition, "todo"))
            pipe.hlen(partition_key(partition, "stuck"))
            pipe.scard(partition_key(partition, "failed_audits"))
            pipe.exists(partition_key(partition, "feed"))
            *found, has_feed = cast(list[int], pipe.execute())
        for name, count in zip(("dirty", "owed", "stuck", "failed_audits"), found, strict=True):
            counts[name] += count
        counts["feed_lag"] += feed_lag(client, partition) if has_feed else 0
    return Backlog(**counts)


def feed_lag(client: Client, partition: str) -> int:
    """Entries of a feed that no dispatcher has read yet."""
    groups: Any = client.xinfo_groups(partition_key(partition, "feed"))
    lags = [group.get("lag") or 0 for group in groups if group["name"] in (GROUP, GROUP.encode())]
    return int(lags[0]) if lags else 0

"""How far behind everything is: what `/readyz` and the metrics tell of the work that waits."""

from itertools import islice
from typing import Any, cast

import msgspec

from events.clocks import milliseconds
from events.keys import game_key, keys_of, partition_key, partitions
from events.store import Client, entry_in
from projections.store import ProjectionStore

GROUP = "dispatch"
"""The consumer group of the dispatchers on the feeds."""

LOOKED_AT = 100
"""Games that are looked at: enough to tell, few enough to ask often."""


class Backlog(msgspec.Struct, frozen=True):
    """The work that waits, in numbers."""

    dirty: int
    owed: int
    stuck: int
    failed_audits: int
    feed_lag: int


def backlog(client: Client) -> Backlog:
    """Count what waits in all partitions, in two round trips a partition at most."""
    counts = {"dirty": 0, "owed": 0, "stuck": 0, "failed_audits": 0, "feed_lag": 0}
    for partition in partitions():
        with client.pipeline(transaction=False) as pipe:
            pipe.scard(partition_key(partition, "dirty"))
            pipe.hlen(partition_key(partition, "todo"))
            pipe.hlen(partition_key(partition, "stuck"))
            pipe.scard(partition_key(partition, "failed_audits"))
            pipe.exists(partition_key(partition, "feed"))
            *sizes, has_feed = cast(list[int], pipe.execute())
        for name, count in zip(("dirty", "owed", "stuck", "failed_audits"), sizes, strict=True):
            counts[name] += count
        counts["feed_lag"] += feed_lag(client, partition) if has_feed else 0
    return Backlog(**counts)


def feed_lag(client: Client, partition: str) -> int:
    """Entries of a feed that no dispatcher has read yet."""
    groups: Any = client.xinfo_groups(partition_key(partition, "feed"))
    lags = [group.get("lag") or 0 for group in groups if group["name"] in (GROUP, GROUP.encode())]
    return int(lags[0]) if lags else 0


def projection_lag(projections: ProjectionStore, now: float) -> float:
    """Seconds by which the game that is behind longest is behind, among some of those that are."""
    ages = (_age(projections, game, now) for game in islice(projections.dirty(), LOOKED_AT))
    return max(ages, default=0.0)


def _age(projections: ProjectionStore, game: str, now: float) -> float:
    client = projections.client
    version = int(cast(bytes | None, client.hget(game_key(game, "snapshot"), "version")) or 0)
    rows = cast(list[Any], client.xrange(keys_of(game).stream, f"{version + 1}-0", "+", count=1))
    if not rows:
        return 0.0
    return now - milliseconds(entry_in(rows[0]).entry.at) / 1000

"""Backlog and projection lag, as `/readyz` and the metrics report them."""

from itertools import islice
from typing import Any, cast

import msgspec

from events.clocks import milliseconds
from events.keys import game_key, keys_of, partition_key
from events.store import Client, entry_in
from projections.registry import PROJECTIONS
from projections.scatter_gather import ask_partitions
from projections.store import PROJECTION_KEYS, ProjectionStore

GROUP = "dispatch"
"""The consumer group of the projectors on the feeds."""

SAMPLED_GAMES = 100
"""Games that are looked at: enough to tell, few enough to ask often."""


class Backlog(msgspec.Struct, frozen=True):
    """The work that waits, in numbers; of the partitions that are missing it is not known."""

    dirty: int = 0
    owed: int = 0
    stuck: int = 0
    failed_audits: int = 0
    feed_lag: int = 0
    missing: tuple[str, ...] = ()


def backlog(client: Client) -> Backlog:
    """Count what waits in all partitions that answer, in two round trips."""
    sizes = ask_partitions(client, _ask_sizes)
    counts = {
        name: sum(size_of(answers[number]) for answers in sizes.answers.values())
        for number, name in enumerate(COUNTED)
    }
    with_feed = [partition for partition, answers in sizes.answers.items() if answers[-1]]
    groups = ask_partitions(
        client, lambda pipe, part: pipe.xinfo_groups(partition_key(part, "feed")), with_feed
    )
    counts["feed_lag"] = sum(_lag(groups_of_feed) for _, groups_of_feed in groups.each())
    return Backlog(**counts, missing=tuple(sorted({*sizes.missing, *groups.missing})))


COUNTED: dict[str, tuple[str, ...]] = {"dirty": ("dirty",)}
"""The keys whose size is told, by what it is called."""
for _projection in PROJECTIONS:
    COUNTED |= _projection.backlog


def _ask_sizes(pipe: Any, partition: str) -> None:
    for names in COUNTED.values():
        if PROJECTION_KEYS.get(names[0]) == "hash":
            pipe.hlen(partition_key(partition, names[0]))
        else:
            pipe.sunion(*(partition_key(partition, name) for name in names))
    pipe.exists(partition_key(partition, "feed"))


def size_of(answer: Any) -> int:
    """A number, or how many members a set has."""
    return answer if isinstance(answer, int) else len(answer)


def _lag(groups: Any) -> int:
    """Entries of a feed that no projector has read yet."""
    lags = [group.get("lag") or 0 for group in groups if group["name"] in (GROUP, GROUP.encode())]
    return int(lags[0]) if lags else 0


def projection_lag(projections: ProjectionStore, now: float) -> float:
    """Seconds by which the game that is behind longest is behind, among some of those that are."""
    ages = (_age(projections, game, now) for game in islice(projections.dirty(), SAMPLED_GAMES))
    return max(ages, default=0.0)


def _age(projections: ProjectionStore, game: str, now: float) -> float:
    client = projections.client
    version = int(cast(bytes | None, client.hget(game_key(game, "snapshot"), "version")) or 0)
    rows = cast(list[Any], client.xrange(keys_of(game).stream, f"{version + 1}-0", "+", count=1))
    if not rows:
        return 0.0
    return now - milliseconds(entry_in(rows[0]).entry.at) / 1000

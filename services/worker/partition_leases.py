"""Leases by which several projectors share the partitions: each renews its own, and a dead one's share is taken over.

A projector holds one lease, a line of a sorted set with the moment until which it counts. The partitions are dealt to
those that count, in the order of their names, and the first leads. Two that project the same game do no harm, so it is
enough that all agree within a moment.
"""

import secrets
from typing import Any

from redis import Redis

from events.keys import partitions

PROJECTORS = "stele:projectors"
LEASE_SECONDS = 2.0
RENEW_LEASE_SECONDS = 0.5


class PartitionLeases:
    """The lease of one projector."""

    def __init__(self, connection: Redis) -> None:
        self.connection = connection
        self.name = secrets.token_hex(8)
        self.leads = False
        """Is it the one that does what is done once for all?"""

    def renew(self) -> list[str]:
        """Hold the lease for a while longer; the partitions that are this projector's now."""
        seconds, microseconds = self.connection.time()
        now = seconds + microseconds / 1e6
        with self.connection.pipeline() as pipe:
            pipe.zadd(PROJECTORS, {self.name: now + LEASE_SECONDS})
            pipe.zremrangebyscore(PROJECTORS, "-inf", now)
            pipe.zrange(PROJECTORS, 0, -1)
            pipe.expire(PROJECTORS, round(10 * LEASE_SECONDS))
            answers: list[Any] = pipe.execute()
        names = sorted(name.decode() for name in answers[2])
        place = names.index(self.name)
        self.leads = place == 0
        return partitions()[place :: len(names)]

    def give_up(self) -> None:
        """Leave the partitions to others at once."""
        self.connection.zrem(PROJECTORS, self.name)
        self.leads = False

"""What the store may say that passes by itself: it is away, moves, loads, or takes nothing just now.

None of it is the fault of a game or a request, none may end a process, and whoever asked may ask again soon. Only a
store without memory (`FULL`) needs somebody to make room.
"""

from collections.abc import Sequence
from typing import Any

from redis import exceptions
from redis.connection import DefaultParser


class Unwilling(exceptions.ResponseError):
    """The store takes no writes for now: it has lost its replicas, cannot write to its disk, or is long at a script."""


class NotReplicated(exceptions.ResponseError):
    """What was appended stands in the store, but not in as many copies as were asked for."""


for _code in ("NOREPLICAS", "MISCONF", "UNBLOCKED", "BUSY"):
    DefaultParser.EXCEPTION_CLASSES[_code] = Unwilling  # redis-py has no names for these

AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterError,
    exceptions.TryAgainError,
    exceptions.ReadOnlyError,
    exceptions.MasterDownError,
    exceptions.RedisClusterException,  # no node of a cluster answers; it is no RedisError
    Unwilling,
)
"""What says that the store is away or unwilling, not that something is wrong with a game or a request."""
FULL = (exceptions.OutOfMemoryError,)
WEATHER = (*AWAY, NotReplicated, *FULL)


def parts_of(answers: Sequence[Any]) -> list[Any]:
    """Answers of several parts of a store, nothing for those that are away; if all are, or it is something else, raised."""
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    for error in errors:
        if not isinstance(error, AWAY) or len(errors) == len(answers):
            raise error
    return [[] if isinstance(answer, Exception) else answer for answer in answers]

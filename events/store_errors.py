"""Transient errors of the store: it is unavailable, moving, loading, or refuses writes for a moment.

None of it is the fault of a game or a request, none may end a process, and whoever asked may ask again soon. Only a
store without memory (`OUT_OF_MEMORY`) needs somebody to make room.
"""

from collections.abc import Sequence
from typing import Any

from redis import exceptions
from redis.connection import DefaultParser

CONNECTION_LOST = (exceptions.ConnectionError, exceptions.TimeoutError)
REDIRECTED = (exceptions.MovedError, exceptions.AskError)
RETRIED_ERRORS = (
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.BusyLoadingError,
    exceptions.ReadOnlyError,
)
"""What a node of a cluster says that another, or the same a moment later, may not say."""


class WritesRefused(exceptions.ResponseError):
    """The store takes no writes for now: it has lost its replicas, cannot write to its disk, or is long at a script."""


class NotReplicated(exceptions.ResponseError):
    """What was appended stands in the store, but not in as many copies as were asked for."""


for _code in ("NOREPLICAS", "MISCONF", "UNBLOCKED", "BUSY"):
    DefaultParser.EXCEPTION_CLASSES[_code] = WritesRefused  # redis-py has no names for these

UNAVAILABLE = (
    *CONNECTION_LOST,
    exceptions.ClusterError,
    exceptions.TryAgainError,
    exceptions.ReadOnlyError,
    exceptions.MasterDownError,
    exceptions.RedisClusterException,  # no node of a cluster answers; it is no RedisError
    WritesRefused,
)
"""What says that the store is away or unwilling, not that something is wrong with a game or a request."""
OUT_OF_MEMORY = (exceptions.OutOfMemoryError,)
TRANSIENT = (*UNAVAILABLE, NotReplicated, *OUT_OF_MEMORY)
STORE_FAILED = (exceptions.RedisError, *UNAVAILABLE)
"""Whatever the store can say instead of an answer."""


def available_answers(answers: Sequence[Any]) -> list[Any]:
    """Answers of several parts of a store, nothing for those that are away; if all are, or it is something else, raised."""
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    for error in errors:
        if not isinstance(error, UNAVAILABLE) or len(errors) == len(answers):
            raise error
    return [[] if isinstance(answer, Exception) else answer for answer in answers]

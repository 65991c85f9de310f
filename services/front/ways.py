"""Where a request is dealt with, and how much it may bring: known from its first line, before anything else is read."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

QUICK_BODY = 8_192
"""What the loop deals with itself, several times what a list of actions takes: to read more would be felt by all."""
SMALL_BODY = 256_000
LARGEST_BODY = 16_000_000
"""What any request may bring: a record is the largest thing there is."""

Lane = Literal["loop", "threads", "slow"]
"""`loop`: what is quick but for the store, in the event loop. `threads`: what takes some milliseconds, or waits for
several things. `slow`: what may take seconds, in a small pool of its own, so that it never has the last thread."""


WHOLE_BODY = "stele.body"
"""In the environ: the body of a request, which the front has read whole."""
ROUTE = "stele.route"
"""In the environ: which route a request takes, as its way says."""


EVENT_STREAM = "text/event-stream"


class Way(NamedTuple):
    """How a request goes: where, with how large a body (0: none is read), and as which route, for the application."""

    lane: Lane = "threads"
    largest_body: int = LARGEST_BODY
    route: Any = None
    watched: bool = True
    """Can it be watched, by `Accept: text/event-stream`?"""
    vital: bool = False
    """Is it answered however much there is to do? For whoever would end a server that is not."""


Signpost = Callable[[str, str], Way]
"""The way of a request with this method and path."""


def through_threads(_method: str, _path: str) -> Way:
    """A signpost that knows no difference."""
    return Way()


def place_of(way: Way, accept: str, body: bytes) -> Lane | Literal["door"]:
    """Where a request is dealt with, now that it is read: who comes to watch is let in at the door.

    What a client says of itself must not bring slow work into the loop: neither an `Accept` nor a long body.
    """
    if way.watched and accept == EVENT_STREAM:
        return "door"
    return "slow" if way.lane == "loop" and len(body) > QUICK_BODY else way.lane

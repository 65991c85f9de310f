"""Load shedding: above a concurrency limit, a request is refused at once with 503 `busy`, so that all others
are served in time. Without a bound, each would wait a little longer than the one before, until nobody is served.
"""

from services.core import metrics
from services.front.reading import RequestRefused
from services.front.sending import front_problem

MAX_CONCURRENT = {"loop": 512, "threads": 128, "slow": 64, "door": 4_096}
"""By where requests are dealt with: about what is done there in a second, and at the door a crowd that comes to watch."""
BUSY = front_problem(503, "busy", "The server has too much to do just now; nothing was done. Try again soon.")


class ConcurrencyLimit:
    """The requests that are under way in one place.

    crowd.enter()
    try: …
    finally: crowd.leave()
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._most = MAX_CONCURRENT[place]
        self._under_way = 0

    def enter(self) -> None:
        """One more, unless there are too many."""
        if self._under_way >= self._most:
            metrics.REQUESTS_SHED.labels(self._place).inc()
            raise RequestRefused(BUSY)
        self._under_way += 1

    def leave(self) -> None:
        self._under_way -= 1

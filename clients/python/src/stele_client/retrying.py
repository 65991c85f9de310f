"""How long to try again: ever more seldom, as the server asks, and not for ever."""

import random
import time
from dataclasses import dataclass

from stele_client.errors import SteleError


@dataclass(frozen=True)
class Retries:
    """For how many seconds a request is tried again; the pauses between grow from `first` to `longest`.

    `Retries(seconds=0)` tries once.
    """

    seconds: float = 60.0
    first: float = 0.1
    longest: float = 5.0

    def pause(self, failures: int) -> float:
        """How many seconds to wait after so many failures in a row; up to half of it is left to chance."""
        grown = min(self.longest, self.first * 2.0 ** min(failures - 1, 32))
        return grown * random.uniform(0.5, 1.0)  # noqa: S311  # not a secret


class Patience:
    """What is left of the retries of one request, or of one stream since it was last heard of."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self._tries = 0
        self._until: float | None = None

    def is_alive(self) -> None:
        """The other side was heard of: there is all the time again. Pauses go on to grow until it tells something."""
        self._until = None

    def is_well(self) -> None:
        """Things go on: the next trouble begins anew."""
        self._until = None
        self._tries = 0

    def pause(self, error: SteleError) -> float:
        """How many seconds to wait before the next try; the error itself is raised where waiting is no use."""
        if not error.is_temporary:
            raise error
        if self._until is None:
            self._until = time.monotonic() + self._retries.seconds
        self._tries += 1
        pause = max(error.retry_after or 0.0, self._retries.pause(self._tries))
        if time.monotonic() + pause > self._until:
            raise error
        return pause

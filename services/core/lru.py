"""Thread-safe LRU cache."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by key; when there is no room left, the one that was not used for longest goes."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of a key, if it is still here."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: K, value: V, unless: Callable[[V], bool] = lambda present: False) -> None:
        """Keep a value, unless this is so of the one that is here already."""
        with self._lock:
            present = self._values.get(key)
            if present is not None and unless(present):
                return
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._room:
                self._values.popitem(last=False)

    def forget(self, key: K) -> None:
        """Let a value go."""
        with self._lock:
            self._values.pop(key, None)

    def of(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not here; two threads that make it at once may both do so."""
        value = self.get(key)
        if value is None:
            value = make()
            self.keep(key, value)
        return value

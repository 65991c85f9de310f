"""Server-sent events, taken apart as their bytes come in."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Sent:
    """What a stream sent: an id to come back with, and data (empty where only the place has moved on).

    What is of a game has no `kind`; what is about the stream itself has one.
    """

    id: str | None
    data: bytes
    kind: str | None = None


class Parser:
    """Takes bytes, gives events. Lines end at line feeds alone: a name may hold other characters that look like ends."""

    def __init__(self) -> None:
        self._rest = b""
        self._id: str | None = None
        self._data: list[bytes] = []
        self._kind: str | None = None

    def feed(self, chunk: bytes) -> Iterator[Sent]:
        """The events that these bytes complete."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            field, _, value = line.removesuffix(b"\r").partition(b":")
            value = value.removeprefix(b" ")
            if field == b"id":
                self._id = value.decode()
            elif field == b"data":
                self._data.append(value)
            elif field == b"event":
                self._kind = value.decode()
            elif not line.strip() and (self._id is not None or self._data):
                yield Sent(self._id, b"\n".join(self._data), self._kind)
                self._id, self._data, self._kind = None, [], None

"""A relay between a client and a store, which can lose an answer on its way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from tests.servers import ValkeyServer


class Relay:
    """Passes everything on; told to, it hangs up instead of passing on the next answer."""

    def __init__(self, store: Path, socket: Path) -> None:
        self._store = store
        self._socket = socket
        self.connections = 0
        self.writes: list[bytes] = []
        """What clients have sent, as it came in."""
        self.lose_answers = 0

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        from_store, to_store = await asyncio.open_unix_connection(str(self._store))
        try:
            await asyncio.gather(self._up(reader, to_store), self._down(from_store, writer))
        except ConnectionError:
            pass
        finally:
            for each in (writer, to_store):
                each.close()

    async def _up(self, reader: asyncio.StreamReader, to_store: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 20):
            self.writes.append(data)
            to_store.write(data)
        raise ConnectionError

    async def _down(self, from_store: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await from_store.read(1 << 20):
            if self.lose_answers:
                self.lose_answers -= 1
                raise ConnectionError
            writer.write(data)
        raise ConnectionError


@asynccontextmanager
async def relayed(store: ValkeyServer, socket: Path) -> AsyncIterator[Relay]:
    """A relay in front of this store, at a socket of its own."""
    relay = Relay(store.socket, socket)
    async with await asyncio.start_unix_server(relay.serve, str(socket)):
        yield relay

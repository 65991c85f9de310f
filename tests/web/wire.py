"""The wire between a window and the server: it keeps every byte that came over it, and can be cut."""

import socket
from contextlib import suppress
from threading import Lock, Thread

PART = 1 << 16


class Wire:
    """A port of this machine that leads to the server's; a window talks to it as if it were the server."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self.heard = bytearray()
        """Everything the server has sent."""
        self.said = bytearray()
        """Everything the window has sent."""
        Thread(target=self._serve, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._door.getsockname()[1]}"

    def cut(self) -> None:
        """End every connection, and let none in."""
        with self._lock:
            self._is_cut = True
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections in again."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        self.cut()
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):  # the door is closed
            while True:
                window, _ = self._door.accept()
                self._connect(window)

    def _connect(self, window: socket.socket) -> None:
        with self._lock:
            if self._is_cut:
                window.close()
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                window.close()
                return
            self._open |= {window, server}
        Thread(target=self._pass, args=(window, server, self.said), daemon=True).start()
        Thread(target=self._pass, args=(server, window, self.heard), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, log: bytearray) -> None:
        with suppress(OSError):
            while part := source.recv(PART):
                log += part
                target.sendall(part)
        with self._lock:
            for each in (source, target):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self._open -= {source}
        source.close()

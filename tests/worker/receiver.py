"""A receiver of webhooks for tests: a real server that keeps what it is sent, and answers as it is told to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks.webhooks import Webhook


class Receiver:
    def __init__(self) -> None:
        self.status = 204
        self.refuses = b""
        """Bytes that no body may have: one that does is answered with 500."""
        self.pause = threading.Event()
        self.pause.set()
        self.taken: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers), body))
                receiver.pause.wait(20)
                hated = receiver.refuses and receiver.refuses in body
                self.send_response(500 if hated else receiver.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks"

    def events(self, secret: str) -> list[Any]:
        """What was sent, each checked against its signature."""
        return [Webhook(secret).verify(body, headers) for headers, body in self.taken]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.pause.set()
        receiver.server.shutdown()
        receiver.server.server_close()

"""A real browser: pages are served from here, opened in Chromium, and tell what they found by posting it back.

`make test` puts the browser into .venv/chromium; STELE_CHROMIUM names another one where that does not run.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from threading import Thread

INSTALLED = Path(sys.prefix) / "chromium"
PATIENCE = 120
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
FLAGS = (
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--no-first-run",
)
ALONE = "--remote-debugging-port=0"
"""Or it would leave as soon as the page is loaded."""


def executable() -> str:
    """The browser."""
    return os.environ.get("STELE_CHROMIUM", str(INSTALLED / "chromium"))


def libraries() -> dict[str, str]:
    """Where the browser finds what it needs."""
    return {"LD_LIBRARY_PATH": str(INSTALLED / "al2023" / "lib")}


def told_by_page(files: Mapping[str, bytes], page: str = "/page.html") -> bytes:
    """Open one of these files (by path) in the browser; what it posts to /told."""
    told: Queue[bytes] = Queue()
    with serving(files, told) as address, browsing(address + page):
        return told.get(timeout=PATIENCE)


@contextmanager
def browsing(address: str) -> Iterator[None]:
    """A browser at this address."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [executable(), "--headless", ALONE, *FLAGS, f"--user-data-dir={profile}", address],
            env=os.environ | libraries(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # it has children of its own
            process.wait()


@contextmanager
def serving(files: Mapping[str, bytes], told: Queue[bytes]) -> Iterator[str]:
    """These files on a port of their own, which browsers take for a secure place as it is local."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = files.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", TYPES.get(Path(self.path).suffix, "text/html"))
            self.end_headers()
            self.wfile.write(found or b"")

        def do_POST(self) -> None:
            told.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name in http.server
            """Say nothing of requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A site of somebody else: an origin of its own, with a policy that allows nothing but its files and the game server."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}


class Site:
    """Its files, by path, and the server whose element it may load."""

    def __init__(self) -> None:
        self.files: Mapping[str, bytes] = {}
        self.server = ""
        self.sockets = True
        """Does its policy allow a WebSocket to the server?"""
        self.inline = False
        """Does its policy allow scripts in its pages themselves?"""
        self.origin = ""

    @property
    def policy(self) -> str:
        socket = self.server.replace("http", "ws", 1) if self.sockets else ""
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'self' {self.server}" + (" 'unsafe-inline'" if self.inline else ""),
                "style-src 'self'",
                f"connect-src {self.server} {socket}",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
            )
        )

    def put(self, folder: Path) -> None:
        """Serve the files of a folder."""
        self.files = {
            f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*.*")
        }


@contextmanager
def somebodys_site() -> Iterator[Site]:
    """A site on a port of its own."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = "/index.html" if self.path == "/" else self.path
            found = site.files.get(path)
            if path == "/favicon.ico":
                found = b""
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", TYPES.get(Path(path).suffix, "application/octet-stream"))
            self.send_header("Content-Security-Policy", site.policy)
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name in http.server
            """Say nothing of requests."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.origin = f"http://127.0.0.1:{listening.server_port}"
    thread = Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield site
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()

"""A receiver of webhooks: it registers itself, checks every signature, and prints each event once, as a line of JSON.

    python examples/webhook_receiver.py http://127.0.0.1:8000 HOST_TOKEN --port 9000 --tag spring-cup

A server sends only to public addresses, unless it runs with STELE_WEBHOOK_ALLOW_PRIVATE=1, as it must for this one.
"""

import argparse
import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from stele_client import Stele

LARGEST = 65536


class Inbox:
    """Takes deliveries. Each event comes at least once: whoever has its id already has done with it."""

    def __init__(self, secret: str, handle: Callable[[Any], None]) -> None:
        self._webhook = Webhook(secret)
        self._handle = handle
        self._seen: set[str] = set()  # keep these with your own data: an event may come again for a day

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """The status to answer with; anything but 2xx has the event sent again later."""
        try:
            delivery = self._webhook.verify(body, headers)
        except WebhookVerificationError:
            return 401
        if headers["webhook-id"] not in self._seen:
            self._handle(delivery["data"])
            self._seen.add(headers["webhook-id"])  # after it was handled: if that fails, it comes again
        return 204


def handler_of(inbox: Inbox) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = min(int(self.headers["Content-Length"] or 0), LARGEST)
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(inbox.take(headers, self.rfile.read(length)))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Only events are printed."""

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", help="the server's address")
    parser.add_argument("token", help="a host's token")
    parser.add_argument("--port", type=int, default=9000, help="where to listen (on 127.0.0.1)")
    parser.add_argument("--tag", help="only of games with this tag")
    wanted = parser.parse_args()
    url = f"http://127.0.0.1:{wanted.port}/"
    with Stele(wanted.server, wanted.token) as stele:
        # The same key gives the same webhook and secret, however often this program is started.
        webhook = stele.add_webhook(url, tag=wanted.tag, key=f"example-receiver-{wanted.port}-{wanted.tag}")
        inbox = Inbox(webhook.secret or "", lambda event: print(json.dumps(event), flush=True))
        ThreadingHTTPServer(("127.0.0.1", wanted.port), handler_of(inbox)).serve_forever()


if __name__ == "__main__":
    main()

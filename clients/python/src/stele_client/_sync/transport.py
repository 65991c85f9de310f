"""Sending requests until they are answered, and following streams wherever they break off."""

from time import sleep
from collections.abc import Generator, Callable
from typing import TypeVar

import httpx

from stele_client.calls import Call, answered
from stele_client.errors import SteleError, error_of, unreachable
from stele_client.retrying import Patience, Retries
from stele_client.sse import Parser, Sent

T = TypeVar("T")
SECONDS = 20.0
"""How long an answer may take, beyond the time that the server was asked to wait."""
NO_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""Every stream holds a connection; a pool that is full of them would keep actions waiting."""
REWOUND = "rewound"
"""What a stream says where the server has lost the latest entries of a game: what was told of it does not hold."""
SILENCE = 45.0
"""After so many seconds without a heartbeat a stream is taken for dead; the server's come every 15."""


class Transport:
    """A server, and the connections to it."""

    def __init__(self, url: str, language: str | None, retries: Retries) -> None:
        headers = {"Accept-Language": language} if language else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=SECONDS, limits=NO_LIMITS)
        self._retries = retries

    def close(self) -> None:
        self._http.close()

    def send(self, call: Call, caller: "Caller", retries: Retries | None = None) -> httpx.Response:
        """The answer to a request, which is sent again while that may help."""
        patience, renewed = Patience(retries or self._retries), False
        while True:
            admitted = caller.admit(call)
            try:
                response = self._http.request(
                    call.method,
                    call.path,
                    params=admitted.params,
                    headers=admitted.all_headers,
                    content=call.body,
                    timeout=SECONDS + call.wait,
                )
            except httpx.TransportError as lost:
                error = unreachable(lost)
            else:
                if response.is_success:
                    return response
                error = error_of(response)
            if caller.needs_ticket(error) and not renewed:
                renewed = True
                continue
            sleep(patience.pause(error))

    def fetch(self, call: Call, caller: "Caller", shape: type[T]) -> T:
        """The answer to a request, in its shape."""
        return answered(self.send(call, caller), shape)

    def follow(
        self, call: Call, caller: "Caller", after: str | None
    ) -> Generator[Sent, None, None]:
        """What a stream sends after an id. Where it breaks off it is taken up again; a 204 is its end."""
        patience, renewed = Patience(self._retries), False
        while True:
            resumed = call.with_headers(**{"Accept": "text/event-stream", "Last-Event-ID": after})
            admitted = caller.admit(resumed)
            error = SteleError("unreachable", "The stream ended before it told anything.")
            try:
                with self._http.stream(
                    "GET",
                    call.path,
                    params=admitted.params,
                    headers=admitted.all_headers,
                    timeout=httpx.Timeout(SECONDS, read=SILENCE),
                ) as response:
                    if response.status_code == 204:
                        return
                    if response.is_success:
                        parser = Parser()
                        for chunk in response.iter_bytes():
                            patience.is_alive()
                            for sent in parser.feed(chunk):
                                patience.is_well()
                                renewed = False
                                after = None if sent.kind == REWOUND else sent.id or after
                                if sent.data and sent.kind in (None, REWOUND):
                                    yield sent
                    else:
                        response.read()
                        error = error_of(response)
            except httpx.TransportError as lost:
                error = unreachable(lost)
            if caller.needs_ticket(error) and not renewed:
                renewed = True
                continue
            sleep(patience.pause(error))


TicketSource = Callable[[], str]
"""Where a reader gets a ticket, and a new one when that has expired."""


class Caller:
    """Who is calling: by a token, by a ticket, by the code of a private game, or a spectator."""

    def __init__(
        self, token: str | None = None, join_code: str | None = None, tickets: TicketSource | None = None
    ) -> None:
        self.token = token
        self.join_code = join_code
        self._tickets = tickets
        self._ticket: str | None = None

    def admit(self, call: Call) -> Call:
        """The request, with what lets this caller in."""
        if self._tickets:
            self._ticket = self._ticket or self._tickets()
            return call.with_query(ticket=self._ticket)
        if self.token:
            return call.with_headers(Authorization=f"Bearer {self.token}")
        reads = call.method == "GET" or call.path.endswith("/tickets")
        return call.with_query(join_code=self.join_code) if self.join_code and reads else call

    def needs_ticket(self, error: SteleError) -> bool:
        """Was the caller refused for a ticket that has expired? The next request gets a new one."""
        if self._tickets is None or error.status != 401:
            return False
        self._ticket = None
        return True

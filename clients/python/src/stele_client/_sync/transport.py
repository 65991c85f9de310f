"""Sending requests until they are answered, and following streams wherever they break off."""

from time import sleep
from collections.abc import Generator, Callable
from contextlib import closing
from typing import TypeVar

import httpx
from websockets.exceptions import InvalidHandshake, InvalidStatus

from stele_client._sync.line import LOST, REWOUND, Line, open_line
from stele_client.calls import Call, answered, game_of_record
from stele_client.errors import SteleError, error_of, unreachable
from stele_client.retrying import Patience, Retries
from stele_client.sse import Parser, Sent

T = TypeVar("T")
SECONDS = 20.0
"""How long an answer may take, beyond the time that the server was asked to wait."""
NO_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""Every stream holds a connection; a pool that is full of them would keep actions waiting."""
SILENCE = 45.0
"""After so many seconds without a heartbeat a stream is taken for dead; the server's come every 15."""


class StreamOver(Exception):
    """Nothing more will ever come."""


class Transport:
    """A server, and the connections to it."""

    def __init__(self, url: str, language: str | None, retries: Retries) -> None:
        headers = {"Accept-Language": language} if language else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=SECONDS, limits=NO_LIMITS)
        self._retries = retries
        self._url, self._language = url, language
        self._has_sockets = True
        """Are there any? Not where a proxy, or an older server, has opened none."""
        self._lines: dict[tuple[str, str], Line] = {}
        """The sockets on which seats follow their games, by the address of the game and the seat's token."""

    def close(self) -> None:
        self._http.close()

    def send(self, call: Call, caller: "Caller", retries: Retries | None = None) -> httpx.Response:
        """The answer to a request, which is sent again while that may help."""
        patience, renewed = Patience(retries or self._retries), False
        while True:
            admitted = caller.admit(call)
            try:
                response = self._over_socket(call, caller) or self._http.request(
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

    def _over_socket(self, call: Call, caller: "Caller") -> httpx.Response | None:
        """The answer to an action of a seat that follows its game on a socket that is free; else None."""
        if call.method != "POST" or not call.path.endswith("/actions") or call.query.get("dry_run"):
            return None
        line = self._lines.get((call.path.removesuffix("/actions"), caller.token or ""))
        return line.act(call) if line else None

    def _open_line(self, call: Call, caller: "Caller", after: str | None) -> Line | None:
        """A socket for a stream of frames, where there are sockets."""
        if not self._has_sockets or not call.query.get("frames") or caller.has_tickets:
            return None
        given = {"token": caller.token, "join_code": caller.join_code, "lang": self._language}
        admitted = {name: value for name, value in given.items() if value}
        try:
            line = open_line(self._url, call, admitted, after)
        except InvalidHandshake as refused:
            is_busy = isinstance(refused, InvalidStatus) and refused.response.status_code in (429, 503)
            self._has_sockets = is_busy  # it may open one later
            return None
        except LOST:
            return None  # a request tells what is wrong
        if line and caller.token:
            self._lines[call.path.removesuffix("/events"), caller.token] = line
        return line

    def _close_line(self, line: Line) -> None:
        self._lines = {place: each for place, each in self._lines.items() if each is not line}
        line.close()

    def follow(
        self, call: Call, caller: "Caller", after: str | None
    ) -> Generator[Sent, None, None]:
        """What a stream sends after an id, over a socket where that can be. Where it breaks off it is taken up again."""
        patience, renewed, is_refused = Patience(self._retries), False, False
        while True:
            line = None if is_refused else self._open_line(call, caller, after)
            source = self._from_line(line) if line else self._from_stream(call, caller, after, patience)
            error = SteleError("unreachable", "The stream ended before it told anything.")
            try:
                with closing(source) as stream:
                    for sent in stream:
                        patience.is_well()
                        renewed = False
                        after = None if sent.kind == REWOUND else sent.id or after
                        if sent.data and sent.kind in (None, REWOUND):
                            yield sent
            except StreamOver:
                return
            except SteleError as failed:
                error = failed
            is_refused = line is not None and line.is_refused
            if caller.needs_ticket(error) and not renewed:
                renewed = True
                continue
            sleep(patience.pause(error))

    def records(
        self, call: Call, caller: "Caller", after: str | None
    ) -> Generator[bytes, None, None]:
        """The records of a list after that of a game. Where it breaks off, or ends with a problem, it is taken up again."""
        patience = Patience(self._retries)
        while True:
            try:
                with closing(self._answer_lines(call.with_query(cursor=after), caller)) as lines:
                    for line in lines:
                        after = game_of_record(line)
                        patience.is_well()
                        yield line
                return
            except SteleError as failed:
                error = failed
            sleep(patience.pause(error))

    def _answer_lines(self, call: Call, caller: "Caller") -> Generator[bytes, None, None]:
        """The lines of a long answer, as they come."""
        admitted, rest = caller.admit(call), b""
        try:
            with self._http.stream(
                "GET",
                call.path,
                params=admitted.params,
                headers=admitted.all_headers,
                timeout=httpx.Timeout(SECONDS, read=SILENCE),
            ) as response:
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                for chunk in response.iter_bytes():
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        yield line
        except httpx.TransportError as lost:
            raise unreachable(lost) from None

    def _from_line(self, line: Line) -> Generator[Sent, None, None]:
        """What comes over a socket, until it ends."""
        try:
            if line.is_over:
                raise StreamOver
            while sent := line.next():
                yield sent
                if sent.kind == REWOUND:
                    return
        finally:
            self._close_line(line)

    def _from_stream(
        self, call: Call, caller: "Caller", after: str | None, patience: Patience
    ) -> Generator[Sent, None, None]:
        """What one stream of server-sent events sends; a 204 says that there will be nothing more."""
        resumed = call.with_headers(**{"Accept": "text/event-stream", "Last-Event-ID": after})
        admitted = caller.admit(resumed)
        try:
            with self._http.stream(
                "GET",
                call.path,
                params=admitted.params,
                headers=admitted.all_headers,
                timeout=httpx.Timeout(SECONDS, read=SILENCE),
            ) as response:
                if response.status_code == 204:
                    raise StreamOver
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                parser = Parser()
                for chunk in response.iter_bytes():
                    patience.is_alive()
                    for sent in parser.feed(chunk):
                        yield sent
        except httpx.TransportError as lost:
            raise unreachable(lost) from None


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

    @property
    def has_tickets(self) -> bool:
        return self._tickets is not None

    def needs_ticket(self, error: SteleError) -> bool:
        """Was the caller refused for a ticket that has expired? The next request gets a new one."""
        if self._tickets is None or error.status != 401:
            return False
        self._ticket = None
        return True

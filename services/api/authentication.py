"""Authentication and authorisation: seat, host and operator tokens, and tickets. All are stateless but for a seat's generation."""

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex
from typing import Any, NamedTuple

from events.game import Game
from games.kernel import Viewer
from games.keyed import keyed
from services.core.ledger import Denied, GameNotFound
from services.core.webhooks import new_id, secret_of

TICKET_SECONDS = 600
TOKEN_CACHE_SIZE = 8192
"""Tokens whose signature was checked lately."""


def unauthorized(message: str = "This token is not valid here.") -> Denied:
    return Denied("unauthorized", message)


def forbidden(message: str) -> Denied:
    return Denied("forbidden", message)


def denied(caller: "Caller", message: str) -> Denied:
    """The refusal for who may not do this: `unauthorized` without a token, `forbidden` with the wrong one."""
    return unauthorized(message) if caller is ANYONE else forbidden(message)


def not_found(game: str) -> Denied:
    return GameNotFound("game_not_found", f"There is no game {game}.")


@dataclass(frozen=True)
class Caller:
    """Someone without a token: a spectator."""

    @property
    def name(self) -> str:
        """The caller's part in what the log remembers of an Idempotency-Key."""
        return ""

    @property
    def actor(self) -> dict[str, Any]:
        """The caller as the actor of an entry."""
        return {"anonymous": True}

    @property
    def viewer(self) -> Viewer:
        """Whose view this caller gets."""
        return None

    def role(self, game: Game) -> str:
        """What this caller is in a game: `spectator`, `seat` and its number, `host` or `operator`."""
        return "spectator"

    def may_see(self, game: Game) -> bool:
        """May this caller know of the game?"""
        return not game.created.private

    def administers(self, game: Game) -> bool:
        """May this caller renew tokens of the game and seat players by name?"""
        return False


@dataclass(frozen=True)
class Guest(Caller):
    """Someone who has the code of a private game: a spectator, until the game is settled."""

    @property
    def name(self) -> str:
        return "guest"

    def may_see(self, game: Game) -> bool:
        return not game.created.private or game.settled is None


@dataclass(frozen=True)
class SeatCaller(Caller):
    """Someone who acts and sees for one seat."""

    seat: int
    generation: int

    @property
    def name(self) -> str:
        return str(self.seat)

    @property
    def actor(self) -> dict[str, Any]:
        return {"seat": self.seat}

    @property
    def viewer(self) -> Viewer:
        return self.seat

    def role(self, game: Game) -> str:
        return f"seat{self.seat}"

    def may_see(self, game: Game) -> bool:
        return True


@dataclass(frozen=True)
class HostCaller(Caller):
    """Someone who creates games for others."""

    host: str

    @property
    def name(self) -> str:
        return f"host:{self.host}"

    @property
    def actor(self) -> dict[str, Any]:
        return {"host": self.host}

    def role(self, game: Game) -> str:
        return "host" if self.administers(game) else "spectator"

    def may_see(self, game: Game) -> bool:
        return not game.created.private or self.administers(game)

    def administers(self, game: Game) -> bool:
        return game.created.host == self.host


@dataclass(frozen=True)
class OperatorCaller(Caller):
    """Someone who may do everything."""

    @property
    def name(self) -> str:
        return "operator"

    @property
    def actor(self) -> dict[str, Any]:
        return {"operator": True}

    def role(self, game: Game) -> str:
        return "operator"

    def may_see(self, game: Game) -> bool:
        return True

    def administers(self, game: Game) -> bool:
        return True


ANYONE = Caller()
GUEST = Guest()


class HandoverCode(NamedTuple):
    """A code by which a seat lets another take it over: of which holder of the seat, and until when."""

    generation: int
    expires: int
    nonce: str

    @property
    def expired(self) -> bool:
        return self.expires < time.time()

    @property
    def seconds(self) -> int:
        """For how long it is to be remembered that it was used."""
        return max(1, self.expires - int(time.time()) + 1)


class Authenticator:
    """Makes tokens and tickets, and tells who brings them."""

    def __init__(self, key: bytes, hosts: Mapping[str, str], operators: tuple[str, ...]) -> None:
        self._seat = lru_cache(TOKEN_CACHE_SIZE)(
            self._recognise_seat
        )  # which refuses by raising: that is not kept
        self._key = key
        self._digest = keyed(key)
        self._hosts = hosts
        self._operators = operators

    @property
    def has_roles(self) -> bool:
        """Are there hosts or operators at all?"""
        return bool(self._hosts or self._operators)

    # -- making -----------------------------------------------------------------------------------------------------

    def seat_token(self, game: str, seat: int, generation: int) -> str:
        """The token that acts and sees for a seat, until it is renewed."""
        return f"{seat}.{generation}.{self._sign('stele-seat-1', game, str(seat), str(generation))}"

    def ticket(self, game: str, caller: Caller, now: float | None = None) -> tuple[str, int]:
        """A read-only pass for ten minutes, and when it expires (seconds since 1970)."""
        expires = int(time.time() if now is None else now) + TICKET_SECONDS
        generation = caller.generation if isinstance(caller, SeatCaller) else 0
        who = caller.name or "spectator"
        mac = self._sign("stele-ticket-1", game, who, str(generation), str(expires))
        return f"{who}.{generation}.{expires}.{mac}", expires

    def handover_code(
        self, game: str, seat: int, generation: int, now: float | None = None
    ) -> tuple[str, int]:
        """A code by which another takes over a seat within ten minutes, and when it expires (seconds since 1970)."""
        expires = int(time.time() if now is None else now) + TICKET_SECONDS
        parts = (str(generation), str(expires), token_hex(8))
        mac = self._sign("stele-handover-1", game, str(seat), *parts)
        return ".".join((*parts, mac)), expires

    def read_handover_code(self, code: str, game: str, seat: int) -> "HandoverCode | None":
        """What a code for this seat says; None if we have not made it."""
        generation, expires, nonce, mac = (code.split(".") + [""] * 4)[:4]
        genuine = self._sign("stele-handover-1", game, str(seat), generation, expires, nonce)
        if code.count(".") != 3 or not hmac.compare_digest(genuine.encode(), mac.encode()):
            return None
        return HandoverCode(int(generation), int(expires), nonce)

    def create_id(self, caller: Caller, key: str) -> bytes:
        """The bytes of a new game's id, the same for every retry of its creation."""
        return self._digest("\0".join(("stele-create-1", caller.name, key)).encode())

    def rematch_id(self, game: str) -> bytes:
        """The bytes of the id of a game's rematch, in which all its players meet."""
        return self._digest("\0".join(("stele-rematch-1", game)).encode())

    def webhook_id(self, caller: Caller, key: str | None) -> str:
        """A new webhook's id, the same for every retry of its registration."""
        return new_id(self._key, caller.name, key)

    def webhook_secret(self, webhook: str) -> str:
        """What a webhook's deliveries are signed with."""
        return secret_of(self._key, webhook)

    def _sign(self, *parts: str) -> str:
        mac = self._digest("\0".join(parts).encode())
        return urlsafe_b64encode(mac).rstrip(b"=").decode()

    # -- recognising ------------------------------------------------------------------------------------------------

    def identify(self, token: str | None, game: str | None = None) -> Caller:
        """The caller who brings this token. A seat's generation is not checked here: `authorize` does, against the game."""
        if token is None:
            return ANYONE
        for operator in self._operators:
            if hmac.compare_digest(operator.encode(), token.encode()):
                return OperatorCaller()
        for name, host_token in self._hosts.items():
            if hmac.compare_digest(host_token.encode(), token.encode()):
                return HostCaller(name)
        if game is None:
            raise unauthorized()
        return self._seat(token, game)

    def _recognise_seat(self, token: str, game: str) -> SeatCaller:
        seat, _, rest = token.partition(".")
        generation, _, _ = rest.partition(".")
        if not (_is_number(seat) and _is_number(generation)):
            raise unauthorized()
        genuine = self.seat_token(game, int(seat), int(generation))
        if not hmac.compare_digest(genuine.encode(), token.encode()):
            raise unauthorized()
        return SeatCaller(int(seat), int(generation))

    def identify_ticket(self, ticket: str, game: str, now: float | None = None) -> Caller:
        """Who this ticket was made for, if it still holds."""
        who, generation, expires, mac = (ticket.rsplit(".", 3) + [""] * 3)[:4]
        genuine = self._sign("stele-ticket-1", game, who, generation, expires)
        if not hmac.compare_digest(genuine.encode(), mac.encode()):
            raise unauthorized("This ticket is not valid here.")
        if int(expires) < (time.time() if now is None else now):
            raise unauthorized("This ticket has expired; get a new one.")
        if who.startswith("host:"):
            return HostCaller(who.removeprefix("host:"))
        roles = {"operator": OperatorCaller(), "spectator": ANYONE, GUEST.name: GUEST}
        if who in roles:
            return roles[who]
        return SeatCaller(int(who), int(generation))


def has_code(code: str | None, true_code: str | None) -> bool:
    """Is this the code of a private game?"""
    return bool(code and true_code) and hmac.compare_digest(str(code).encode(), str(true_code).encode())


def authorize(caller: Caller, game: Game) -> None:
    """Let a caller in, or say that there is no such game, or that the token is dead."""
    if isinstance(caller, SeatCaller) and not _alive(caller, game):
        raise not_found(game.id) if game.created.private else unauthorized("This seat's token was renewed.")
    if not caller.may_see(game):
        raise not_found(game.id)


def check_administers(caller: Caller, game: Game, message: str) -> None:
    """Let in the game's host and operators alone."""
    authorize(caller, game)
    if not caller.administers(game):
        raise denied(caller, message)


def _alive(caller: SeatCaller, game: Game) -> bool:
    return caller.seat < len(game.chairs) and game.chairs[caller.seat].generation == caller.generation


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10

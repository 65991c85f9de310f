"""Rate limits and quotas: requests of a seat, and games that one address creates and joins without a token.

A seat's requests are counted in the process that serves them, so an action costs no round trip more; what strangers
create and join is counted in the store, for all processes together. Hosts and operators are not limited. Addresses are
kept as keyed hashes, and fade.
"""

import hmac
import time
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from math import ceil
from typing import Any, NamedTuple

import msgspec

from events.keys import keys_of, partition_key, partition_of
from events.scripts import Script
from events.store import Client
from games.kernel import Refusal
from projections.lobby import STATUS_GROUPS, LobbyRow
from projections.payers import note_payer
from services.core.archivist import SECONDS_PER_DAY
from services.core.settings import Settings
from services.http.messages import Request

LIMITS_PREFIX = "stele:{limits}:"
MINUTE = 60
TRACKED_SEATS = 10_000
"""Seats whose pace is remembered at once."""
IPV6_PREFIX_BITS = 56
"""Bits of an IPv6 address that stand for one caller: all the rest is that caller's to choose."""


class Policy(NamedTuple):
    """So many in so many seconds (0: for as long as they last)."""

    name: str
    most: int
    seconds: int

    @property
    def header(self) -> str:
        window = f";w={self.seconds}" if self.seconds else ""
        return f'"{self.name}";q={self.most}{window}'


class RateLimited(Refusal):
    """Somebody asks for more than is given to one; it may come back after some seconds."""

    def __init__(self, policy: Policy, wait: float, message: str) -> None:
        super().__init__("rate_limited", message)
        seconds = max(1, ceil(wait))
        self.headers = {
            "retry_after": str(seconds),
            "ratelimit": f'"{policy.name}";r=0;t={seconds}',
            "ratelimit_policy": policy.header,
        }


class RateLimiter:
    """A steady pace for each of many, with a second's worth at once (GCRA): one number is kept for each."""

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self._each = 1 / per_second if per_second else 0.0
        self._clock = clock
        self._free_at: dict[Hashable, float] = {}
        """When everything that each has asked for would be done, at a steady pace."""

    def wait(self, who: Hashable) -> float:
        """Count a request. Seconds after which it would be in time; 0 if it is."""
        now = self._clock()
        free_at = max(now, self._free_at.get(who, now))
        early = free_at - now - 1 + self._each
        if early > 1e-9:
            return early
        if len(self._free_at) >= TRACKED_SEATS and who not in self._free_at:
            self._forget(now)
        self._free_at[who] = free_at + self._each
        return 0.0

    def _forget(self, now: float) -> None:
        """Forget whoever asks for nothing; if all do, those who came first."""
        busy = {who: at for who, at in self._free_at.items() if at > now}
        for who in list(busy)[: max(0, len(busy) - TRACKED_SEATS // 2)]:
            del busy[who]
        self._free_at = busy


# -- where a request comes from ---------------------------------------------------------------------------------------

ClientAddress = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def caller_address(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The address that a request comes from: that of the connection, or what trusted proxies say of it.

    Each proxy adds to `X-Forwarded-For` where it was called from. Who stands left of the last untrusted address, or
    of one that cannot be read, could have written anything.
    """
    address = read_address(peer)
    for hop in reversed(forwarded.split(",")):
        if address is None or not any(address in network for network in proxies):
            break
        before = read_address(hop)
        if before is None:
            break
        address = before
    return address_block(address) if address else "here"


def read_address(text: str) -> ClientAddress | None:
    """An address as servers and proxies write it: with brackets, or as an IPv6 address that stands for an IPv4 one."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ip_address(bare)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def address_block(address: ClientAddress) -> str:
    """What is counted as one caller."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, IPV6_PREFIX_BITS), strict=False))


# -- counting ---------------------------------------------------------------------------------------------------------


@dataclass
class Limits:
    """What each may ask for, by the settings; nothing of what is 0 is limited."""

    client: Client
    key: bytes
    proxies: Sequence[Network] = ()
    creations: int = 0
    joins: int = 0
    unfinished: int = 0
    pace: RateLimiter = field(default_factory=lambda: RateLimiter(0))
    reviews: int = 0
    reviews_of_one: int = 0
    sockets: int = 0
    """Sockets of one address that have brought no token."""
    follows: int = 64
    """Games that are followed on one socket."""
    ping_seconds: int = 15
    """After so many seconds of silence a socket is sent a ping."""

    @classmethod
    def of(cls, settings: Settings, client: Client, key: bytes) -> "Limits":
        return cls(
            client,
            key,
            settings.trusted_proxies,
            settings.creations_per_minute,
            settings.joins_per_minute,
            settings.unfinished_games,
            RateLimiter(settings.requests_per_second),
            settings.reviews_at_once,
            settings.reviews_per_caller,
            settings.sockets_per_address,
            settings.follows_per_socket,
            settings.socket_ping_seconds,
        )

    @cached_property
    def _count_one(self) -> Script:
        """Counts and sets the expiry in one step: a counter without one would refuse its caller for ever."""
        return Script(self.client, "services.api", "count.lua")

    def check_pace(self, game_id: str, seat: int, generation: int) -> None:
        """Count a request with a seat's token: one that is dead takes nothing from the token that came after it."""
        pace = self.pace
        if pace.per_second and (wait := pace.wait((game_id, seat, generation))):
            policy = Policy("seat", pace.per_second, 1)
            raise RateLimited(policy, wait, f"A seat may ask {pace.per_second} times a second.")

    def check_creation(self, game_id: str, request: Request, displace: Callable[[str], bool] | None) -> None:
        """Count a game that a stranger is about to create. `displace` calls off an open game that nobody has joined, if it may.

        Without it the game does not count as unfinished: it is a lesson.
        """
        address = self.address(request)
        note_payer(self.client, game_id, address)
        self._count("creations", address, self.creations, "create {} games a minute")
        if self.unfinished and displace:
            self._check_unfinished(game_id, address, displace)

    def check_joining(self, request: Request) -> None:
        """Count a seat that a stranger is about to take."""
        self._count("joins", self.address(request), self.joins, "take {} seats a minute")

    def check_review(self, asked: Collection[str], who: str) -> None:
        """Count a review that someone is about to ask for, among those under way by who asked for each."""
        for name, most, number, whose in (
            ("reviews", self.reviews, len(asked), "There are"),
            ("reviews_of_one", self.reviews_of_one, sum(each == who for each in asked), "You have"),
        ):
            if most and number >= most:
                sentence = f"{whose} {number} reviews under way, and no more are made at once: wait for one."
                raise RateLimited(Policy(name, most, 0), MINUTE / 4, sentence)

    def _count(self, name: str, address: str, most: int, sentence: str) -> None:
        if not most:
            return
        count, left = self._count_one([limit_key(name, address)], [MINUTE])
        if count > most:
            raise RateLimited(
                Policy(name, most, MINUTE), left, f"Without a token you may {sentence.format(most)}."
            )

    def _check_unfinished(self, game_id: str, address: str, displace: Callable[[str], bool]) -> None:
        """Note a game with its creator's others; those that are over are struck off when there seem to be too many.

        If there still are, the new game takes the place of the oldest that nobody has joined.
        """
        games, now = limit_key("unfinished", address), time.time()
        with self.client.pipeline(transaction=False) as pipe:
            pipe.zadd(games, {game_id: now})
            pipe.expire(games, 60 * SECONDS_PER_DAY)
            pipe.zcard(games)
            *_, count = pipe.execute()
        if count <= self.unfinished:
            return
        noted = self._noted(games, now - MINUTE)
        gone = [each.game for each in noted if each.is_over]
        if count - len(gone) > self.unfinished:
            unjoined = (each.game for each in noted if each.is_old and each.status == "open")
            gone += [game for game in (next(filter(displace, unjoined), None),) if game]
        if gone:
            self.client.zrem(games, *gone)
        if count - len(gone) > self.unfinished:
            self.client.zrem(games, game_id)
            raise RateLimited(
                Policy("unfinished", self.unfinished, 0),
                MINUTE,
                f"Without a token you may have {self.unfinished} unfinished games: end some first.",
            )

    def _noted(self, key: str, a_while_ago: float) -> "list[NotedGame]":
        """The games that were noted of an address, oldest first."""
        members: Any = self.client.zrange(key, 0, -1, withscores=True)
        games = [(member.decode(), since < a_while_ago) for member, since in members]
        with self.client.pipeline(transaction=False) as pipe:
            for game, _ in games:
                pipe.hget(partition_key(partition_of(game), "lobby:rows"), game)
                pipe.exists(keys_of(game).stream)
            answers: list[Any] = pipe.execute()
        rows = zip(games, answers[::2], answers[1::2], strict=True)
        return [
            NotedGame(game, is_old, status_in(row), bool(has_log)) for (game, is_old), row, has_log in rows
        ]

    def address(self, request: Request) -> str:
        """Where a request comes from, as it is kept: nobody reads an address from it."""
        forwarded = request.headers.get("x-forwarded-for", "")
        address = caller_address(request.peer, forwarded, self.proxies)
        return hmac.digest(self.key, "\0".join(("stele-address-1", address)).encode(), "sha256").hex()[:24]


def limit_key(name: str, address: str) -> str:
    return f"{LIMITS_PREFIX}{name}:{address}"


class NotedGame(NamedTuple):
    """A game that a stranger has created, or wanted to."""

    game: str
    is_old: bool
    status: str | None
    """As the lobby has it, if it does."""
    has_log: bool

    @property
    def is_over(self) -> bool:
        """Is it over, or was it never created?"""
        return self.status == "ended" if self.status else self.is_old and not self.has_log


def status_in(row: bytes | None) -> str | None:
    """What a game's row in the lobby says of its status."""
    return STATUS_GROUPS[msgspec.json.decode(row, type=LobbyRow).status] if row else None

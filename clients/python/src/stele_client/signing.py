"""Signed seats: a key with which a seat signs what it does, so that an audit shows that nobody else did it."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from stele_client.models import Acted, Action, Event, Frame, GameState, Player

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass(frozen=True)
class SigningKey:
    """An Ed25519 key of one seat: a new one unless `secret` is given. Keep `secret` beside the token.

    Needs the package `cryptography`: install `stele-client[signing]`.
    """

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @cached_property
    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415  # optional

        return Ed25519PrivateKey.from_private_bytes(self.secret)

    @property
    def public_key(self) -> str:
        """What the seat is taken with, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, message: str) -> str:
        return self._key.sign(message.encode()).hex()


class Signer:
    """Signs for one seat of a game, over what it has seen of it."""

    def __init__(self, game_id: str, seat: int, key: SigningKey) -> None:
        self.key = key
        self._about = f"{game_id}\n{seat}"
        self._seat = seat
        self.decision: int | None = None
        """The latest decision that the seat was seen to have."""
        self._decision_hash = ""
        self.version = 0
        """The latest entry that the seat has seen."""
        self._hash = ""

    def see(self, answer: object) -> None:
        """Remember what an answer, or a frame of a stream, says of the latest entry and of the seat's decision."""
        match answer:
            case GameState() | Acted():
                digest = answer.hash
            case Frame():
                digest = answer.event.hash
            case _:
                return
        if isinstance(answer, GameState) or answer.version >= self.version:
            self.version, self._hash = answer.version, digest
            self.decision = answer.decisions.get(self._seat) if answer.decision_hash else None
            self._decision_hash = answer.decision_hash or ""

    def sign_actions(self, actions: Sequence[Action]) -> str:
        """The signatures of the actions of one request, as the header has them."""
        about = f"stele-act-1\n{self._about}\n{self._decision_hash}"
        return ", ".join(
            self.key.sign(f"{about}\n{index}\n{action_digest(action)}\n")
            for index, action in enumerate(actions)
        )

    def sign_resignation(self) -> str:
        return self.key.sign(f"stele-resign-1\n{self._about}\n{self._hash}\n")

    def sign_takeback(self, to: int) -> str:
        return self.key.sign(f"stele-takeback-1\n{self._about}\n{self._hash}\n{to}\n")


def action_digest(action: Action) -> str:
    """The hash of an action's canonical JSON (RFC 8785); names are ASCII and numbers whole."""
    text = json.dumps(action, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def before_latest_action(first: int, events: Iterable[Event]) -> int | None:
    """To which entry the latest action of a seat is taken back: `events` are those after `first`, the lowest possible."""
    points = [[first]]
    for event in events:
        match event.type:
            case "action_taken":
                points.append([event.seq])
            case "taken_back":
                to = event.data["to"]
                points = [point for point in points if point[0] <= to]
                points[-1] = [*(seq for seq in points[-1] if seq <= to), event.seq]
            case _:
                points[-1].append(event.seq)
    return points[-2][-1] if len(points) > 1 else None


def public_key_of(key: SigningKey | None) -> str | None:
    return key.public_key if key else None


def seat_of(token: str | None) -> int | None:
    """The seat that a token is for; None of any other token."""
    seat, _, rest = (token or "").partition(".")
    return int(seat) if rest and seat.isascii() and seat.isdecimal() else None


def signer_of(game_id: str, token: str | None, key: SigningKey | None) -> Signer | None:
    """Who signs for the seat of a token, if it has a key."""
    seat = seat_of(token)
    return None if key is None or seat is None else Signer(game_id, seat, key)


def new_keys(players: Sequence[Player]) -> dict[int, SigningKey]:
    """A new key for each person who is named, by seat."""
    return {seat: SigningKey() for seat, player in enumerate(players) if "bot" not in player}


def with_keys(players: Sequence[Player], keys: Mapping[int, SigningKey]) -> list[Player]:
    """The players with the public keys that they bring."""
    return [
        {**player, "public_key": keys[seat].public_key} if seat in keys else player
        for seat, player in enumerate(players)
    ]

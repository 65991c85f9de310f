"""Entries of a game's log: the envelope, what each type carries, and the chain of hashes that binds them."""

import hashlib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from events.canonical import canonical, digest
from games.chance import Draw

GENESIS = "0" * 64
"""The `prev` of a log's first entry."""
FIRST_TERMS, SECOND_TERMS, TERMS = 1, 2, 3
"""The terms of games that do not name any, those after them, and those of every game created from now on."""
Hash = Annotated[str, msgspec.Meta(min_length=64, max_length=64)]
Salt = Annotated[str, msgspec.Meta(min_length=32, max_length=32)]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one type of entry carries."""


class ComponentSetName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    sha256: str


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """So long for each turn, perhaps with a reserve; or so long for the whole game and a little more after each turn."""

    turn_seconds: int | None = None
    total_seconds: int | None = None
    increment_seconds: int | None = None
    reserve_seconds: int | None = None


def total_clock(total_seconds: int, increment_seconds: int = 0) -> Clock:
    """A clock for the whole game; the increment is written even if there is none."""
    return Clock(None, total_seconds, increment_seconds)


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name_hash: str | None
    ref: str | None


class ActionSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's signature of an action: its decision, and its place in the request."""

    decision: int
    index: int
    sig: str


class EntrySignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's signature of a resignation or a take-back, over the latest entry that it saw."""

    entry: int
    sig: str


class GameCreated(Data, frozen=True, omit_defaults=True):
    ruleset: str
    ruleset_version: int
    component_set: ComponentSetName
    options: dict[str, Any]
    seats: int
    seed_commitment: str
    private: bool
    clock: Clock | None
    host: str | None
    origin: dict[str, Any]
    tags: tuple[str, ...] = ()
    terms: int = FIRST_TERMS
    """By which terms the log is written and judged; absent in games of the first."""
    takebacks: bool | UnsetType = UNSET
    rematch_of: str | UnsetType | None = UNSET


class SeatTaken(Data, frozen=True):
    seat: int
    player: Player
    bot: str | None
    entropy: str | None
    entropy_commitment: str | None
    public_key: str | UnsetType | None = UNSET
    """The Ed25519 key that the seat signs with."""
    bot_version: int | UnsetType | None = UNSET


class EntropyRevealed(Data, frozen=True):
    seat: int
    entropy: str


class SeatTokenRenewed(Data, frozen=True):
    seat: int
    generation: int


class SeatLeft(Data, frozen=True):
    seat: int
    generation: int


class GameStarted(Data, frozen=True):
    facts: list[Any]
    random: list[Draw]


class ActionTaken(Data, frozen=True):
    action: dict[str, Any]
    facts: list[Any]
    random: list[Draw]
    signed: ActionSignature | UnsetType | None = UNSET


class TakenBack(Data, frozen=True):
    """Its state is that of entry `to`."""

    seat: int
    to: int
    signed: EntrySignature | None
    facts: list[Any]
    random: list[Draw]


class SeatWithdrawn(Data, frozen=True):
    seat: int
    cause: str
    facts: list[Any]
    random: list[Draw]
    signed: EntrySignature | UnsetType | None = UNSET
    """Of a resignation alone."""


class SeatHandedOver(Data, frozen=True):
    seat: int
    player: Player
    generation: int
    public_key: str | None


class TimeAdded(Data, frozen=True):
    seat: int
    seconds: int


class PauseAgreed(Data, frozen=True):
    seat: int


class GamePaused(Data, frozen=True):
    pass


class GameResumed(Data, frozen=True):
    pass


class GameAdjudicated(Data, frozen=True):
    outcome: Any
    why: str
    facts: list[Any]
    random: list[Draw]


class GameAborted(Data, frozen=True, omit_defaults=True):
    reason: str
    limit: int | None = None
    """How long, or how many entries, the clock waited before it called the game off."""


class GameSettled(Data, frozen=True):
    outcome: dict[str, Any] | None
    seed: str
    audit: dict[str, Any]


DATA_TYPES: dict[str, type[Data]] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "entropy_revealed": EntropyRevealed,
    "seat_left": SeatLeft,
    "seat_token_renewed": SeatTokenRenewed,
    "game_started": GameStarted,
    "action_taken": ActionTaken,
    "taken_back": TakenBack,
    "seat_withdrawn": SeatWithdrawn,
    "seat_handed_over": SeatHandedOver,
    "time_added": TimeAdded,
    "pause_agreed": PauseAgreed,
    "game_paused": GamePaused,
    "game_resumed": GameResumed,
    "game_adjudicated": GameAdjudicated,
    "game_aborted": GameAborted,
    "game_settled": GameSettled,
}
TYPE_NAMES = {data_type: name for name, data_type in DATA_TYPES.items()}


class RequestReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which call an entry came of: what makes a retry safe for ever."""

    key: Hash
    body: Hash
    of: tuple[int, int]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was done in a game, by whom, when, and the hash of the state it led to."""

    actor: dict[str, Any]
    at: str
    data: Any
    game: str
    prev: Hash
    req: RequestReference | None
    salt: Salt
    seq: int
    state: Hash | None
    type: str
    v: int = 1


class _Envelope(Entry, frozen=True):
    data: msgspec.Raw
    v: Literal[1]


class Carved(msgspec.Struct, frozen=True):
    """An entry as it stands in a log for good: with its canonical bytes, and the hash of those bytes."""

    entry: Entry
    raw: bytes
    hash: str

    @property
    def seq(self) -> int:
        return self.entry.seq

    @property
    def data(self) -> Any:
        return self.entry.data

    def laid_open(self) -> dict[str, Any]:
        """Everything of the entry as JSON has it, and its hash."""
        return msgspec.json.decode(self.raw, type=dict[str, Any]) | {"hash": self.hash}


def carve(entry: Entry) -> Carved:
    """Write an entry down for good."""
    raw = canonical(entry)
    return Carved(entry, raw, hashlib.sha256(raw).hexdigest())


class MalformedEntry(ValueError):
    """Bytes in a log that are no entry of this version."""


def read_carved(raw: bytes, claimed: str) -> Carved:
    """Read an entry as the store holds it. The hash is taken as it stands: the audit is what checks it."""
    try:
        envelope = _decode(raw)
        data = _decode_data[envelope.type](envelope.data)
    except KeyError as unknown:
        raise MalformedEntry(f"an entry of unknown type {unknown}") from None
    except msgspec.DecodeError as error:
        raise MalformedEntry(str(error)) from None
    entry = Entry(
        actor=envelope.actor,
        at=envelope.at,
        data=data,
        game=envelope.game,
        prev=envelope.prev,
        req=envelope.req,
        salt=envelope.salt,
        seq=envelope.seq,
        state=envelope.state,
        type=envelope.type,
    )
    return Carved(entry, raw, claimed)


_decode = msgspec.json.Decoder(_Envelope).decode
_decode_data = {name: msgspec.json.Decoder(data_type).decode for name, data_type in DATA_TYPES.items()}


def request_key(caller: str, key: str) -> str:
    """The hash under which a caller's Idempotency-Key is remembered."""
    return hashlib.sha256(caller.encode() + b"\x00" + key.encode()).hexdigest()


def body_hash(body: Any) -> str:
    """The hash of a request's body; no body is null."""
    return digest(body)

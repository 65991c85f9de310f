"""What requests may hold."""

from collections.abc import Callable
from typing import Any, ClassVar
from unicodedata import category

from marshmallow import ValidationError, fields, validate, validates_schema

from games.kernel import BOT_LEVELS
from projections.host_events import HOST_EVENT_TYPES
from services.api.schemas.parts import HEX64, Flag, FullMatch, Strict

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs, and show nothing."""


def visible(name: str) -> None:
    """Refuse a name of which nothing can be seen: spaces, joiners, marks without a letter."""
    if all(category(character)[0] in "CMZ" or character in BLANKS for character in name):
        raise ValidationError("At least one character that can be seen.")


NAME: list[Callable[[str], object]] = [
    validate.Length(min=1, max=64),
    visible,
    FullMatch(
        r"^[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$",
        error="No characters that control, break or turn the text around.",
    ),
]
TAG_PATTERN = FullMatch(r"^[a-z0-9._-]{1,64}$", error="1 to 64 characters of a-z, 0-9, `.`, `_` and `-`.")
MOST_TAGS = 8
MOST_SECONDS = 10_000_000
OPAQUE = FullMatch(r"^[\x21-\x7e]{1,64}$", error="1 to 64 printable ASCII characters, no spaces.")
OPAQUE_KEY = FullMatch(r"^[\x21-\x7e]{1,255}$", error="1 to 255 printable ASCII characters, no spaces.")


Pairs = tuple[tuple[str, str], ...]
"""Members that a body may not have both of."""


def described(description: str) -> dict[str, str]:
    return {"description": description}


def entropy_length(value: str) -> None:
    if len(value.encode()) > 64:
        raise ValidationError("At most 64 bytes.")


def distinct(values: list[Any]) -> None:
    if len(set(values)) != len(values):
        raise ValidationError("Each may stand there once.")


class SitterSchema(Strict):
    """Someone who sits down: a player by name, or a bot, which may have a name too."""

    apart: ClassVar[Pairs] = (("bot", "entropy"), ("bot", "public_key"))

    name = fields.String(validate=NAME, metadata=described("What others call the player."))
    ref = fields.String(
        validate=OPAQUE, metadata=described("An integrator's id for the player; hosts and operators only.")
    )
    bot = fields.String(validate=validate.OneOf(BOT_LEVELS), metadata=described("How a bot plays this seat."))
    entropy = fields.String(
        validate=entropy_length, metadata=described("Text that is mixed into the game's seed.")
    )
    public_key = fields.String(
        validate=HEX64,
        metadata=described("An Ed25519 key, 64 hex digits, with which the seat signs what it does."),
    )

    @validates_schema
    def name_or_bot(self, data: dict[str, Any], **_: Any) -> None:
        if not {"name", "bot"} & set(data):
            raise ValidationError("Give a name, or a bot's level.", "name")
        if "bot" in data and {"entropy", "entropy_commitment"} & set(data):
            raise ValidationError("A bot brings no entropy.", "bot")
        if "bot" in data and "public_key" in data:
            raise ValidationError("A bot signs nothing.", "public_key")


class ClockSchema(Strict):
    """So long for each turn, perhaps with a reserve; or so long for the whole game and a little more after each turn."""

    apart: ClassVar[Pairs] = (
        ("turn_seconds", "total_seconds"),
        ("turn_seconds", "increment_seconds"),
        ("total_seconds", "reserve_seconds"),
    )

    turn_seconds = fields.Integer(
        strict=True, validate=validate.Range(1, MOST_SECONDS), metadata=described("Seconds for each turn.")
    )
    total_seconds = fields.Integer(
        strict=True,
        validate=validate.Range(1, MOST_SECONDS),
        metadata=described("Seconds for the whole game."),
    )
    increment_seconds = fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_SECONDS),
        metadata=described("Gained by ending a turn; with `total_seconds` alone. None if left out."),
    )
    reserve_seconds = fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_SECONDS),
        metadata=described("For the whole game, used where a turn takes longer; with `turn_seconds` alone."),
    )

    @validates_schema
    def one_kind(self, data: dict[str, Any], **_: Any) -> None:
        if ("turn_seconds" in data) == ("total_seconds" in data):
            raise ValidationError("Give either `turn_seconds` or `total_seconds`.", "turn_seconds")
        if "increment_seconds" in data and "total_seconds" not in data:
            raise ValidationError("An increment goes with `total_seconds`.", "increment_seconds")
        if "reserve_seconds" in data and "turn_seconds" not in data:
            raise ValidationError("A reserve goes with `turn_seconds`.", "reserve_seconds")


class NewGameSchema(Strict):
    """A game to be created."""

    ruleset = fields.String(required=True, metadata=described("Which game: the id of a ruleset."))
    options = fields.Dict(
        keys=fields.String(), metadata=described("How it is played; what is left out has its default.")
    )
    seats = fields.Integer(
        strict=True,
        validate=validate.Range(1, 64),
        metadata=described("How many seats: as many as players are named, or as few as the game is for."),
    )
    players = fields.List(
        fields.Nested(SitterSchema),
        validate=validate.Length(max=64),
        metadata=described(
            "Who sits where, from seat 0 on. If every seat is named, the game starts at once."
        ),
    )
    private = Flag(
        load_default=False,
        metadata=described("For those alone who have its `join_code`, until it is settled."),
    )
    clock = fields.Nested(
        ClockSchema, allow_none=True, metadata=described("How long players have; null: no clock.")
    )
    seed = fields.String(
        validate=HEX64,
        metadata=described("Where all chance comes from, 64 hex digits: for tests; the game does not count."),
    )
    position = fields.Dict(
        keys=fields.String(),
        allow_none=True,
        metadata=described("Where the game begins: any part of a view of this ruleset."),
    )
    lesson = fields.String(
        metadata=described(
            "A lesson of the ruleset, by its id: the game starts from its position, with its options and seats. "
            "Open to every caller, and aborted when nobody has played it for an hour."
        )
    )
    tags = fields.List(
        fields.String(validate=TAG_PATTERN),
        validate=[validate.Length(max=MOST_TAGS), distinct],
        metadata={
            **described("What a host finds its games by; hosts and operators only."),
            "uniqueItems": True,
        },
    )
    takebacks = Flag(
        metadata=described(
            "Whether players may take back actions of their turn that showed them nothing. Yes, unless it has tags."
        ),
    )

    @validates_schema
    def lesson_alone(self, data: dict[str, Any], **_: Any) -> None:
        given = {name for name in ("position", "seed", "options", "clock") if data.get(name) is not None}
        if "lesson" in data and given:
            message = "A lesson brings its own position and options, and has no clock."
            raise ValidationError(message, min(given))


class BatchItemSchema(NewGameSchema):
    """One of many games to be created."""

    key = fields.String(
        required=True,
        validate=OPAQUE_KEY,
        metadata=described(
            "As the Idempotency-Key of a creation: it makes a retry safe, and each has its own."
        ),
    )


class BatchSchema(Strict):
    """Many games to be created."""

    items = fields.List(
        fields.Nested(BatchItemSchema),
        required=True,
        validate=validate.Length(1, 200),
        metadata=described("The games."),
    )


class SeatRequestSchema(SitterSchema):
    """A seat to be taken."""

    apart: ClassVar[Pairs] = (
        *SitterSchema.apart,
        ("bot", "entropy_commitment"),
        ("entropy", "entropy_commitment"),
    )

    seat = fields.Integer(
        strict=True,
        validate=validate.Range(0, 63),
        metadata=described("Which one; the first free one if left out."),
    )
    entropy_commitment = fields.String(
        validate=HEX64,
        metadata=described(
            "Sealed entropy: hex of SHA-256(`stele-seal-1` and 32 bytes, which are told when all sit)."
        ),
    )
    join_code = fields.String(metadata=described("The code of a private game."))

    @validates_schema
    def one_entropy(self, data: dict[str, Any], **_: Any) -> None:
        if "entropy" in data and "entropy_commitment" in data:
            raise ValidationError("Bring entropy openly or sealed, not both.", "entropy")


class ForkSchema(Strict):
    """A game to be begun where another one stood."""

    version = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, 2**53 - 1),
        metadata=described("After which entry of the parent the new game begins."),
    )
    players = fields.List(
        fields.Nested(SitterSchema),
        validate=validate.Length(max=64),
        metadata=described("Who sits where, from seat 0 on."),
    )
    private = Flag(
        load_default=False, metadata=described("A private parent gives a private game in any case.")
    )
    redeal = fields.String(
        load_default="none",
        validate=validate.OneOf(("none", "piles")),
        metadata=described(
            "`piles`: what no seat had seen is dealt anew; `none`: everything lies as it lay."
        ),
    )


class EntropySchema(Strict):
    """The opening of a seal."""

    entropy = fields.String(
        required=True, validate=HEX64, metadata=described("The 32 bytes that were sealed, in hex.")
    )


class TakeBackSchema(Strict):
    """How far to go back."""

    to = fields.Integer(
        strict=True,
        validate=validate.Range(1, 2**53 - 1),
        metadata=described("The version to return to; before the seat's latest action, if left out."),
    )


class RematchRequestSchema(Strict):
    """What a player brings to the next game."""

    entropy = fields.String(
        validate=entropy_length, metadata=described("Text that is mixed into the game's seed.")
    )
    entropy_commitment = fields.String(
        validate=HEX64,
        metadata=described("Sealed entropy: see `POST /v1/games/{id}/seats`."),
    )
    public_key = fields.String(
        validate=HEX64,
        metadata=described("An Ed25519 key, 64 hex digits, with which the seat signs what it does."),
    )

    @validates_schema
    def one_entropy(self, data: dict[str, Any], **_: Any) -> None:
        if "entropy" in data and "entropy_commitment" in data:
            raise ValidationError("Bring entropy openly or sealed, not both.", "entropy")


class TimeSchema(Strict):
    """Time for a seat."""

    seconds = fields.Integer(
        required=True, strict=True, validate=validate.Range(1, 86_400), metadata=described("How much more.")
    )


class HandoverSchema(Strict):
    """Who takes over a seat; the seat itself names nobody, and gets a code to hand on."""

    name = fields.String(validate=NAME, metadata=described("What others call the player; host and operator."))
    ref = fields.String(validate=OPAQUE, metadata=described("The host's own name for the player."))
    public_key = fields.String(
        validate=HEX64,
        metadata=described("An Ed25519 key, 64 hex digits, with which the seat signs what it does."),
    )


class TakeoverSchema(Strict):
    """Somebody who takes over a seat by a code; without a name, the same person on another device."""

    code = fields.String(
        required=True, validate=validate.Length(max=200), metadata=described("What the seat handed on.")
    )
    name = fields.String(validate=NAME, metadata=described("What others call the player."))
    public_key = fields.String(
        validate=HEX64,
        metadata=described("An Ed25519 key, 64 hex digits, with which the seat signs what it does."),
    )


class AdjudicationSchema(Strict):
    """How a game is judged."""

    winners = fields.List(
        fields.Integer(strict=True, validate=validate.Range(0, 63)),
        required=True,
        validate=validate.Length(min=1, max=64),
        metadata=described("Seats that have not withdrawn, each once, in ascending order."),
    )
    why = fields.String(
        required=True, metadata=described("1 to 200 characters that people can read; public for ever.")
    )


class NewWebhookSchema(Strict):
    """A receiver, and what it wants to be told: everything, unless it says."""

    url = fields.String(
        required=True, validate=validate.Length(max=2000), metadata=described("Where events are posted to.")
    )
    types = fields.List(
        fields.String(validate=validate.OneOf(HOST_EVENT_TYPES)),
        validate=validate.Length(min=1, max=7),
        metadata=described("Only events of these types."),
    )
    tag = fields.String(validate=TAG_PATTERN, metadata=described("Only events of games with this tag."))


class SubscriptionKeysSchema(Strict):
    """The keys of a browser's subscription, in base64url."""

    p256dh = fields.String(
        required=True, validate=validate.Length(max=200), metadata=described("The browser's public key.")
    )
    auth = fields.String(
        required=True,
        validate=validate.Length(max=100),
        metadata=described("The browser's authentication secret."),
    )


class SubscriptionSchema(Strict):
    """A browser's `PushSubscription`, as `toJSON` gives it."""

    endpoint = fields.String(
        required=True, validate=validate.Length(max=2000), metadata=described("Where messages are posted to.")
    )
    expirationTime = fields.Raw(allow_none=True, metadata=described("Passed over."))  # noqa: N815 - as browsers write it
    keys = fields.Nested(
        SubscriptionKeysSchema, required=True, metadata=described("What messages are encrypted with.")
    )


class NotificationsSchema(Strict):
    """Where a seat is to be told, and how soon."""

    push = fields.Nested(
        SubscriptionSchema, required=True, metadata=described("The subscription that the browser gave.")
    )
    after_seconds = fields.Integer(
        strict=True,
        load_default=30,
        validate=validate.Range(0, 86400),
        metadata=described("For how long a turn must have lasted before the seat is told of it."),
    )

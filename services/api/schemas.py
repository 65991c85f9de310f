"""What requests may hold, and what answers look like, for the edge and for the OpenAPI document."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from events.entries import DATA_TYPES
from games.kernel import BOT_LEVELS
from projections.happenings import TYPES


class Whole(validate.Regexp):
    """A pattern that the whole text has to match, a line break at its end included."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


HEX64 = Whole(r"^[0-9a-f]{64}$", error="64 lower-case hex digits.")
NAME = [
    validate.Length(min=1, max=64),
    Whole(r"^[^\x00-\x1f\x7f]*$", error="No control characters."),
]
TAG = Whole(r"^[a-z0-9._-]{1,64}$", error="1 to 64 characters of a-z, 0-9, `.`, `_` and `-`.")
MOST_TAGS = 8
MOST_SECONDS = 10_000_000
OPAQUE = Whole(r"^[\x21-\x7e]{1,64}$", error="1 to 64 printable ASCII characters, no spaces.")


class Strict(Schema):
    """Has no members but those named, which the document says too."""

    class Meta:
        unknown = RAISE


class Flag(fields.Boolean):
    """true or false, and nothing that looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def entropy_length(value: str) -> None:
    if len(value.encode()) > 64:
        raise ValidationError("At most 64 bytes.")


def distinct(values: list[Any]) -> None:
    if len(set(values)) != len(values):
        raise ValidationError("Each may stand there once.")


# -- requests -------------------------------------------------------------------------------------------------------


class SitterSchema(Strict):
    """Someone who sits down: a player by name, or a bot, which may have a name too."""

    name = fields.String(validate=NAME)
    ref = fields.String(
        validate=OPAQUE,
        metadata={"description": "An integrator's id for the player; hosts and operators only."},
    )
    bot = fields.String(validate=validate.OneOf(BOT_LEVELS))
    entropy = fields.String(
        validate=entropy_length, metadata={"description": "Text that is mixed into the game's seed."}
    )

    @validates_schema
    def name_or_bot(self, data: dict[str, Any], **_: Any) -> None:
        if not {"name", "bot"} & set(data):
            raise ValidationError("Give a name, or a bot's level.", "name")
        if "bot" in data and {"entropy", "entropy_commitment"} & set(data):
            raise ValidationError("A bot brings no entropy.", "bot")


class ClockSchema(Strict):
    """So long for each turn, or so long for the whole game and a little more after each turn."""

    turn_seconds = fields.Integer(strict=True, validate=validate.Range(1, MOST_SECONDS))
    total_seconds = fields.Integer(strict=True, validate=validate.Range(1, MOST_SECONDS))
    increment_seconds = fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_SECONDS),
        metadata={"description": "Gained by ending a turn; with `total_seconds` alone. None if left out."},
    )

    @validates_schema
    def one_kind(self, data: dict[str, Any], **_: Any) -> None:
        if ("turn_seconds" in data) == ("total_seconds" in data):
            raise ValidationError("Give either `turn_seconds` or `total_seconds`.", "turn_seconds")
        if "increment_seconds" in data and "total_seconds" not in data:
            raise ValidationError("An increment goes with `total_seconds`.", "increment_seconds")


class NewGameSchema(Strict):
    """A game to be created."""

    ruleset = fields.String(required=True)
    options = fields.Dict(keys=fields.String())
    seats = fields.Integer(strict=True, validate=validate.Range(1, 64))
    players = fields.List(fields.Nested(SitterSchema), validate=validate.Length(max=64))
    private = Flag(load_default=False)
    clock = fields.Nested(ClockSchema, allow_none=True)
    seed = fields.String(validate=HEX64)
    position = fields.Dict(keys=fields.String(), allow_none=True)
    tags = fields.List(
        fields.String(validate=TAG),
        validate=[validate.Length(max=MOST_TAGS), distinct],
        metadata={"description": "What a host finds its games by; hosts and operators only."},
    )


class SeatRequestSchema(SitterSchema):
    """A seat to be taken."""

    seat = fields.Integer(strict=True, validate=validate.Range(0, 63))
    entropy_commitment = fields.String(validate=HEX64)
    join_code = fields.String()

    @validates_schema
    def one_entropy(self, data: dict[str, Any], **_: Any) -> None:
        if "entropy" in data and "entropy_commitment" in data:
            raise ValidationError("Bring entropy openly or sealed, not both.", "entropy")


class ForkSchema(Strict):
    """A game to be begun where another one stood."""

    version = fields.Integer(required=True, strict=True, validate=validate.Range(1, 2**53 - 1))
    players = fields.List(fields.Nested(SitterSchema), validate=validate.Length(max=64))
    private = Flag(load_default=False)


class EntropySchema(Strict):
    entropy = fields.String(required=True, validate=HEX64)


class AdjudicationSchema(Strict):
    """How a game is judged."""

    winners = fields.List(
        fields.Integer(strict=True, validate=validate.Range(0, 63)),
        required=True,
        validate=validate.Length(min=1, max=64),
        metadata={"description": "Seats that have not withdrawn, each once, in ascending order."},
    )
    why = fields.String(
        required=True, metadata={"description": "1 to 200 characters that people can read; public for ever."}
    )


# -- answers, for the document ----------------------------------------------------------------------------------------


class ProblemSchema(Strict):
    """An error after RFC 9457."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "A sentence, for people."})
    code = fields.String(required=True, metadata={"description": "Stable, for programs."})
    errors = fields.Dict(metadata={"description": "Of `invalid_request`: what is wrong, by field."})
    expected = fields.Integer(metadata={"description": "Of `version_conflict`: the version in If-Match."})
    version = fields.Integer(metadata={"description": "Of `version_conflict`: the game's version."})
    decision = fields.Integer(
        allow_none=True, metadata={"description": "Of `decision_passed`: the one open now."}
    )
    audit = fields.Dict(metadata={"description": "Of an import that is refused: what the audit found."})


class SeatSchema(Strict):
    seat = fields.Integer(required=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.String(required=True, allow_none=True)
    withdrawn = fields.String(required=True, allow_none=True)


class GameSeatSchema(SeatSchema):
    """A seat of a game; its token stands there only where the game was created."""

    ref = fields.String(
        required=True, allow_none=True, metadata={"description": "The host's own name for the player."}
    )
    token = fields.String()


class SituationSchema(Strict):
    """How a game stands: the same for everyone who may see it."""

    status = fields.String(
        required=True, validate=validate.OneOf(["open", "sealing", "playing", "ended", "aborted"])
    )
    to_act = fields.List(fields.Integer(), required=True)
    decisions = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    deadlines = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "By seat: when it runs out of time, or until when it must open its seal."},
    )
    left = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Milliseconds left of a total clock as of the latest entry, by seat."},
    )
    outcome = fields.Dict(required=True, allow_none=True)
    actions = fields.List(
        fields.Dict(), metadata={"description": "What you may do now; with `include=actions`."}
    )


class GameSchema(SituationSchema):
    """A game as the caller may see it."""

    id = fields.String(required=True)
    ruleset = fields.String(required=True)
    ruleset_version = fields.Integer(required=True)
    options = fields.Dict(required=True)
    origin = fields.Dict(required=True)
    private = fields.Boolean(required=True)
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    tags = fields.List(fields.String(), required=True)
    host = fields.String(required=True, allow_none=True)
    created = fields.String(required=True)
    now = fields.String(required=True, metadata={"description": "The server's time when it answered."})
    settled = fields.Boolean(required=True)
    abort_reason = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    you = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Your seat, if you have one."}
    )
    seats = fields.List(fields.Nested(GameSeatSchema), required=True)
    seals = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=validate.OneOf(["sealed", "open", "none"])),
        required=True,
        metadata={"description": "What has become of the entropy that each player sealed."},
    )
    seed_commitment = fields.String(required=True)
    fairness = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["sealed", "open", "server_only", "seeded", None]),
    )
    view = fields.Dict(required=True, allow_none=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    join_code = fields.String(
        metadata={"description": "Of a private game: to its seats, host and operators, while it is open."}
    )


class LobbyRowSchema(Strict):
    id = fields.String(required=True)
    ruleset = fields.String(required=True)
    options = fields.Dict(required=True)
    status = fields.String(required=True)
    created = fields.String(required=True)
    version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    to_act = fields.List(fields.Integer(), required=True)
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    tags = fields.List(fields.String(), required=True)
    host = fields.String(required=True, allow_none=True)
    private = fields.Boolean(required=True)
    outcome = fields.Dict(required=True, allow_none=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


def missing_parts() -> fields.List[Any]:
    """What a list lacks while a part of the store is away."""
    return fields.List(
        fields.String(),
        required=True,
        metadata={
            "description": "Parts of the store that did not answer, so that their games are not listed: the two"
            " digits that the ids of games begin with, or `standings`. Usually none."
        },
    )


class LobbySchema(Strict):
    items = fields.List(fields.Nested(LobbyRowSchema), required=True)
    next = fields.String(required=True, allow_none=True)
    missing = missing_parts()


class EntryNameSchema(Strict):
    seq = fields.Integer(required=True)
    hash = fields.String(required=True)


class SeatedSchema(Strict):
    seat = fields.Integer(required=True)
    token = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True)
    entry = fields.Nested(
        EntryNameSchema, metadata={"description": "The entry that seated the player: a receipt."}
    )


class LeftSchema(Strict):
    """The entry by which a seat was given up."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class TokenSchema(Strict):
    token = fields.String(required=True)


class TicketSchema(Strict):
    ticket = fields.String(required=True)
    expires = fields.String(required=True)


class LegalActionsSchema(Strict):
    version = fields.Integer(required=True)
    decision = fields.Integer(required=True, allow_none=True)
    seat = fields.Integer(required=True, allow_none=True)
    actions = fields.List(fields.Dict(), required=True)


class EventSchema(Strict):
    """An entry of the log as the caller may see it; the last three members open with the settlement."""

    seq = fields.Integer(required=True)
    type = fields.String(required=True, validate=validate.OneOf(list(DATA_TYPES)))
    at = fields.String(required=True)
    actor = fields.Dict(required=True)
    data = fields.Dict(required=True)
    game = fields.String(required=True)
    prev = fields.String(required=True)
    hash = fields.String(required=True)
    v = fields.Integer(required=True)
    salt = fields.String()
    state = fields.String(allow_none=True)
    req = fields.Dict(allow_none=True)


class StoppedSchema(Strict):
    index = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)


class ActedSchema(SituationSchema):
    """What came of an action: `event`; of a list of actions: `events` and where it stopped."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    event = fields.Nested(EventSchema)
    events = fields.List(fields.Nested(EventSchema))
    view = fields.Dict(required=True, allow_none=True)
    stopped = fields.Nested(StoppedSchema, allow_none=True)


class DryRunSchema(Strict):
    legal = fields.Boolean(required=True)
    code = fields.String()
    detail = fields.String()


class EventsSchema(Strict):
    items = fields.List(fields.Nested(EventSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class FrameSchema(Strict):
    """A game as it stood after one entry."""

    version = fields.Integer(required=True)
    event = fields.Nested(EventSchema, required=True)
    view = fields.Dict(required=True, allow_none=True)
    actions = fields.List(
        fields.Dict(), metadata={"description": "What its viewer could do then; with `include=actions`."}
    )


class FramesSchema(Strict):
    items = fields.List(fields.Nested(FrameSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class HeadSchema(Strict):
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    signature = fields.String(required=True, allow_none=True)
    key_id = fields.String(required=True, allow_none=True)


class KeySchema(Strict):
    key_id = fields.String(
        required=True,
        metadata={"description": "The first 16 hex digits of the SHA-256 of the key's 32 bytes."},
    )
    algorithm = fields.String(required=True, validate=validate.OneOf(["Ed25519"]))
    public_key = fields.String(required=True, validate=HEX64)
    since = fields.String(required=True)
    retired = fields.Boolean(required=True)


class KeysSchema(Strict):
    keys = fields.List(fields.Nested(KeySchema), required=True)


class ForkRowSchema(Strict):
    id = fields.String(required=True)
    version = fields.Integer(required=True, metadata={"description": "After which entry of the parent."})
    created = fields.String(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class ForksSchema(Strict):
    items = fields.List(fields.Nested(ForkRowSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class CheckSchema(Strict):
    check = fields.String(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(["pass", "fail", "not_checked"]))
    entry = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The first entry that fails."}
    )
    detail = fields.String(required=True, allow_none=True)


class AuditSchema(Strict):
    """What an audit found."""

    verdict = fields.String(required=True, validate=validate.OneOf(["pass", "fail", "incomplete"]))
    checks = fields.List(fields.Nested(CheckSchema), required=True)
    fairness = fields.String(required=True, allow_none=True)


class RecordSchema(Strict):
    """A whole game, to be checked anywhere."""

    format = fields.String(required=True)
    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    ruleset_version = fields.Integer(required=True)
    entries = fields.List(fields.Dict(), required=True)
    people = fields.List(fields.Dict(), required=True)
    head = fields.Dict(required=True)


class RulesetSchema(Strict):
    """A game that can be played."""

    id = fields.String(required=True)
    names = fields.Dict(required=True, metadata={"description": "Labels, by language and id."})
    nouns = fields.Dict(metadata={"description": "Things inside a sentence, by language and id."})
    sentences = fields.Dict(metadata={"description": "How facts are told, by language and type."})
    sentence_format = fields.String(
        metadata={"description": "The template language of sentences and refusals."}
    )
    refusals = fields.Dict(metadata={"description": "Why an action is refused, by language and code."})
    players = fields.Dict(required=True)
    versions = fields.List(fields.Integer(), required=True)
    bots = fields.List(fields.String(), required=True)
    options = fields.Dict(required=True, metadata={"description": "JSON Schema."})
    actions = fields.Dict(required=True, metadata={"description": "JSON Schema."})
    component_sets = fields.List(fields.Dict(), required=True)
    clock_restarts = fields.List(
        fields.String(),
        metadata={
            "description": "Members of the view whose change gives a seat that stays to act its time anew."
        },
    )
    layout = fields.Dict(metadata={"description": "Where things lie, signs and colours, by component set."})
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class RulesetsSchema(Strict):
    items = fields.List(fields.Nested(RulesetSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class ResultSchema(Strict):
    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    settled = fields.String(required=True)
    outcome = fields.Dict(required=True)
    players = fields.List(fields.String(allow_none=True), required=True)
    to_act = fields.List(fields.Integer(), required=True)
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    tags = fields.List(fields.String(), required=True)
    host = fields.String(required=True, allow_none=True)
    private = fields.Boolean(required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class PlayerStandingSchema(Strict):
    player = fields.String(required=True)
    host = fields.String(required=True, allow_none=True)
    ruleset = fields.String(required=True)
    played = fields.Integer(required=True)
    won = fields.Integer(required=True)
    shared = fields.Integer(required=True)


class ResultsSchema(Strict):
    items = fields.List(fields.Nested(ResultSchema), required=True)
    next = fields.String(required=True, allow_none=True)
    standings = fields.List(
        fields.Nested(PlayerStandingSchema),
        required=True,
        metadata={"description": "Of the players on this page, by ruleset; `/v1/standings` has everyone's."},
    )
    missing = missing_parts()


class StandingSchema(Strict):
    """What a player has achieved: two points for a win, one for a shared one, which counts as won, too."""

    host = fields.String(required=True, allow_none=True)
    ref = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    played = fields.Integer(required=True)
    won = fields.Integer(required=True)
    shared = fields.Integer(required=True)
    lost = fields.Integer(required=True)
    points = fields.Integer(required=True)


class StandingsSchema(Strict):
    items = fields.List(fields.Nested(StandingSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class NewWebhookSchema(Strict):
    """A receiver, and what it wants to be told: everything, unless it says."""

    url = fields.String(required=True, validate=validate.Length(max=2000))
    types = fields.List(fields.String(validate=validate.OneOf(TYPES)), validate=validate.Length(min=1, max=7))
    tag = fields.String(validate=validate.Length(min=1, max=64))


class WebhookSchema(Strict):
    id = fields.String(required=True)
    host = fields.String(required=True, allow_none=True)
    url = fields.String(required=True)
    types = fields.List(fields.String(), required=True)
    tag = fields.String(required=True, allow_none=True)
    created = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(["active", "failing", "disabled"]))
    reason = fields.String(required=True, allow_none=True)
    secret = fields.String(metadata={"description": "What deliveries are signed with: told here alone."})


class WebhooksSchema(Strict):
    items = fields.List(fields.Nested(WebhookSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class WebhookTestSchema(Strict):
    id = fields.String(required=True)


class HealthSchema(Strict):
    status = fields.String(required=True)


class ReadySchema(Strict):
    ready = fields.Boolean(required=True)
    checks = fields.Dict(required=True)

"""The log: events by their type, frames, and the head."""

from marshmallow import fields

from events.entries import DATA_TYPES
from services.api.schemas.games import FAIRNESS, PauseSchema
from services.api.schemas.parts import (
    Strict,
    Typed,
    anything,
    keyed,
    number,
    of_game,
    part,
    several,
    text,
    truth,
    word,
)
from services.api.schemas.requests import ClockSchema

FACTS = "What happened by the rules, in order; hidden members are null."
RANDOM = "What chance gave; told when the game is settled."
SIGNED = "The seat's signature, if it signs; for itself alone, until the game is settled."


class ActorSchema(Strict):
    """Who did something: exactly one of these."""

    seat = number("A seat.", optional=True)
    host = text("A host.", optional=True)
    operator = truth("An operator.", optional=True)
    anonymous = truth("Someone without a token.", optional=True)
    system = word(("worker", "clock"), "The server itself.", optional=True)


class RequestSchema(Strict):
    """Which call an entry came of: what makes a retry safe for ever."""

    key = text("The hash of caller and Idempotency-Key.")
    body = text("The hash of its body.")
    of = several(fields.Integer(), "The first and the last entry that it wrote.")


class EventSchema(Strict):
    """An entry of the log as the caller may see it; the last three members open with the settlement."""

    seq = number("Its number, from 1 on.")
    type = word(list(DATA_TYPES), "What kind of thing happened.")
    at = text("When, never before the entry before it.")
    actor = part(ActorSchema, "Who did it.")
    data = anything("What happened, by `type`.")
    game = text("The id of the game.")
    prev = text("The hash of the entry before; 64 zeros for the first.")
    hash = text("The hash of this entry.")
    v = number("The version of this form: 1.")
    salt = text("Keeps anyone from guessing an entry by its hash.", optional=True)
    state = text("The hash of the full state after it; null before the start.", null=True, optional=True)
    req = part(RequestSchema, "The request that it came of, as hashes.", null=True, optional=True)


# -- what each type of entry carries --------------------------------------------------------------------------------


class ComponentSetNameSchema(Strict):
    """A component set and the hash that pins it."""

    name = text("Its name.")
    sha256 = text("The hash of its data as canonical JSON.")


class ChanceDrawSchema(Strict):
    """One use of chance."""

    label = text("What it was for.")
    result = several(fields.Raw(), "What it gave, in order.")


class GameCreatedSchema(Strict):
    """A game was created."""

    ruleset = text("The id of its ruleset.")
    ruleset_version = number("The version of its rules.")
    component_set = part(ComponentSetNameSchema, "What it is played with.")
    options = of_game("Options", "How it is played.")
    seats = number("How many seats it has.")
    seed_commitment = text("The hash of the server's seed.")
    private = truth("Whether it is private.")
    clock = part(ClockSchema, "How long players have; null: no clock.", null=True)
    host = text("The host that created it, if one did.", null=True)
    origin = anything("Where it comes from: `kind`, and what belongs to it.")
    tags = several(fields.String(), "What its host finds it by.", optional=True)
    terms = number("By which terms the log is written; absent in games of the first.", optional=True)
    takebacks = truth("Whether players may take something back; since the third terms.", optional=True)
    rematch_of = text("The game of which it is a rematch.", null=True, optional=True)


class PlayerNameSchema(Strict):
    """A player as the log knows him."""

    name_hash = text("The hash of his name, which is kept elsewhere.", null=True)
    ref = text("The host's own name for him.", null=True)


class SeatTakenSchema(Strict):
    """Someone sat down."""

    seat = number("Which seat.")
    player = part(PlayerNameSchema, "Who.")
    bot = text("How the bot plays, if it is one.", null=True)
    entropy = text("Text that goes into the game's seed.", null=True)
    entropy_commitment = text("The seal of entropy that is told later.", null=True)
    public_key = text("The key that the seat signs with, if it does.", null=True, optional=True)
    bot_version = number("Which version of the bot, if it is one.", null=True, optional=True)


class SeatLeftSchema(Strict):
    """A seat was given up before the start."""

    seat = number("Which seat.")
    generation = number("From which generation on its tokens hold.")


class EntropyRevealedSchema(Strict):
    """A seal was opened."""

    seat = number("Which seat.")
    entropy = text("What was sealed.")


class SeatTokenRenewedSchema(Strict):
    """A seat has a new token."""

    seat = number("Which seat.")
    generation = number("From which generation on its tokens hold.")


class FactsSchema(Strict):
    """What followed by the rules."""

    facts = several(Typed("Fact"), FACTS)
    random = several(ChanceDrawSchema, RANDOM, optional=True)


class GameStartedSchema(FactsSchema):
    """All seats are taken, all seals open: the game lies ready."""


class ActionTakenSchema(FactsSchema):
    """A seat acted."""

    action = of_game("SeenAction", "What it asked for; of a secret action of others its type alone.")
    signed = anything(SIGNED, null=True, optional=True)


class TakenBackSchema(FactsSchema):
    """A seat took back its latest actions."""

    seat = number("Which seat.")
    to = number("The entry whose state is restored.")
    signed = anything(SIGNED, null=True, optional=True)


class SeatHandedOverSchema(Strict):
    """Another person took over a seat."""

    seat = number("Which seat.")
    player = part(PlayerNameSchema, "Who.")
    generation = number("From which generation on its tokens hold.")
    public_key = text("The key that the seat signs with, if it does.", null=True)


class TimeAddedSchema(Strict):
    """A seat got more time."""

    seat = number("Which seat.")
    seconds = number("How much.")


class PauseAgreedSchema(Strict):
    """A player would like a pause."""

    seat = number("Which seat.")


class GamePausedSchema(Strict):
    """The game is paused."""


class GameResumedSchema(Strict):
    """The game goes on."""


class SeatWithdrawnSchema(FactsSchema):
    """A seat has given up, or run out of time."""

    seat = number("Which seat.")
    cause = word(("resigned", "timed_out"), "Why.")
    signed = anything(SIGNED, null=True, optional=True)


class GameAdjudicatedSchema(FactsSchema):
    """Someone has judged the game."""

    outcome = of_game("Outcome", "How.")
    why = text("Why, for people.")


class GameAbortedSchema(Strict):
    """The game was called off."""

    reason = text("Why: `by_host`, `by_operator`, `by_creator`, or what the clock waited for in vain.")
    limit = number("How long, or how many entries, the clock waited.", optional=True)


class CheckSchema(Strict):
    """One check of an audit."""

    check = text("What was checked.")
    verdict = word(("pass", "fail", "not_checked"), "What was found.")
    entry = number("The first entry that fails.", null=True)
    detail = text("What is wrong, for people.", null=True)


class SettlementAuditSchema(Strict):
    """The audit that settled a game."""

    verdict = word(("pass", "fail", "incomplete"), "On the whole.")
    checks = several(CheckSchema, "Each check.")
    fairness = word(FAIRNESS, "What its chances were worth.", null=True)
    head = anything("The end of the log that was audited: `seq` and `hash`.", optional=True)


class GameSettledSchema(Strict):
    """The game is over and audited; everything lies open."""

    outcome = of_game("Outcome", "How it ended; null if it was called off.", null=True)
    seed = text("The server's seed.")
    audit = part(SettlementAuditSchema, "What the audit found.")


DATA = {
    "game_created": GameCreatedSchema,
    "seat_taken": SeatTakenSchema,
    "entropy_revealed": EntropyRevealedSchema,
    "seat_left": SeatLeftSchema,
    "seat_token_renewed": SeatTokenRenewedSchema,
    "game_started": GameStartedSchema,
    "action_taken": ActionTakenSchema,
    "taken_back": TakenBackSchema,
    "seat_withdrawn": SeatWithdrawnSchema,
    "seat_handed_over": SeatHandedOverSchema,
    "time_added": TimeAddedSchema,
    "pause_agreed": PauseAgreedSchema,
    "game_paused": GamePausedSchema,
    "game_resumed": GameResumedSchema,
    "game_adjudicated": GameAdjudicatedSchema,
    "game_aborted": GameAbortedSchema,
    "game_settled": GameSettledSchema,
}
"""What an event carries, by its type."""


# -- pages, frames, the head ----------------------------------------------------------------------------------------


class EventsSchema(Strict):
    """Some entries of a log, oldest first."""

    items = several(EventSchema, "The entries.")
    next = number("The `after` of the next page; null at the end.", null=True)


class FrameSchema(Strict):
    """A game as it stood after one entry."""

    version = number("How many entries the log had.")
    event = part(EventSchema, "The entry that led there.")
    view = of_game("View", "The state of play; null before the start.", null=True)
    actions = several(
        Typed("Action"), "What its viewer could do then; with `include=actions`.", optional=True
    )


class LiveFrameSchema(FrameSchema):
    """A frame of a stream: also how the game stands, so that nothing need be asked again."""

    status = text("How far the game is.")
    to_act = several(fields.Integer(), "The seats that may act now.")
    decisions = keyed(fields.Integer(), "By seat that is to act: the number of its decision.")
    deadlines = keyed(fields.String(), "By seat: when it runs out of time.")
    left = keyed(fields.Integer(), "Milliseconds left of a total clock or a reserve, by seat.")
    outcome = of_game("Outcome", "How it ended; null until then.", null=True)
    paused = part(PauseSchema, "Since when it is paused, and by whom; null: it is not.", null=True)
    pause_agreed = several(fields.Integer(), "The seats that have agreed to a pause.")
    takeback = number("The lowest version that your seat may return to now; null: none.", null=True)
    decision_hash = text("The hash of the entry that asked your seat to act.", null=True)


class FramesSchema(Strict):
    """Some frames, oldest first."""

    items = several(FrameSchema, "The frames.")
    next = number("The `from` of the next page; null at the end.", null=True)


class HeadSchema(Strict):
    """Where a log ends, signed."""

    game = text("The id of the game.")
    version = number("How many entries it has.")
    hash = text("The hash of the latest.")
    signature = text("The server's signature of them, if it signs.", null=True)
    key_id = text("Which key it is checked with.", null=True)

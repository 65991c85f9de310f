"""The log: events by their type, frames, and the head."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from events.entries import DATA_TYPES
from services.bodies.games import FAIRNESS, PauseBody
from services.bodies.parts import Labels, about, choices, component

FACTS = "What happened by the rules, in order; hidden members are null."

RANDOM = "What chance gave; told when the game is settled."

SIGNED = "The seat's signature, if it signs; for itself alone, until the game is settled."


class ActorBody(Struct, kw_only=True):
    """Who did something: exactly one of these."""

    seat: Annotated[int | UnsetType, about("A seat.")] = UNSET
    host: Annotated[str | UnsetType, about("A host.")] = UNSET
    operator: Annotated[bool | UnsetType, about("An operator.")] = UNSET
    anonymous: Annotated[bool | UnsetType, about("Someone without a token.")] = UNSET
    system: Annotated[str | UnsetType, choices(("worker", "clock")), about("The server itself.")] = UNSET


class RequestBody(Struct, kw_only=True):
    """Which call an entry came of: what makes a retry safe for ever."""

    key: Annotated[str, about("The hash of caller and Idempotency-Key.")]
    body: Annotated[str, about("The hash of its body.")]
    of: Annotated[Sequence[int], about("The first and the last entry that it wrote.")]


class EventBody(Struct, kw_only=True):
    """An entry of the log as the caller may see it; the last three members open with the settlement."""

    seq: Annotated[int, about("Its number, from 1 on.")]
    type: Annotated[str, choices(list(DATA_TYPES)), about("What kind of thing happened.")]
    at: Annotated[str, about("When, never before the entry before it.")]
    actor: Annotated[ActorBody, about("Who did it.")]
    data: Annotated[dict[str, Any], about("What happened, by `type`.")]
    game: Annotated[str, about("The id of the game.")]
    prev: Annotated[str, about("The hash of the entry before; 64 zeros for the first.")]
    hash: Annotated[str, about("The hash of this entry.")]
    v: Annotated[int, about("The version of this form: 1.")]
    salt: Annotated[str | UnsetType, about("Keeps anyone from guessing an entry by its hash.")] = UNSET
    state: Annotated[
        str | UnsetType | None, about("The hash of the full state after it; null before the start.")
    ] = UNSET
    req: Annotated[RequestBody | UnsetType | None, about("The request that it came of, as hashes.")] = UNSET


# -- what each type of entry carries --------------------------------------------------------------------------------


class ComponentSetNameBody(Struct, kw_only=True):
    """A component set and the hash that pins it."""

    name: Annotated[str, about("Its name.")]
    sha256: Annotated[str, about("The hash of its data as canonical JSON.")]


class ChanceDrawBody(Struct, kw_only=True):
    """One use of chance."""

    label: Annotated[str, about("What it was for.")]
    result: Annotated[Sequence[Any], about("What it gave, in order.")]


class GameCreatedBody(Struct, kw_only=True):
    """A game was created."""

    ruleset: Annotated[str, about("The id of its ruleset.")]
    ruleset_version: Annotated[int, about("The version of its rules.")]
    component_set: Annotated[ComponentSetNameBody, about("What it is played with.")]
    options: Annotated[Any, component("Options"), about("How it is played.")]
    seats: Annotated[int, about("How many seats it has.")]
    seed_commitment: Annotated[str, about("The hash of the server's seed.")]
    private: Annotated[bool, about("Whether it is private.")]
    clock: Annotated[Any, component("Clock", null=True), about("How long players have; null: no clock.")]
    host: Annotated[str | None, about("The host that created it, if one did.")]
    origin: Annotated[dict[str, Any], about("Where it comes from: `kind`, and what belongs to it.")]
    tags: Annotated[Sequence[str] | UnsetType, about("What its host finds it by.")] = UNSET
    terms: Annotated[
        int | UnsetType, about("By which terms the log is written; absent in games of the first.")
    ] = UNSET
    takebacks: Annotated[
        bool | UnsetType, about("Whether players may take something back; since the third terms.")
    ] = UNSET
    rematch_of: Annotated[str | UnsetType | None, about("The game of which it is a rematch.")] = UNSET


class PlayerNameBody(Struct, kw_only=True):
    """A player as the log knows him."""

    name_hash: Annotated[str | None, about("The hash of his name, which is kept elsewhere.")]
    ref: Annotated[str | None, about("The host's own name for him.")]


class SeatTakenBody(Struct, kw_only=True):
    """Someone sat down."""

    seat: Annotated[int, about("Which seat.")]
    player: Annotated[PlayerNameBody, about("Who.")]
    bot: Annotated[str | None, about("How the bot plays, if it is one.")]
    entropy: Annotated[str | None, about("Text that goes into the game's seed.")]
    entropy_commitment: Annotated[str | None, about("The seal of entropy that is told later.")]
    public_key: Annotated[str | UnsetType | None, about("The key that the seat signs with, if it does.")] = (
        UNSET
    )
    bot_version: Annotated[int | UnsetType | None, about("Which version of the bot, if it is one.")] = UNSET


class SeatLeftBody(Struct, kw_only=True):
    """A seat was given up before the start."""

    seat: Annotated[int, about("Which seat.")]
    generation: Annotated[int, about("From which generation on its tokens hold.")]


class EntropyRevealedBody(Struct, kw_only=True):
    """A seal was opened."""

    seat: Annotated[int, about("Which seat.")]
    entropy: Annotated[str, about("What was sealed.")]


class SeatTokenRenewedBody(Struct, kw_only=True):
    """A seat has a new token."""

    seat: Annotated[int, about("Which seat.")]
    generation: Annotated[int, about("From which generation on its tokens hold.")]


class FactsBody(Struct, kw_only=True):
    """What followed by the rules."""

    facts: Annotated[Sequence[Annotated[Any, component("Fact")]], about(FACTS)]
    random: Annotated[Sequence[ChanceDrawBody] | UnsetType, about(RANDOM)] = UNSET


class GameStartedBody(FactsBody, kw_only=True):
    """All seats are taken, all seals open: the game lies ready."""


class ActionTakenBody(FactsBody, kw_only=True):
    """A seat acted."""

    action: Annotated[
        Any, component("SeenAction"), about("What it asked for; of a secret action of others its type alone.")
    ]
    signed: Annotated[dict[str, Any] | UnsetType | None, about(SIGNED)] = UNSET


class TakenBackBody(FactsBody, kw_only=True):
    """A seat took back its latest actions."""

    seat: Annotated[int, about("Which seat.")]
    to: Annotated[int, about("The entry whose state is restored.")]
    signed: Annotated[dict[str, Any] | UnsetType | None, about(SIGNED)] = UNSET


class SeatHandedOverBody(Struct, kw_only=True):
    """Another person took over a seat."""

    seat: Annotated[int, about("Which seat.")]
    player: Annotated[PlayerNameBody, about("Who.")]
    generation: Annotated[int, about("From which generation on its tokens hold.")]
    public_key: Annotated[str | None, about("The key that the seat signs with, if it does.")]


class TimeAddedBody(Struct, kw_only=True):
    """A seat got more time."""

    seat: Annotated[int, about("Which seat.")]
    seconds: Annotated[int, about("How much.")]


class PauseAgreedBody(Struct, kw_only=True):
    """A player would like a pause."""

    seat: Annotated[int, about("Which seat.")]


class GamePausedBody(Struct, kw_only=True):
    """The game is paused."""


class GameResumedBody(Struct, kw_only=True):
    """The game goes on."""


class SeatWithdrawnBody(FactsBody, kw_only=True):
    """A seat has given up, or run out of time."""

    seat: Annotated[int, about("Which seat.")]
    cause: Annotated[str, choices(("resigned", "timed_out")), about("Why.")]
    signed: Annotated[dict[str, Any] | UnsetType | None, about(SIGNED)] = UNSET


class GameAdjudicatedBody(FactsBody, kw_only=True):
    """Someone has judged the game."""

    outcome: Annotated[Any, component("Outcome"), about("How.")]
    why: Annotated[str, about("Why, for people.")]


class GameAbortedBody(Struct, kw_only=True):
    """The game was called off."""

    reason: Annotated[
        str, about("Why: `by_host`, `by_operator`, `by_creator`, or what the clock waited for in vain.")
    ]
    limit: Annotated[int | UnsetType, about("How long, or how many entries, the clock waited.")] = UNSET


class CheckBody(Struct, kw_only=True):
    """One check of an audit."""

    check: Annotated[str, about("What was checked.")]
    verdict: Annotated[str, choices(("pass", "fail", "not_checked")), about("What was found.")]
    entry: Annotated[int | None, about("The first entry that fails.")]
    detail: Annotated[str | None, about("What is wrong, for people.")]


class SettlementAuditBody(Struct, kw_only=True):
    """The audit that settled a game."""

    verdict: Annotated[str, choices(("pass", "fail", "incomplete")), about("On the whole.")]
    checks: Annotated[Sequence[CheckBody], about("Each check.")]
    fairness: Annotated[str | None, choices(FAIRNESS), about("What its chances were worth.")]
    head: Annotated[
        dict[str, Any] | UnsetType, about("The end of the log that was audited: `seq` and `hash`.")
    ] = UNSET


class GameSettledBody(Struct, kw_only=True):
    """The game is over and audited; everything lies open."""

    outcome: Annotated[
        Any, component("Outcome", null=True), about("How it ended; null if it was called off.")
    ]
    seed: Annotated[str, about("The server's seed.")]
    audit: Annotated[SettlementAuditBody, about("What the audit found.")]


DATA = {
    "game_created": GameCreatedBody,
    "seat_taken": SeatTakenBody,
    "entropy_revealed": EntropyRevealedBody,
    "seat_left": SeatLeftBody,
    "seat_token_renewed": SeatTokenRenewedBody,
    "game_started": GameStartedBody,
    "action_taken": ActionTakenBody,
    "taken_back": TakenBackBody,
    "seat_withdrawn": SeatWithdrawnBody,
    "seat_handed_over": SeatHandedOverBody,
    "time_added": TimeAddedBody,
    "pause_agreed": PauseAgreedBody,
    "game_paused": GamePausedBody,
    "game_resumed": GameResumedBody,
    "game_adjudicated": GameAdjudicatedBody,
    "game_aborted": GameAbortedBody,
    "game_settled": GameSettledBody,
}

"""What an event carries, by its type."""


# -- pages, frames, the head ----------------------------------------------------------------------------------------


class EventsBody(Struct, kw_only=True):
    """Some entries of a log, oldest first."""

    items: Annotated[Sequence[Annotated[Any, component("Event")]], about("The entries.")]
    next: Annotated[int | None, about("The `after` of the next page; null at the end.")]


ActionsThen = Annotated[
    Sequence[Annotated[Any, component("Action")]] | UnsetType,
    about("What its viewer could do then; with `include=actions`."),
]


class ShownBody(Struct, kw_only=True):
    """A game as it stood after one entry, without what its viewer could do."""

    version: Annotated[int, about("How many entries the log had.")]
    event: Annotated[Any, component("Event"), about("The entry that led there.")]
    view: Annotated[Any, component("View", null=True), about("The state of play; null before the start.")]


class FrameBody(ShownBody, kw_only=True):
    """A game as it stood after one entry."""

    actions: ActionsThen = UNSET
    labels: Labels = UNSET


class LiveFrameBody(ShownBody, kw_only=True):
    """A frame of a stream: also how the game stands, so that nothing need be asked again."""

    status: Annotated[str, about("How far the game is.")]
    to_act: Annotated[Sequence[int], about("The seats that may act now.")]
    decisions: Annotated[dict[str, int], about("By seat that is to act: the number of its decision.")]
    deadlines: Annotated[dict[str, str], about("By seat: when it runs out of time.")]
    left: Annotated[dict[str, int], about("Milliseconds left of a total clock or a reserve, by seat.")]
    outcome: Annotated[Any, component("Outcome", null=True), about("How it ended; null until then.")]
    paused: Annotated[PauseBody | None, about("Since when it is paused, and by whom; null: it is not.")]
    pause_agreed: Annotated[Sequence[int], about("The seats that have agreed to a pause.")]
    takeback: Annotated[int | None, about("The lowest version that your seat may return to now; null: none.")]
    decision_hash: Annotated[str | None, about("The hash of the entry that asked your seat to act.")]
    actions: ActionsThen = UNSET
    labels: Labels = UNSET


class FramesBody(Struct, kw_only=True):
    """Some frames, oldest first."""

    items: Annotated[Sequence[FrameBody], about("The frames.")]
    next: Annotated[int | None, about("The `from` of the next page; null at the end.")]


class HeadBody(Struct, kw_only=True):
    """Where a log ends, signed."""

    game: Annotated[str, about("The id of the game.")]
    version: Annotated[int, about("How many entries it has.")]
    hash: Annotated[str, about("The hash of the latest.")]
    signature: Annotated[str | None, about("The server's signature of them, if it signs.")]
    key_id: Annotated[str | None, about("Which key it is checked with.")]

"""What a server answers, typed. Members that a later server adds are passed over.

Views, actions, facts and outcomes are plain JSON (`dict`): their shape is the ruleset's own, and `GET /v1/rulesets/{id}`
has its JSON Schemas.
"""

from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

from msgspec import Struct

Action = dict[str, Any]
View = dict[str, Any]
Status = Literal["open", "sealing", "playing", "ended", "aborted"]
OVER: tuple[Status, ...] = ("ended", "aborted")
T = TypeVar("T")


# -- what is sent -----------------------------------------------------------------------------------------------------


class Player(TypedDict):
    """Someone who sits down: a name, a bot's level, or both. `ref` is a host's own id for the player."""

    name: NotRequired[str]
    bot: NotRequired[str]
    ref: NotRequired[str]
    entropy: NotRequired[str]
    public_key: NotRequired[str]


class Clock(TypedDict):
    """So long for each turn, perhaps with a reserve; or so long for the whole game and a little more after each turn."""

    turn_seconds: NotRequired[int]
    reserve_seconds: NotRequired[int]
    total_seconds: NotRequired[int]
    increment_seconds: NotRequired[int]


class NewGame(TypedDict):
    """A game of `create_many`. `key` tells it apart from the others, also when it is sent again."""

    key: str
    ruleset: str
    players: NotRequired[list[Player]]
    seats: NotRequired[int]
    options: NotRequired[dict[str, Any]]
    private: NotRequired[bool]
    clock: NotRequired[Clock]
    tags: NotRequired[list[str]]
    seed: NotRequired[str]
    position: NotRequired[dict[str, Any]]
    lesson: NotRequired[str]
    takebacks: NotRequired[bool]


# -- games ------------------------------------------------------------------------------------------------------------


class Seat(Struct, kw_only=True, frozen=True):
    """A seat of a game; a free one has no name."""

    seat: int
    name: str | None
    bot: str | None
    withdrawn: str | None
    ref: str | None = None
    token: str | None = None
    """Where the game was created, and nowhere else."""


class Situation(Struct, kw_only=True, frozen=True):
    """How a game stands."""

    status: Status
    to_act: list[int]
    decisions: dict[int, int]
    deadlines: dict[int, str]
    left: dict[int, int] = {}
    """Milliseconds left of a total clock or a reserve as of the latest entry."""
    paused: dict[str, str] | None = None
    """Since when (`at`) the game is paused, and by whom (`by`: `host` or `players`)."""
    pause_agreed: list[int] = []
    takeback: int | None = None
    """The lowest version that you may return to now."""
    decision_hash: str | None = None
    """The hash of the entry that asked you to act: what a signed action is signed over."""
    outcome: dict[str, Any] | None = None
    actions: list[Action] | None = None
    """What you may do now, where that was asked for."""

    @property
    def is_over(self) -> bool:
        return self.status in OVER


class GameState(Situation, kw_only=True, frozen=True):
    """A game as its caller may see it."""

    id: str
    ruleset: str
    ruleset_version: int
    options: dict[str, Any]
    origin: dict[str, Any]
    private: bool
    clock: dict[str, int] | None
    created: str
    settled: bool
    version: int
    hash: str
    seats: list[Seat]
    seed_commitment: str
    fairness: str | None
    view: View | None
    links: dict[str, str]
    tags: list[str] = []
    host: str | None = None
    now: str | None = None
    you: int | None = None
    abort_reason: str | None = None
    takebacks: bool = False
    seals: dict[int, str] = {}
    join_code: str | None = None


class NewSeat(Struct, kw_only=True, frozen=True):
    """A seat whose player was named when its game was created."""

    seat: int
    token: str


class CreatedGame(Struct, kw_only=True, frozen=True):
    """One of many games that were created."""

    status: int
    id: str
    seats: list[NewSeat]


class Batch(Struct, kw_only=True, frozen=True):
    """Many games that were created."""

    items: list[CreatedGame]


class GameRow(Struct, kw_only=True, frozen=True):
    """A game in the lobby."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: Status
    created: str
    version: int
    seats: list[Seat]
    outcome: dict[str, Any] | None
    links: dict[str, str]
    to_act: list[int] = []
    deadlines: dict[int, str] = {}
    settled: bool = False
    clock: dict[str, int] | None = None
    tags: list[str] = []
    host: str | None = None
    private: bool = False


class Page(Struct, Generic[T], kw_only=True, frozen=True):
    """Some items of a list, and where the next ones begin."""

    items: list[T]
    next: str | int | None


# -- playing ----------------------------------------------------------------------------------------------------------


class LegalActions(Struct, kw_only=True, frozen=True):
    """Every action that the rules accept now, in its canonical form."""

    version: int
    decision: int | None
    seat: int | None
    actions: list[Action]


class Event(Struct, kw_only=True, frozen=True):
    """An entry of the log as its reader may see it."""

    seq: int
    type: str
    at: str
    actor: dict[str, Any]
    data: dict[str, Any]
    game: str
    prev: str
    hash: str

    @property
    def facts(self) -> list[dict[str, Any]]:
        """What happened, for an entry that has facts."""
        facts: list[dict[str, Any]] = self.data.get("facts", [])
        return facts


class Stopped(Struct, kw_only=True, frozen=True):
    """Where a list of actions stopped, and why."""

    index: int
    code: str
    detail: str


class Acted(Situation, kw_only=True, frozen=True):
    """What came of an action: `event`; of a list of actions: `events`, and where it stopped."""

    version: int
    hash: str
    view: View | None
    event: Event | None = None
    events: list[Event] = []
    stopped: Stopped | None = None


class Check(Struct, kw_only=True, frozen=True):
    """Whether an action would be accepted now, and if not, why."""

    legal: bool
    code: str | None = None
    detail: str | None = None


class Frame(Situation, kw_only=True, frozen=True):
    """A game as it stood after one entry, as sent by a live stream."""

    version: int
    event: Event
    view: View | None


class ReplayFrame(Struct, kw_only=True, frozen=True):
    """A game as it stood after one entry."""

    version: int
    event: Event
    view: View | None
    actions: list[Action] | None = None


class Seated(Struct, kw_only=True, frozen=True):
    """A seat that was taken; a bot's has no token. `entry` names the log's entry of it: a receipt."""

    seat: int
    token: str | None
    version: int
    entry: dict[str, Any] | None = None


class Left(Struct, kw_only=True, frozen=True):
    """The entry by which a seat was given up."""

    version: int
    hash: str


class Head(Struct, kw_only=True, frozen=True):
    """Where a log ends: keep it, and nobody can rewrite what came before unnoticed."""

    game: str
    version: int
    hash: str
    signature: str | None
    key_id: str | None


class HandoverCode(Struct, kw_only=True, frozen=True):
    """What lets another person, or another device, take over a seat, once."""

    code: str
    expires: str


class JoinedRematch(Struct, kw_only=True, frozen=True):
    """The next game of a table, and the seat there of who asked; a host has none."""

    game: GameState
    seat: int | None
    token: str | None


class Rematch(Struct, kw_only=True, frozen=True):
    """Whether there is a next game, and which seats of this one have asked for it."""

    game: str | None
    asked: list[int]


class Ticket(Struct, kw_only=True, frozen=True):
    """A read-only pass for where no token can be sent."""

    ticket: str
    expires: str


# -- many games -------------------------------------------------------------------------------------------------------


class Result(Struct, kw_only=True, frozen=True):
    """How a settled game ended; `players` are refs, by seat."""

    game: str
    ruleset: str
    settled: str
    outcome: dict[str, Any]
    players: list[str | None]
    links: dict[str, str]
    clock: dict[str, int] | None = None
    tags: list[str] = []
    host: str | None = None
    private: bool = False


class Standing(Struct, kw_only=True, frozen=True):
    """What a player has achieved: two points for a win, one for a shared one."""

    host: str | None
    ref: str
    name: str | None
    played: int
    won: int
    """Shared wins, too."""
    shared: int
    lost: int
    points: int
    won_alone: int = 0


class PlayerRating(Struct, kw_only=True, frozen=True):
    """How strong a player is, by OpenSkill; `ordinal` is what players are ranked by."""

    ref: str
    name: str | None
    mu: float
    sigma: float
    ordinal: float
    played: int


class FeedEvent(Struct, kw_only=True, frozen=True):
    """Something that happened in one of a host's games. `cursor` goes to `feed(after=…)`, to go on from there."""

    id: str
    type: str
    at: str
    game: str
    version: int
    status: Status
    tags: list[str]
    seats: list[dict[str, Any]]
    to_act: list[int]
    outcome: dict[str, Any] | None = None
    """How the game ended, of `game_ended` and `game_settled`."""
    rematch_of: str | None = None
    """The game before, of the `game_created` of a rematch."""
    cursor: str = ""


class Webhook(Struct, kw_only=True, frozen=True):
    """Where events are sent. `secret` is told when it is added, and never again."""

    id: str
    host: str | None
    url: str
    types: list[str]
    tag: str | None
    created: str
    state: str
    reason: str | None
    secret: str | None = None


# -- checking ---------------------------------------------------------------------------------------------------------


class AuditCheck(Struct, kw_only=True, frozen=True):
    check: str
    verdict: Literal["pass", "fail", "not_checked"]
    entry: int | None
    detail: str | None


class Audit(Struct, kw_only=True, frozen=True):
    """What an audit found."""

    verdict: Literal["pass", "fail", "incomplete"]
    checks: list[AuditCheck]
    fairness: str | None


class ReviewOption(Struct, kw_only=True, frozen=True):
    """Something that a seat could do, and how likely it was to win with it, in thousandths."""

    action: Action
    chance: int
    fact: dict[str, Any]


class ReviewDecision(Struct, kw_only=True, frozen=True):
    """What a seat decided, and what was clearly better: by what it could know, and (`open`) with all hands open."""

    version: int
    seat: int
    before: list[int]
    after: list[int]
    choices: int
    action: Action
    fact: dict[str, Any]
    chance: int | None
    better: list[ReviewOption]
    lost: int
    open_chance: int | None
    open: list[ReviewOption]
    luck: list[int] | None


class CurvePoint(Struct, kw_only=True, frozen=True):
    """How likely each seat was to win after an entry, in thousandths."""

    version: int
    chances: list[int]
    luck: list[int] | None


class TurningPoint(Struct, kw_only=True, frozen=True):
    """A decision that cost much."""

    version: int
    seat: int
    lost: int
    played: ReviewOption
    better: ReviewOption


class SeatReview(Struct, kw_only=True, frozen=True):
    """What a seat's own choices cost it, and what the draws gave it."""

    seat: int
    decisions: int
    skill: int
    luck: int


class Review(Struct, kw_only=True, frozen=True):
    """The review of a game; until it is `done`, only how far it is."""

    status: Literal["waiting", "running", "failed", "done"]
    progress: int
    version: int | None = None
    curve: list[CurvePoint] = []
    decisions: list[ReviewDecision] = []
    turning_points: list[TurningPoint] = []
    seats: list[SeatReview] = []


class Hint(Struct, kw_only=True, frozen=True):
    """A good move for your seat, and what it does in words; until it is `done`, only that it is being made."""

    status: Literal["waiting", "done"] = "done"
    action: Action | None = None
    label: str | None = None


class Fork(Struct, kw_only=True, frozen=True):
    """A game that began from a position of another one."""

    id: str
    version: int
    created: str
    links: dict[str, str]

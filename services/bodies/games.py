"""Games as answers show them: each of them, lists of them, and who sits there."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import Labels, Links, MissingParts, NextCursor, about, choices, component

STATUSES = ("open", "sealing", "playing", "ended", "aborted")
SEALS = ("sealed", "open", "none")
FAIRNESS = ("sealed", "open", "server_only", "seeded", None)
TAGS_MEANING = "What its host finds it by."
HOST_MEANING = "The host that created it, if one did."
CLOCK_MEANING = "How long players have; null: no clock."


class SeatBody(Struct, kw_only=True):
    """A seat, and who sits there."""

    seat: Annotated[int, about("Its number, from 0 on.")]
    name: Annotated[str | None, about("Who sits there; null: it is free.")]
    ref: Annotated[str | None, about("The host's own name for the player.")]
    bot: Annotated[str | None, about("How the bot plays that sits there, if it is one.")]
    withdrawn: Annotated[
        str | None, about("Why the seat has withdrawn (`resigned`, `timed_out`), if it has.")
    ]


class GameSeatBody(SeatBody, kw_only=True):
    """A seat of a game; its token stands there only where the game was created."""

    token: Annotated[str | UnsetType, about("The seat's token: keep it, it is told here alone.")] = UNSET


class PauseBody(Struct, kw_only=True):
    """Since when a game is paused, and by whom."""

    at: Annotated[str, about("When it was paused.")]
    by: Annotated[str, choices(("host", "players")), about("`host` stands for an operator, too.")]


class SituationBody(Struct, kw_only=True):
    """How a game stands: the same for everyone who may see it, but for the last two members and your actions."""

    status: Annotated[
        str,
        choices(STATUSES),
        about("`open`: seats are free; `sealing`: seals are closed; then it is played."),
    ]
    to_act: Annotated[Sequence[int], about("The seats that may act now, in ascending order.")]
    decisions: Annotated[
        dict[str, int], about("By seat that is to act: the number of its decision (`?decision=`).")
    ]
    deadlines: Annotated[
        dict[str, str], about("By seat: when it runs out of time, or until when it must open its seal.")
    ]
    left: Annotated[
        dict[str, int],
        about("Milliseconds left of a total clock or a reserve as of the latest entry, by seat."),
    ]
    outcome: Annotated[Any, component("Outcome", null=True), about("How it ended; null until then.")]
    paused: Annotated[PauseBody | None, about("Since when it is paused, and by whom; null: it is not.")]
    pause_agreed: Annotated[
        Sequence[int], about("The seats that have agreed to a pause since the latest action.")
    ]
    takeback: Annotated[int | None, about("The lowest version that your seat may return to now; null: none.")]
    decision_hash: Annotated[
        str | None, about("The hash of the entry that asked your seat to act, to be signed.")
    ]
    actions: Annotated[
        Sequence[Annotated[Any, component("Action")]] | UnsetType,
        about("What you may do now; with `include=actions`."),
    ] = UNSET
    labels: Labels = UNSET


class GameBody(SituationBody, kw_only=True):
    """A game as the caller may see it."""

    id: Annotated[str, about("Its id.")]
    ruleset: Annotated[str, about("The id of its ruleset.")]
    ruleset_version: Annotated[int, about("The version of the rules that it is played by.")]
    options: Annotated[Any, component("Options"), about("How it is played.")]
    origin: Annotated[
        dict[str, Any],
        about(
            "Where it comes from: `kind` is `fresh`, `seeded`, `position` or `fork`, the latter with `game` and `version`."
        ),
    ]
    private: Annotated[bool, about("Whether it is for those alone who have its code, until it is settled.")]
    clock: Annotated[Any, component("Clock", null=True), about(CLOCK_MEANING)]
    tags: Annotated[Sequence[str], about(TAGS_MEANING)]
    host: Annotated[str | None, about(HOST_MEANING)]
    created: Annotated[str, about("When it was created.")]
    now: Annotated[str, about("The server's time when it answered.")]
    settled: Annotated[bool, about("Whether it is over, audited, and open to all.")]
    abort_reason: Annotated[str | None, about("Why it was called off, if it was.")]
    version: Annotated[int, about("How many entries its log has.")]
    hash: Annotated[str, about("The hash of its latest entry.")]
    you: Annotated[int | None, about("Your seat, if you have one.")]
    seats: Annotated[Sequence[GameSeatBody], about("Its seats.")]
    seals: Annotated[
        dict[str, Annotated[str, choices(SEALS)]],
        about("By seat that is taken: what has become of the entropy that its player sealed."),
    ]
    seed_commitment: Annotated[
        str, about("The hash of the server's seed, which is opened when the game is settled.")
    ]
    fairness: Annotated[
        str | None, choices(FAIRNESS), about("What its chances are worth; null before the start.")
    ]
    view: Annotated[
        Any,
        component("View", null=True),
        about("The state of play as you may see it; null before the start."),
    ]
    takebacks: Annotated[bool, about("Whether players may take back actions that showed them nothing.")]
    links: Links
    join_code: Annotated[
        str | UnsetType, about("Of a private game: to its seats, host and operators, while it is open.")
    ] = UNSET


class NewSeatBody(Struct, kw_only=True):
    """A seat whose player was named, and its token."""

    seat: Annotated[int, about("Its number, from 0 on.")]
    token: Annotated[str, about("Its token: acts and sees for this seat.")]


class BatchItemBody(Struct, kw_only=True):
    """One of the games that were created."""

    status: Annotated[int, about("201, as if it had been created alone.")]
    id: Annotated[str, about("Its id.")]
    seats: Annotated[Sequence[NewSeatBody], about("The seats of people who were named.")]


class BatchBody(Struct, kw_only=True):
    """The games that were created, in the order of the request."""

    items: Annotated[Sequence[BatchItemBody], about("The games.")]


class LobbyRowBody(Struct, kw_only=True):
    """A game in the list of games."""

    id: Annotated[str, about("Its id.")]
    ruleset: Annotated[str, about("The id of its ruleset.")]
    options: Annotated[Any, component("Options"), about("How it is played.")]
    status: Annotated[str, choices(STATUSES), about("How far it is.")]
    created: Annotated[str, about("When it was created.")]
    version: Annotated[int, about("How many entries its log had when the list was made.")]
    seats: Annotated[Sequence[SeatBody], about("Its seats.")]
    to_act: Annotated[Sequence[int], about("Seats, in ascending order.")]
    deadlines: Annotated[dict[str, str], about("By seat: when it runs out of time.")]
    settled: Annotated[bool, about("Whether it is over, audited, and open to all.")]
    clock: Annotated[Any, component("Clock", null=True), about(CLOCK_MEANING)]
    tags: Annotated[Sequence[str], about(TAGS_MEANING)]
    host: Annotated[str | None, about(HOST_MEANING)]
    private: Annotated[bool, about("Whether it is private.")]
    outcome: Annotated[Any, component("Outcome", null=True), about("How it ended; null until then.")]
    links: Links


class LobbyBody(Struct, kw_only=True):
    """A page of games, newest first."""

    items: Annotated[Sequence[LobbyRowBody], about("The games of this page.")]
    next: NextCursor
    missing: MissingParts


class EntryNameBody(Struct, kw_only=True):
    """An entry by number and hash."""

    seq: Annotated[int, about("Its number in the log.")]
    hash: Annotated[str, about("Its hash.")]


class SeatedBody(Struct, kw_only=True):
    """The seat that was taken, or whose seal was opened."""

    seat: Annotated[int, about("Its number.")]
    token: Annotated[str | None, about("Its token: acts and sees for this seat; null for a bot's.")]
    version: Annotated[int, about("The version of the game now.")]
    entry: Annotated[EntryNameBody | UnsetType, about("The entry that seated the player: a receipt.")] = UNSET


class LeftBody(Struct, kw_only=True):
    """The entry by which a seat was given up."""

    version: Annotated[int, about("Its number in the log.")]
    hash: Annotated[str, about("Its hash.")]


class TokenBody(Struct, kw_only=True):
    """A seat's new token."""

    token: Annotated[str, about("The new one; the old one is dead.")]


class JoinedRematchBody(Struct, kw_only=True):
    """The next game, and the caller's seat in it. A host gets a token beside each seat that it has filled."""

    game: Annotated[GameBody, about("The game.")]
    seat: Annotated[int | None, about("The caller's seat; null for a host.")]
    token: Annotated[str | None, about("Its token; null for a host.")]


class RematchBody(Struct, kw_only=True):
    """Whether there is a next game of the same table."""

    game: Annotated[str | None, about("Its id; null until somebody asks for it.")]
    asked: Annotated[Sequence[int], about("The seats of this game whose players sit in the next one.")]


class HandoverCodeBody(Struct, kw_only=True):
    """What a host, or the new player, gets is a token; the seat itself gets a code to hand on."""

    token: Annotated[str | UnsetType, about("The seat's token; earlier ones are dead.")] = UNSET
    code: Annotated[str | UnsetType, about("For `POST …/takeover`, once.")] = UNSET
    expires: Annotated[str | UnsetType, about("Until when the code holds.")] = UNSET


class TicketBody(Struct, kw_only=True):
    """A read-only pass for ten minutes."""

    ticket: Annotated[str, about("To be sent as `?ticket=`.")]
    expires: Annotated[str, about("Until when it holds.")]


class ForkRowBody(Struct, kw_only=True):
    """A game that began from a position of another."""

    id: Annotated[str, about("Its id.")]
    version: Annotated[int, about("After which entry of the parent.")]
    created: Annotated[str, about("When it was created.")]
    links: Links


class ForksBody(Struct, kw_only=True):
    """The games that began from positions of one, oldest first."""

    items: Annotated[Sequence[ForkRowBody], about("The forks.")]
    next: NextCursor

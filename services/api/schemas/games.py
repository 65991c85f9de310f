"""Games as answers show them: each of them, lists of them, and who sits there."""

from marshmallow import fields, validate

from services.api.schemas.parts import (
    BY_SEAT_KEYS,
    Strict,
    Typed,
    anything,
    keyed,
    links,
    missing_parts,
    next_cursor,
    number,
    of_game,
    part,
    several,
    text,
    truth,
    word,
)
from services.api.schemas.requests import ClockSchema

STATUSES = ("open", "sealing", "playing", "ended", "aborted")
SEALS = ("sealed", "open", "none")
FAIRNESS = ("sealed", "open", "server_only", "seeded", None)
TAGS_MEANING = "What its host finds it by."
HOST_MEANING = "The host that created it, if one did."
CLOCK_MEANING = "How long players have; null: no clock."


class SeatSchema(Strict):
    """A seat, and who sits there."""

    seat = number("Its number, from 0 on.")
    name = text("Who sits there; null: it is free.", null=True)
    ref = text("The host's own name for the player.", null=True)
    bot = text("How the bot plays that sits there, if it is one.", null=True)
    withdrawn = text("Why the seat has withdrawn (`resigned`, `timed_out`), if it has.", null=True)


class GameSeatSchema(SeatSchema):
    """A seat of a game; its token stands there only where the game was created."""

    token = text("The seat's token: keep it, it is told here alone.", optional=True)


class PauseSchema(Strict):
    """Since when a game is paused, and by whom."""

    at = text("When it was paused.")
    by = word(("host", "players"), "`host` stands for an operator, too.")


class SituationSchema(Strict):
    """How a game stands: the same for everyone who may see it, but for the last two members and your actions."""

    status = word(STATUSES, "`open`: seats are free; `sealing`: seals are closed; then it is played.")
    to_act = several(fields.Integer(), "The seats that may act now, in ascending order.")
    decisions = keyed(fields.Integer(), "By seat that is to act: the number of its decision (`?decision=`).")
    deadlines = keyed(
        fields.String(), "By seat: when it runs out of time, or until when it must open its seal."
    )
    left = keyed(
        fields.Integer(), "Milliseconds left of a total clock or a reserve as of the latest entry, by seat."
    )
    outcome = of_game("Outcome", "How it ended; null until then.", null=True)
    paused = part(PauseSchema, "Since when it is paused, and by whom; null: it is not.", null=True)
    pause_agreed = several(fields.Integer(), "The seats that have agreed to a pause since the latest action.")
    takeback = number("The lowest version that your seat may return to now; null: none.", null=True)
    decision_hash = text("The hash of the entry that asked your seat to act, to be signed.", null=True)
    actions = several(Typed("Action"), "What you may do now; with `include=actions`.", optional=True)


class GameSchema(SituationSchema):
    """A game as the caller may see it."""

    id = text("Its id.")
    ruleset = text("The id of its ruleset.")
    ruleset_version = number("The version of the rules that it is played by.")
    options = of_game("Options", "How it is played.")
    origin = anything(
        "Where it comes from: `kind` is `fresh`, `seeded`, `position` or `fork`, the latter with `game` and `version`."
    )
    private = truth("Whether it is for those alone who have its code, until it is settled.")
    clock = part(ClockSchema, CLOCK_MEANING, null=True)
    tags = several(fields.String(), TAGS_MEANING)
    host = text(HOST_MEANING, null=True)
    created = text("When it was created.")
    now = text("The server's time when it answered.")
    settled = truth("Whether it is over, audited, and open to all.")
    abort_reason = text("Why it was called off, if it was.", null=True)
    version = number("How many entries its log has.")
    hash = text("The hash of its latest entry.")
    you = number("Your seat, if you have one.", null=True)
    seats = several(GameSeatSchema, "Its seats.")
    seals = keyed(
        fields.String(validate=validate.OneOf(SEALS)),
        "By seat that is taken: what has become of the entropy that its player sealed.",
    )
    seed_commitment = text("The hash of the server's seed, which is opened when the game is settled.")
    fairness = word(FAIRNESS, "What its chances are worth; null before the start.", null=True)
    view = of_game("View", "The state of play as you may see it; null before the start.", null=True)
    takebacks = truth("Whether players may take back actions that showed them nothing.")
    links = links()
    join_code = text("Of a private game: to its seats, host and operators, while it is open.", optional=True)


class LobbyRowSchema(Strict):
    """A game in the list of games."""

    id = text("Its id.")
    ruleset = text("The id of its ruleset.")
    options = of_game("Options", "How it is played.")
    status = word(STATUSES, "How far it is.")
    created = text("When it was created.")
    version = number("How many entries its log had when the list was made.")
    seats = several(SeatSchema, "Its seats.")
    to_act = several(fields.Integer(), BY_SEAT_KEYS)
    deadlines = keyed(fields.String(), "By seat: when it runs out of time.")
    settled = truth("Whether it is over, audited, and open to all.")
    clock = part(ClockSchema, CLOCK_MEANING, null=True)
    tags = several(fields.String(), TAGS_MEANING)
    host = text(HOST_MEANING, null=True)
    private = truth("Whether it is private.")
    outcome = of_game("Outcome", "How it ended; null until then.", null=True)
    links = links()


class LobbySchema(Strict):
    """A page of games, newest first."""

    items = several(LobbyRowSchema, "The games of this page.")
    next = next_cursor()
    missing = missing_parts()


class EntryNameSchema(Strict):
    """An entry by number and hash."""

    seq = number("Its number in the log.")
    hash = text("Its hash.")


class SeatedSchema(Strict):
    """The seat that was taken, or whose seal was opened."""

    seat = number("Its number.")
    token = text("Its token: acts and sees for this seat; null for a bot's.", null=True)
    version = number("The version of the game now.")
    entry = part(EntryNameSchema, "The entry that seated the player: a receipt.", optional=True)


class LeftSchema(Strict):
    """The entry by which a seat was given up."""

    version = number("Its number in the log.")
    hash = text("Its hash.")


class TokenSchema(Strict):
    """A seat's new token."""

    token = text("The new one; the old one is dead.")


class HandoverCodeSchema(Strict):
    """What a host, or the new player, gets is a token; the seat itself gets a code to hand on."""

    token = text("The seat's token; earlier ones are dead.", optional=True)
    code = text("For `POST …/takeover`, once.", optional=True)
    expires = text("Until when the code holds.", optional=True)


class TicketSchema(Strict):
    """A read-only pass for ten minutes."""

    ticket = text("To be sent as `?ticket=`.")
    expires = text("Until when it holds.")


class ForkRowSchema(Strict):
    """A game that began from a position of another."""

    id = text("Its id.")
    version = number("After which entry of the parent.")
    created = text("When it was created.")
    links = links()


class ForksSchema(Strict):
    """The games that began from positions of one, oldest first."""

    items = several(ForkRowSchema, "The forks.")
    next = next_cursor()

"""Clocks: how long each seat still has, and each game, told by the log alone."""

from typing import NamedTuple

from events.asking import first_left
from events.entries import Clock
from events.game import Game
from events.times import milliseconds, time_at, timestamp, utc_now
from games.kernel import is_lesson

__all__ = ["milliseconds", "timestamp", "utc_now"]

GRACE = 500
"""So many milliseconds after a deadline the clock withdraws a seat: what was sent in time may still be on its way."""


def due_times(game: Game) -> dict[int, int]:
    """For each seat on the clock, when it runs out, in milliseconds since 1970."""
    clock = game.created.clock
    if clock is None or game.paused:
        return {}
    if clock.turn_seconds is not None:
        return {seat: _end_of_stint(game, clock, seat) for seat in game.on_clock}
    now = milliseconds(game.at)
    return {seat: now + first_left(game, clock, seat) for seat in game.on_clock}


def _end_of_stint(game: Game, clock: Clock, seat: int) -> int:
    """When the time of a turn is over, and with it the reserve if there is one."""
    reserve = 0 if clock.reserve_seconds is None else first_left(game, clock, seat)
    return milliseconds(game.asked_at[seat]) + (clock.turn_seconds or 0) * 1000 + reserve


def time_left(game: Game) -> dict[int, int]:
    """What people who have not withdrawn have left of a total clock or a reserve, in milliseconds as of the latest entry."""
    clock = game.created.clock
    if clock is None or (clock.total_seconds is None and clock.reserve_seconds is None):
        return {}
    return {seat: first_left(game, clock, seat) for seat, chair in enumerate(game.chairs) if chair.staying}


class Patience(NamedTuple):
    """How long a game waits for its players before it is called off, in seconds, and how many entries it may have."""

    open_game: int = 7 * 24 * 3600
    seal: int = 600
    idle_game: int = 30 * 24 * 3600
    max_entries: int = 20_000
    idle_lesson: int = 3600
    anonymous_open_game: int | None = None
    """For a game that was created without a token; None: as `open_game`."""

    def for_open_game(self, game: Game) -> int:
        """How long an open game waits for players."""
        if is_lesson(game.created.ruleset, game.created.origin):
            return self.idle_lesson
        if self.anonymous_open_game is None or game.creator != {"anonymous": True}:
            return self.open_game
        return min(self.open_game, self.anonymous_open_game)


DEFAULT_PATIENCE = Patience()


def deadlines(game: Game, patience: Patience = DEFAULT_PATIENCE) -> dict[int, str]:
    """When each seat on the clock runs out of time; while it is sealing, until when each seal must be opened.

    Bots, and seats that a bot plays on, have no deadline.
    """
    if game.status == "sealing" and (waiting := called_off(game, patience)):
        return {seat: time_at(waiting.due) for seat, chair in enumerate(game.chairs) if chair.sealed}
    return {seat: time_at(due) for seat, due in due_times(game).items()}


class CalledOff(NamedTuple):
    """When a game is called off (in milliseconds since 1970), for what reason, and the limit that it has reached."""

    due: int
    reason: str
    limit: int


def called_off(game: Game, patience: Patience = DEFAULT_PATIENCE) -> CalledOff | None:
    """When a game that goes on like this is called off; None if it is over, or players run out of time before."""
    status = game.status
    if status in ("ended", "aborted"):
        return None
    if game.version >= patience.max_entries and not game.first_terms:
        return CalledOff(milliseconds(game.at), "too_long", patience.max_entries)
    match status:
        case "open":
            return _waited(game.created_at, "never_filled", patience.for_open_game(game))
        case "sealing":
            return _waited(game.full_since or game.created_at, "entropy_withheld", patience.seal)
    if game.first_terms or due_times(game):
        return None
    since = game.paused.at if game.paused else game.at
    lesson = is_lesson(game.created.ruleset, game.created.origin)
    return _waited(since, "abandoned", patience.idle_lesson if lesson else patience.idle_game)


def _waited(since: str, reason: str, limit: int) -> CalledOff:
    return CalledOff(milliseconds(since) + limit * 1000, reason, limit)


def next_deadline(game: Game, patience: Patience = DEFAULT_PATIENCE) -> int | None:
    """When the clock must be looked at next, in milliseconds since 1970, if any is running."""
    waiting = called_off(game, patience)
    if waiting:
        return waiting.due
    return min((due + grace(game) for due in due_times(game).values()), default=None)


def grace(game: Game) -> int:
    """How long after a deadline the clock withdraws a seat, in milliseconds."""
    return 0 if game.first_terms else GRACE

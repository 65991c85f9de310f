"""Turn clocks: how long each seat still has, told by the log alone."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from events.game import Game


def timestamp(moment: datetime) -> str:
    """A moment as the log writes it: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """The present moment as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")[: -len("+00:00")] + "Z"


def deadlines(game: Game) -> dict[int, str]:
    """For each seat on the clock, when it runs out. Bots, and seats that a bot plays on, have none."""
    clock = game.created.clock
    if clock is None:
        return {}
    return {
        seat: _later(asked, clock.turn_seconds)
        for seat, asked in game.asked_at.items()
        if not game.chairs[seat].bot and not game.chairs[seat].withdrawn
    }


class Patience(NamedTuple):
    """How long a game waits for its players before it is called off, in seconds."""

    open_game: int = 7 * 24 * 3600
    seal: int = 600


USUAL = Patience()


def called_off(game: Game, patience: Patience = USUAL) -> tuple[str, str] | None:
    """When a game that has not started is called off, and for what reason; None if it is not waiting any more."""
    match game.status:
        case "open":
            return _later(game.created_at, patience.open_game), "never_filled"
        case "sealing":
            return _later(game.full_since or game.created_at, patience.seal), "entropy_withheld"
    return None


def next_deadline(game: Game, patience: Patience = USUAL) -> int | None:
    """When the clock must be looked at next, in milliseconds since 1970, if any is running."""
    waiting = called_off(game, patience)
    times = [waiting[0]] if waiting else deadlines(game).values()
    return min(map(milliseconds, times), default=None)


def milliseconds(time: str) -> int:
    """A time of the log as milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def _later(time: str, seconds: int) -> str:
    return timestamp(datetime.fromisoformat(time) + timedelta(seconds=seconds))

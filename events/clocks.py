"""Turn clocks: how long each seat still has, told by the log alone."""

from datetime import UTC, datetime, timedelta

from events.game import Game


def timestamp(moment: datetime) -> str:
    """A moment as the log writes it: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """The present moment as the log writes it."""
    return timestamp(datetime.now(UTC))


def deadlines(game: Game) -> dict[int, str]:
    """For each seat on the clock, when it runs out. Bots, and seats that a bot plays on, have none."""
    clock = game.created.clock
    if clock is None:
        return {}
    turn = timedelta(seconds=clock.turn_seconds)
    return {
        seat: timestamp(datetime.fromisoformat(asked) + turn)
        for seat, asked in game.asked_at.items()
        if not game.chairs[seat].bot and not game.chairs[seat].withdrawn
    }


def next_deadline(game: Game) -> int | None:
    """When the first clock of a game runs out, in milliseconds since 1970, if any is running."""
    times = deadlines(game).values()
    return min((round(datetime.fromisoformat(time).timestamp() * 1000) for time in times), default=None)

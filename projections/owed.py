"""What a game's log asks of the workers: its settlement, the next move of a bot."""

from typing import NamedTuple

from events.game import Game


class Owed(NamedTuple):
    """Work that someone must do: `settle`, or `bot` for a seat and the decision it is asked for."""

    kind: str
    seat: int = 0
    decision: int = 0

    def __str__(self) -> str:
        return f"{self.kind}:{self.seat}:{self.decision}" if self.kind == "bot" else self.kind


def owed(game: Game) -> list[Owed]:
    """Everything owed as the game stands. What has been done is no longer owed by the game that follows."""
    if game.settled:
        return []
    if game.status in ("ended", "aborted"):
        return [Owed("settle")]
    return [
        Owed("bot", seat, game.decisions[seat])
        for seat in game.to_act
        if game.chairs[seat].bot or game.chairs[seat].withdrawn
    ]


def read_owed(text: str) -> Owed:
    """Owed work as it is written in the store."""
    kind, _, rest = text.partition(":")
    if not rest:
        return Owed(kind)
    seat, _, decision = rest.partition(":")
    return Owed(kind, int(seat), int(decision))

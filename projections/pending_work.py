"""Pending work: what a game's log asks of the workers, a settlement or the next move of a bot."""

import re
from typing import NamedTuple

import msgspec

from events.game import Chair, Game
from games.kernel import SEARCHING

WORK_PATTERN = re.compile(r"(settle|bot|think)(?::(\d+):(\d+))?")
"""How work is written in the store."""


class PendingWork(NamedTuple):
    """Work that someone must do: `settle`, or for a seat and the decision it is asked for `bot`, or `think` if it takes long."""

    kind: str
    seat: int = 0
    decision: int = 0

    def __str__(self) -> str:
        return self.kind if self.kind == "settle" else f"{self.kind}:{self.seat}:{self.decision}"


def pending_work(game: Game) -> list[PendingWork]:
    """Everything owed as the game stands. What has been done is no longer owed by the game that follows."""
    if game.settled:
        return []
    if game.status in ("ended", "aborted"):
        return [PendingWork("settle")]
    if game.paused:
        return []
    return [
        PendingWork(_kind(game.chairs[seat]), seat, game.decisions[seat])
        for seat in game.to_act
        if game.chairs[seat].bot or game.chairs[seat].withdrawn
    ]


def _kind(chair: Chair) -> str:
    """Does whoever plays this seat search, or is its move quickly chosen?"""
    return "think" if chair.bot in SEARCHING else "bot"


def read_pending_work(listed: bytes) -> list[PendingWork]:
    """Owed work as it is written in the store; what a later version has written, its own workers do."""
    read = filter(None, map(WORK_PATTERN.fullmatch, msgspec.json.decode(listed, type=list[str])))
    return [
        PendingWork(kind, int(seat or 0), int(decision or 0))
        for kind, seat, decision in (each.groups() for each in read)
    ]

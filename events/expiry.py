"""Command for clocks that have run out: it withdraws late seats, and aborts games that nobody starts or plays."""

from events import commands
from events.batch import EntryBatch
from events.clocks import Patience, called_off, grace
from events.times import milliseconds
from games.kernel import Refusal, Registry


class NobodyIsLate(Refusal):
    """No clock of this game has run out."""


def expire_clocks(batch: EntryBatch, patience: Patience, rulesets: Registry) -> None:
    """Do what a game's clocks call for at the moment of this page; NobodyIsLate if that is nothing (any more, or yet)."""
    waiting = called_off(batch.game, patience)
    if waiting is None:
        _withdraw_the_late(batch, rulesets)
    elif waiting.due <= milliseconds(batch.at):
        commands.abort(batch, commands.CLOCK_ACTOR, waiting.reason, waiting.limit)
    else:
        raise _nobody(batch)


def _withdraw_the_late(batch: EntryBatch, rulesets: Registry) -> None:
    """Late seats in ascending order; if everyone who is left is late, the game is called off instead."""
    late = _late(batch)
    if not late:
        raise _nobody(batch)
    if late == [seat for seat, chair in enumerate(batch.game.chairs) if not chair.withdrawn]:
        commands.abort(batch, commands.CLOCK_ACTOR, "all_timed_out")
        return
    for seat in late:
        if seat in _late(batch):  # an earlier withdrawal may have ended the game, or begun a new moment
            commands.withdraw(batch, seat, "timed_out", commands.CLOCK_ACTOR, rulesets)


def _late(batch: EntryBatch) -> list[int]:
    return commands.late_seats(batch.game, milliseconds(batch.at) - grace(batch.game))


def _nobody(batch: EntryBatch) -> NobodyIsLate:
    return NobodyIsLate("nobody_is_late", f"No clock of {batch.id} has run out.")

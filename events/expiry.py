"""What clocks call for that have run out: late seats are withdrawn, games that nobody begins or plays are called off."""

from events import acts
from events.clocks import Patience, called_off, grace
from events.scribe import Page
from events.times import milliseconds
from games.kernel import Refusal, Registry


class NobodyIsLate(Refusal):
    """No clock of this game has run out."""


def expire(page: Page, patience: Patience, rulesets: Registry) -> None:
    """Do what a game's clocks call for at the moment of this page; NobodyIsLate if that is nothing (any more, or yet)."""
    waiting = called_off(page.game, patience)
    if waiting is None:
        _withdraw_the_late(page, rulesets)
    elif waiting.due <= milliseconds(page.at):
        acts.abort(page, acts.CLOCK, waiting.reason, waiting.limit)
    else:
        raise _nobody(page)


def _withdraw_the_late(page: Page, rulesets: Registry) -> None:
    """Late seats in ascending order; if everyone who is left is late, the game is called off instead."""
    late = _late(page)
    if not late:
        raise _nobody(page)
    if late == [seat for seat, chair in enumerate(page.game.chairs) if not chair.withdrawn]:
        acts.abort(page, acts.CLOCK, "all_timed_out")
        return
    for seat in late:
        if seat in _late(page):  # an earlier withdrawal may have ended the game, or begun a new moment
            acts.withdraw(page, seat, "timed_out", acts.CLOCK, rulesets)


def _late(page: Page) -> list[int]:
    return acts.late(page.game, milliseconds(page.at) - grace(page.game))


def _nobody(page: Page) -> NobodyIsLate:
    return NobodyIsLate("nobody_is_late", f"No clock of {page.id} has run out.")

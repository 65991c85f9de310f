"""Clocks that have run out: late seats are withdrawn, games that nobody begins are called off."""

from events import acts
from events.clocks import called_off, deadlines
from events.scribe import Page
from games.kernel import Refusal
from services.core.ledger import Known, Ledger


class NobodyIsLate(Refusal):
    """No clock of this game has run out."""


def expire(ledger: Ledger, game_id: str) -> bool:
    """Do what a game's clocks call for at this moment; False if nobody is late (any more, or yet)."""

    def write(page: Page, known: Known) -> None:
        now = ledger.scribe.now()
        waiting = called_off(known.game, ledger.patience)
        if waiting and waiting[0] <= now:
            acts.abort(page, acts.CLOCK, waiting[1])
        else:
            _withdraw_the_late(page, now, ledger)

    try:
        ledger.change(game_id, write)
    except NobodyIsLate:
        return False
    return True


def _withdraw_the_late(page: Page, now: str, ledger: Ledger) -> None:
    """Late seats in ascending order; if everyone who is left is late, the game is called off instead."""
    late = _late(page, now)
    if not late:
        raise NobodyIsLate("nobody_is_late", f"No clock of {page.id} has run out.")
    if late == [seat for seat, chair in enumerate(page.game.chairs) if not chair.withdrawn]:
        acts.abort(page, acts.CLOCK, "all_timed_out")
        return
    for seat in late:
        if seat in _late(page, now):  # an earlier withdrawal may have ended the game, or begun a new moment
            acts.withdraw(page, seat, "timed_out", acts.CLOCK, ledger.rulesets)


def _late(page: Page, now: str) -> list[int]:
    return sorted(seat for seat, time in deadlines(page.game).items() if time <= now)

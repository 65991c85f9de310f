"""Clocks that have run out: late seats are withdrawn, games that nobody begins or plays are called off."""

from events import expiry
from services.core.ledger import Ledger


def expire(ledger: Ledger, game_id: str) -> bool:
    """Do what a game's clocks call for at this moment; False if nobody is late (any more, or yet)."""
    try:
        ledger.change(game_id, lambda page, _: expiry.expire(page, ledger.patience, ledger.rulesets))
    except expiry.NobodyIsLate:
        return False
    return True

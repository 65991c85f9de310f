"""The clock job: withdraws late seats, and aborts games that nobody starts or plays."""

from events import expiry
from services.core.ledger import Ledger


def expire_game(ledger: Ledger, game_id: str) -> bool:
    """Do what a game's clocks call for at this moment; False if nobody is late (any more, or yet)."""
    try:
        ledger.change(game_id, lambda batch, _: expiry.expire_clocks(batch, ledger.patience, ledger.rulesets))
    except expiry.NobodyIsLate:
        return False
    return True

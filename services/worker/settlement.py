"""Settlement: audits the log of a game that has ended, and closes it with its seed for everyone to check."""

import logging

from events import commands
from events.batch import EntryBatch
from games.kernel import Refusal
from replays.audit.audit import settlement
from replays.record import to_record
from services.core import metrics
from services.core.crash_points import crash_point
from services.core.ledger import Change, Dossier, Ledger

log = logging.getLogger(__name__)


class NothingToSettle(Refusal):
    """The game is settled already, or is still going on."""


def settle_game(ledger: Ledger, game_id: str) -> bool:
    """Audit an ended or aborted game and append what was found, whatever it was; False if there is nothing to do."""
    try:
        ledger.get(game_id)  # so that a game that others have settled is not audited in vain
        change = ledger.change(game_id, lambda batch, dossier: _close(ledger, batch, dossier))
    except NothingToSettle:
        return False
    assert isinstance(change, Change), "only requests with a key can be repeats"
    audit = change.entries[-1].data.audit
    metrics.SETTLED.labels(audit["verdict"]).inc()
    if audit["verdict"] == "fail":
        failed = [check for check in audit["checks"] if check["verdict"] == "fail"]
        log.error("the audit of a game failed", extra={"members": {"game": game_id, "checks": failed}})
    return True


def _close(ledger: Ledger, batch: EntryBatch, dossier: Dossier) -> None:
    game = dossier.game
    if game.settled or game.status not in ("ended", "aborted"):
        raise NothingToSettle("nothing_to_settle", f"{game.id} is settled, or has not ended.")
    entries = ledger.store.read(game.id, limit=game.version)
    audit = settlement(to_record(entries, dossier.people), ledger.rulesets, dossier.server_seed)
    crash_point("between the audit and its append")
    commands.settle(batch, dossier.server_seed, audit)

"""The hint job: lets the search choose a move for a seat, by what that seat sees, and keeps it for who asked."""

import logging
import traceback

import msgspec

from events.game import Game, ruleset_of
from events.store_errors import TRANSIENT
from projections.hints import HintRequest
from replays.hints import find_hint
from services.core import metrics
from services.core.crash_points import crash_point
from services.core.ledger import GameNotFound, Ledger
from services.core.public_status import hint_seat
from services.worker.thinking import THINKING_GUARD, ThinkingInterrupted

log = logging.getLogger(__name__)

MAX_HINT_TRIES = 3
"""How often somebody may set to work on one hint: if it kills whoever tries, it is given up."""


def make_hints(ledger: Ledger, game_id: str) -> None:
    """Make the hint that a game's player waits for; those for versions that have passed are dropped."""
    hints = ledger.projections.hints
    for request in hints.of_game(game_id):
        try:
            game = ledger.get(game_id).game
            seat = hint_seat(game)
            if game.version != request.version or seat is None or hints.begins(request) >= MAX_HINT_TRIES:
                hints.drop(request)
                continue
            with THINKING_GUARD.at_hand():
                body = hint_body(ledger, game, seat)
            crash_point("between a hint and its answer")
            hints.finish(request, game.hash, body)
            metrics.JOBS_DONE.labels("hint", "done").inc()
        except TRANSIENT:
            raise
        except ThinkingInterrupted:
            return  # another process is asked for it in a moment
        except GameNotFound:
            hints.drop(request)
        except Exception as error:  # it would fail again
            hints.drop(request)
            _report_failure(request, error)


def hint_body(ledger: Ledger, game: Game, seat: int) -> bytes:
    """The hint for a seat that is to act, as it is kept."""
    ruleset = ruleset_of(game, ledger.rulesets)
    return msgspec.json.encode(find_hint(ruleset, ruleset.view(game.state, seat), seat))


def _report_failure(request: HintRequest, error: Exception) -> None:
    """Log that a hint cannot be made, but nothing that is hidden: of an error its kind alone."""
    metrics.JOBS_DONE.labels("hint", "failed").inc()
    trace = "".join(traceback.format_tb(error.__traceback__))
    members = {"game": request.game, "error": type(error).__name__, "trace": trace}
    log.error("a hint cannot be made", extra={"members": members})

"""Job handlers. Each is idempotent: it may run twice, late, or at the same time as another."""

import logging
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

from prometheus_client import Counter

from events.clocks import milliseconds
from events.game import BrokenLog
from events.store_errors import TRANSIENT
from games.kernel import UnknownRuleset
from projections.catch_up import GameUnknown, Projected, catch_up, project_each
from projections.errors_as_values import unwrap
from projections.pending_work import pending_work
from services.core import lost_entries, metrics
from services.core.crash_points import crash_point
from services.core.ledger import GameNotFound, Ledger
from services.worker.bots import DecisionPassed, next_turn, play_bot
from services.worker.clock_job import expire_game
from services.worker.hint_job import make_hints
from services.worker.lease import hold_lease
from services.worker.queue import WorkQueue
from services.worker.rating_job import rate_pool
from services.worker.review_job import continue_review
from services.worker.settlement import settle_game
from services.worker.thinking import ThinkingInterrupted

log = logging.getLogger(__name__)

BOT_SECONDS = 0.1
"""How long a job goes on with one game's bots before others have their turn."""
JOBS_WITHOUT_CLAIM = ("project", "think")
"""Jobs that need no claim while they run, or see to it themselves."""
REPORTABLE_ERRORS = (UnknownRuleset, BrokenLog)
"""Errors whose message tells nothing that is hidden."""


@cache
def jobs_done_counter(job: str) -> Counter:
    """Where it is counted that a job was done."""
    return metrics.JOBS_DONE.labels(job, "done")


class JobHandlers:
    """The games, and the queue in which further work is asked for."""

    def __init__(self, ledger: Ledger, queue: WorkQueue) -> None:
        self.ledger = ledger
        self.projections = ledger.projections
        self.queue = queue

    # -- the jobs ---------------------------------------------------------------------------------------------------

    def project(self, games: Sequence[str]) -> None:
        """Bring games up to date with their logs, and ask for what they owe then; a store that was away is told at the end."""
        weather: list[Exception] = []
        outcomes = project_each(self.ledger.store, self.projections, self.ledger.rulesets, games)
        for game, projected in zip(games, outcomes, strict=True):
            try:
                with self._alone("project", game):
                    self._go_on(game, unwrap(projected))
            except TRANSIENT as error:
                weather.append(error)
        if weather:
            raise weather[0]

    def _go_on(self, game_id: str, projected: Projected) -> None:
        """Tell what was found in projecting a game, and have done what it owes."""
        game, clean, behind_since, lost = projected
        if lost:
            lost_entries.report_lost_entries(game_id, lost)
        if behind_since:
            metrics.PROJECTION_LAG.observe(time.time() - milliseconds(behind_since) / 1000)
        crash_point("between the checkpoint and the enqueue")
        if clean:
            self.queue.do_all(self.projections.client, game_id, pending_work(game))

    def play_bots(self, game_id: str) -> None:
        """Let the bots of a game decide what they are asked, and what they are asked next, for a while."""
        with self._alone("play_bots", game_id):
            self._play("bot", game_id)
            self._hand_on("play_bots", game_id)

    def think(self, game_id: str) -> None:
        """The same for bots that search, in the game that has the next turn (this one, if no other waits)."""
        game_id, payer = self.queue.thoughts.next() or (game_id, "")
        began = time.process_time()
        try:
            self._think(game_id)
        finally:
            with suppress(*TRANSIENT):
                self.queue.thoughts.charge(payer, time.process_time() - began)

    def _think(self, game_id: str) -> None:
        with self._alone("think", game_id):
            with hold_lease(self.queue, "think", game_id) as ours:
                if not ours:
                    return
                self._play("think", game_id)
            self._hand_on("think", game_id)

    def _play(self, kind: str, game_id: str) -> None:
        until = time.monotonic() + BOT_SECONDS
        looked = self.ledger.get(game_id)
        with suppress(DecisionPassed, ThinkingInterrupted):
            while (turn := next_turn(looked.game, kind)) and time.monotonic() < until:
                play_bot(self.ledger, looked, turn.seat, turn.decision)
                looked = self.ledger.cached(game_id)

    def settle(self, game_id: str) -> None:
        """Audit a game that is over, and close its log."""
        with self._alone("settle", game_id):
            settle_game(self.ledger, game_id)
            self._hand_on("settle", game_id)

    def expire(self, game_id: str) -> None:
        """Do what a game's clocks call for; a deadline that was wrong is put right."""
        with self._alone("expire", game_id):
            if expire_game(self.ledger, game_id):
                self._hand_on("expire", game_id)
            else:
                catch_up(self.ledger.store, self.projections, self.ledger.rulesets, game_id)

    def review(self, game_id: str) -> None:
        """Go on with a review for a while; if there is more to do, others have their turn first."""
        with hold_lease(self.queue, "review", game_id) as ours:
            more = ours and continue_review(self.ledger, self.queue, game_id)
        if more:
            self.queue.done("review", game_id)
            self.queue.review(game_id)

    def hint(self, game_id: str) -> None:
        """Make the hint that a game's player waits for."""
        with hold_lease(self.queue, "hint", game_id) as ours:
            if ours:
                make_hints(self.ledger, game_id)
        if ours:
            self.queue.done("hint", game_id)

    def rate(self) -> None:
        """Rate some matches of each pool that has any to rate; if there are more, others have their turn first."""
        ratings = self.projections.ratings
        with hold_lease(self.queue, "rate", "ratings") as ours:
            if not ours:
                return
            more = [rate_pool(ratings, pool) for pool in ratings.stale_pools()]
        self.queue.done("rate", "ratings")
        jobs_done_counter("rate").inc()
        if any(more):
            self.queue.rate()

    def _hand_on(self, job: str, game_id: str) -> None:
        """Give the claim back, then look once more: what came up meanwhile found it taken."""
        self.queue.done(job, game_id)
        self.queue.do_all(self.projections.client, game_id, pending_work(self.ledger.get(game_id).game))

    # -- failures ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _alone(self, job: str, game: str) -> Iterator[None]:
        """A game that cannot go on is told, and tried again later; it harms no other."""
        try:
            if job not in JOBS_WITHOUT_CLAIM:
                self.queue.begin(job, game)
            yield
        except TRANSIENT:
            raise
        except (GameUnknown, GameNotFound):
            self.projections.forget(game)
        except Exception as error:
            self._give_up(job, game, error)
        else:
            jobs_done_counter(job).inc()

    def _give_up(self, job: str, game: str, error: Exception) -> None:
        """Tell that a game is stuck, but nothing that is hidden: of most errors neither message nor values."""
        metrics.JOBS_DONE.labels(job, "failed").inc()
        kind = type(error).__name__
        reason = f"{kind}: {error}" if isinstance(error, REPORTABLE_ERRORS) else kind
        trace = "".join(traceback.format_tb(error.__traceback__))
        members = {"game": game, "job": job, "error": reason, "trace": trace}
        log.error("a game is stuck", extra={"members": members})
        self.projections.mark_stuck(game, f"{job}: {reason}")
        self.queue.failed(job, game)

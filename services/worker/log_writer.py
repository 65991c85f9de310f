"""Writer of the transparency log: adds the leaves that wait, publishes a checkpoint, and has witnesses cosign it.

One process writes at a time, by a lease. It works in a thread of its own, so that a slow witness keeps no worker from
other jobs.
"""

import logging
import threading
import time
from collections.abc import Sequence

from events.store import Client
from events.store_errors import STORE_FAILED
from projections.unlogged import Unlogged
from replays.audit.verify import game_leaf
from services.core.crash_points import crash_point
from services.core.settings import LogWitness, Settings
from services.core.signing import log_identity
from services.core.transparency_log import AnotherLog, TransparencyLog, transparency_log_of
from services.worker.lease import hold_lease
from services.worker.queue import WorkQueue
from services.worker.witness_client import offer_to_witnesses

log = logging.getLogger(__name__)

WRITE_LOG_JOB, THE_LOG = "write_log", "tlog"
"""What the lease is called."""


class LogWriter:
    """Writes the log of one server."""

    def __init__(
        self,
        client: Client,
        queue: WorkQueue,
        log: TransparencyLog,
        identity: tuple[str, bytes],
        seconds: int,
        witnesses: Sequence[LogWitness] = (),
        *,
        allow_private: bool = False,
    ) -> None:
        self.unlogged = Unlogged(client)
        self.queue = queue
        self.log = log
        self.identity = identity
        self.seconds = seconds
        self.witnesses = witnesses
        self.allow_private = allow_private
        """May witnesses be on addresses that are not on the public internet?"""
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin a turn, unless one is under way in this process; this does not wait for it."""
        if self._lock.acquire(blocking=False):
            threading.Thread(target=self._run, name="write the log", daemon=True).start()

    def _run(self) -> None:
        try:
            self.turn(time.time())
        except STORE_FAILED as error:
            log.warning("the transparency log waits for the store: %s", type(error).__name__)
        except AnotherLog as problem:
            log.error("%s", problem)
        except Exception:
            log.exception("the transparency log cannot be written")
        finally:
            self._lock.release()

    def turn(self, now: float) -> None:
        """Write what waits, if no other process does."""
        with hold_lease(self.queue, WRITE_LOG_JOB, THE_LOG) as ours:
            if ours:
                self.write(now)

    def write(self, now: float) -> None:
        """Add what waits and publish it, unless the checkpoint before is too young."""
        files, signer = self.log.ready(*self.identity)
        latest = files.latest_checkpoint()
        if latest and 0 <= now - latest.at < self.seconds:
            return
        marks = self.unlogged.all()
        leaves = [game_leaf(*mark) for mark in marks]
        files.append([leaf for leaf in leaves if not self.log.holds(leaf)])
        crash_point("between the leaves and their tiles")
        files.write_full_tiles()
        crash_point("between the tiles and the checkpoint")
        files.publish(signer, now)
        crash_point("between the checkpoint and the marks")
        self.unlogged.remove(marks)
        if self.witnesses:
            offer_to_witnesses(files, self.witnesses, allow_private=self.allow_private)


def make_log_writer(settings: Settings, client: Client, queue: WorkQueue) -> LogWriter | None:
    """The writer of these settings; None if there is no log to write."""
    log = transparency_log_of(settings)
    if log is None:
        return None
    return LogWriter(
        client,
        queue,
        log,
        log_identity(settings),
        settings.log_seconds,
        settings.witnesses,
        allow_private=settings.webhook_allow_private == 1,
    )

"""A witness of transparency logs (C2SP tlog-witness): cosigns what continues the checkpoint it saw before, nothing else."""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from replays.audit.verify import (
    Checkpoint,
    Fault,
    is_consistent,
    is_signed_by,
    is_successor,
    read_checkpoint,
)
from replays.transparency.notes import NoteSigner, Submission, read_submission
from services.core.archive import write_atomically

log = logging.getLogger(__name__)

PLAIN_TEXT, TREE_SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


class WitnessAnswer(NamedTuple):
    """What a log is answered."""

    status: int
    body: str
    content_type: str = PLAIN_TEXT


class Witness:
    """Keeps the latest checkpoint of each log that it follows, and refuses what is not consistent with it."""

    def __init__(
        self,
        signer: NoteSigner,
        logs: Mapping[str, bytes],
        directory: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.signer = signer
        self.logs = logs
        """The public keys of the logs, by origin."""
        self.directory = directory
        self._now = now
        self._lock = threading.Lock()

    def add_checkpoint(self, text: str) -> WitnessAnswer:
        """Cosign a checkpoint, or say why not."""
        try:
            sent = read_submission(text)
        except Fault as fault:
            return WitnessAnswer(400, f"{fault.detail}\n")
        checkpoint = sent.checkpoint
        public = self.logs.get(checkpoint.origin)
        if public is None:
            return WitnessAnswer(404, self._unknown(checkpoint))
        if not _is_genuine(checkpoint, public):
            return WitnessAnswer(403, "It is not signed with the key of that log.\n")
        if sent.old > checkpoint.size:
            return WitnessAnswer(400, "The old size is larger than the checkpoint.\n")
        with self._lock:
            return self._judge(sent)

    def latest(self, origin: str) -> Checkpoint | None:
        """The latest checkpoint of a log that this witness has signed."""
        try:
            return read_checkpoint(self._file(origin).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def _judge(self, sent: Submission) -> WitnessAnswer:
        checkpoint, seen = sent.checkpoint, self.latest(sent.checkpoint.origin)
        size = seen.size if seen else 0
        if sent.old != size:
            if checkpoint.size < size:
                self._report(checkpoint, f"it shows {checkpoint.size} leaves, and had {size}")
            return WitnessAnswer(409, f"{size}\n", TREE_SIZE)
        if seen and checkpoint.size == size and checkpoint.root != seen.root:
            self._report(checkpoint, f"it has signed two trees of {size} leaves")
            return WitnessAnswer(409, f"{size}\n", TREE_SIZE)
        root = seen.root if seen else b""
        if not is_consistent(size, root, checkpoint.size, checkpoint.root, sent.proof):
            self._report(checkpoint, f"its {checkpoint.size} leaves do not continue the {size} that it had")
            return WitnessAnswer(422, "It is not shown to continue the checkpoint that was seen before.\n")
        write_atomically(self._file(checkpoint.origin), sent.note.encode())
        return WitnessAnswer(200, self.signer.cosignature(checkpoint, int(self._now())))

    def _unknown(self, checkpoint: Checkpoint) -> str:
        """What is said of a log that is not followed; a successor of one that is tells of a rollback."""
        for origin, public in self.logs.items():
            if is_successor(checkpoint.origin, origin) and _is_genuine(checkpoint, public):
                self._report(checkpoint, f"it succeeds {origin}, which was rolled back")
        return "This log is not followed here.\n"

    def _report(self, checkpoint: Checkpoint, problem: str) -> None:
        """Name a log that breaks its word, and keep what it has signed as evidence."""
        origin = checkpoint.origin
        log.error("a log breaks its promise", extra={"members": {"log": origin, "problem": problem}})
        evidence = self._file(origin).with_suffix(f".{checkpoint.size}.evidence")
        signatures = "".join(f"{name} {signature.hex()}\n" for name, signature in checkpoint.signatures)
        write_atomically(evidence, f"{problem}\n\n".encode() + checkpoint.body + b"\n" + signatures.encode())

    def _file(self, origin: str) -> Path:
        return self.directory / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.checkpoint"


def _is_genuine(checkpoint: Checkpoint, public: bytes) -> bool:
    try:
        return is_signed_by(checkpoint, public)
    except Fault:
        return False

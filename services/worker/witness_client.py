"""Client of witnesses (C2SP tlog-witness): offers each checkpoint, and publishes the cosignatures that come back."""

import logging
from collections.abc import Sequence

from replays.transparency.notes import MOST_NOTE_BYTES, accepted_cosignatures, submission_text
from services.core.log_files import LogFiles, PublishedCheckpoint
from services.core.outbound_http import Undeliverable, post_and_read
from services.core.settings import LogWitness

log = logging.getLogger(__name__)


class NotCosigned(Exception):
    """Why a witness did not sign."""


def offer_to_witnesses(files: LogFiles, witnesses: Sequence[LogWitness], *, allow_private: bool) -> None:
    """Have every witness sign the latest checkpoint that has not yet; what hinders one is logged once."""
    checkpoint = files.latest_checkpoint()
    for witness in witnesses:
        if checkpoint is None or files.cosigned_size(witness.name) == checkpoint.size:
            continue
        try:
            lines = cosigned_by(witness, files, checkpoint, allow_private=allow_private)
        except NotCosigned as problem:
            if files.note_problem(witness.name, str(problem)):
                members = {"witness": witness.name, "leaves": checkpoint.size, "problem": str(problem)}
                log.error("a witness does not sign the transparency log", extra={"members": members})
            continue
        files.add_cosignatures(checkpoint.size, witness.name, lines)


def cosigned_by(
    witness: LogWitness, files: LogFiles, checkpoint: PublishedCheckpoint, *, allow_private: bool
) -> str:
    """The signature lines of one witness; it may have seen more or less than we remember, and says so."""
    old = files.cosigned_size(witness.name)
    for _ in range(2):
        proof = files.tree(checkpoint.size).consistency(old)
        body = submission_text(old, proof, checkpoint.note).encode()
        status, answer = _send(witness, body, allow_private=allow_private)
        if status == 200:
            lines = accepted_cosignatures(checkpoint.note, answer, witness.name, witness.public)
            if not lines:
                raise NotCosigned("it answered without a cosignature of its key")
            return lines
        if status != 409 or not answer.strip().isdecimal():
            raise NotCosigned(f"it answered {status}: {answer.strip()[:200]}")
        old = int(answer)
        if old > checkpoint.size:
            raise NotCosigned(
                f"it has seen {old} leaves of this log, which has {checkpoint.size}: it was rolled back"
            )
    raise NotCosigned(f"it has seen another log of {old} leaves by this name")


def _send(witness: LogWitness, body: bytes, *, allow_private: bool) -> tuple[int, str]:
    headers = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "stele"}
    try:
        status, answer = post_and_read(
            f"{witness.url}/add-checkpoint", body, headers, allow_private=allow_private, most=MOST_NOTE_BYTES
        )
    except Undeliverable as problem:
        raise NotCosigned(str(problem)) from None
    return status, answer.decode(errors="replace")

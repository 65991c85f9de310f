"""Signed notes (C2SP): checkpoints of a log, cosignatures of witnesses, proofs, and the keys they are checked with."""

from base64 import b64encode
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replays.audit.verify import (
    COSIGNATURE_KEY,
    NOTE_KEY,
    TILE_WIDTH,
    Checkpoint,
    Fault,
    cosigned_at,
    decode64,
    note_key_id,
    read_checkpoint,
)

MOST_NOTE_BYTES = 16_384
"""A checkpoint with dozens of signatures."""
MOST_PROOF_LINES = 63


def encode64(content: bytes) -> str:
    return b64encode(content).decode()


class NoteSigner:
    """Signs notes under a name; as a witness, it cosigns checkpoints of others."""

    def __init__(self, name: str, private: bytes) -> None:
        self.name = name
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    def checkpoint(self, size: int, root: bytes) -> str:
        """A checkpoint of the log of this name."""
        body = f"{self.name}\n{size}\n{encode64(root)}\n"
        return f"{body}\n{self._line(NOTE_KEY, self._key.sign(body.encode()))}"

    def cosignature(self, checkpoint: Checkpoint, at: int) -> str:
        """The line that says that this witness has seen this checkpoint, and none that contradicts it."""
        message = f"cosignature/v1\ntime {at}\n".encode() + checkpoint.body
        return self._line(COSIGNATURE_KEY, at.to_bytes(8, "big") + self._key.sign(message))

    def _line(self, kind: int, signature: bytes) -> str:
        return f"\u2014 {self.name} {encode64(note_key_id(self.name, kind, self.public) + signature)}\n"


def verifier_key(name: str, public: bytes, kind: int = NOTE_KEY) -> str:
    """A public key as signed notes write it: what somebody gives a witness, or an auditor."""
    return f"{name}+{note_key_id(name, kind, public).hex()}+{encode64(bytes([kind]) + public)}"


def proof_text(index: int, path: list[bytes], note: str) -> str:
    """A C2SP tlog-proof."""
    lines = ["c2sp.org/tlog-proof@v1", f"index {index}", *map(encode64, path)]
    return "\n".join(lines) + f"\n\n{note}"


# -- what is sent to a witness ----------------------------------------------------------------------------------------


class Submission(NamedTuple):
    """A checkpoint as it is offered to a witness, with the proof that it continues one that the witness has seen."""

    old: int
    proof: list[bytes]
    note: str
    checkpoint: Checkpoint


def submission_text(old: int, proof: list[bytes], note: str) -> str:
    return "\n".join([f"old {old}", *map(encode64, proof)]) + f"\n\n{note}"


def read_submission(text: str) -> Submission:
    """What was sent to a witness; a Fault if it is nothing of the kind."""
    head, _, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    try:
        word, number = first.split(" ")
        old = int(number)
        if word != "old" or str(old) != number or old < 0 or len(lines) > MOST_PROOF_LINES:
            raise ValueError
        return Submission(old, list(map(decode64, lines)), note, read_checkpoint(note))
    except ValueError:
        raise Fault(None, "not a checkpoint with a consistency proof") from None


def accepted_cosignatures(note: str, answer: str, name: str, public: bytes) -> str:
    """The lines of a witness's answer that are its cosignatures of this checkpoint; none if there is no such line."""
    kept = ""
    for line in answer.splitlines(keepends=True):
        try:
            signed = read_checkpoint(note + line)
        except Fault:
            continue
        if cosigned_at(signed._replace(signatures=signed.signatures[-1:]), name, public) is not None:
            kept += line
    return kept


# -- bundles of leaves ------------------------------------------------------------------------------------------------


def bundle(leaves: list[bytes]) -> bytes:
    """Leaves as they are published: each after its length."""
    return b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves)


def unbundled(content: bytes, most: int = TILE_WIDTH) -> list[bytes]:
    """The first leaves of a bundle."""
    leaves: list[bytes] = []
    at = 0
    while at < len(content) and len(leaves) < most:
        length = int.from_bytes(content[at : at + 2], "big")
        leaves.append(content[at + 2 : at + 2 + length])
        at += 2 + length
    return leaves

"""Signed notes: checkpoints, cosignatures, proofs and their keys."""

import pytest

from replays.audit.verify import (
    COSIGNATURE_KEY,
    Fault,
    cosigned_at,
    decode64,
    is_signed_by,
    is_successor,
    note_key_id,
    read_checkpoint,
    read_log_keys,
    read_proof,
    read_verifier_key,
    signature_of,
)
from replays.transparency.notes import (
    NoteSigner,
    accepted_cosignatures,
    bundle,
    encode64,
    proof_text,
    read_submission,
    submission_text,
    unbundled,
    verifier_key,
)

LOG = NoteSigner("example.org/log", bytes(range(32)))
WITNESS = NoteSigner("club.example/witness", bytes(range(1, 33)))
NOTE = LOG.checkpoint(7, bytes(32))

PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED_SEED = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLISHED_LINE = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
PUBLISHED_TEXT = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
)
"""The example of Go's package `note`, where signed notes come from."""


def test_keys_and_signatures_are_those_of_the_published_example() -> None:
    name, kind, public = read_verifier_key(PUBLISHED_KEY)
    signer = NoteSigner(name, decode64(PUBLISHED_SEED)[1:])
    assert signer.public == public
    assert verifier_key(name, public, kind) == PUBLISHED_KEY
    signature = signer._key.sign(PUBLISHED_TEXT.encode())
    assert signature_of(PUBLISHED_LINE) == (name, note_key_id(name, kind, public) + signature)


def test_the_checkpoint_of_the_specification_can_be_read() -> None:
    note = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    checkpoint = read_checkpoint(note)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert [name for name, _ in checkpoint.signatures] == [
        "example.com/behind-the-sofa",
        "witness.example.com/w1",
    ]
    assert int.from_bytes(checkpoint.signatures[1][1][4:12], "big") == 1679315147, (
        "the time that the page names"
    )


def test_a_checkpoint_is_signed_by_its_log_alone() -> None:
    checkpoint = read_checkpoint(NOTE)
    assert is_signed_by(checkpoint, LOG.public)
    assert not is_signed_by(checkpoint, WITNESS.public)
    with pytest.raises(Fault, match="not of this checkpoint"):
        is_signed_by(read_checkpoint(NOTE.replace("\n7\n", "\n8\n")), LOG.public)


def test_a_witness_signs_the_checkpoint_and_the_time() -> None:
    line = WITNESS.cosignature(read_checkpoint(NOTE), 1_700_000_000)
    assert accepted_cosignatures(NOTE, "— else AAAA\nrubble\n" + line, WITNESS.name, WITNESS.public) == line
    signed = read_checkpoint(NOTE + line)
    assert cosigned_at(signed, WITNESS.name, WITNESS.public) == 1_700_000_000
    assert cosigned_at(signed, WITNESS.name, LOG.public) is None
    other = LOG.checkpoint(8, bytes(32))
    assert accepted_cosignatures(other, line, WITNESS.name, WITNESS.public) == ""


@pytest.mark.parametrize(
    "note",
    [
        "",
        NOTE.rstrip("\n"),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("\n7\n", "\n07\n"),
        NOTE.replace("\n7\n", "\n-7\n"),
        NOTE.replace("\n7\n", "\n7\n\n"),
        NOTE.replace("—", "-"),
        NOTE.replace(encode64(bytes(32)), encode64(bytes(31))),
        NOTE.partition("\n\n")[0] + "\n\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(note: str) -> None:
    with pytest.raises(Fault):
        read_checkpoint(note)


def test_a_proof_is_read_as_it_was_written() -> None:
    path = [bytes([number]) * 32 for number in range(3)]
    proof = read_proof(proof_text(5, path, NOTE))
    assert (proof.place, proof.path, proof.checkpoint) == (5, path, read_checkpoint(NOTE))
    with_more = proof_text(5, path, NOTE).replace("index", "extra AAAA\nindex")
    assert read_proof(with_more) == proof


@pytest.mark.parametrize(
    "change", [("index 5", "index 05"), ("@v1", "@v2"), ("index ", "place "), ("\n\n", "\n")]
)
def test_what_is_no_proof_is_refused(change: tuple[str, str]) -> None:
    with pytest.raises(Fault):
        read_proof(proof_text(5, [], NOTE).replace(*change, 1))
    with pytest.raises(Fault):
        read_proof(None)


def test_a_submission_is_read_as_it_was_written() -> None:
    sent = read_submission(submission_text(3, [bytes(32)], NOTE))
    assert (sent.old, sent.proof, sent.note) == (3, [bytes(32)], NOTE)
    for wrong in ("old 03\n\n" + NOTE, "new 3\n\n" + NOTE, submission_text(3, [bytes(32)] * 64, NOTE)):
        with pytest.raises(Fault):
            read_submission(wrong)


def test_keys_of_logs_come_from_lists_lines_and_hex() -> None:
    listed = b'{"keys": [], "logs": [{"origin": "a/b", "public_key": "%s"}]}' % LOG.public.hex().encode()
    assert read_log_keys(listed) == {"a/b": LOG.public}
    assert read_log_keys(LOG.public.hex().encode()) == {"": LOG.public}
    assert read_log_keys(verifier_key(LOG.name, LOG.public).encode()) == {LOG.name: LOG.public}
    assert read_log_keys(b'{"keys": []}') == {}
    for wrong in (b"nothing", b'{"logs": [1]}', verifier_key("a", LOG.public).replace("a+", "b+").encode()):
        with pytest.raises(Fault):
            read_log_keys(wrong)
    assert verifier_key("a", LOG.public, COSIGNATURE_KEY) != verifier_key("a", LOG.public)


def test_a_successor_is_known_by_its_name() -> None:
    assert is_successor("a/b/2", "a/b")
    assert is_successor("a/b/3", "a/b/2")
    assert not is_successor("a/b", "a/b")
    assert not is_successor("a/c/2", "a/b")
    assert not is_successor("a/b/1", "a/b")


def test_leaves_are_bundled_with_their_lengths() -> None:
    leaves = [b"one", b"", b"three" * 100]
    assert bundle(leaves)[:5] == b"\x00\x03one"
    assert unbundled(bundle(leaves)) == leaves
    assert unbundled(bundle(leaves), 2) == leaves[:2]

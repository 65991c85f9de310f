"""Signatures of seats: what a seat with a key signs of its actions, its resignation and its take-backs."""

import re
from collections.abc import Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.canonical import digest
from events.entries import ActionSignature, EntrySignature
from events.game import Game
from games.kernel import Refusal

SIGNATURE_PATTERN = re.compile("[0-9a-f]{128}")


def action_message(game: str, seat: int, decision_hash: str, index: int, action: Any) -> bytes:
    """What is signed of an action: the decision it answers, its place in the request, and itself as it is sent."""
    return f"stele-act-1\n{game}\n{seat}\n{decision_hash}\n{index}\n{digest(action)}\n".encode()


def resignation_message(game: str, seat: int, entry_hash: str) -> bytes:
    """What is signed of a resignation: the latest entry that the seat saw."""
    return f"stele-resign-1\n{game}\n{seat}\n{entry_hash}\n".encode()


def takeback_message(game: str, seat: int, entry_hash: str, to: int) -> bytes:
    """What is signed of a take-back: the latest entry that the seat saw, and the one it returns to."""
    return f"stele-takeback-1\n{game}\n{seat}\n{entry_hash}\n{to}\n".encode()


def is_signature(sig: str, public_key: str, message: bytes) -> bool:
    """Did the holder of this Ed25519 key (in hex) sign this message?"""
    if not SIGNATURE_PATTERN.fullmatch(sig):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(sig), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign_actions(
    game: Game, seat: int, decision: int | None, actions: Sequence[Any], sigs: Sequence[str]
) -> list[ActionSignature | None]:
    """The signature of each action of a request; refuses one that is missing or wrong. None without a key."""
    key = _key(game, seat, len(actions), sigs)
    if key is None:
        return [None] * len(actions)
    if decision is None:
        raise _bad("A signed action names its decision.")
    signed: list[ActionSignature | None] = []
    for index, (action, sig) in enumerate(zip(actions, sigs, strict=True)):
        message = action_message(game.id, seat, game.decision_hashes[seat], index, action)
        _check(sig, key, message)
        signed.append(ActionSignature(decision, index, sig))
    return signed


def sign_resignation(game: Game, seat: int, named: bool, sigs: Sequence[str]) -> EntrySignature | None:
    """The signature of a resignation; `named`: has the request named the latest entry?"""
    key = _key(game, seat, 1, sigs)
    return (
        None
        if key is None
        else _signed(game, named, key, sigs[0], resignation_message(game.id, seat, game.hash))
    )


def sign_takeback(game: Game, seat: int, to: int, named: bool, sigs: Sequence[str]) -> EntrySignature | None:
    """The signature of a take-back to entry `to`."""
    key = _key(game, seat, 1, sigs)
    message = takeback_message(game.id, seat, game.hash, to)
    return None if key is None else _signed(game, named, key, sigs[0], message)


def _signed(game: Game, named: bool, key: str, sig: str, message: bytes) -> EntrySignature:
    if not named:
        raise _bad("What is signed names the latest entry that you saw, by `If-Match`.")
    _check(sig, key, message)
    return EntrySignature(game.version, sig)


def _key(game: Game, seat: int, number: int, sigs: Sequence[str]) -> str | None:
    """The key that a seat signs with; refuses more or fewer signatures than are needed."""
    key = game.chairs[seat].public_key
    if len(sigs) != (number if key else 0):
        if key is None:
            raise _bad("This seat has no key: nothing it signs could be checked.")
        raise _bad(f"This seat signs what it does: {number} needed, {len(sigs)} given.")
    return key


def _check(sig: str, key: str, message: bytes) -> None:
    if not is_signature(sig, key, message):
        raise _bad("The signature is not that of this seat's key over this request.")


def _bad(message: str) -> Refusal:
    return Refusal("bad_signature", message)

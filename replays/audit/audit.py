"""The audit of a game: what anyone can check without the rules (verify.py), and what the rules themselves say."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from games.kernel import Registry
from replays.audit.again import Replay
from replays.audit.heads import KeptHead, Trust, check_signed, check_witness
from replays.audit.sound import sound_entries
from replays.audit.verify import (
    Check,
    check_commitment,
    check_random,
    opened_seed,
    run_check,
    verdict,
    verify,
)
from replays.record import Record

RULE_CHECKS = ("facts", "states", "components", "outcome")


class Audit(msgspec.Struct, frozen=True):
    """What an audit found: the verdict on the whole, each check, and what the game's chances are worth."""

    verdict: str
    checks: list[dict[str, Any]]
    fairness: str | None


def audit(
    record: Record,
    rulesets: Registry,
    server_seed: bytes | None = None,
    trust: Trust | None = None,
    witness: Sequence[KeptHead] | None = None,
) -> Audit:
    """Audit a record. For a game that is not settled yet, the server's seed must be told.

    The signature is checked if the auditor says whose it trusts, and heads that were kept if any are given.
    """
    entries, fairness = sound_entries(record), None
    if entries is None:
        checks = verify(record, server_seed)
        checks += [Check(name, "not_checked", None, "the record's form is broken") for name in RULE_CHECKS]
    else:
        seed = opened_seed(record) or server_seed
        replay = Replay(entries, rulesets, seed)
        checks = [Check("chain", "pass"), Check("schema", "pass")]
        checks.append(run_check("commitment", check_commitment, record, seed))
        checks.append(
            Check("random", "pass") if replay.drew_all else run_check("random", check_random, record, seed)
        )
        checks += [run_check(name, getattr(replay, name)) for name in RULE_CHECKS]
        fairness = replay.game.fairness
    checks += check_heads(record, trust, witness, readable=checks[1].verdict == "pass")
    return Audit(verdict(checks), [check._asdict() for check in checks], fairness)


def check_heads(
    record: Record, trust: Trust | None, witness: Sequence[KeptHead] | None, *, readable: bool
) -> list[Check]:
    """Checks 9 and 10, as far as they apply."""
    wanted: list[tuple[str, Callable[..., None], tuple[Any, ...]]] = []
    if trust is not None:
        wanted.append(("signature", check_signed, (record, trust)))
    if witness is not None:
        wanted.append(("witness", check_witness, (record, witness, trust or Trust({}))))
    if not readable:
        return [Check(name, "not_checked", None, "the record's form is broken") for name, _, _ in wanted]
    return [run_check(name, checker, *given) for name, checker, given in wanted]


def settlement(record: Record, rulesets: Registry, server_seed: bytes) -> dict[str, Any]:
    """What `game_settled` tells of its audit: what was found, and the head of the log that was audited."""
    found = audit(record, rulesets, server_seed)
    head = {member: record["head"][member] for member in ("seq", "hash")}
    return {**msgspec.structs.asdict(found), "head": head}

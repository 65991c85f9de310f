"""The audit of a game: what anyone can check without the rules (verify.py), and what the rules themselves say."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel import Registry
from replays.audit.fast_checks import well_formed_entries
from replays.audit.heads import KeptHead, Trust, check_signed, check_witness
from replays.audit.parents import check_parent
from replays.audit.rule_replay import RuleReplay
from replays.audit.verify import (
    BROKEN,
    RULE_CHECKS,
    Check,
    LogTrust,
    NotChecked,
    before_settlement,
    check_clocks,
    check_commitment,
    check_logged,
    check_random,
    check_settlement,
    check_signatures,
    has_keys,
    has_settlement,
    is_logged_asked,
    is_well_formed,
    opened_seed,
    run_check,
    terms_of,
    verdict,
    verify_entries,
)
from replays.record import Record


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
    log: LogTrust | None = None,
    parent: Record | None = None,
) -> Audit:
    """Audit a record. For a game that is not settled yet, the server's seed must be told.

    The signature is checked if the auditor says whose it trusts, and heads that were kept if any are given. So are
    proofs of the transparency log, and the record that a fork began from.
    """
    seed = opened_seed(record) or server_seed
    findings = run_checks(record, rulesets, seed)
    checks = list(findings.checks)
    if has_settlement(record):
        checks.append(run_check("settlement", _check_settlement, record, findings, rulesets))
    readable = checks[1].verdict == "pass"
    checks += check_heads(record, trust, witness, readable=readable)
    if readable and has_keys(record):
        checks.append(run_check("signatures", _check_signatures, record, findings.replay))
    checks += check_log_and_parent(record, rulesets, log, parent, readable=readable)
    return Audit(verdict(checks), [check._asdict() for check in checks], findings.fairness)


class Findings(NamedTuple):
    """Checks 1 to 8 and 11 of a record, what its chances are worth, and the game as it was played again."""

    checks: list[Check]
    fairness: str | None = None
    replay: RuleReplay | None = None


def run_checks(record: Record, rulesets: Registry, seed: bytes | None) -> Findings:
    """The checks that a settlement tells of."""
    entries = well_formed_entries(record)
    if entries is None:
        by_form = verify_entries(record, seed)
        by_rules = [Check(name, "not_checked", None, BROKEN) for name in RULE_CHECKS]
        return Findings([*by_form[:4], *by_rules, *by_form[4:]])
    replay = RuleReplay(entries, rulesets, seed)
    random = Check("random", "pass") if replay.drew_all else run_check("random", check_random, record, seed)
    checks = [
        Check("chain", "pass"),
        Check("schema", "pass"),
        run_check("commitment", check_commitment, record, seed),
        random,
        *(run_check(name, getattr(replay, name)) for name in RULE_CHECKS),
    ]
    if not replay.game.first_terms:
        checks.append(
            run_check("clocks", check_clocks, record)
            if replay.missing_rules
            else run_check("clocks", replay.clocks)
        )
    return Findings(checks, replay.game.fairness, replay)


def _check_settlement(record: Record, findings: Findings, rulesets: Registry) -> None:
    """12: the settlement tells what an audit of the entries before it finds."""
    if not is_well_formed(record["entries"][-1], terms_of(record)):
        raise NotChecked(BROKEN)
    before, request = before_settlement(record), record["entries"][-1]["req"]
    shared = request is not None and request["of"][0] < len(record["entries"])
    if findings.replay is None or shared:
        findings = run_checks(before, rulesets, opened_seed(record))
    else:  # the game need not be played once more: the settlement itself bears on its end alone
        outcome = run_check("outcome", findings.replay.outcome_before_settlement)
        checks = [outcome if check.check == "outcome" else check for check in findings.checks]
        findings = findings._replace(checks=checks)
    check_settlement(record, findings.checks, findings.fairness)


def _check_signatures(record: Record, replay: RuleReplay | None) -> str:
    """13: every seat with a key has signed what it did, and with the rules: what it was asked."""
    worth = check_signatures(record)
    if replay and replay.wrong_signature:
        raise replay.wrong_signature
    return worth


def check_heads(
    record: Record, trust: Trust | None, witness: Sequence[KeptHead] | None, *, readable: bool
) -> list[Check]:
    """Checks 9 and 10, as far as they apply."""
    wanted: list[tuple[str, Callable[..., str | None], tuple[Any, ...]]] = []
    if trust is not None:
        wanted.append(("signature", check_signed, (record, trust)))
    if witness is not None:
        wanted.append(("witness", check_witness, (record, witness, trust or Trust({}))))
    if not readable:
        return [Check(name, "not_checked", None, BROKEN) for name, _, _ in wanted]
    return [run_check(name, checker, *arguments) for name, checker, arguments in wanted]


def check_log_and_parent(
    record: Record, rulesets: Registry, log: LogTrust | None, parent: Record | None, *, readable: bool
) -> list[Check]:
    """Checks 14 and 15, as far as they apply: what the transparency log says, and the record of the parent."""
    wanted: list[tuple[str, Callable[..., str | None], tuple[Any, ...]]] = []
    if log is not None and is_logged_asked(record, log):
        wanted.append(("logged", check_logged, (record, log)))
    if parent is not None:
        wanted.append(("parent", check_parent, (record, parent, rulesets)))
    if not readable:
        return [Check(name, "not_checked", None, BROKEN) for name, _, _ in wanted]
    return [run_check(name, checker, *arguments) for name, checker, arguments in wanted]


def settlement(record: Record, rulesets: Registry, server_seed: bytes) -> dict[str, Any]:
    """What `game_settled` tells of its audit: what was found, and the head of the log that was audited.

    Names are left out: they are not in the log, and may be forgotten.
    """
    findings = run_checks({**record, "people": []}, rulesets, server_seed)
    told = Audit(verdict(findings.checks), [each._asdict() for each in findings.checks], findings.fairness)
    head = {member: record["head"][member] for member in ("seq", "hash")}
    return {**msgspec.structs.asdict(told), "head": head}

"""Export and import of records: complete games that leave this server, or come from another."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.clocks import utc_now
from events.keys import is_game_id, partition_of, partitions
from events.store import EMPTY_LOG, Appended, EventStore, Head, SideData, former_field
from games.kernel import Refusal, Registry
from replays.audit.audit import Audit, audit
from replays.audit.heads import KeptHead, Trust
from replays.audit.verify import LEAF_KINDS, LogTrust, leaves_of
from replays.record import Record, entries_of, to_record
from services.core.signing import Keyring
from services.core.transparency_log import TransparencyLog

IMPORTED = "imported"
"""Where the store marks a game that was played elsewhere, beside its seed: when it came, and the head it came with."""


OTHERS_WORD = ("signature", "logged")
"""Checks that need keys of the server that a record comes from."""


class CannotImport(Refusal):
    """A record that is not kept, and the audit that says why."""

    def __init__(self, code: str, message: str, findings: Audit) -> None:
        super().__init__(code, message)
        self.more = {"audit": msgspec.structs.asdict(findings)}


def marker_of(store: EventStore, game_id: str) -> dict[str, Any] | None:
    """What is remembered of how a game came here; None if it was played here."""
    line = store.secrets(game_id).get(IMPORTED)
    return None if line is None else msgspec.json.decode(line, type=dict[str, Any])


def export_record(
    store: EventStore, keys: Keyring, game_id: str, log: TransparencyLog | None = None
) -> Record:
    """The record of a game as it stands, its head signed by us, or as it came if it was played elsewhere.

    It carries proofs once the transparency log shows all that it should of this record.
    """
    entries = list(store.walk(game_id))
    if not entries:
        raise Refusal("game_not_found", f"There is no game {game_id}.")
    marker = marker_of(store, game_id)
    head = marker["head"] if marker else keys.signer.signed(game_id, Head(entries[-1].seq, entries[-1].hash))
    record = to_record(entries, store.people(game_id), head, store.former_people(game_id))
    proofs = marker.get("proofs") if marker else log and complete_proofs(log, record)
    return record | {"proofs": proofs} if proofs else record


def proofs_of(log: TransparencyLog, record: Record) -> dict[str, str | None]:
    """The proofs of a record's leaves, as far as there are any."""
    leaves = leaves_of(record)
    return {kind: log.proof(leaves[kind]) if kind in leaves else None for kind in LEAF_KINDS}


def complete_proofs(log: TransparencyLog, record: Record) -> dict[str, str | None] | None:
    """The same if none is missing that a record as long as this one should have."""
    proofs = proofs_of(log, record)
    return proofs if all(proofs[kind] for kind in leaves_of(record)) and any(proofs.values()) else None


def own_log_trust(log: TransparencyLog | None, *, own: bool) -> LogTrust:
    """A game of our own is in our log or in none; of others' logs we know nothing."""
    listed = log.listed_keys() if log else []
    keys = {key["origin"]: bytes.fromhex(key["public_key"]) for key in listed}
    return LogTrust(keys, only_these=own)


class Evidence(NamedTuple):
    """What an auditor brings: keys to trust, heads and checkpoints that were kept, the record of a fork's parent."""

    trust: Trust | None = None
    witness: Sequence[KeptHead] | None = None
    logs: LogTrust | None = None
    parent: Record | None = None


def audit_game(
    store: EventStore,
    keys: Keyring,
    rulesets: Registry,
    game_id: str,
    evidence: Evidence | None = None,
    log: TransparencyLog | None = None,
) -> Audit:
    """The audit of a game of the store; by our own keys, if the auditor names none."""
    secrets = store.secrets(game_id)
    record = export_record(store, keys, game_id, log)
    own = IMPORTED not in secrets
    trust, witness, logs, parent = evidence or Evidence()
    trust, logs = trust or keys.trust(own=own), logs or own_log_trust(log, own=own)
    return audit(record, rulesets, bytes.fromhex(secrets["seed"]), trust, witness, logs, parent)


def import_record_of(
    store: EventStore,
    keys: Keyring,
    rulesets: Registry,
    record: Record,
    log: TransparencyLog | None = None,
) -> Audit:
    """Keep a game that was played elsewhere, if its audit finds no fault; what signed it may be unknown here."""
    findings = audit(record, rulesets, trust=keys.trust(own=False), log=own_log_trust(log, own=False))
    check_audit_passed(findings)
    check_id(record["game"], findings)
    if record["entries"][-1]["type"] != "game_settled":
        raise CannotImport("not_settled", "Only the record of a settled game can be kept.", findings)
    if store.head(record["game"]) != EMPTY_LOG:
        raise CannotImport("game_exists", f"There is a game {record['game']} here already.", findings)
    proofs = {"proofs": record["proofs"]} if record.get("proofs") else {}
    marker = canonical({"at": utc_now(), "head": record["head"], **proofs}).decode()
    people = {
        str(person["seat"]): canonical({"name": person["name"], "nonce": person["nonce"]}).decode()
        for person in record["people"]
    } | {
        former_field(person["seat"], person["generation"]): canonical(
            {"name": person["name"], "nonce": person["nonce"]}
        ).decode()
        for person in record.get("former_people", ())
    }
    side_data = SideData({"seed": record["entries"][-1]["data"]["seed"], IMPORTED: marker}, people)
    if not isinstance(store.append(EMPTY_LOG, entries_of(record), side_data=side_data), Appended):
        raise CannotImport("game_exists", f"A game {record['game']} was begun here just now.", findings)
    store.reindex(record["game"])
    return findings


def check_audit_passed(findings: Audit) -> None:
    """Nothing is kept that was not checked, but for what the keys of its server would show."""
    for check in findings.checks:
        if check["verdict"] == "fail" or (
            check["verdict"] == "not_checked" and check["check"] not in OTHERS_WORD
        ):
            finding = f"`{check['check']}`: {check['detail']}"
            raise CannotImport(
                "invalid_request", f"The record is not kept, for its audit says of {finding}.", findings
            )


def check_id(game_id: str, findings: Audit) -> None:
    """A game lives in the partition that its id names, so there must be one."""
    if not (is_game_id(game_id) and partition_of(game_id) in partitions()):
        raise CannotImport("invalid_request", f"{game_id!r} is no id that a game can have here.", findings)

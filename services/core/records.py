"""Records: games that leave this server whole, and games that come to it from elsewhere."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.canonical import canonical
from events.clocks import utc_now
from events.keys import is_game_id, partition_of, partitions
from events.store import EMPTY, Appended, Aside, EventStore, Head
from games.kernel import Refusal, Registry
from replays.audit.audit import Audit, audit
from replays.audit.heads import KeptHead, Trust
from replays.record import Record, entries_of, to_record
from services.core.signing import Keyring

IMPORTED = "imported"
"""Where the store marks a game that was played elsewhere, beside its seed: when it came, and the head it came with."""


class CannotImport(Refusal):
    """A record that is not kept, and the audit that says why."""

    def __init__(self, code: str, message: str, findings: Audit) -> None:
        super().__init__(code, message)
        self.more = {"audit": msgspec.structs.asdict(findings)}


def marker_of(store: EventStore, game_id: str) -> dict[str, Any] | None:
    """What is remembered of how a game came here; None if it was played here."""
    line = store.secrets(game_id).get(IMPORTED)
    return None if line is None else msgspec.json.decode(line, type=dict[str, Any])


def record_of(store: EventStore, keys: Keyring, game_id: str) -> Record:
    """The record of a game as it stands, its head signed by us, or as it came if it was played elsewhere."""
    entries = list(store.walk(game_id))
    if not entries:
        raise Refusal("game_not_found", f"There is no game {game_id}.")
    marker = marker_of(store, game_id)
    head = marker["head"] if marker else keys.signer.signed(game_id, Head(entries[-1].seq, entries[-1].hash))
    return to_record(entries, store.people(game_id), head)


def audit_game(
    store: EventStore,
    keys: Keyring,
    rulesets: Registry,
    game_id: str,
    trust: Trust | None = None,
    witness: Sequence[KeptHead] | None = None,
) -> Audit:
    """The audit of a game of the store; by our own keys, if the auditor names none."""
    secrets = store.secrets(game_id)
    record = record_of(store, keys, game_id)
    trusted = trust or keys.trust(own=IMPORTED not in secrets)
    return audit(record, rulesets, bytes.fromhex(secrets["seed"]), trusted, witness)


def bring_in(store: EventStore, keys: Keyring, rulesets: Registry, record: Record) -> Audit:
    """Keep a game that was played elsewhere, if its audit finds no fault; what signed it may be unknown here."""
    findings = audit(record, rulesets, trust=keys.trust(own=False))
    check_sound(findings)
    check_id(record["game"], findings)
    if record["entries"][-1]["type"] != "game_settled":
        raise CannotImport("not_settled", "Only the record of a settled game can be kept.", findings)
    if store.head(record["game"]) != EMPTY:
        raise CannotImport("game_exists", f"There is a game {record['game']} here already.", findings)
    marker = canonical({"at": utc_now(), "head": record["head"]}).decode()
    people = {
        str(person["seat"]): canonical({"name": person["name"], "nonce": person["nonce"]}).decode()
        for person in record["people"]
    }
    aside = Aside({"seed": record["entries"][-1]["data"]["seed"], IMPORTED: marker}, people)
    if not isinstance(store.append(EMPTY, entries_of(record), aside=aside), Appended):
        raise CannotImport("game_exists", f"A game {record['game']} was begun here just now.", findings)
    store.reindex(record["game"])
    return findings


def check_sound(findings: Audit) -> None:
    """Nothing is kept that was not checked, but for the signature."""
    for check in findings.checks:
        if check["verdict"] == "fail" or (
            check["verdict"] == "not_checked" and check["check"] != "signature"
        ):
            finding = f"`{check['check']}`: {check['detail']}"
            raise CannotImport(
                "invalid_request", f"The record is not kept, for its audit says of {finding}.", findings
            )


def check_id(game_id: str, findings: Audit) -> None:
    """A game lives in the partition that its id names, so there must be one."""
    if not (is_game_id(game_id) and partition_of(game_id) in partitions()):
        raise CannotImport("invalid_request", f"{game_id!r} is no id that a game can have here.", findings)

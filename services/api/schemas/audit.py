"""Records, their audits, and the keys that signatures are checked with."""

from marshmallow import fields

from services.api.schemas.games import FAIRNESS
from services.api.schemas.log import CheckSchema
from services.api.schemas.parts import Strict, anything, number, several, text, truth, word


class AuditSchema(Strict):
    """What an audit found."""

    verdict = word(("pass", "fail", "incomplete"), "On the whole.")
    checks = several(CheckSchema, "Each check.")
    fairness = word(FAIRNESS, "What the game's chances are worth; null if it did not start.", null=True)


class RecordSchema(Strict):
    """A whole game, to be checked anywhere."""

    format = text("The name of this form: `stele-record/1`.")
    game = text("The id of the game.")
    ruleset = text("The id of its ruleset.")
    ruleset_version = number("The version of its rules.")
    entries = several(fields.Dict(), "Its whole log, each entry with its hash.")
    people = several(fields.Dict(), "The names of those who sat there: `seat`, `name`, `nonce`.")
    head = anything("The end of the log: `seq`, `hash`, `signature`, `key_id`.")
    proofs = anything("Its proofs of the transparency log: `created`, `settled`.", optional=True)


class ProofsSchema(Strict):
    """What shows that a game is in the transparency log, each a C2SP tlog-proof."""

    created = text("Of its first entry, logged when it started; null if it is not published.", null=True)
    settled = text("Of its settlement; null if it is not published.", null=True)


class KeySchema(Strict):
    """A public key of the server."""

    key_id = text("The first 16 hex digits of the SHA-256 of the key's 32 bytes.")
    algorithm = word(["Ed25519"], "What it signs with.")
    public_key = text("Its 32 bytes in hex.")
    since = text("Since when it is known.")
    retired = truth("Whether it signs no more.")


class LogKeySchema(Strict):
    """The key of a transparency log."""

    origin = text("The name of the log, which is that of its key.")
    algorithm = word(["Ed25519"], "What it signs with.")
    public_key = text("Its 32 bytes in hex.")
    verifier_key = text("The same as signed notes write it.")
    retired = truth("Whether another log has succeeded it.")


class KeysSchema(Strict):
    """Every key that signs here or ever did."""

    keys = several(KeySchema, "Keys of heads, the present one first.")
    logs = several(
        LogKeySchema, "Keys of the transparency log and of those that it succeeds, the present one first."
    )

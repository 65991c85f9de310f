"""Records, their audits, and the keys that signatures are checked with."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.games import FAIRNESS
from services.bodies.log import CheckBody
from services.bodies.parts import about, choices


class AuditBody(Struct, kw_only=True):
    """What an audit found."""

    verdict: Annotated[str, choices(("pass", "fail", "incomplete")), about("On the whole.")]
    checks: Annotated[Sequence[CheckBody], about("Each check.")]
    fairness: Annotated[
        str | None, choices(FAIRNESS), about("What the game's chances are worth; null if it did not start.")
    ]


class RecordBody(Struct, kw_only=True):
    """A whole game, to be checked anywhere."""

    format: Annotated[str, about("The name of this form: `stele-record/1`.")]
    game: Annotated[str, about("The id of the game.")]
    ruleset: Annotated[str, about("The id of its ruleset.")]
    ruleset_version: Annotated[int, about("The version of its rules.")]
    entries: Annotated[Sequence[dict[str, Any]], about("Its whole log, each entry with its hash.")]
    people: Annotated[
        Sequence[dict[str, Any]], about("The names of those who sat there: `seat`, `name`, `nonce`.")
    ]
    head: Annotated[dict[str, Any], about("The end of the log: `seq`, `hash`, `signature`, `key_id`.")]
    proofs: Annotated[
        dict[str, Any] | UnsetType, about("Its proofs of the transparency log: `created`, `settled`.")
    ] = UNSET


class ProofsBody(Struct, kw_only=True):
    """What shows that a game is in the transparency log, each a C2SP tlog-proof."""

    created: Annotated[
        str | None, about("Of its first entry, logged when it started; null if it is not published.")
    ]
    settled: Annotated[str | None, about("Of its settlement; null if it is not published.")]


class KeyBody(Struct, kw_only=True):
    """A public key of the server."""

    key_id: Annotated[str, about("The first 16 hex digits of the SHA-256 of the key's 32 bytes.")]
    algorithm: Annotated[str, choices(["Ed25519"]), about("What it signs with.")]
    public_key: Annotated[str, about("Its 32 bytes in hex.")]
    since: Annotated[str, about("Since when it is known.")]
    retired: Annotated[bool, about("Whether it signs no more.")]


class LogKeyBody(Struct, kw_only=True):
    """The key of a transparency log."""

    origin: Annotated[str, about("The name of the log, which is that of its key.")]
    algorithm: Annotated[str, choices(["Ed25519"]), about("What it signs with.")]
    public_key: Annotated[str, about("Its 32 bytes in hex.")]
    verifier_key: Annotated[str, about("The same as signed notes write it.")]
    retired: Annotated[bool, about("Whether another log has succeeded it.")]


class KeysBody(Struct, kw_only=True):
    """Every key that signs here or ever did."""

    keys: Annotated[Sequence[KeyBody], about("Keys of heads, the present one first.")]
    logs: Annotated[
        Sequence[LogKeyBody],
        about("Keys of the transparency log and of those that it succeeds, the present one first."),
    ]

"""Errors, and how the server is."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import Links, about


class ProblemBody(Struct, kw_only=True):
    """An error after RFC 9457."""

    type: Annotated[str, about("`urn:stele:problem:` and the code.")]
    title: Annotated[str, about("The status in words.")]
    status: Annotated[int, about("The status.")]
    detail: Annotated[str, about("A sentence, for people.")]
    code: Annotated[str, about("Stable, for programs.")]
    errors: Annotated[dict[str, Any] | UnsetType, about("Of `invalid_request`: what is wrong, by field.")] = (
        UNSET
    )
    expected: Annotated[int | UnsetType, about("Of `version_conflict`: the version in If-Match.")] = UNSET
    version: Annotated[int | UnsetType, about("Of `version_conflict` and `rewound`: the game's version.")] = (
        UNSET
    )
    decision: Annotated[int | UnsetType | None, about("Of `decision_passed`: the one open now.")] = UNSET
    audit: Annotated[
        dict[str, Any] | UnsetType, about("Of an import that is refused: what the audit found.")
    ] = UNSET


class IndexBody(Struct, kw_only=True):
    """What the root of the server says to programs."""

    name: Annotated[str, about("`Stele`.")]
    version: Annotated[str, about("Of the server.")]
    links: Links


class HealthBody(Struct, kw_only=True):
    """This process answers."""

    status: Annotated[str, about("`ok`.")]


class ReadyBody(Struct, kw_only=True):
    """Whether the server can serve."""

    ready: Annotated[bool, about("Whether it can.")]
    checks: Annotated[
        dict[str, Any],
        about("What was looked at: `store`, `disk`, `memory`, and how far workers are behind."),
    ]


class PushKeyBody(Struct, kw_only=True):
    """How push services know this server."""

    key: Annotated[str, about("The public key (P-256, uncompressed), in base64url.")]


class NotificationsSetBody(Struct, kw_only=True):
    """A seat that is told."""

    after_seconds: Annotated[
        int, about("For how long a turn must have lasted before the seat is told of it.")
    ]

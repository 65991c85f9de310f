"""What most requests hold, in types that are read quickly: whatever one of them takes, its schema takes as it stands.

Anything that they do not know, or that is wrong, is for the schema to read.
"""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from services.api.schemas.requests import NAME, OPAQUE


class PlainSitter(Struct, forbid_unknown_fields=True):
    """A player by name (see `SitterSchema`)."""

    name: str
    ref: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        for check in NAME:
            check(self.name)
        if self.ref is not UNSET:
            OPAQUE(self.ref)


class PlainNewGame(Struct, forbid_unknown_fields=True):
    """A game of named players, without clock, seed or position (see `NewGameSchema`)."""

    ruleset: str
    options: dict[str, Any] | UnsetType = UNSET
    seats: Annotated[int, Meta(ge=1, le=64)] | UnsetType = UNSET
    players: Annotated[list[PlainSitter], Meta(max_length=64)] | UnsetType = UNSET
    private: bool | UnsetType = UNSET

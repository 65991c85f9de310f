"""What the members of bodies are made of: what is said of them, and what a schema adds to their type."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, UnsetType


def about(description: str) -> Meta:
    """What a member is, in a sentence."""
    return Meta(extra_json_schema={"description": description})


def choices(values: Sequence[str | None]) -> Meta:
    """A member has one of a few values."""
    return Meta(extra_json_schema={"enum": [*values]})


def component(name: str, *, null: bool = False) -> Meta:
    """A member is what a component of the document describes that stands elsewhere: mostly what a game defines."""
    reference: dict[str, Any] = {"$ref": f"#/components/schemas/{name}"}
    return Meta(extra_json_schema={"anyOf": [reference, {"type": "null"}]} if null else reference)


Links = Annotated[dict[str, str], about("Where to go from here: paths by name.")]
Labels = Annotated[
    Sequence[str] | UnsetType,
    about("A sentence for each of `actions`, in their order; with `include=labels`."),
]
NextCursor = Annotated[
    str | None, about("Where the next page begins: the `cursor` to ask for it; null on the last one.")
]
MissingParts = Annotated[
    Sequence[str],
    about(
        "Parts of the store that did not answer, so that their games are not listed: the two digits that the ids of"
        " games begin with, or `standings`. Usually none."
    ),
]
"""What a list lacks while a part of the store is away."""

"""What schemas are made of: checks of what comes in, and short words for the members of answers."""

from collections.abc import Sequence
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate


class Strict(Schema):
    """Has no members but those named, which the document says too."""

    class Meta:
        unknown = RAISE


# -- what comes in --------------------------------------------------------------------------------------------------


class FullMatch(validate.Regexp):
    """A pattern that the whole text has to match, a line break at its end included."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self.error)
        return value


HEX64 = FullMatch(r"^[0-9a-f]{64}$", error="64 lower-case hex digits.")


class Flag(fields.Boolean):
    """true or false, and nothing that looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Typed(fields.Raw):
    """What a game defines: in the document one of its components, for a server any JSON."""

    def __init__(self, component: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.component = component


def as_component(self: Any, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
    """For apispec: how a `Typed` field stands in the document."""
    if not isinstance(field, Typed):
        return {}
    ret.pop("type", None)
    reference = {"$ref": f"#/components/schemas/{field.component}"}
    return {"anyOf": [reference, {"type": "null"}]} if field.allow_none else reference


# -- members of answers: always there, unless they are optional; `null` says that they may be null ----------------


def _member(description: str, *, null: bool = False, optional: bool = False, **more: Any) -> dict[str, Any]:
    metadata = {"description": description}
    return {"required": not optional, "allow_none": null, "metadata": metadata, **more}


def text(description: str, **more: Any) -> fields.String:
    return fields.String(**_member(description, **more))


def word(values: Sequence[str | None], description: str, **more: Any) -> fields.String:
    """One of a few words."""
    return fields.String(**_member(description, validate=validate.OneOf(values), **more))


def number(description: str, **more: Any) -> fields.Integer:
    return fields.Integer(**_member(description, **more))


def truth(description: str, **more: Any) -> fields.Boolean:
    return fields.Boolean(**_member(description, **more))


def anything(description: str, **more: Any) -> fields.Dict:
    """An object of which the document says no more."""
    return fields.Dict(**_member(description, **more))


def of_game(component: str, description: str, **more: Any) -> Typed:
    """What a game defines."""
    return Typed(component, **_member(description, **more))


def part(schema: type[Schema], description: str, **more: Any) -> fields.Nested:
    return fields.Nested(schema, **_member(description, **more))


def several(item: fields.Field[Any] | type[Schema], description: str, **more: Any) -> fields.List[Any]:
    """A list of these."""
    inner = fields.Nested(item) if isinstance(item, type) else item
    return fields.List(inner, **_member(description, **more))


def keyed(values: fields.Field[Any], description: str, **more: Any) -> fields.Dict:
    """An object with any names, and such values."""
    return fields.Dict(keys=fields.String(), values=values, **_member(description, **more))


BY_SEAT_KEYS = "Seats, in ascending order."
NEXT = "Where the next page begins: the `cursor` to ask for it; null on the last one."
LINKS = "Where to go from here: paths by name."


def links() -> fields.Dict:
    return keyed(fields.String(), LINKS)


def next_cursor() -> fields.String:
    return text(NEXT, null=True)


def missing_parts() -> fields.List[Any]:
    """What a list lacks while a part of the store is away."""
    return several(
        fields.String(),
        "Parts of the store that did not answer, so that their games are not listed: the two digits that the ids of"
        " games begin with, or `standings`. Usually none.",
    )

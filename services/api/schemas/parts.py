"""What schemas of requests are made of."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate


class Strict(Schema):
    """Has no members but those named, which the document says too."""

    class Meta:
        unknown = RAISE


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

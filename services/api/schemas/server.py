"""Errors, and how the server is."""

from marshmallow import fields

from services.api.schemas.parts import Strict, anything, number, text, truth


class ProblemSchema(Strict):
    """An error after RFC 9457."""

    type = text("`urn:stele:problem:` and the code.")
    title = text("The status in words.")
    status = number("The status.")
    detail = text("A sentence, for people.")
    code = text("Stable, for programs.")
    errors = anything("Of `invalid_request`: what is wrong, by field.", optional=True)
    expected = number("Of `version_conflict`: the version in If-Match.", optional=True)
    version = number("Of `version_conflict` and `rewound`: the game's version.", optional=True)
    decision = number("Of `decision_passed`: the one open now.", null=True, optional=True)
    audit = anything("Of an import that is refused: what the audit found.", optional=True)


class HealthSchema(Strict):
    """This process answers."""

    status = text("`ok`.")


class ReadySchema(Strict):
    """Whether the server can serve."""

    ready = truth("Whether it can.")
    checks = fields.Dict(
        required=True,
        keys=fields.String(),
        metadata={
            "description": "What was looked at: `store`, `disk`, `memory`, and how far workers are behind."
        },
    )

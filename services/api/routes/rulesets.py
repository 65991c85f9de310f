"""The games that can be played."""

from flask import Response

from games.kernel import UnknownRuleset
from services.api.answers import answer
from services.api.context import context
from services.api.describe import description, summary
from services.api.problems import problem
from services.api.requests import StrictBlueprint
from services.api.schemas import RulesetSchema, RulesetsSchema

blueprint = StrictBlueprint(
    "rulesets", __name__, url_prefix="/v1", description="The games that can be played."
)


@blueprint.route("/rulesets")
@blueprint.refuses("invalid_request")
@blueprint.response(200, RulesetsSchema)
def list_rulesets() -> Response:
    """Every game, its players, options and actions."""
    rulesets = context().rulesets
    names = sorted({ruleset.name for ruleset in rulesets})
    return answer({"items": [summary(rulesets.latest(name), rulesets) for name in names], "next": None})


@blueprint.route("/rulesets/<ruleset>")
@blueprint.refuses("invalid_request", "not_found", (404, "unknown_ruleset"))
@blueprint.response(200, RulesetSchema)
def show_ruleset(ruleset: str) -> Response:
    """One game, with its whole component set."""
    rulesets = context().rulesets
    try:
        return answer(description(rulesets.latest(ruleset), rulesets))
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)

"""The games that can be played."""

from functools import lru_cache

from flask import Response

from events.canonical import canonical
from games.kernel import Registry, UnknownRuleset
from services.api.answers import public
from services.api.context import context
from services.api.describe import description, summary
from services.api.problems import problem
from services.api.promises import IF_NONE_MATCH, TAG_HEADER
from services.api.requests import StrictBlueprint
from services.api.schemas.rulesets import RulesetSchema, RulesetsSchema

blueprint = StrictBlueprint(
    "rulesets", __name__, url_prefix="/v1", description="The games that can be played."
)


@blueprint.route("/rulesets")
@blueprint.takes(IF_NONE_MATCH)
@blueprint.refuses("invalid_request")
@blueprint.response(200, RulesetsSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def list_rulesets() -> Response:
    """Every game, its players, options and actions."""
    return public(all_summaries(context().rulesets))


@blueprint.route("/rulesets/<ruleset>")
@blueprint.takes(IF_NONE_MATCH)
@blueprint.refuses("invalid_request", "not_found", (404, "unknown_ruleset"))
@blueprint.response(200, RulesetSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_ruleset(ruleset: str) -> Response:
    """One game, with its whole component set."""
    try:
        return public(whole_description(context().rulesets, ruleset))
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)


@lru_cache(8)
def all_summaries(rulesets: Registry) -> bytes:
    """The list of these rulesets, which never changes."""
    names = sorted({ruleset.name for ruleset in rulesets})
    return canonical({"items": [summary(rulesets.latest(name), rulesets) for name in names], "next": None})


@lru_cache(64)
def whole_description(rulesets: Registry, name: str) -> bytes:
    """All about the latest version of a ruleset, which never changes."""
    return canonical(description(rulesets.latest(name), rulesets))

"""Outcomes of games that count, and the standings of their players."""

from typing import Any

from flask import Response, request
from msgspec.structs import asdict

from projections.results import Result
from services.api.answers import links
from services.api.context import context
from services.api.lists import item_limit, listed, read_cursor
from services.api.promises import CURSOR, ITEMS, PLAYER, RULESET
from services.api.requests import StrictBlueprint
from services.api.schemas import ResultsSchema

blueprint = StrictBlueprint("results", __name__, url_prefix="/v1", description="Outcomes and standings.")


@blueprint.route("/results")
@blueprint.takes(RULESET, PLAYER, CURSOR, ITEMS)
@blueprint.refuses("invalid_request", "store_unavailable")
@blueprint.response(200, ResultsSchema)
def list_results() -> Response:
    """How settled, fresh, public games ended, latest first; and standings by player ref and ruleset."""
    ruleset, player = request.args.get("ruleset"), request.args.get("player")
    lists = context().lists
    results = lists.results(ruleset, player, read_cursor(), item_limit())
    standings = [asdict(one) for one in lists.standings(ruleset, player)]
    return listed([result_body(one) for one in results.items], results.next, standings=standings)


def result_body(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "ruleset": result.ruleset,
        "settled": result.settled,
        "outcome": result.outcome,
        "players": result.refs,
        "links": links(result.game),
    }

"""The review of a settled game: begun by who played it, made by the workers, read by whoever may read the record."""

from typing import Any

import msgspec
from flask import Response

from events.game import Game
from games.kernel import Refusal
from projections.reviews import Reviewed
from replays.review.report import FORMAT, tag_of
from replays.review.steps import NothingToReview
from services.api.answers import answer, private, shape_of, tagged
from services.api.callers import Caller, HostCaller, OperatorCaller, SeatCaller, turned_away
from services.api.context import context, this_request
from services.api.packing import packed_if_open
from services.api.promises import ABOUT_A_GAME, BODY, IF_NONE_MATCH, READER, TAG_HEADER
from services.api.requests import StrictBlueprint, Visit, json_body, visit
from services.api.schemas.review import ReviewProgressSchema, ReviewSchema

blueprint = StrictBlueprint(
    "review", __name__, url_prefix="/v1", description="Reviews of games: where they turned, and on what."
)
REVIEWABLE = ("not_settled", "nothing_to_review")


@blueprint.route("/games/<game_id>/review", methods=["POST"])
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *REVIEWABLE, "forbidden", "store_full")
@blueprint.response(202, ReviewProgressSchema)
@blueprint.alt_response(200, schema=ReviewSchema, description="It is there already.")
def begin_review(game_id: str) -> Response:
    """Have a settled game reviewed: for its seats, its host and operators."""
    visitor = let_in(game_id)
    json_body()
    check_reviewable(visitor.game)
    found = find(visitor.game)
    if found is None or found.status == "failed":
        begin(visitor)
        found = find(visitor.game)
    return told(found or Reviewed("waiting", 0), visitor)


@blueprint.route("/games/<game_id>/review")
@blueprint.takes(*READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, *REVIEWABLE, "no_review")
@blueprint.response(200, ReviewSchema, headers=TAG_HEADER)
@blueprint.alt_response(202, schema=ReviewProgressSchema, description="It is being made.")
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_review(game_id: str) -> Response:
    """The review of a settled game, or how far it is."""
    visitor = visit(game_id)
    check_reviewable(visitor.game)
    found = find(visitor.game)
    if found is None:
        raise Refusal(
            "no_review", "Nobody has asked for a review of this game: POST to this address begins one."
        )
    return told(found, visitor)


@blueprint.route("/games/<game_id>/review", methods=["DELETE"])
@blueprint.refuses(*ABOUT_A_GAME, *REVIEWABLE, "forbidden")
@blueprint.response(204)
def drop_review(game_id: str) -> Response:
    """Stop a review that is being made, or drop one that is there: for those who may have it made."""
    visitor = let_in(game_id)
    check_reviewable(visitor.game)
    context().reviews.remove(game_id)
    return private(Response(status=204))


def let_in(game_id: str) -> Visit:
    """The caller who may have this game reviewed."""
    visitor = visit(game_id, tickets=False)
    if not (isinstance(visitor.caller, SeatCaller) or visitor.caller.governs(visitor.game)):
        raise turned_away(
            visitor.caller, "A review is begun and ended by the game's seats, its host or an operator."
        )
    return visitor


def check_reviewable(game: Game) -> None:
    if not game.settled:
        raise Refusal("not_settled", "The game is not settled yet: only then can it be reviewed.")
    if not game.started:
        raise NothingToReview


def find(game: Game) -> Reviewed | None:
    return context().reviews.find(game.id, tag_of(game.hash))


def begin(visitor: Visit) -> None:
    """Ask for a review, if that is not too much."""
    here, who = context(), asker(visitor.caller)
    here.check_writable()
    asked = [each.by for each in here.reviews.under_way().values()]
    here.limits.check_review(asked, who)
    here.reviews.begin(visitor.game.id, who)


def asker(caller: Caller) -> str:
    """Who is counted as one: a host, the operators, or an address."""
    if isinstance(caller, HostCaller | OperatorCaller):
        return caller.name
    return context().limits.address(this_request().environ)


def told(review: Reviewed, visitor: Visit) -> Response:
    """A review as an answer: 202 while it is being made."""
    progress: dict[str, Any] = {"status": review.status, "progress": review.progress}
    if review.status in ("waiting", "running"):
        return answer(progress, 202)
    body = progress | (msgspec.json.decode(review.body) if review.body else {})
    shape = shape_of(visitor.caller, visitor.game, review=f"{review.status}{FORMAT}")
    return packed_if_open(tagged(body, visitor.game, shape), visitor.game)

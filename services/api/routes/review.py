"""The review of a settled game: begun by who played it, made by the workers, read by whoever may read the record."""

import msgspec

from events.game import Game
from games.kernel import Refusal
from projections.reviews import ReviewStatus
from replays.review.report import REVIEW_FORMAT, review_tag
from replays.review.steps import NothingToReview
from services.api.authentication import Caller, HostCaller, OperatorCaller, SeatCaller, denied
from services.api.compression import compressed_if_open
from services.api.context import context
from services.api.parameters import IF_NONE_MATCH, READER
from services.api.requests import Visit, json_body, visit
from services.api.responses import etag_response, json_response, nothing, shape_of
from services.api.returns import ABOUT_A_GAME, BODY, NOT_MODIFIED, TAG_HEADER
from services.api.table import TABLE
from services.bodies.review import ReviewBody, ReviewProgressBody
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("review")
REVIEWABLE = ("not_settled", "nothing_to_review")


@route(
    "POST",
    "/v1/games/<game_id>/review",
    runs_in="slow",
    returns={
        202: Returns(ReviewProgressBody),
        200: Returns(ReviewBody, description="It is there already."),
    },
    errors=(*ABOUT_A_GAME, *BODY, *REVIEWABLE, "forbidden", "store_full"),
)
def begin_review(game_id: str) -> Response:
    """Have a settled game reviewed: for its seats, its host and operators."""
    visitor = let_in(game_id)
    json_body()
    check_settled_and_started(visitor.game)
    found = find_review(visitor.game)
    if found is None or found.status == "failed":
        request_review(visitor)
        found = find_review(visitor.game)
    return review_response(found or ReviewStatus("waiting", 0), visitor)


@route(
    "GET",
    "/v1/games/<game_id>/review",
    runs_in="slow",
    params=(*READER, IF_NONE_MATCH),
    returns={
        200: Returns(ReviewBody, headers=TAG_HEADER),
        202: Returns(ReviewProgressBody, description="It is being made."),
        304: NOT_MODIFIED,
    },
    errors=(*ABOUT_A_GAME, *REVIEWABLE, "no_review"),
)
def show_review(game_id: str) -> Response:
    """The review of a settled game, or how far it is."""
    visitor = visit(game_id)
    check_settled_and_started(visitor.game)
    found = find_review(visitor.game)
    if found is None:
        raise Refusal(
            "no_review", "Nobody has asked for a review of this game: POST to this address begins one."
        )
    return review_response(found, visitor)


@route(
    "DELETE",
    "/v1/games/<game_id>/review",
    returns={204: Returns()},
    errors=(*ABOUT_A_GAME, *REVIEWABLE, "forbidden"),
)
def drop_review(game_id: str) -> Response:
    """Stop a review that is being made, or drop one that is there: for those who may have it made."""
    visitor = let_in(game_id)
    check_settled_and_started(visitor.game)
    context().reviews.remove(game_id)
    return nothing()


def let_in(game_id: str) -> Visit:
    """The caller who may have this game reviewed."""
    visitor = visit(game_id, tickets=False)
    if not (isinstance(visitor.caller, SeatCaller) or visitor.caller.administers(visitor.game)):
        raise denied(
            visitor.caller, "A review is begun and ended by the game's seats, its host or an operator."
        )
    return visitor


def check_settled_and_started(game: Game) -> None:
    if not game.settled:
        raise Refusal("not_settled", "The game is not settled yet: only then can it be reviewed.")
    if not game.started:
        raise NothingToReview


def find_review(game: Game) -> ReviewStatus | None:
    return context().reviews.find(game.id, review_tag(game.hash))


def request_review(visitor: Visit) -> None:
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
    return context().limits.address(this_request())


def review_response(review: ReviewStatus, visitor: Visit) -> Response:
    """A review as an answer: 202 while it is being made."""
    if review.status in ("waiting", "running"):
        return json_response(ReviewProgressBody(status=review.status, progress=review.progress), 202)
    made = msgspec.json.decode(review.body) if review.body else {}
    body = ReviewBody(status=review.status, progress=review.progress, **made)
    shape = shape_of(visitor.caller, visitor.game, review=f"{review.status}{REVIEW_FORMAT}")
    return compressed_if_open(etag_response(body, visitor.game, shape), visitor.game)

"""Notifications: a browser is told by Web Push that it is its seat's turn, and when the game is over."""

from typing import Any

from events.game import Game
from games.kernel import Refusal
from projections.pushes import Registration
from services.api.authentication import SeatCaller, authorize, forbidden
from services.api.context import context
from services.api.requests import json_of, seat_caller
from services.api.responses import json_response, nothing
from services.api.returns import ABOUT_A_GAME, BODY
from services.api.routes.play import check_may_act
from services.api.schemas.requests import NotificationsSchema
from services.api.table import TABLE
from services.api.translation import language
from services.bodies.server import NotificationsSetBody, PushKeyBody
from services.core.outbound_http import check_url
from services.core.web_push import read_subscriber_keys
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("notifications")


@route(
    "PUT",
    "/v1/games/<game_id>/seats/<int:seat>/notifications",
    body=json_of(NotificationsSchema),
    returns={200: Returns(NotificationsSetBody)},
    errors=(*ABOUT_A_GAME, *BODY, "forbidden", "game_over", "seat_is_bot", "seat_withdrawn", "store_full"),
)
def register_for_notifications(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Notify your seat by Web Push.

    Once in each of its turns, if it is still to act, and at the end; only while the seat follows nothing.
    """
    caller, game = own_seat(game_id, seat)
    here = context()
    check_may_act(caller, game)
    if game.status in ("ended", "aborted"):
        raise Refusal("game_over", "The game is over.")
    here.check_writable()
    push, after = wanted["push"], wanted["after_seconds"]
    check_subscription(push)
    keys = push["keys"]
    registration = Registration(
        push["endpoint"], keys["p256dh"], keys["auth"], after, caller.generation, language()
    )
    here.pushes.register(game_id, seat, registration)
    return json_response(NotificationsSetBody(after_seconds=after))


@route(
    "DELETE",
    "/v1/games/<game_id>/seats/<int:seat>/notifications",
    returns={204: Returns()},
    errors=(*ABOUT_A_GAME, "forbidden"),
)
def unregister_from_notifications(game_id: str, seat: int) -> Response:
    """Send your seat no more notifications.

    The subscription is forgotten at once.
    """
    own_seat(game_id, seat)
    context().pushes.remove(game_id, seat)
    return nothing()


@route("GET", "/v1/push-key", runs_in="loop", returns={200: Returns(PushKeyBody)})
def show_push_key() -> Response:
    """The server's VAPID key.

    A browser that subscribes gives it as `applicationServerKey`.
    """
    return json_response(PushKeyBody(key=context().push_key))


def own_seat(game_id: str, seat: int) -> tuple[SeatCaller, Game]:
    """The seat that calls, if it is this one, and its game."""
    caller = seat_caller(game_id)
    game = context().ledger.get(game_id).game
    authorize(caller, game)
    if caller.seat != seat:
        raise forbidden("A seat's notifications are its own affair.")
    return caller, game


def check_subscription(push: dict[str, Any]) -> None:
    """Refuse an address that may not be called, and keys that are none."""
    private = context().webhooks_may_be_private
    try:
        if check_url(push["endpoint"], allow_private=private).scheme != "https" and not private:
            raise ValueError("an address that begins with https://")
    except ValueError as wrong:
        raise Refusal("invalid_request", f"`endpoint` is not {wrong}.") from None
    try:
        read_subscriber_keys(push["keys"]["p256dh"], push["keys"]["auth"])
    except ValueError:
        raise Refusal("invalid_request", "`keys` are not those of a browser's subscription.") from None

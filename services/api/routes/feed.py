"""What happens in all games of a host, live."""

from games.kernel import Refusal
from projections.host_events import (
    HOST_EVENT_TYPES,
    CursorExpired,
    FeedCursor,
    Interest,
    check_cursor,
    current_cursor,
    read_feed_cursor,
)
from services.api.authentication import HostCaller, OperatorCaller, denied
from services.api.context import context
from services.api.parameters import TAG, header, query
from services.api.requests import bearer
from services.api.returns import TEXT
from services.api.routes.log import STREAM, live
from services.api.table import TABLE
from services.http.messages import Stream, this_request
from services.http.routing import Returns
from services.http.streams import Listen

route = TABLE.section("feed")

KINDS = query("types", f"Only these, separated by commas: {', '.join(HOST_EVENT_TYPES)}.", type="string")
RESUME = header("Last-Event-ID", "The id of the last event seen: the feed goes on after it.")


@route(
    "GET",
    "/v1/feed",
    params=(TAG, KINDS, RESUME),
    returns={200: Returns(TEXT, content_type=STREAM)},
    errors=("invalid_request", "unauthorized", "forbidden", "cursor_expired", "store_unavailable"),
    streams=True,
)
def show_feed() -> Stream:
    """What happens in all games of the calling host, or (operators) in all games, live.

    Each event is `{"id", "type", "at", "game", "version", "status", "tags", "seats": [{"seat", "ref"}], "to_act"}`.
    The ids of the stream are opaque and hold for 24 hours: a feed goes on without a gap after `Last-Event-ID`.
    """
    interest = interest_of_caller()
    after = where_to_go_on(interest)
    return Stream(live(), Listen(interest, after))


def interest_of_caller() -> Interest:
    """Whose games the caller may hear of, and what of them it wants to hear."""
    caller = context().authenticator.identify(bearer())
    if not isinstance(caller, HostCaller | OperatorCaller):
        raise denied(caller, "The feed is for hosts and operators.")
    types = frozenset(this_request().args.get("types", ",".join(HOST_EVENT_TYPES)).split(","))
    if unknown := sorted(types - {*HOST_EVENT_TYPES}):
        raise Refusal(
            "invalid_request", f"`types` are of: {', '.join(HOST_EVENT_TYPES)}; not {unknown[0]!r}."
        )
    return Interest(
        caller.host if isinstance(caller, HostCaller) else None, this_request().args.get("tag"), types
    )


def where_to_go_on(interest: Interest) -> FeedCursor:
    """After the last event that was seen, or now."""
    client = context().store.client
    text = this_request().headers.get("last-event-id")
    if text is None:
        return current_cursor(client, interest)
    try:
        cursor = read_feed_cursor(text)
        check_cursor(client, interest, cursor)
    except ValueError:
        raise Refusal("invalid_request", "This `Last-Event-ID` is not one that this feed gave.") from None
    except CursorExpired:
        raise Refusal(
            "cursor_expired", "What came after it is not kept any more: begin anew, from now."
        ) from None
    return cursor

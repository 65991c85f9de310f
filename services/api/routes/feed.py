"""What happens in all games of a host, live."""

from flask import Response, request

from games.kernel import Refusal
from projections.happenings import TYPES, Cursor, CursorExpired, Interest, check_kept, present, read_cursor
from services.api.callers import HostCaller, OperatorCaller, turned_away
from services.api.context import context
from services.api.promises import TAG, header, query
from services.api.requests import StrictBlueprint, bearer
from services.api.routes.log import STREAM, live
from services.front.live import HANDOFF, Listen

blueprint = StrictBlueprint("feed", __name__, url_prefix="/v1", description="What happens in many games.")

KINDS = query("types", f"Only these, separated by commas: {', '.join(TYPES)}.", type="string")
RESUME = header("Last-Event-ID", "The id of the last event seen: the feed goes on after it.")


@blueprint.route("/feed")
@blueprint.takes(TAG, KINDS, RESUME)
@blueprint.refuses("invalid_request", "unauthorized", "forbidden", "cursor_expired", "store_unavailable")
@blueprint.response(200, schema={"type": "string"}, content_type=STREAM)
def show_feed() -> Response:
    """What happens in all games of the calling host, or (operators) in all games, live.

    Each event is `{"id", "type", "at", "game", "version", "status", "tags", "seats": [{"seat", "ref"}], "to_act"}`.
    The ids of the stream are opaque and hold for 24 hours: a feed goes on without a gap after `Last-Event-ID`.
    """
    interest = interest_of_caller()
    after = where_to_go_on(interest)
    request.environ.get(HANDOFF, []).append(Listen(interest, after))
    return live()


def interest_of_caller() -> Interest:
    """Whose games the caller may hear of, and what of them it wants to hear."""
    caller = context().door.identify(bearer())
    if not isinstance(caller, HostCaller | OperatorCaller):
        raise turned_away(caller, "The feed is for hosts and operators.")
    types = frozenset(request.args.get("types", ",".join(TYPES)).split(","))
    if unknown := sorted(types - {*TYPES}):
        raise Refusal("invalid_request", f"`types` are of: {', '.join(TYPES)}; not {unknown[0]!r}.")
    return Interest(caller.host if isinstance(caller, HostCaller) else None, request.args.get("tag"), types)


def where_to_go_on(interest: Interest) -> Cursor:
    """After the last event that was seen, or now."""
    client = context().store.client
    text = request.headers.get("Last-Event-ID")
    if text is None:
        return present(client, interest)
    try:
        cursor = read_cursor(text)
        check_kept(client, interest, cursor)
    except ValueError:
        raise Refusal("invalid_request", "This `Last-Event-ID` is not one that this feed gave.") from None
    except CursorExpired:
        raise Refusal(
            "cursor_expired", "What came after it is not kept any more: begin anew, from now."
        ) from None
    return cursor

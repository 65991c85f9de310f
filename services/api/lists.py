"""Lists, some items at a time: a cursor says where the ones before ended."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec
from flask import Response, request

from games.kernel import Refusal
from projections.lists import Place
from services.api.answers import answer
from services.api.promises import MOST_ITEMS
from services.api.requests import whole_number

USUAL_ITEMS = 50


def item_limit() -> int:
    """How many items the caller wants at once."""
    return whole_number("limit", most=MOST_ITEMS) or USUAL_ITEMS


def read_cursor() -> Place | None:
    """The place after which the caller wants to read on."""
    cursor = request.args.get("cursor")
    if cursor is None:
        return None
    try:
        return msgspec.json.decode(urlsafe_b64decode(cursor.encode()), type=Place)
    except (ValueError, msgspec.DecodeError):
        raise Refusal("invalid_request", "This `cursor` is not one that a list gave.") from None


def listed(items: list[dict[str, Any]], after: Place | None, **more: Any) -> Response:
    """Some items as an answer; `after` is the place where they ended, if there are more."""
    cursor = None if after is None else urlsafe_b64encode(msgspec.json.encode(after)).decode()
    return answer({"items": items, "next": cursor, **more})

"""Lists page by cursor: where one page ended is where the next begins."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec
from flask import Response, request

from games.kernel import Refusal
from projections.lists import Place
from services.api.answers import answer
from services.api.promises import LARGEST_PAGE
from services.api.requests import whole_number

PAGE_SIZE = 50


def page_size() -> int:
    """How many items the caller wants at once."""
    return whole_number("limit", most=LARGEST_PAGE) or PAGE_SIZE


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
    """A page as an answer; `after` is the place where it ended, if there is more."""
    cursor = None if after is None else urlsafe_b64encode(msgspec.json.encode(after)).decode()
    return answer({"items": items, "next": cursor, **more})

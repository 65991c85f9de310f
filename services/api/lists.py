"""Lists, some items at a time: a cursor says where the ones before ended."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TypeVar

import msgspec

from games.kernel import Refusal
from projections.list_query import ANY, ListQuery
from projections.lists import ListPosition
from projections.ranking import Rank
from services.api.authentication import ANYONE, Caller, HostCaller, OperatorCaller
from services.api.context import context
from services.api.parameters import MOST_ITEMS
from services.api.requests import bearer, integer_parameter
from services.http.messages import this_request

USUAL_ITEMS = 50
SEAT_TOKEN = re.compile(r"[0-9]+\.[0-9]+\..*")


def reader() -> Caller:
    """Who reads a list: a seat's token says nothing here, where no game is named."""
    token = bearer()
    return ANYONE if token and SEAT_TOKEN.fullmatch(token) else context().authenticator.identify(token)


def games_wanted() -> ListQuery:
    """Which games the caller wants listed, and may see: hosts their own private ones too, operators all."""
    names = ("status", "ruleset", "host", "tag", "player", "to_act")
    filters = {name: this_request().args.get(name) for name in names}
    caller = reader()
    own = caller.host if isinstance(caller, HostCaller) else None
    private_of = ANY if isinstance(caller, OperatorCaller) else own
    return ListQuery(**filters, giver=filters["host"] or own or ANY, private_of=private_of)


def item_limit() -> int:
    """How many items the caller wants at once."""
    return integer_parameter("limit", least=1, most=MOST_ITEMS) or USUAL_ITEMS


Cursor = TypeVar("Cursor", ListPosition, Rank)


def read_cursor(kind: type[Cursor]) -> Cursor | None:
    """Where the page before ended, after which the caller wants to read on."""
    cursor = this_request().args.get("cursor")
    if cursor is None:
        return None
    try:
        return msgspec.json.decode(urlsafe_b64decode(cursor.encode()), type=kind)
    except (ValueError, msgspec.DecodeError):
        raise Refusal("invalid_request", "This `cursor` is not one that a list gave.") from None


def next_cursor(after: ListPosition | Rank | None) -> str | None:
    """The cursor of the next page; `after` is the place where this one ended, if there are more."""
    return None if after is None else urlsafe_b64encode(msgspec.json.encode(after)).decode()

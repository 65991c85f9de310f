"""Exporting games: the records of all settled games that the caller may see, one after another."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from events.keys import is_game_id
from events.times import timestamp
from projections.list_query import ListQuery
from projections.lists import ListPosition
from projections.lobby import LobbyRow
from services.api.compression import compressed
from services.api.context import context
from services.api.lists import games_wanted
from services.api.ndjson import NDJSON, ndjson_response
from services.api.parameters import LAST_GAME, MOMENT, RULESET, SINCE, TAG, UNTIL
from services.api.problems import Problem
from services.api.table import TABLE
from services.bodies.audit import RecordBody
from services.core.records import export_record
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("audit")

GAMES_AT_ONCE = 50
"""Rows that are looked through before the next are read."""


@route(
    "GET",
    "/v1/export",
    runs_in="slow",
    params=(RULESET, TAG, SINCE, UNTIL, LAST_GAME),
    returns={200: Returns(RecordBody, content_type=NDJSON)},
    errors=("archive_unavailable", "invalid_request", "rate_limited", "store_unavailable", "unauthorized"),
)
def export_games() -> Response:
    """The records of all settled games that you may see, one a line, those created last first.

    Where the list breaks off, `cursor` goes on; a list that ends with a problem is not complete.
    """
    since, until = moment_parameter("since"), moment_parameter("until")
    wanted = replace(games_wanted(), status="ended")
    after = place_after(wanted)
    records = records_of(wanted, after, since or "", until or "~")
    answer = ndjson_response(records)
    return compressed(answer) if wanted.private_of is None else answer


def moment_parameter(name: str) -> str | None:
    """A moment in the query, as the log writes it; seconds and what is less may be left out."""
    text = this_request().args.get(name)
    if text is None:
        return None
    try:
        if not re.match(MOMENT, text):
            raise ValueError
        return timestamp(datetime.fromisoformat(text))
    except ValueError:
        sentence = f"`{name}` is a moment like 2026-11-18T00:00:00Z."
        raise Problem("invalid_request", sentence, errors={"query": {name: ["No such moment."]}}) from None


def place_after(wanted: ListQuery) -> ListPosition | None:
    """The place of the game that the caller had last; it must be one that the caller may see."""
    cursor = this_request().args.get("cursor")
    if cursor is None:
        return None
    found = context().lists.lobby_position(cursor) if is_game_id(cursor) else None
    if found is None or not wanted.fits(found[1]):
        raise Problem(
            "invalid_request",
            "`cursor` is the `game` of a record of this list.",
            errors={"query": {"cursor": ["No such game in this list."]}},
        )
    return found[0]


def records_of(
    wanted: ListQuery, after: ListPosition | None, since: str, until: str
) -> Iterator[dict[str, Any]]:
    """The records of these games that were settled in this time."""
    here = context()
    while True:
        page = here.lists.lobby(wanted, after, GAMES_AT_ONCE)
        if page.missing:
            raise Problem("store_unavailable", "A part of the store is away: go on later, with `cursor`.")
        for row in page.items:
            settled = settled_at(row)
            if settled is not None and since <= settled < until:
                yield export_record(here.store, here.keys, row.id, here.log)
        after = page.next
        if after is None:
            return


def settled_at(row: LobbyRow) -> str | None:
    """When a game was settled; rows of earlier versions do not say it, but the log does."""
    if row.settled_at is not None:
        return row.settled_at
    latest = [carved.entry for carved in context().store.read(row.id, row.version - 1)]
    return latest[-1].at if latest and latest[-1].type == "game_settled" else None

"""Many games created at once: all of them, or none if one would be refused."""

from typing import Any

from events.batch import EntryBatch
from games.kernel import Refusal
from services.api.authentication import Caller, HostCaller, OperatorCaller, denied
from services.api.context import context
from services.api.game_creation import NewTable, check_may_create, created_id, tokens_of
from services.api.problems import Problem
from services.api.requests import bearer, idempotency_of, read_by
from services.api.responses import json_response
from services.api.returns import CREATING
from services.api.routes.games import new_game
from services.api.schemas.requests import BatchItemSchema, BatchSchema
from services.api.table import TABLE
from services.api.translation import detail_of
from services.bodies.games import BatchBody, BatchItemBody, NewSeatBody
from services.core.ledger import key_reused
from services.http.messages import Response, this_request
from services.http.routing import Body, Returns

route = TABLE.section("games")

LARGEST_BATCH = 1_000_000
"""Bytes."""
MOST_GAMES = 200
ITEM = BatchItemSchema()


@route(
    "POST",
    "/v1/games/batch",
    runs_in="slow",
    body=Body(BatchSchema, largest=LARGEST_BATCH),
    returns={200: Returns(BatchBody)},
    errors=CREATING,
)
def create_games() -> Response:
    """Create many games: first all are checked, and if one would be refused, none is created.

    A retry with the same keys completes what a fault has cut short.
    """
    caller = context().authenticator.identify(bearer())
    if not isinstance(caller, HostCaller | OperatorCaller):
        raise denied(caller, "Many games at once are created by hosts and operators.")
    tables = planned(caller, items_of(this_request().json))
    return json_response(BatchBody(items=[created(table) for table in tables]))


def items_of(body: Any) -> list[Any]:
    """The items of a batch; each is read later, so that every one that is wrong can be named."""
    items = body.get("items") if isinstance(body, dict) else None
    if not isinstance(items, list) or len(body) > 1 or not 1 <= len(items) <= MOST_GAMES:
        message = f"A list of 1 to {MOST_GAMES} games, and nothing else."
        raise Problem(
            "invalid_request",
            "Some members of the request are not right.",
            errors={"json": {"items": [message]}},
        )
    return items


def planned(caller: Caller, items: list[Any]) -> list[NewTable]:
    """The games of a batch, once all of them have been checked; else a problem that names each refused one."""
    tables: list[NewTable] = []
    refused: dict[str, Any] = {}
    for index, item in enumerate(items):
        try:
            table = plan(caller, item)
            if any(table.game_id == other.game_id for other in tables):
                raise Refusal("idempotency_key_reused", "Another game of this batch has the same key.")
            tables.append(table)
        except Refusal as refusal:
            more = getattr(refusal, "more", {}).get("errors", {})
            wrong = {"code": refusal.code, "detail": detail_of(refusal)}
            refused[str(index)] = wrong | ({"errors": more["json"]} if more else {})
    if refused:
        message = f"Nothing was created: {len(refused)} of {len(items)} games would be refused."
        raise Problem("invalid_request", message, errors={"json": {"items": refused}})
    return tables


def plan(caller: Caller, item: Any) -> NewTable:
    """A game of a batch, if it can be created or was; the same as if it were created alone with this key."""
    wanted = read_by(ITEM, item)
    key = wanted.pop("key")
    check_may_create(caller, wanted)
    body = {name: value for name, value in item.items() if name != "key"}
    request = idempotency_of(key, caller, body)
    game_id = created_id(caller, key)
    table = NewTable(game_id, caller, new_game(wanted, caller), wanted.get("players", []), request)
    here = context()
    done = here.store.done(game_id, request)
    if done is None:
        table.seat(EntryBatch(here.ledger.entry_factory, None, game_id))
    elif done.body != request.body:
        raise key_reused()
    return table


def created(table: NewTable) -> BatchItemBody:
    game = table.create().game
    seats = [NewSeatBody(seat=seat, token=token) for seat, token in tokens_of(game).items()]
    return BatchItemBody(status=201, id=game.id, seats=seats)

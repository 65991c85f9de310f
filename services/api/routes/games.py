"""Creating games, looking at them, listing them."""

from collections.abc import Mapping
from typing import Any

from events import commands
from events.entries import Clock, total_clock
from events.times import utc_now
from games.kernel import Refusal, Ruleset
from projections.lists import ListPosition
from projections.lobby import LobbyRow
from services.api.authentication import Caller, HostCaller
from services.api.context import context
from services.api.game_creation import check_may_create, check_room, create_new_game
from services.api.lists import games_wanted, item_limit, next_cursor, read_cursor
from services.api.parameters import (
    AFTER,
    CURSOR,
    HOST,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    INCLUDED,
    ITEMS,
    LOBBY_STATUS,
    LOBBY_STATUSES,
    MAX_WAIT,
    PLAYER,
    READER,
    RULESET,
    TAG,
    TO_ACT,
    VIEW,
    WAIT,
)
from services.api.requests import (
    Visit,
    bearer,
    choice_parameter,
    idempotency,
    integer_parameter,
    json_body,
    json_of,
    visit,
)
from services.api.responses import (
    etag_response,
    game_body,
    game_links,
    include_request,
    json_response,
    name_of,
    shape_of,
    wants_full_view,
)
from services.api.returns import ABOUT_A_GAME, CREATED_HEADERS, CREATING, NOT_MODIFIED, TAG_HEADER
from services.api.schemas.plain import PlainNewGame
from services.api.schemas.requests import NewGameSchema
from services.api.table import TABLE
from services.bodies.games import GameBody, LobbyBody, LobbyRowBody, SeatBody
from services.core.ledger import Dossier, new_seed
from services.core.lost_entries import check_not_above_head
from services.http.messages import LongPoll, Response
from services.http.routing import Returns

route = TABLE.section("games")


# -- creating -------------------------------------------------------------------------------------------------------


@route(
    "POST",
    "/v1/games",
    runs_in="loop",
    body=json_of(NewGameSchema, PlainNewGame),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(GameBody, headers=CREATED_HEADERS)},
    errors=(*CREATING, "invalid_options", "invalid_position", "unknown_ruleset"),
)
def create_game(wanted: dict[str, Any]) -> Response:
    """Create a game. With every seat named it starts at once."""
    caller = context().authenticator.identify(bearer())
    check_may_create(caller, wanted)
    idempotency_key = idempotency(caller, json_body())
    return create_new_game(caller, new_game(wanted, caller), wanted.get("players", []), idempotency_key)


def new_game(wanted: dict[str, Any], caller: Caller) -> commands.NewGame:
    """The game that is asked for, of the newest version of its rules."""
    ruleset = context().rulesets.latest(wanted["ruleset"])
    wanted = with_lesson(wanted, ruleset)
    players = wanted.get("players", [])
    seats = wanted.get("seats") or len(players) or ruleset.seat_counts[0]
    check_room(players, seats)
    origin: dict[str, Any] = {"kind": "seeded" if "seed" in wanted else "fresh"}
    if wanted.get("position") is not None:
        origin = {"kind": "position", "position": wanted["position"], "seeded": "seed" in wanted}
    return commands.NewGame(
        ruleset=ruleset,
        options=wanted.get("options"),
        seats=seats,
        server_seed=bytes.fromhex(wanted["seed"]) if "seed" in wanted else new_seed(),
        origin=origin,
        private=wanted["private"],
        clock=clock_of(wanted.get("clock")),
        host=caller.host if isinstance(caller, HostCaller) else None,
        tags=tuple(wanted.get("tags", ())),
        takebacks=wanted.get("takebacks", not wanted.get("tags")),
    )


def with_lesson(wanted: dict[str, Any], ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """What is asked for, with the position, options and seats of the lesson if it names one."""
    if "lesson" not in wanted:
        return wanted
    for lesson in ruleset.lessons("en"):
        if lesson.id == wanted["lesson"]:
            return {"seats": lesson.seats, **wanted, "options": lesson.options, "position": lesson.position}
    raise Refusal("invalid_position", f"{ruleset.name} has no lesson `{wanted['lesson']}`.")


def clock_of(wanted: Mapping[str, int] | None) -> Clock | None:
    """The clock that is asked for: so long for each turn, perhaps with a reserve, or for the whole game."""
    if wanted is None:
        return None
    return Clock(**wanted) if "turn_seconds" in wanted else total_clock(**wanted)


# -- looking --------------------------------------------------------------------------------------------------------


@route(
    "GET",
    "/v1/games/<game_id>",
    runs_in="loop",
    params=(AFTER, WAIT, VIEW, *INCLUDED, *READER, IF_NONE_MATCH),
    returns={200: Returns(GameBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=(*ABOUT_A_GAME, "forbidden", "invalid_request", "rewound"),
)
def show_game(game_id: str) -> Response | LongPoll:
    """The game as you may see it. `?after=V&wait=S` holds the answer until the version exceeds V."""
    after, wait = integer_parameter("after"), integer_parameter("wait", most=MAX_WAIT)
    visitor = visit_after(game_id, after)
    if wait and after is not None and visitor.game.version <= after:
        wants_full_view(visitor.caller, visitor.game)  # whoever may not have it need not wait
        return LongPoll(game_id, after, wait, lambda: shown(visit_after(game_id, after)))
    return shown(visitor)


def visit_after(game_id: str, after: int | None) -> Visit:
    """Visit a game whose caller knows it up to this version: entries may have been lost, also while the caller waits."""
    visitor = visit(game_id)
    check_not_above_head(visitor.game, after)
    return visitor


def shown(visitor: Visit) -> Response:
    """A game as its caller asks to see it."""
    caller, dossier = visitor
    game = dossier.game
    full, include = wants_full_view(caller, game), include_request().of(dossier)
    body = game_body(game, dossier, caller, now=utc_now(), full=full, include=include)
    parameters = {"view": "full" if full else None, "include": include.mark}
    return etag_response(body, game, shape_of(caller, game, **parameters, unnamed=unnamed_seats(dossier)))


def unnamed_seats(dossier: Dossier) -> str | None:
    """What an ETag says of the names: they may be forgotten without a new version."""
    chairs, people = dossier.game.chairs, dossier.people
    unnamed = [str(seat) for seat, chair in enumerate(chairs) if chair.taken and seat not in people]
    return ".".join(unnamed) or None


# -- listing --------------------------------------------------------------------------------------------------------


@route(
    "GET",
    "/v1/games",
    params=(LOBBY_STATUS, RULESET, HOST, TAG, PLAYER, TO_ACT, CURSOR, ITEMS),
    returns={200: Returns(LobbyBody)},
    errors=("invalid_request", "unauthorized", "store_unavailable"),
)
def list_games() -> Response:
    """The lobby: public games, newest first; hosts see their private games too, operators all.

    `player` and `to_act` are refs. A page may hold fewer games than asked for; the list ends where `next` is null.
    """
    choice_parameter("status", LOBBY_STATUSES)
    lobby = context().lists.lobby(games_wanted(), read_cursor(ListPosition), item_limit())
    people = context().store.people_of([row.id for row in lobby.items])
    rows = [lobby_body(*each) for each in zip(lobby.items, people, strict=True)]
    return json_response(LobbyBody(items=rows, next=next_cursor(lobby.next), missing=lobby.missing))


def lobby_body(row: LobbyRow, people: Mapping[int, bytes]) -> LobbyRowBody:
    """A game's row, with the names of those who sit there."""
    seats = [
        SeatBody(
            seat=seat["seat"],
            name=name_of(seat["taken"], seat["bot"], people.get(seat["seat"])),
            ref=seat.get("ref"),
            bot=seat["bot"],
            withdrawn=seat["withdrawn"],
        )
        for seat in row.seats
    ]
    return LobbyRowBody(
        id=row.id,
        ruleset=row.ruleset,
        options=row.options,
        status=row.status,
        created=row.created,
        version=row.version,
        seats=seats,
        to_act=row.to_act,
        deadlines=row.deadlines,
        settled=row.settled,
        clock=row.clock,
        tags=row.tags,
        host=row.host,
        private=row.private,
        outcome=row.outcome,
        links=game_links(row.id),
    )

"""Creating games, looking at them, listing them, calling them off."""

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from events import acts
from events.entries import Clock, GameAborted
from events.scribe import Page
from games.kernel import Refusal
from projections.lists import Place
from projections.lobby import LobbyRow
from services.api.answers import game_body, links, name_of, shape_of, tagged, wants_full_view
from services.api.callers import Caller, HostCaller, OperatorCaller, admit, forbidden, turned_away
from services.api.changing import change
from services.api.context import context
from services.api.creating import begin, check_may_create, check_room
from services.api.lists import games_wanted, item_limit, listed, read_cursor
from services.api.promises import (
    ABOUT_A_GAME,
    AFTER,
    BODY,
    CREATED_HEADERS,
    CREATING,
    CURSOR,
    HOST,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    ITEMS,
    LOBBY_STATUS,
    LOBBY_STATUSES,
    MAX_WAIT,
    PLAYER,
    REPLAYED_HEADER,
    RETRIED,
    RULESET,
    TAG,
    TAG_HEADER,
    TICKET,
    TO_ACT,
    VIEW,
    WAIT,
)
from services.api.requests import (
    StrictBlueprint,
    bearer,
    idempotency,
    identify_or_hide,
    json_body,
    visit,
    whole_number,
)
from services.api.schemas import GameSchema, LobbySchema, NewGameSchema
from services.core.ledger import Known, new_seed
from services.front.live import HANDOFF, WAITED, Wait

blueprint = StrictBlueprint(
    "games", __name__, url_prefix="/v1", description="Games: create, look, list, call off."
)


# -- creating -------------------------------------------------------------------------------------------------------


@blueprint.route("/games", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*CREATING, "invalid_options", "invalid_position", "unknown_ruleset")
@blueprint.arguments(NewGameSchema)
@blueprint.response(201, GameSchema, headers=CREATED_HEADERS)
def create_game(wanted: dict[str, Any]) -> Response:
    """Create a game. With every seat named it starts at once."""
    caller = context().door.identify(bearer())
    check_may_create(caller, wanted)
    call = idempotency(caller, json_body())
    return begin(caller, new_game(wanted, caller), wanted.get("players", []), call)


def new_game(wanted: dict[str, Any], caller: Caller) -> acts.NewGame:
    """The game that is asked for, of the newest version of its rules."""
    ruleset = context().rulesets.latest(wanted["ruleset"])
    players = wanted.get("players", [])
    seats = wanted.get("seats") or len(players) or ruleset.seat_counts[0]
    check_room(players, seats)
    origin: dict[str, Any] = {"kind": "seeded" if "seed" in wanted else "fresh"}
    if wanted.get("position") is not None:
        origin = {"kind": "position", "position": wanted["position"], "seeded": "seed" in wanted}
    clock = wanted.get("clock")
    return acts.NewGame(
        ruleset=ruleset,
        options=wanted.get("options"),
        seats=seats,
        server_seed=bytes.fromhex(wanted["seed"]) if "seed" in wanted else new_seed(),
        origin=origin,
        private=wanted["private"],
        clock=Clock(**clock) if clock else None,
        host=caller.host if isinstance(caller, HostCaller) else None,
    )


# -- looking --------------------------------------------------------------------------------------------------------


@blueprint.route("/games/<game_id>")
@blueprint.takes(AFTER, WAIT, VIEW, TICKET, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "forbidden", "invalid_request")
@blueprint.response(200, GameSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_game(game_id: str) -> Response:
    """The game as you may see it. `?after=V&wait=S` holds the answer until the version exceeds V."""
    after, wait = whole_number("after"), whole_number("wait", most=MAX_WAIT)
    caller, known = visit(game_id)
    game = known.game
    full = wants_full_view(caller, game)
    if wait and after is not None and game.version <= after and not request.environ.get(WAITED):
        request.environ.get(HANDOFF, []).append(Wait(game_id, after, wait))
    body = game_body(game, known.people, caller, full=full)
    return tagged(body, game, shape_of(caller.viewer, full=full))


# -- listing --------------------------------------------------------------------------------------------------------


@blueprint.route("/games")
@blueprint.takes(LOBBY_STATUS, RULESET, HOST, TAG, PLAYER, TO_ACT, CURSOR, ITEMS)
@blueprint.refuses("invalid_request", "unauthorized", "store_unavailable")
@blueprint.response(200, LobbySchema)
def list_games() -> Response:
    """The lobby: public games, newest first; hosts see their private games too, operators all.

    `player` and `to_act` are refs. A page may hold fewer games than asked for; the list ends where `next` is null.
    """
    status = request.args.get("status")
    if status is not None and status not in LOBBY_STATUSES:
        raise Refusal("invalid_request", f"`status` is one of: {', '.join(LOBBY_STATUSES)}.")
    lobby = context().lists.lobby(games_wanted(), read_cursor(Place), item_limit())
    people = context().store.people_of([row.id for row in lobby.items])
    return listed([lobby_body(*each) for each in zip(lobby.items, people, strict=True)], lobby.next)


def lobby_body(row: LobbyRow, people: Mapping[int, bytes]) -> dict[str, Any]:
    """A game's row, with the names of those who sit there."""
    seats = [
        {
            "seat": seat["seat"],
            "name": name_of(seat["taken"], seat["bot"], people.get(seat["seat"])),
            "bot": seat["bot"],
            "withdrawn": seat["withdrawn"],
        }
        for seat in row.seats
    ]
    return {
        "id": row.id,
        "ruleset": row.ruleset,
        "options": row.options,
        "status": row.status,
        "created": row.created,
        "version": row.version,
        "seats": seats,
        "to_act": row.to_act,
        "clock": row.clock,
        "tags": row.tags,
        "host": row.host,
        "private": row.private,
        "outcome": row.outcome,
        "links": links(row.id),
    }


# -- calling off ----------------------------------------------------------------------------------------------------


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over")
@blueprint.response(201, GameSchema, headers=REPLAYED_HEADER)
def abort_game(game_id: str) -> Response:
    """Call a game off: its host before the start, an operator at any time."""
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body())

    def check(known: Known) -> None:
        admit(caller, known.game)
        if not caller.governs(known.game):
            raise turned_away(caller, "Only the game's host or an operator may call it off.")
        if isinstance(caller, HostCaller) and known.game.started:
            raise forbidden("Once a game has started, only an operator may call it off.")

    def write(page: Page, _: Known) -> None:
        acts.abort(page, caller.actor, "by_operator" if isinstance(caller, OperatorCaller) else "by_host")

    done = change(game_id, caller, call, writes=GameAborted, check=check, write=write)
    return done.answer(game_body(done.game, context().ledger.cached(game_id).people, caller))

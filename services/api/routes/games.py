"""Creating games, looking at them, listing them."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from events import acts
from events.entries import Clock, total_clock
from events.times import utc_now
from projections.lists import Place
from projections.lobby import LobbyRow
from services.api.answers import game_body, links, name_of, shape_of, tagged, wants_actions, wants_full_view
from services.api.callers import Caller, HostCaller
from services.api.context import context, this_request
from services.api.creating import begin, check_may_create, check_room
from services.api.lists import games_wanted, item_limit, listed, read_cursor
from services.api.promises import (
    ABOUT_A_GAME,
    AFTER,
    CREATED_HEADERS,
    CREATING,
    CURSOR,
    HOST,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    INCLUDE,
    ITEMS,
    LOBBY_STATUS,
    LOBBY_STATUSES,
    MAX_WAIT,
    PLAYER,
    READER,
    RULESET,
    TAG,
    TAG_HEADER,
    TO_ACT,
    VIEW,
    WAIT,
)
from services.api.requests import (
    StrictBlueprint,
    bearer,
    idempotency,
    json_body,
    one_of,
    visit,
    whole_number,
)
from services.api.schemas.games import GameSchema, LobbySchema
from services.api.schemas.plain import PlainNewGame
from services.api.schemas.requests import NewGameSchema
from services.core.ledger import Dossier, new_seed
from services.front.live import HANDOFF, WAITED, Wait

blueprint = StrictBlueprint("games", __name__, url_prefix="/v1", description="Games: create, look, list.")


# -- creating -------------------------------------------------------------------------------------------------------


@blueprint.route("/games", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*CREATING, "invalid_options", "invalid_position", "unknown_ruleset")
@blueprint.arguments(NewGameSchema, PlainNewGame)
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
    return acts.NewGame(
        ruleset=ruleset,
        options=wanted.get("options"),
        seats=seats,
        server_seed=bytes.fromhex(wanted["seed"]) if "seed" in wanted else new_seed(),
        origin=origin,
        private=wanted["private"],
        clock=clock_of(wanted.get("clock")),
        host=caller.host if isinstance(caller, HostCaller) else None,
        tags=tuple(wanted.get("tags", ())),
    )


def clock_of(wanted: Mapping[str, int] | None) -> Clock | None:
    """The clock that is asked for: so long for each turn, or for the whole game."""
    if wanted is None:
        return None
    return Clock(**wanted) if "turn_seconds" in wanted else total_clock(**wanted)


# -- looking --------------------------------------------------------------------------------------------------------


@blueprint.route("/games/<game_id>")
@blueprint.takes(AFTER, WAIT, VIEW, INCLUDE, *READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "forbidden", "invalid_request")
@blueprint.response(200, GameSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_game(game_id: str) -> Response:
    """The game as you may see it. `?after=V&wait=S` holds the answer until the version exceeds V."""
    after, wait = whole_number("after"), whole_number("wait", most=MAX_WAIT)
    environ = this_request().environ
    caller, dossier = visit(game_id)
    game = dossier.game
    full = wants_full_view(caller, game)
    if wait and after is not None and game.version <= after and not environ.get(WAITED):
        environ.get(HANDOFF, []).append(Wait(game_id, after, wait))
    actions = wants_actions()
    body = game_body(game, dossier, caller, now=utc_now(), full=full, actions=actions)
    parameters = {"view": "full" if full else None, "include": "actions" if actions else None}
    return tagged(body, game, shape_of(caller, game, **parameters, unnamed=unnamed_seats(dossier)))


def unnamed_seats(dossier: Dossier) -> str | None:
    """What an ETag says of the names: they may be forgotten without a new version."""
    chairs, people = dossier.game.chairs, dossier.people
    unnamed = [str(seat) for seat, chair in enumerate(chairs) if chair.taken and seat not in people]
    return ".".join(unnamed) or None


# -- listing --------------------------------------------------------------------------------------------------------


@blueprint.route("/games")
@blueprint.takes(LOBBY_STATUS, RULESET, HOST, TAG, PLAYER, TO_ACT, CURSOR, ITEMS)
@blueprint.refuses("invalid_request", "unauthorized", "store_unavailable")
@blueprint.response(200, LobbySchema)
def list_games() -> Response:
    """The lobby: public games, newest first; hosts see their private games too, operators all.

    `player` and `to_act` are refs. A page may hold fewer games than asked for; the list ends where `next` is null.
    """
    one_of("status", LOBBY_STATUSES)
    lobby = context().lists.lobby(games_wanted(), read_cursor(Place), item_limit())
    people = context().store.people_of([row.id for row in lobby.items])
    rows = [lobby_body(*each) for each in zip(lobby.items, people, strict=True)]
    return listed(rows, lobby.next, missing=lobby.missing)


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

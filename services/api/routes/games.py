"""Creating games, looking at them, listing them, calling them off."""

import secrets
from typing import Any

from flask import Response, request

from events import acts
from events.entries import Clock
from events.game import Game
from events.keys import game_id as new_game_id
from events.scribe import Page
from games.kernel import Refusal
from projections.lobby import LobbyRow
from replays.history import game_at
from services.api.answers import answer, game_body, links, name_of, shape_of, tagged, wants_full_view
from services.api.callers import Caller, HostCaller, OperatorCaller, admit, forbidden, turned_away
from services.api.context import context
from services.api.pages import listed, page_size, read_cursor
from services.api.people import introduce
from services.api.repeats import repeated_game
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
from services.ledger import Change, Known, Repeat, new_seed
from services.live import Wait

blueprint = StrictBlueprint(
    "games", __name__, url_prefix="/v1", description="Games: create, look, list, call off."
)

MAX_WAIT = 30


# -- creating -------------------------------------------------------------------------------------------------------


@blueprint.route("/games", methods=["POST"])
@blueprint.arguments(NewGameSchema)
@blueprint.response(201, GameSchema)
def create_game(wanted: dict[str, Any]) -> Response:
    """Create a game. With every seat named it starts at once."""
    here = context()
    caller = here.door.identify(bearer())
    check_may_create(caller, wanted)
    call = idempotency(caller, json_body())
    game_id = new_game_id(here.door.create_id(caller, request.headers["Idempotency-Key"]) if call else None)
    here.check_writable()
    server_seed = bytes.fromhex(wanted["seed"]) if "seed" in wanted else new_seed()
    join_code = secrets.token_hex(8) if wanted["private"] else None

    def write(page: Page) -> dict[str, str]:
        acts.create(page, caller.actor, new_game(wanted, caller, server_seed))
        people: dict[str, str] = {}
        for seat, player in enumerate(wanted.get("players", [])):
            sitter, person = introduce(player)
            acts.sit(page, seat, sitter, by=caller.actor)
            people |= {str(seat): person} if person else {}
        acts.start_if_ready(page, here.rulesets, server_seed)
        return people

    came = here.ledger.create(game_id, write, server_seed=server_seed, join_code=join_code, call=call)
    if isinstance(came, Repeat):
        game = game_at(here.store.walk(game_id), came.request.of[1], here.rulesets)
        return created_answer(game, caller, here.ledger.get(game_id).join_code, Idempotent_Replayed="true")
    return created_answer(came.game, caller, join_code)


def check_may_create(caller: Caller, wanted: dict[str, Any]) -> None:
    """Who may create games, and which ones."""
    here = context()
    privileged = isinstance(caller, HostCaller | OperatorCaller)
    if here.create == "host" and not privileged:
        raise turned_away(caller, "Here only hosts create games: send a host's token.")
    players = wanted.get("players", [])
    bots_alone = bool(players) and all("bot" in player for player in players)
    special = "seed" in wanted or wanted.get("position") is not None or bots_alone
    if special and here.door.has_roles and not privileged:
        raise turned_away(caller, "Seeded, positioned and bot-only games are for hosts and operators here.")
    if any("ref" in player for player in players) and not privileged:
        raise turned_away(caller, "A player's `ref` is for hosts and operators.")


def new_game(wanted: dict[str, Any], caller: Caller, server_seed: bytes) -> acts.NewGame:
    ruleset = context().rulesets.latest(wanted["ruleset"])
    players = wanted.get("players", [])
    seats = wanted.get("seats") or len(players) or ruleset.seat_counts[0]
    if len(players) > seats:
        raise Refusal("invalid_seats", f"{len(players)} players are named for {seats} seats.")
    origin: dict[str, Any] = {"kind": "seeded" if "seed" in wanted else "fresh"}
    if wanted.get("position") is not None:
        origin = {"kind": "position", "position": wanted["position"], "seeded": "seed" in wanted}
    clock = wanted.get("clock")
    return acts.NewGame(
        ruleset=ruleset,
        options=wanted.get("options"),
        seats=seats,
        server_seed=server_seed,
        origin=origin,
        private=wanted["private"],
        clock=Clock(**clock) if clock else None,
        host=caller.host if isinstance(caller, HostCaller) else None,
    )


def created_answer(game: Game, caller: Caller, join_code: str | None, **headers: str) -> Response:
    """The new game, a token beside each named player's seat, and a private game's join code."""
    here = context()
    humans = [seat for seat, chair in enumerate(game.chairs) if chair.taken and not chair.bot]
    tokens = {seat: here.door.seat_token(game.id, seat, game.chairs[seat].generation) for seat in humans}
    body = game_body(game, here.ledger.cached(game.id).people, caller, tokens=tokens)
    if join_code:
        body["join_code"] = join_code
    return answer(body, 201, Location=body["links"]["self"], **headers)


# -- looking --------------------------------------------------------------------------------------------------------


@blueprint.route("/games/<game_id>")
@blueprint.response(200, GameSchema)
def show_game(game_id: str) -> Response:
    """The game as you may see it. `?after=V&wait=S` holds the answer until the version exceeds V."""
    after, wait = whole_number("after"), whole_number("wait", 0, most=MAX_WAIT)
    caller, known = visit(game_id)
    game = known.game
    full = wants_full_view(caller, game)
    if wait and after is not None and game.version <= after and not request.environ.get("stele.waited"):
        request.environ.get("stele.handoff", []).append(Wait(game_id, after, wait))
    body = game_body(game, known.people, caller, full=full)
    return tagged(body, game, shape_of(caller.viewer, full=full))


# -- listing --------------------------------------------------------------------------------------------------------

STATUSES = ("open", "playing", "ended")


@blueprint.route("/games")
@blueprint.response(200, LobbySchema)
def list_games() -> Response:
    """The lobby: public games, newest first. Filter by status (open, playing, ended), ruleset, player (a ref)."""
    status = request.args.get("status")
    if status is not None and status not in STATUSES:
        raise Refusal("invalid_request", f"`status` is one of: {', '.join(STATUSES)}.")
    ruleset, player = request.args.get("ruleset"), request.args.get("player")
    found = context().lists.lobby(status, ruleset, player, read_cursor(), page_size())
    return listed(found, lobby_body)


def lobby_body(row: LobbyRow) -> dict[str, Any]:
    """A game's row, with the names of those who sit there."""
    people = context().store.people(row.id)
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
        "outcome": row.outcome,
        "links": links(row.id),
    }


# -- calling off ----------------------------------------------------------------------------------------------------


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@blueprint.response(201, GameSchema)
def abort_game(game_id: str) -> Response:
    """Call a game off: its host before the start, an operator at any time."""
    here = context()
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body())
    here.check_writable()

    def write(page: Page, known: Known) -> None:
        admit(caller, known.game)
        if not caller.governs(known.game):
            raise turned_away(caller, "Only the game's host or an operator may call it off.")
        if isinstance(caller, HostCaller) and known.game.started:
            raise forbidden("Once a game has started, only an operator may call it off.")
        acts.abort(page, caller.actor, "by_operator" if isinstance(caller, OperatorCaller) else "by_host")

    came: Change[None] | Repeat = here.ledger.change(game_id, write, call=call)
    headers: dict[str, str] = {}
    if isinstance(came, Repeat):
        game = repeated_game(game_id, came, caller, "game_aborted")
        headers["Idempotent_Replayed"] = "true"
    else:
        game = came.game
    return answer(game_body(game, here.ledger.cached(game_id).people, caller), 201, **headers)

"""Beginning a game: who may, which ones, and the answer, whether it is a new game or a fork of another."""

import secrets
from collections.abc import Sequence
from typing import Any

from flask import Response, request

from events import acts
from events.game import Game
from events.keys import game_id as new_game_id
from events.scribe import Call, Page
from games.kernel import Refusal
from services.api.answers import answer, game_body
from services.api.callers import Caller, HostCaller, OperatorCaller, turned_away
from services.api.context import context
from services.api.people import introduce
from services.api.repeats import REPLAYED
from services.core.ledger import Repeat, key_reused
from services.core.past import Past


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


def check_room(players: Sequence[Any], seats: int) -> None:
    if len(players) > seats:
        raise Refusal("invalid_seats", f"{len(players)} players are named for {seats} seats.")


def begin(
    caller: Caller, new: acts.NewGame, players: Sequence[dict[str, Any]], call: Call | None
) -> Response:
    """Begin a game with those players at its first seats; with every seat named it starts at once."""
    here = context()
    game_id = new_game_id(here.door.create_id(caller, request.headers["Idempotency-Key"]) if call else None)
    join_code = secrets.token_hex(8) if new.private else None

    def write(page: Page) -> dict[str, str]:
        here.check_writable()
        acts.create(page, caller.actor, new)
        people: dict[str, str] = {}
        for seat, player in enumerate(players):
            sitter, person = introduce(player)
            acts.sit(page, seat, sitter, by=caller.actor)
            people |= {str(seat): person} if person else {}
        acts.start_if_ready(page, here.rulesets, new.server_seed)
        return people

    came = here.ledger.create(game_id, write, server_seed=new.server_seed, join_code=join_code, call=call)
    if not isinstance(came, Repeat):
        return created_answer(came.game, caller, join_code)
    game = Past(here.ledger).game(game_id, came.request.of[1])
    if game.created.origin != new.origin:
        raise key_reused()
    return created_answer(game, caller, here.ledger.get(game_id).join_code, **REPLAYED)


def created_answer(game: Game, caller: Caller, join_code: str | None, **headers: str) -> Response:
    """The new game, a token beside each named player's seat, and a private game's join code."""
    here = context()
    humans = [seat for seat, chair in enumerate(game.chairs) if chair.taken and not chair.bot]
    tokens = {seat: here.door.seat_token(game.id, seat, game.chairs[seat].generation) for seat in humans}
    body = game_body(game, here.ledger.cached(game.id).people, caller, tokens=tokens)
    if join_code:
        body["join_code"] = join_code
    return answer(body, 201, Location=body["links"]["self"], **headers)

"""Beginning a game: who may, which ones, and the answer, whether it is a new game or a fork of another."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from events import acts
from events.canonical import canonical
from events.entries import GameCreated
from events.game import Game
from events.keys import game_id as new_game_id
from events.scribe import Call, Page
from events.seeds import name_hash
from games.kernel import Refusal
from services.api.answers import game_body
from services.api.callers import ANYONE, Caller, HostCaller, OperatorCaller, turned_away
from services.api.changing import Carried, carried
from services.api.context import context, this_request
from services.core.ledger import Dossier, key_reused


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
    if wanted.get("tags") and not privileged:
        raise turned_away(caller, "Tags are for hosts and operators.")


def check_room(players: Sequence[Any], seats: int) -> None:
    if len(players) > seats:
        raise Refusal("invalid_seats", f"{len(players)} players are named for {seats} seats.")


def introduce(wanted: Mapping[str, Any]) -> acts.Sitter:
    """Someone who sits down. The log holds a name's hash; the name lies beside it, where it can be forgotten."""
    nonce = secrets.token_bytes(16)
    name = wanted.get("name")
    return acts.Sitter(
        name_hash=None if name is None else name_hash(nonce, name),
        ref=wanted.get("ref"),
        bot=wanted.get("bot"),
        entropy=wanted.get("entropy"),
        entropy_commitment=wanted.get("entropy_commitment"),
        person=None if name is None else canonical({"name": name, "nonce": nonce.hex()}).decode(),
    )


def begin(
    caller: Caller, new: acts.NewGame, players: Sequence[dict[str, Any]], call: Call | None
) -> Response:
    """Begin a game with those players at its first seats; with every seat named it starts at once."""
    here = context()
    game_id = new_game_id(
        here.door.create_id(caller, this_request().headers["Idempotency-Key"]) if call else None
    )
    join_code = secrets.token_hex(8) if new.private else None

    def write(page: Page) -> None:
        here.check_writable()
        if caller is ANYONE:
            here.limits.check_creation(game_id, this_request().environ)
        acts.create(page, caller.actor, new)
        for seat, player in enumerate(players):
            acts.sit(page, seat, introduce(player), by=caller.actor)
        acts.start_if_ready(page, here.rulesets, new.server_seed)

    came = here.ledger.create(game_id, write, server_seed=new.server_seed, join_code=join_code, call=call)
    done = carried(game_id, came, GameCreated)
    if done.game.created.origin != new.origin:
        raise key_reused()
    return created_answer(done, caller)


def people_then(dossier: Dossier, game: Game) -> dict[int, bytes]:
    """The names of those who sat there when a game stood like this, as far as they still do."""
    return {
        seat: person
        for seat, person in dossier.people.items()
        if dossier.game.chairs[seat].leavings == game.chairs[seat].leavings
    }


def created_answer(done: Carried, caller: Caller) -> Response:
    """The new game, a token beside each named player's seat, and a private game's join code."""
    here, game = context(), done.game
    dossier = here.ledger.get(game.id) if done.repeated else here.ledger.cached(game.id)
    humans = [seat for seat, chair in enumerate(game.chairs) if chair.taken and not chair.bot]
    tokens = {seat: here.door.seat_token(game.id, seat, game.chairs[seat].generation) for seat in humans}
    body = game_body(game, dossier._replace(people=people_then(dossier, game)), caller, tokens=tokens)
    if dossier.join_code:
        body["join_code"] = dossier.join_code
    return done.answer(body, Location=body["links"]["self"])

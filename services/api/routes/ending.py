"""Ending a game from outside: calling it off, or judging it."""

from typing import Any

from events import commands
from events.batch import EntryBatch
from events.entries import GameAborted, GameAdjudicated
from services.api.authentication import (
    HostCaller,
    OperatorCaller,
    SeatCaller,
    authorize,
    check_administers,
    denied,
    forbidden,
)
from services.api.command_handling import handle_command
from services.api.context import context
from services.api.parameters import IDEMPOTENCY_KEY
from services.api.requests import idempotency, identify_or_hide, json_body, json_of
from services.api.responses import game_body
from services.api.returns import ABOUT_A_GAME, BODY, REPLAYED_HEADER, RETRIED
from services.api.schemas.requests import AdjudicationSchema
from services.api.table import TABLE
from services.bodies.games import GameBody
from services.core.ledger import Dossier
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("ending")


@route(
    "POST",
    "/v1/games/<game_id>/abort",
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(GameBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "old_terms"),
)
def abort_game(game_id: str) -> Response:
    """Call a game off: its host, or the seat that created it, before the start; an operator at any time."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        authorize(caller, dossier.game)
        if isinstance(caller, SeatCaller):
            return  # whether it is the creator's, the act itself knows
        if not caller.administers(dossier.game):
            raise denied(caller, "Only the game's host, its creator or an operator may call it off.")
        if isinstance(caller, HostCaller) and dossier.game.started:
            raise forbidden("Once a game has started, only an operator may call it off.")

    def write(batch: EntryBatch, _: Dossier) -> None:
        if isinstance(caller, SeatCaller):
            commands.abort_by_creator(batch, caller.seat)
        else:
            commands.abort(
                batch, caller.actor, "by_operator" if isinstance(caller, OperatorCaller) else "by_host"
            )

    done = handle_command(game_id, caller, idempotency_key, writes=GameAborted, check=check, write=write)
    return done.answer(game_body(done.game, context().ledger.cached(game_id), caller))


@route(
    "POST",
    "/v1/games/<game_id>/adjudication",
    body=json_of(AdjudicationSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(GameBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_not_started", "game_over", "old_terms"),
)
def adjudicate(wanted: dict[str, Any], game_id: str) -> Response:
    """End a running game: its host or an operator says who has won, and why; both are public for ever."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_administers(caller, dossier.game, "Only the game's host or an operator may judge it.")

    def write(batch: EntryBatch, _: Dossier) -> None:
        commands.adjudicate(batch, caller.actor, wanted["winners"], wanted["why"], context().rulesets)

    done = handle_command(game_id, caller, idempotency_key, writes=GameAdjudicated, check=check, write=write)
    return done.answer(game_body(done.game, context().ledger.cached(game_id), caller))

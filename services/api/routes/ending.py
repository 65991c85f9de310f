"""Ending a game from outside: calling it off, or judging it."""

from typing import Any

from flask import Response

from events import acts
from events.entries import GameAborted, GameAdjudicated
from events.scribe import Page
from services.api.answers import game_body
from services.api.callers import (
    HostCaller,
    OperatorCaller,
    SeatCaller,
    admit,
    check_governs,
    forbidden,
    turned_away,
)
from services.api.changing import change
from services.api.context import context
from services.api.promises import ABOUT_A_GAME, BODY, IDEMPOTENCY_KEY, REPLAYED_HEADER, RETRIED
from services.api.requests import StrictBlueprint, idempotency, identify_or_hide, json_body
from services.api.schemas.games import GameSchema
from services.api.schemas.requests import AdjudicationSchema
from services.core.ledger import Dossier

blueprint = StrictBlueprint(
    "ending", __name__, url_prefix="/v1", description="Calling games off, and judging them."
)


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "old_terms")
@blueprint.response(201, GameSchema, headers=REPLAYED_HEADER)
def abort_game(game_id: str) -> Response:
    """Call a game off: its host, or the seat that created it, before the start; an operator at any time."""
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        admit(caller, dossier.game)
        if isinstance(caller, SeatCaller):
            return  # whether it is the creator's, the act itself knows
        if not caller.governs(dossier.game):
            raise turned_away(caller, "Only the game's host, its creator or an operator may call it off.")
        if isinstance(caller, HostCaller) and dossier.game.started:
            raise forbidden("Once a game has started, only an operator may call it off.")

    def write(page: Page, _: Dossier) -> None:
        if isinstance(caller, SeatCaller):
            acts.abort_by_creator(page, caller.seat)
        else:
            acts.abort(page, caller.actor, "by_operator" if isinstance(caller, OperatorCaller) else "by_host")

    done = change(game_id, caller, call, writes=GameAborted, check=check, write=write)
    return done.answer(game_body(done.game, context().ledger.cached(game_id), caller))


@blueprint.route("/games/<game_id>/adjudication", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_not_started", "game_over", "old_terms")
@blueprint.arguments(AdjudicationSchema)
@blueprint.response(201, GameSchema, headers=REPLAYED_HEADER)
def adjudicate(wanted: dict[str, Any], game_id: str) -> Response:
    """End a running game: its host or an operator says who has won, and why; both are public for ever."""
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_governs(caller, dossier.game, "Only the game's host or an operator may judge it.")

    def write(page: Page, _: Dossier) -> None:
        acts.adjudicate(page, caller.actor, wanted["winners"], wanted["why"], context().rulesets)

    done = change(game_id, caller, call, writes=GameAdjudicated, check=check, write=write)
    return done.answer(game_body(done.game, context().ledger.cached(game_id), caller))

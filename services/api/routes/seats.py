"""Sitting down, opening seals, tokens and tickets."""

import hmac
from datetime import UTC, datetime
from typing import Any

from flask import Response

from events import acts
from events.clocks import timestamp
from events.scribe import Page
from games.kernel import Refusal
from services.api.answers import answer
from services.api.callers import (
    ANYONE,
    Caller,
    HostCaller,
    OperatorCaller,
    SeatCaller,
    admit,
    forbidden,
    not_found,
    turned_away,
)
from services.api.context import context
from services.api.people import introduce
from services.api.promises import ABOUT_A_GAME, BODY, IDEMPOTENCY_KEY, REPLAYED_HEADER, RETRIED
from services.api.repeats import REPLAYED, entries_of, repeated_entries
from services.api.requests import (
    StrictBlueprint,
    idempotency,
    identify_or_hide,
    json_body,
    seat_caller,
    visit,
)
from services.api.schemas import EntropySchema, SeatedSchema, SeatRequestSchema, TicketSchema, TokenSchema
from services.core.ledger import Known, Repeat, key_reused

blueprint = StrictBlueprint(
    "seats", __name__, url_prefix="/v1", description="Seats, seals, tokens and tickets."
)


@blueprint.route("/games/<game_id>/seats", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(
    *ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_full", "game_over", "invalid_seats", "seat_taken"
)
@blueprint.arguments(SeatRequestSchema)
@blueprint.response(201, SeatedSchema, headers=REPLAYED_HEADER)
def take_seat(wanted: dict[str, Any], game_id: str) -> Response:
    """Sit down, or seat a bot. The last one to sit down starts the game, or its sealing."""
    here = context()
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body())
    sitter, person = introduce(wanted)

    def write(page: Page, known: Known) -> int:
        check_may_seat(caller, known, wanted)
        here.check_writable()
        by = None if caller is ANYONE else caller.actor
        seat = acts.sit(page, wanted.get("seat"), sitter, by)
        acts.start_if_ready(page, here.rulesets, known.server_seed)
        return seat

    came = here.ledger.change(
        game_id, write, call=call, people=lambda seat: {str(seat): person} if person else {}
    )
    if isinstance(came, Repeat):
        check_may_seat(caller, here.ledger.get(game_id), wanted)
        taken = entries_of(game_id, came, "seat_taken")[0].data
        return seated(game_id, taken.seat, taken.bot, came.request.of[1], **REPLAYED)
    return seated(game_id, came.result, sitter.bot, came.game.version)


def seated(game_id: str, seat: int, bot: str | None, version: int, **headers: str) -> Response:
    token = None if bot else context().door.seat_token(game_id, seat, 0)
    return answer({"seat": seat, "token": token, "version": version}, 201, **headers)


def check_may_seat(caller: Caller, known: Known, wanted: dict[str, Any]) -> None:
    """Who may seat whom: oneself, with the code of a private game; others by those who run the game."""
    game = known.game
    governs = caller.governs(game)
    if caller is ANYONE or isinstance(caller, HostCaller):
        code = wanted.get("join_code", "")
        invited = known.join_code is not None and hmac.compare_digest(code.encode(), known.join_code.encode())
        if game.created.private and not (invited or governs):
            raise not_found(game.id)
    else:
        admit(caller, game)
    if "bot" in wanted and not (governs or isinstance(caller, SeatCaller)):
        raise turned_away(caller, "A bot is seated by the host, an operator or a seated player.")
    if "name" in wanted and isinstance(caller, SeatCaller):
        raise forbidden("You sit already; a seat's token can seat bots only.")
    if "ref" in wanted and not isinstance(caller, HostCaller | OperatorCaller):
        raise turned_away(caller, "A player's `ref` is for hosts and operators.")


@blueprint.route("/games/<game_id>/seats/<int:seat>/entropy", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "not_sealing", "seal_mismatch")
@blueprint.arguments(EntropySchema)
@blueprint.response(201, SeatedSchema, headers=REPLAYED_HEADER)
def open_seal(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Open the seal of your seat; the last one to be opened starts the game."""
    here = context()
    caller = seat_caller(game_id)
    call = idempotency(caller, json_body())

    def write(page: Page, known: Known) -> None:
        admit(caller, known.game)
        if caller.seat != seat:
            raise forbidden("A seal is opened by its own seat.")
        here.check_writable()
        acts.open_seal(page, seat, wanted["entropy"])
        acts.start_if_ready(page, here.rulesets, known.server_seed)

    came = here.ledger.change(game_id, write, call=call)
    token = here.door.seat_token(game_id, seat, caller.generation)
    if isinstance(came, Repeat):
        repeated_entries(game_id, came, caller, "entropy_revealed")
        return answer({"seat": seat, "token": token, "version": came.request.of[1]}, 201, **REPLAYED)
    return answer({"seat": seat, "token": token, "version": came.game.version}, 201)


@blueprint.route("/games/<game_id>/seats/<int:seat>/token", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "invalid_seats", "seat_is_bot")
@blueprint.response(201, TokenSchema, headers=REPLAYED_HEADER)
def renew_token(game_id: str, seat: int) -> Response:
    """Replace a seat's lost token: the old one is dead at once. For the game's host and operators."""
    here = context()
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body())

    def write(page: Page, known: Known) -> int:
        admit(caller, known.game)
        if not caller.governs(known.game):
            raise turned_away(caller, "Only the game's host or an operator renews tokens.")
        here.check_writable()
        if seat >= len(known.game.chairs):
            raise Refusal("invalid_seats", f"There is no seat {seat}.")
        return acts.renew_token(page, caller.actor, seat)

    came = here.ledger.change(game_id, write, call=call)
    if isinstance(came, Repeat):
        renewed = repeated_entries(game_id, came, caller, "seat_token_renewed")[0].data
        if renewed.seat != seat:
            raise key_reused()
        return answer({"token": here.door.seat_token(game_id, seat, renewed.generation)}, 201, **REPLAYED)
    return answer({"token": here.door.seat_token(game_id, seat, came.result)}, 201)


@blueprint.route("/games/<game_id>/tickets", methods=["POST"])
@blueprint.refuses(*ABOUT_A_GAME, *BODY)
@blueprint.response(201, TicketSchema)
def make_ticket(game_id: str) -> Response:
    """A read-only pass for ten minutes, for where a browser cannot send a token (`?ticket=`)."""
    json_body()
    caller, _ = visit(game_id, tickets=False)
    ticket, expires = context().door.ticket(game_id, caller)
    return answer({"ticket": ticket, "expires": timestamp(datetime.fromtimestamp(expires, UTC))}, 201)

"""Sitting down, opening seals, tokens and tickets."""

from datetime import UTC, datetime
from typing import Any

from flask import Response

from events import acts
from events.clocks import timestamp
from events.entries import EntropyRevealed, SeatLeft, SeatTaken, SeatTokenRenewed
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
    check_governs,
    forbidden,
    has_code,
    not_found,
    turned_away,
)
from services.api.changing import Carried, change
from services.api.context import context, this_request
from services.api.creating import introduce
from services.api.promises import ABOUT_A_GAME, BODY, IDEMPOTENCY_KEY, JOIN_CODE, REPLAYED_HEADER, RETRIED
from services.api.requests import (
    StrictBlueprint,
    idempotency,
    identify_or_hide,
    json_body,
    seat_caller,
    visit,
)
from services.api.schemas.games import LeftSchema, SeatedSchema, TicketSchema, TokenSchema
from services.api.schemas.requests import EntropySchema, SeatRequestSchema
from services.core.ledger import Denied, Dossier, key_reused

blueprint = StrictBlueprint(
    "seats", __name__, url_prefix="/v1", description="Seats, seals, tokens and tickets."
)


@blueprint.route("/games/<game_id>/seats", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(
    *ABOUT_A_GAME,
    *BODY,
    *RETRIED,
    "forbidden",
    "game_full",
    "game_over",
    "invalid_seats",
    "old_terms",
    "seat_taken",
)
@blueprint.arguments(SeatRequestSchema)
@blueprint.response(201, SeatedSchema, headers=REPLAYED_HEADER)
def take_seat(wanted: dict[str, Any], game_id: str) -> Response:
    """Sit down, or seat a bot. The last one to sit down starts the game, or its sealing."""
    here = context()
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body(), game_id)
    sitter = introduce(wanted)

    def check(dossier: Dossier) -> None:
        check_may_seat(caller, dossier, wanted)

    def write(page: Page, dossier: Dossier) -> None:
        if caller is ANYONE:
            here.limits.check_joining(this_request().environ)
        acts.sit(page, wanted.get("seat"), sitter, by=None if caller is ANYONE else caller.actor)
        acts.start_if_ready(page, here.rulesets, dossier.server_seed)

    done = change(game_id, caller, call, writes=SeatTaken, check=check, write=write, admits=check)
    taken: SeatTaken = done.entries[0].data
    generation = done.game.chairs[taken.seat].generation
    token = None if taken.bot else here.door.seat_token(game_id, taken.seat, generation)
    entry = {"seq": done.entries[0].seq, "hash": done.entries[0].hash}
    return done.answer({"seat": taken.seat, "token": token, "version": done.game.version, "entry": entry})


def check_may_seat(caller: Caller, dossier: Dossier, wanted: dict[str, Any]) -> None:
    """Who may seat whom: oneself, with the code of a private game; others by those who run the game."""
    game = dossier.game
    governs = caller.governs(game)
    if caller is ANYONE or isinstance(caller, HostCaller):
        invited = has_code(wanted.get("join_code"), dossier.join_code)
        if game.created.private and not (invited or governs):
            raise not_found(game.id)
    else:
        admit(caller, game)
    if "bot" in wanted and not (governs or isinstance(caller, SeatCaller)):
        raise turned_away(caller, "A bot is seated by the host, an operator or a seated player.")
    if "bot" not in wanted and isinstance(caller, SeatCaller):
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
    call = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        admit(caller, dossier.game)
        if caller.seat != seat:
            raise forbidden("A seal is opened by its own seat.")

    def write(page: Page, dossier: Dossier) -> None:
        acts.open_seal(page, seat, wanted["entropy"])
        acts.start_if_ready(page, here.rulesets, dossier.server_seed)

    done = change(game_id, caller, call, writes=EntropyRevealed, check=check, write=write)
    token = here.door.seat_token(game_id, seat, caller.generation)
    return done.answer({"seat": seat, "token": token, "version": done.game.version})


@blueprint.route("/games/<game_id>/seats/<int:seat>/token", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "invalid_seats", "seat_is_bot")
@blueprint.response(201, TokenSchema, headers=REPLAYED_HEADER)
def renew_token(game_id: str, seat: int) -> Response:
    """Replace a seat's lost token: the old one is dead at once. For the game's host and operators."""
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_governs(caller, dossier.game, "Only the game's host or an operator renews tokens.")

    def write(page: Page, dossier: Dossier) -> None:
        if seat >= len(dossier.game.chairs):
            raise Refusal("invalid_seats", f"There is no seat {seat}.")
        acts.renew_token(page, caller.actor, seat)

    done = change(game_id, caller, call, writes=SeatTokenRenewed, check=check, write=write)
    renewed: SeatTokenRenewed = done.entries[0].data
    if renewed.seat != seat:
        raise key_reused()
    return done.answer({"token": context().door.seat_token(game_id, seat, renewed.generation)})


@blueprint.route("/games/<game_id>/seats/<int:seat>", methods=["DELETE"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "invalid_seats", "not_open", "old_terms")
@blueprint.response(200, LeftSchema, headers=REPLAYED_HEADER)
def leave_seat(game_id: str, seat: int) -> Response:
    """Give up a seat while the game is open: that seat itself, the game's host or an operator.

    Its token is dead then, but whoever comes with it again, to give the seat up, gets the same answer.
    """
    caller = identify_or_hide(game_id)
    call = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        admit(caller, dossier.game)
        if caller.viewer != seat and not caller.governs(dossier.game):
            raise turned_away(caller, "A seat is given up by itself, the game's host or an operator.")

    def write(page: Page, _: Dossier) -> None:
        acts.leave(page, caller.actor, seat)

    try:
        done = change(game_id, caller, call, writes=SeatLeft, check=check, write=write)
    except Denied:
        before = left_before(caller, game_id, seat)
        if before is None:
            raise
        done = before
    left = done.entries[0]
    if left.data.seat != seat:
        raise key_reused()
    return done.answer({"version": left.seq, "hash": left.hash}, 200)


def left_before(caller: Caller, game_id: str, seat: int) -> Carried | None:
    """How this seat was given up, for the caller whose token died with it."""
    if not isinstance(caller, SeatCaller) or caller.seat != seat:
        return None
    game = context().ledger.get(game_id).game
    left = SeatLeft(seat, caller.generation + 1)
    if seat >= len(game.chairs) or left.generation not in game.chairs[seat].leavings:
        return None
    entries = [next(carved for carved in context().store.walk(game_id) if carved.data == left)]
    return Carried(game, entries, repeated=True)


@blueprint.route("/games/<game_id>/tickets", methods=["POST"])
@blueprint.takes(JOIN_CODE)
@blueprint.refuses(*ABOUT_A_GAME, *BODY)
@blueprint.response(201, TicketSchema)
def make_ticket(game_id: str) -> Response:
    """A read-only pass for ten minutes, for where a browser cannot send a token (`?ticket=`)."""
    json_body()
    caller, _ = visit(game_id, tickets=False)
    ticket, expires = context().door.ticket(game_id, caller)
    return answer({"ticket": ticket, "expires": timestamp(datetime.fromtimestamp(expires, UTC))}, 201)

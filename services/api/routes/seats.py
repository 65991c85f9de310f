"""Sitting down, opening seals, tokens and tickets."""

from datetime import UTC, datetime
from typing import Any

from events import commands
from events.batch import EntryBatch
from events.clocks import timestamp
from events.entries import EntropyRevealed, SeatLeft, SeatTaken, SeatTokenRenewed
from events.rematch import check_not_reserved
from games.kernel import Refusal
from services.api.authentication import (
    ANYONE,
    Caller,
    HostCaller,
    OperatorCaller,
    SeatCaller,
    authorize,
    check_administers,
    denied,
    forbidden,
    has_code,
    not_found,
)
from services.api.command_handling import CommandResult, handle_command
from services.api.context import context
from services.api.game_creation import sitter_of
from services.api.parameters import IDEMPOTENCY_KEY, JOIN_CODE
from services.api.requests import (
    idempotency,
    identify_or_hide,
    json_body,
    json_of,
    seat_caller,
    visit,
)
from services.api.responses import json_response
from services.api.returns import ABOUT_A_GAME, BODY, REPLAYED_HEADER, RETRIED
from services.api.schemas.requests import EntropySchema, SeatRequestSchema
from services.api.table import TABLE
from services.bodies.games import EntryNameBody, LeftBody, SeatedBody, TicketBody, TokenBody
from services.core.ledger import Denied, Dossier, key_reused
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("seats")


@route(
    "POST",
    "/v1/games/<game_id>/seats",
    runs_in="loop",
    body=json_of(SeatRequestSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(SeatedBody, headers=REPLAYED_HEADER)},
    errors=(
        *ABOUT_A_GAME,
        *BODY,
        *RETRIED,
        "forbidden",
        "game_full",
        "game_over",
        "invalid_seats",
        "old_terms",
        "reserved",
        "seat_taken",
    ),
)
def take_seat(wanted: dict[str, Any], game_id: str) -> Response:
    """Sit down, or seat a bot. The last one to sit down starts the game, or its sealing."""
    here = context()
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)
    sitter = sitter_of(wanted)

    def check(dossier: Dossier) -> None:
        check_may_seat(caller, dossier, wanted)

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        if caller is ANYONE:
            here.limits.check_joining(this_request())
        check_not_reserved(dossier.game)
        commands.sit(batch, wanted.get("seat"), sitter, by=None if caller is ANYONE else caller.actor)
        commands.start_if_ready(batch, here.rulesets, dossier.server_seed)

    done = handle_command(
        game_id, caller, idempotency_key, writes=SeatTaken, check=check, write=write, admits=check
    )
    taken: SeatTaken = done.entries[0].data
    generation = done.game.chairs[taken.seat].generation
    token = None if taken.bot else here.authenticator.seat_token(game_id, taken.seat, generation)
    entry = EntryNameBody(seq=done.entries[0].seq, hash=done.entries[0].hash)
    return done.answer(SeatedBody(seat=taken.seat, token=token, version=done.game.version, entry=entry))


def check_may_seat(caller: Caller, dossier: Dossier, wanted: dict[str, Any]) -> None:
    """Who may seat whom: oneself, with the code of a private game; others by those who run the game."""
    game = dossier.game
    administers = caller.administers(game)
    if caller is ANYONE or isinstance(caller, HostCaller):
        invited = has_code(wanted.get("join_code"), dossier.join_code)
        if game.created.private and not (invited or administers):
            raise not_found(game.id)
    else:
        authorize(caller, game)
    if "bot" in wanted and not (administers or isinstance(caller, SeatCaller)):
        raise denied(caller, "A bot is seated by the host, an operator or a seated player.")
    if "bot" not in wanted and isinstance(caller, SeatCaller):
        raise forbidden("You sit already; a seat's token can seat bots only.")
    if "ref" in wanted and not isinstance(caller, HostCaller | OperatorCaller):
        raise denied(caller, "A player's `ref` is for hosts and operators.")


@route(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/entropy",
    runs_in="loop",
    body=json_of(EntropySchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(SeatedBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "not_sealing", "seal_mismatch"),
)
def open_seal(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Open the seal of your seat; the last one to be opened starts the game."""
    here = context()
    caller = seat_caller(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        authorize(caller, dossier.game)
        if caller.seat != seat:
            raise forbidden("A seal is opened by its own seat.")

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        commands.open_seal(batch, seat, wanted["entropy"])
        commands.start_if_ready(batch, here.rulesets, dossier.server_seed)

    done = handle_command(game_id, caller, idempotency_key, writes=EntropyRevealed, check=check, write=write)
    token = here.authenticator.seat_token(game_id, seat, caller.generation)
    return done.answer(SeatedBody(seat=seat, token=token, version=done.game.version))


@route(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/token",
    runs_in="loop",
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(TokenBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "invalid_seats", "seat_is_bot"),
)
def renew_token(game_id: str, seat: int) -> Response:
    """Replace a seat's lost token: the old one is dead at once. For the game's host and operators."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_administers(caller, dossier.game, "Only the game's host or an operator renews tokens.")

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        if seat >= len(dossier.game.chairs):
            raise Refusal("invalid_seats", f"There is no seat {seat}.")
        commands.renew_token(batch, caller.actor, seat)

    done = handle_command(game_id, caller, idempotency_key, writes=SeatTokenRenewed, check=check, write=write)
    renewed: SeatTokenRenewed = done.entries[0].data
    if renewed.seat != seat:
        raise key_reused()
    token = context().authenticator.seat_token(game_id, seat, renewed.generation)
    return done.answer(TokenBody(token=token))


@route(
    "DELETE",
    "/v1/games/<game_id>/seats/<int:seat>",
    params=(IDEMPOTENCY_KEY,),
    returns={200: Returns(LeftBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "invalid_seats", "not_open", "old_terms"),
)
def leave_seat(game_id: str, seat: int) -> Response:
    """Give up a seat while the game is open: that seat itself, the game's host or an operator.

    Its token is dead then, but whoever comes with it again, to give the seat up, gets the same answer.
    """
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        authorize(caller, dossier.game)
        if caller.viewer != seat and not caller.administers(dossier.game):
            raise denied(caller, "A seat is given up by itself, the game's host or an operator.")

    def write(batch: EntryBatch, _: Dossier) -> None:
        commands.leave(batch, caller.actor, seat)

    try:
        done = handle_command(game_id, caller, idempotency_key, writes=SeatLeft, check=check, write=write)
    except Denied:
        before = left_before(caller, game_id, seat)
        if before is None:
            raise
        done = before
    left = done.entries[0]
    if left.data.seat != seat:
        raise key_reused()
    return done.answer(LeftBody(version=left.seq, hash=left.hash), 200)


def left_before(caller: Caller, game_id: str, seat: int) -> CommandResult | None:
    """How this seat was given up, for the caller whose token died with it."""
    if not isinstance(caller, SeatCaller) or caller.seat != seat:
        return None
    game = context().ledger.get(game_id).game
    left = SeatLeft(seat, caller.generation + 1)
    if seat >= len(game.chairs) or left.generation not in game.chairs[seat].leavings:
        return None
    entries = [carved for carved in context().store.walk(game_id) if carved.data == left]
    return CommandResult(game, entries, repeated=True) if entries else None


@route(
    "POST",
    "/v1/games/<game_id>/tickets",
    runs_in="loop",
    params=(JOIN_CODE,),
    returns={201: Returns(TicketBody)},
    errors=(*ABOUT_A_GAME, *BODY),
)
def make_ticket(game_id: str) -> Response:
    """A read-only pass for ten minutes, for where a browser cannot send a token (`?ticket=`)."""
    json_body()
    caller, _ = visit(game_id, tickets=False)
    ticket, expires = context().authenticator.ticket(game_id, caller)
    until = timestamp(datetime.fromtimestamp(expires, UTC))
    return json_response(TicketBody(ticket=ticket, expires=until), 201)

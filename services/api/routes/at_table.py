"""At the table: taking back, handing a seat over, adding time, pausing and resuming."""

from datetime import UTC, datetime
from typing import Any

from events import signatures, table_commands
from events.batch import EntryBatch
from events.clocks import timestamp
from events.entries import (
    Data,
    EntrySignature,
    GamePaused,
    GameResumed,
    PauseAgreed,
    SeatHandedOver,
    TakenBack,
    TimeAdded,
)
from events.game import Game
from events.keys import game_key, is_game_id
from games.kernel import Refusal
from services.api.authentication import (
    ANYONE,
    Caller,
    HandoverCode,
    SeatCaller,
    authorize,
    check_administers,
    denied,
    forbidden,
    not_found,
)
from services.api.command_handling import handle_command
from services.api.context import context
from services.api.game_creation import sitter_of
from services.api.parameters import IDEMPOTENCY_KEY, IF_MATCH, INCLUDED, PREFER, SIGNATURE
from services.api.requests import (
    check_version,
    expected_versions,
    idempotency,
    identify_or_hide,
    json_body,
    json_of,
    seat_caller,
    signatures_given,
)
from services.api.responses import game_body, include_request, json_response
from services.api.returns import ABOUT_A_GAME, BODY, REPLAYED_HEADER, RETRIED
from services.api.routes.play import ACTING, acted, check_may_act
from services.api.schemas.requests import HandoverSchema, TakeBackSchema, TakeoverSchema, TimeSchema
from services.api.table import TABLE
from services.bodies.games import GameBody, HandoverCodeBody, TokenBody
from services.bodies.play import ActedBody
from services.core.ledger import Dossier, key_reused
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("table")

WHILE_PLAYING = ("game_not_started", "game_over", "old_terms")
OF_A_PERSON = ("forbidden", "invalid_seats", "seat_is_bot", "seat_withdrawn")


@route(
    "POST",
    "/v1/games/<game_id>/takebacks",
    runs_in="loop",
    body=json_of(TakeBackSchema),
    params=(IDEMPOTENCY_KEY, IF_MATCH, PREFER, SIGNATURE, *INCLUDED),
    returns={201: Returns(ActedBody, headers=REPLAYED_HEADER)},
    errors=(
        *ABOUT_A_GAME,
        *BODY,
        *RETRIED,
        *ACTING,
        *WHILE_PLAYING,
        "bad_signature",
        "deadline_passed",
        "limit_reached",
        "nothing_to_take_back",
        "paused",
        "something_was_revealed",
        "takebacks_off",
        "turn_has_passed",
    ),
)
def take_back(wanted: dict[str, Any], game_id: str) -> Response:
    """Take back your latest actions, within your turn and as long as they have shown you nothing."""
    caller = seat_caller(game_id)
    versions, include, sigs = expected_versions(), include_request(), signatures_given()
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_may_act(caller, dossier.game)

    def sign(game: Game, to: int) -> EntrySignature | None:
        return signatures.sign_takeback(game, caller.seat, to, versions is not None, sigs)

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        check_version(dossier.game, versions)
        table_commands.take_back(batch, caller.seat, wanted.get("to"), context().rulesets, sign)

    done = handle_command(game_id, caller, idempotency_key, writes=TakenBack, check=check, write=write)
    return acted(done, caller, include)


# -- handing a seat over ----------------------------------------------------------------------------------------------


@route(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/handover",
    body=json_of(HandoverSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(HandoverCodeBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, *WHILE_PLAYING, *OF_A_PERSON, "limit_reached"),
)
def hand_over(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Pass a seat on: the host or an operator names who takes it; the seat itself gets a code to hand on."""
    caller = identify_or_hide(game_id)
    if isinstance(caller, SeatCaller):
        return handover_code(caller, game_id, seat, wanted)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_administers(
            caller, dossier.game, "A seat is handed over by itself, the game's host or an operator."
        )

    def write(batch: EntryBatch, _: Dossier) -> None:
        if "name" not in wanted:
            raise Refusal("invalid_request", "Give the `name` of who takes over the seat.")
        table_commands.hand_over(batch, caller.actor, seat, sitter_of(wanted))

    done = handle_command(game_id, caller, idempotency_key, writes=SeatHandedOver, check=check, write=write)
    return done.answer(HandoverCodeBody(token=new_token(game_id, seat, done.entries[0].data)))


def new_token(game_id: str, seat: int, handed: SeatHandedOver) -> str:
    """The token of who has taken over a seat."""
    if handed.seat != seat:
        raise key_reused()
    return context().authenticator.seat_token(game_id, seat, handed.generation)


def handover_code(caller: SeatCaller, game_id: str, seat: int, wanted: dict[str, Any]) -> Response:
    """A code for whoever the seat wants to take over, or for another device; nothing is appended."""
    game = context().ledger.get(game_id).game
    authorize(caller, game)
    if caller.seat != seat:
        raise forbidden("A seat is handed over by itself, the game's host or an operator.")
    if wanted:
        raise Refusal("invalid_request", "A seat names nobody: whoever has its code says who they are.")
    table_commands.check_can_hand_over(game, seat)
    code, expires = context().authenticator.handover_code(game_id, seat, caller.generation)
    until = timestamp(datetime.fromtimestamp(expires, UTC))
    return json_response(HandoverCodeBody(code=code, expires=until), 201)


@route(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/takeover",
    body=json_of(TakeoverSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(TokenBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, *WHILE_PLAYING, *OF_A_PERSON, "invalid_code", "limit_reached"),
)
def take_over(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Take over a seat by its code: another person under a name; without one, the same person on another device."""
    here = context()
    if not is_game_id(game_id):
        raise not_found(game_id)
    game = here.ledger.get(game_id).game
    code = here.authenticator.read_handover_code(wanted["code"], game_id, seat)
    if code is None:
        raise not_found(game_id) if game.created.private else invalid_code()
    if "name" not in wanted:
        return another_device(game, seat, code, wanted)
    idempotency_key = idempotency(ANYONE, json_body(), game_id)

    def admits(_: Dossier) -> None:
        """The code is what lets in; whether it still holds, only a new request is asked."""

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        check_code(dossier.game, seat, code)
        table_commands.hand_over(batch, {"seat": seat}, seat, sitter_of(wanted))

    done = handle_command(
        game_id, ANYONE, idempotency_key, writes=SeatHandedOver, check=admits, write=write, admits=admits
    )
    return done.answer(TokenBody(token=new_token(game_id, seat, done.entries[0].data)))


def another_device(game: Game, seat: int, code: HandoverCode, wanted: dict[str, Any]) -> Response:
    """The present token of a seat once more, for the same person: a code gives it once."""
    if "public_key" in wanted:
        raise Refusal("invalid_request", "The key of a seat changes only with its person: give a `name`.")
    check_code(game, seat, code)
    table_commands.check_can_hand_over(game, seat)
    used = game_key(game.id, f"code:{code.nonce}")
    if not context().store.client.set(used, "1", nx=True, ex=code.seconds):
        raise invalid_code()
    token = context().authenticator.seat_token(game.id, seat, code.generation)
    return json_response(TokenBody(token=token), 201)


def check_code(game: Game, seat: int, code: HandoverCode) -> None:
    """Refuse a code that is too old, or of somebody who holds the seat no more, or that was used."""
    used = game_key(game.id, f"code:{code.nonce}")
    alive = seat < len(game.chairs) and game.chairs[seat].generation == code.generation
    if not alive or code.expired or context().store.client.exists(used):
        raise invalid_code()


def invalid_code() -> Refusal:
    return Refusal("invalid_code", "This code is not valid, or not any more.")


# -- time and pauses --------------------------------------------------------------------------------------------------


@route(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/time",
    body=json_of(TimeSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(ActedBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, *WHILE_PLAYING, *OF_A_PERSON, "no_clock", "not_to_act"),
)
def add_time(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Give a seat more time; for the game's host and operators."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_administers(caller, dossier.game, "Only the game's host or an operator adds time.")

    def write(batch: EntryBatch, _: Dossier) -> None:
        table_commands.add_time(batch, caller.actor, seat, wanted["seconds"])

    done = handle_command(game_id, caller, idempotency_key, writes=TimeAdded, check=check, write=write)
    if done.entries[0].data.seat != seat:
        raise key_reused()
    return acted(done, caller)


def check_at_table(caller: Caller, game: Game) -> None:
    """Let in seats, the game's host and operators."""
    authorize(caller, game)
    if not (isinstance(caller, SeatCaller) or caller.administers(game)):
        raise denied(caller, "Only its players, its host or an operator may do this.")


@route(
    "POST",
    "/v1/games/<game_id>/pause",
    params=(IDEMPOTENCY_KEY,),
    returns={
        201: Returns(ActedBody, headers=REPLAYED_HEADER),
        200: Returns(GameBody, description="You have agreed already."),
    },
    errors=(
        *ABOUT_A_GAME,
        *BODY,
        *RETRIED,
        *WHILE_PLAYING,
        *OF_A_PERSON,
        "deadline_passed",
        "no_clock",
        "paused",
    ),
)
def pause(game_id: str) -> Response:
    """Ask for a pause, or agree to one: once all players have, the game is paused. Its host or an operator pauses alone."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)
    writes: type[Data] = PauseAgreed if isinstance(caller, SeatCaller) else GamePaused

    def check(dossier: Dossier) -> None:
        check_at_table(caller, dossier.game)

    def write(batch: EntryBatch, _: Dossier) -> None:
        if isinstance(caller, SeatCaller):
            table_commands.agree_to_pause(batch, caller.seat)
        else:
            table_commands.pause(batch, caller.actor)

    try:
        done = handle_command(game_id, caller, idempotency_key, writes=writes, check=check, write=write)
    except table_commands.AgreedAlready:
        dossier = context().ledger.get(game_id)
        return json_response(game_body(dossier.game, dossier, caller))
    return acted(done, caller)


@route(
    "POST",
    "/v1/games/<game_id>/resume",
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(ActedBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, *WHILE_PLAYING, *OF_A_PERSON, "not_paused"),
)
def resume(game_id: str) -> Response:
    """End a pause: one that the players agreed to by any of them, one of the host by the host or an operator."""
    caller = identify_or_hide(game_id)
    idempotency_key = idempotency(caller, json_body(), game_id)

    def check(dossier: Dossier) -> None:
        check_at_table(caller, dossier.game)

    def write(batch: EntryBatch, _: Dossier) -> None:
        table_commands.resume(batch, caller.actor)

    done = handle_command(game_id, caller, idempotency_key, writes=GameResumed, check=check, write=write)
    return acted(done, caller)

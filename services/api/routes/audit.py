"""Checking games: the record of a settled game, its audit, and the audit of records from anywhere."""

from events.game import Game
from games.kernel import Refusal
from replays.audit.audit import Audit
from replays.audit.verify import Fault, game_leaf, read_record
from replays.record import write_record
from services.api.authentication import Caller, OperatorCaller, denied
from services.api.compression import compressed_if_open
from services.api.context import context
from services.api.parameters import IMPORT, READER
from services.api.problems import Problem
from services.api.requests import Visit, bearer, flag_parameter, visit
from services.api.responses import json_response, mark_private
from services.api.returns import ABOUT_A_GAME, BODY
from services.api.table import TABLE
from services.bodies.audit import AuditBody, ProofsBody, RecordBody
from services.core.records import audit_game, export_record, import_record_of, own_log_trust
from services.http.messages import Response, response, this_request
from services.http.routing import LARGEST_BODY, Body, Returns

route = TABLE.section("audit")

IMPORTING = ("forbidden", "game_exists", "not_settled", "store_full", "store_unavailable", "unauthorized")


def demand_settled(visitor: Visit) -> None:
    if not visitor.game.settled:
        raise Refusal("not_settled", "The game is not settled yet: its record opens when it is.")


@route(
    "GET",
    "/v1/games/<game_id>/record",
    runs_in="slow",
    params=READER,
    returns={200: Returns(RecordBody)},
    errors=(*ABOUT_A_GAME, "not_settled"),
)
def show_record(game_id: str) -> Response:
    """The portable record of a settled game: everything needed to check it anywhere."""
    here, visitor = context(), visit(game_id)
    demand_settled(visitor)
    record = response(
        write_record(export_record(here.store, here.keys, game_id, here.log)), "application/json"
    )
    return compressed_if_open(mark_private(record), visitor.game)


@route(
    "GET",
    "/v1/games/<game_id>/audit",
    runs_in="slow",
    params=READER,
    returns={200: Returns(AuditBody)},
    errors=(*ABOUT_A_GAME, "not_settled"),
)
def show_audit(game_id: str) -> Response:
    """The audit of a settled game, as long as its log ends as it does; of a live one for operators."""
    visitor = visit(game_id)
    if not isinstance(visitor.caller, OperatorCaller):
        demand_settled(visitor)
    here = context()
    logged = bool(here.log and here.log.proof(end_leaf(visitor.game)))
    end_of_log = (game_id, visitor.game.hash, logged)
    made = here.audits.of(
        end_of_log, lambda: audit_game(here.store, here.keys, here.rulesets, game_id, log=here.log)
    )
    return compressed_if_open(json_response(made), visitor.game)


def end_leaf(game: Game) -> bytes:
    """The leaf that the transparency log holds of a settlement."""
    return game_leaf(game.id, "settled", game.version, game.hash)


@route(
    "GET",
    "/v1/games/<game_id>/proof",
    params=READER,
    returns={200: Returns(ProofsBody)},
    errors=ABOUT_A_GAME,
)
def show_proof(game_id: str) -> Response:
    """The proofs that a game's start and settlement are in the transparency log; null where there is none yet."""
    here, game = context(), visit(game_id).game
    proofs = ProofsBody(created=None, settled=None)
    if here.log:
        first = here.store.read(game_id, limit=1)[0]
        proofs.created = here.log.proof(game_leaf(game_id, "created", 1, first.hash))
        proofs.settled = here.log.proof(end_leaf(game)) if game.settled else None
    return json_response(proofs)


def check_may_import(caller: Caller) -> None:
    if not isinstance(caller, OperatorCaller):
        raise denied(caller, "Only an operator may keep a record here, with an operator's token.")


@route(
    "POST",
    "/v1/records",
    runs_in="slow",
    body=Body(RecordBody, largest=LARGEST_BODY),
    params=(IMPORT,),
    returns={200: Returns(AuditBody)},
    errors=(*BODY, *IMPORTING),
)
def audit_record() -> Response:
    """Audit a record from anywhere: nothing of it is kept, unless an operator asks for it by `?import=true`."""
    here = context()
    if flag_parameter("import"):
        check_may_import(here.authenticator.identify(bearer()))
        return json_response(import_record(this_request().json_source(LARGEST_BODY)))
    audit_or_fault = here.examine(
        this_request().json_source(LARGEST_BODY),
        here.keys.trust(own=False),
        own_log_trust(here.log, own=False),
    )
    if isinstance(audit_or_fault, str):
        raise not_a_record(audit_or_fault)
    return json_response(audit_or_fault)


def not_a_record(why: str) -> Problem:
    return Problem("invalid_request", f"This is not a record: {why}.")


def import_record(source: bytes) -> Audit:
    """Keep the game of a record, if its audit finds no fault."""
    here = context()
    try:
        record = read_record(source)
    except Fault as fault:
        raise not_a_record(fault.detail) from None
    here.check_writable()
    return import_record_of(here.store, here.keys, here.rulesets, record, here.log)

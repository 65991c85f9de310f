"""Checking games: the record of a settled game, its audit, and the audit of records from anywhere."""

from flask import Response
from msgspec.structs import asdict

from games.kernel import Refusal
from replays.audit.audit import Audit
from replays.audit.verify import Fault, read_record
from replays.record import write_record
from services.api.answers import answer, private
from services.api.callers import Caller, OperatorCaller, turned_away
from services.api.context import context
from services.api.packing import packed_if_open
from services.api.problems import Problem
from services.api.promises import ABOUT_A_GAME, BODY, IMPORT, READER
from services.api.requests import StrictBlueprint, Visit, bearer, flag, raw_body, visit
from services.api.schemas.audit import AuditSchema, RecordSchema
from services.core.records import audit_game, bring_in, record_of
from services.front.ways import LARGEST_BODY

blueprint = StrictBlueprint(
    "audit", __name__, url_prefix="/v1", description="Records of games, and their audits."
)

IMPORTING = ("forbidden", "game_exists", "not_settled", "store_full", "store_unavailable", "unauthorized")
RECORD_BODY = {"required": True, "content": {"application/json": {"schema": RecordSchema}}}


def demand_settled(visitor: Visit) -> None:
    if not visitor.game.settled:
        raise Refusal("not_settled", "The game is not settled yet: its record opens when it is.")


@blueprint.route("/games/<game_id>/record")
@blueprint.takes(*READER)
@blueprint.refuses(*ABOUT_A_GAME, "not_settled")
@blueprint.response(200, RecordSchema)
def show_record(game_id: str) -> Response:
    """The portable record of a settled game: everything needed to check it anywhere."""
    here, visitor = context(), visit(game_id)
    demand_settled(visitor)
    record = Response(write_record(record_of(here.store, here.keys, game_id)), mimetype="application/json")
    return packed_if_open(private(record), visitor.game)


@blueprint.route("/games/<game_id>/audit")
@blueprint.takes(*READER)
@blueprint.refuses(*ABOUT_A_GAME, "not_settled")
@blueprint.response(200, AuditSchema)
def show_audit(game_id: str) -> Response:
    """The audit of a settled game, as long as its log ends as it does; of a live one for operators."""
    visitor = visit(game_id)
    if not isinstance(visitor.caller, OperatorCaller):
        demand_settled(visitor)
    here = context()
    end_of_log = (game_id, visitor.game.hash)
    made = here.audits.of(end_of_log, lambda: audit_game(here.store, here.keys, here.rulesets, game_id))
    return packed_if_open(answer(asdict(made)), visitor.game)


def check_may_import(caller: Caller) -> None:
    if not isinstance(caller, OperatorCaller):
        raise turned_away(caller, "Only an operator may keep a record here, with an operator's token.")


@blueprint.route("/records", methods=["POST"])
@blueprint.takes(IMPORT)
@blueprint.refuses(*BODY, *IMPORTING)
@blueprint.doc(requestBody=RECORD_BODY)
@blueprint.response(200, AuditSchema)
def audit_record() -> Response:
    """Audit a record from anywhere: nothing of it is kept, unless an operator asks for it by `?import=true`."""
    here = context()
    if flag("import"):
        check_may_import(here.door.identify(bearer()))
        return answer(asdict(import_record(raw_body(LARGEST_BODY))))
    audit_or_fault = here.examine(raw_body(LARGEST_BODY), here.keys.trust(own=False))
    if isinstance(audit_or_fault, str):
        raise not_a_record(audit_or_fault)
    return answer(asdict(audit_or_fault))


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
    return bring_in(here.store, here.keys, here.rulesets, record)

"""Checking games: the record of a settled game, its audit, and the audit of records from anywhere."""

from flask import Response
from msgspec.structs import asdict

from games.kernel import Refusal
from replays.audit import audit
from replays.record import Fault, Record, read_record, to_record, write_record
from services.api.answers import answer, private
from services.api.callers import OperatorCaller
from services.api.context import context
from services.api.problems import Problem
from services.api.requests import MAX_RECORD, StrictBlueprint, Visit, raw_body, visit
from services.api.schemas import AuditSchema, RecordSchema

blueprint = StrictBlueprint(
    "audit", __name__, url_prefix="/v1", description="Records of games, and their audits."
)


def record_of(visitor: Visit) -> Record:
    """The record of a game as it stands."""
    return to_record(context().store.walk(visitor.game.id), visitor.known.people)


def demand_settled(visitor: Visit) -> None:
    if not visitor.game.settled:
        raise Refusal("not_settled", "The game is not settled yet: its record opens when it is.")


@blueprint.route("/games/<game_id>/record")
@blueprint.response(200, RecordSchema)
def show_record(game_id: str) -> Response:
    """The portable record of a settled game: everything needed to check it anywhere."""
    visitor = visit(game_id)
    demand_settled(visitor)
    return private(Response(write_record(record_of(visitor)), mimetype="application/json"))


@blueprint.route("/games/<game_id>/audit")
@blueprint.response(200, AuditSchema)
def show_audit(game_id: str) -> Response:
    """The audit of a settled game, made anew; of a live one for operators."""
    visitor = visit(game_id)
    if not isinstance(visitor.caller, OperatorCaller):
        demand_settled(visitor)
    return answer(asdict(audit(record_of(visitor), context().rulesets, visitor.known.server_seed)))


@blueprint.route("/records", methods=["POST"])
@blueprint.response(200, AuditSchema)
def audit_record() -> Response:
    """Audit a record from anywhere: nothing of it is kept."""
    try:
        record = read_record(raw_body(MAX_RECORD))
    except Fault as fault:
        raise Problem("invalid_request", f"This is not a record: {fault.detail}.") from None
    return answer(asdict(audit(record, context().rulesets)))

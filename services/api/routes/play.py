"""Playing: what a seat may do, doing it, giving up."""

from collections.abc import Sequence
from typing import Any

from flask import Response

from events import acts
from events.entries import ActionTaken, SeatWithdrawn
from events.game import Game
from events.scribe import Page
from games.kernel import Refusal
from services.api.answers import answer, event_body, shape_of, tagged, view_body, wants_actions
from services.api.callers import SeatCaller, admit
from services.api.changing import Carried, change
from services.api.context import context
from services.api.problems import Problem
from services.api.promises import (
    ABOUT_A_GAME,
    ANY_RULE,
    BODY,
    DECISION,
    DRY_RUN,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    INCLUDE,
    READER,
    REPLAYED_HEADER,
    RETRIED,
    TAG_HEADER,
)
from services.api.requests import (
    StrictBlueprint,
    check_version,
    expected_versions,
    flag,
    idempotency,
    json_body,
    seat_caller,
    visit,
    whole_number,
)
from services.api.schemas.play import ActedSchema, DryRunSchema, LegalActionsSchema
from services.api.wording import RulesInWords, detail_of
from services.core.ledger import Dossier
from services.core.situation import choices, situation

blueprint = StrictBlueprint(
    "play", __name__, url_prefix="/v1", description="What a seat may do, and doing it."
)

MAX_ACTIONS = 32
ACTING = ("forbidden", "seat_is_bot", "seat_withdrawn", "version_conflict")
ONE_ACTION = {"$ref": "#/components/schemas/Action"}
SOME_ACTIONS = {"type": "array", "minItems": 1, "maxItems": MAX_ACTIONS, "items": ONE_ACTION}
ACTION_BODY = {
    "required": True,
    "content": {"application/json": {"schema": {"anyOf": [ONE_ACTION, SOME_ACTIONS]}}},
}


@blueprint.route("/games/<game_id>/actions")
@blueprint.takes(*READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME)
@blueprint.response(200, LegalActionsSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def legal_actions(game_id: str) -> Response:
    """What you may do now: every action the rules accept has its canonical form in this list."""
    caller, dossier = visit(game_id)
    game, seat = dossier.game, caller.viewer
    actions = choices(game, seat, context().rulesets)
    decision = game.decisions.get(seat) if seat is not None else None
    body = {"version": game.version, "decision": decision, "seat": seat, "actions": actions}
    return tagged(body, game, shape_of(caller, game))


def check_may_act(caller: SeatCaller, game: Game) -> None:
    """The token is alive, and nobody acts for a bot or for a seat that has withdrawn."""
    admit(caller, game)
    chair = game.chairs[caller.seat]
    if chair.bot:
        raise Refusal("seat_is_bot", "A bot plays this seat.")
    if chair.withdrawn:
        raise Refusal("seat_withdrawn", "This seat has withdrawn: it may look, not act.")


def check_decision(game: Game, seat: int, expected: int | None) -> None:
    """Refuse an action meant for a decision that has passed."""
    present = game.decisions.get(seat)
    if expected is not None and present != expected:
        raise Problem("decision_passed", f"Decision {expected} is not open to you now.", decision=present)


@blueprint.route("/games/<game_id>/actions", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY, IF_MATCH, DECISION, DRY_RUN, INCLUDE)
@blueprint.refuses(
    *ABOUT_A_GAME, *BODY, *RETRIED, *ACTING, "deadline_passed", "malformed_action", "unknown_action", ANY_RULE
)
@blueprint.doc(requestBody=ACTION_BODY)
@blueprint.response(201, ActedSchema, headers=REPLAYED_HEADER)
@blueprint.alt_response(200, schema=DryRunSchema, description="A dry run's answer.")
def act(game_id: str) -> Response:
    """Do something: one action, or a list of up to 32 that are played in order up to the first refusal."""
    body = json_body()
    caller = seat_caller(game_id)
    versions, decision = expected_versions(), whole_number("decision")
    include = wants_actions()
    if flag("dry_run"):
        return dry_run(caller, game_id, body, versions, decision)
    call = idempotency(caller, body, game_id)
    actions = actions_of(body)

    def check(dossier: Dossier) -> None:
        check_may_act(caller, dossier.game)

    def write(page: Page, dossier: Dossier) -> None:
        check_version(dossier.game, versions)
        check_decision(dossier.game, caller.seat, decision)
        with RulesInWords(dossier.game, actions[0]):
            acts.act_in_order(page, caller.seat, actions, context().rulesets, dossier.seed)

    done = change(game_id, caller, call, writes=ActionTaken, check=check, write=write)
    return acted(done, caller, include, body)


@blueprint.route("/games/<game_id>/actions/check", methods=["POST"])
@blueprint.takes(IF_MATCH, DECISION)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, "forbidden", "seat_is_bot", "seat_withdrawn")
@blueprint.doc(requestBody={"required": True, "content": {"application/json": {"schema": ONE_ACTION}}})
@blueprint.response(200, DryRunSchema)
def check_action(game_id: str) -> Response:
    """Would this action be accepted now? Nothing is changed by asking, and no deadline binds it."""
    body = json_body()
    caller = seat_caller(game_id)
    return dry_run(caller, game_id, body, expected_versions(), whole_number("decision"))


def actions_of(body: Any) -> Sequence[Any]:
    """The actions of a request: the list it is, or the one it is."""
    if not isinstance(body, list):
        return [body]
    if not 1 <= len(body) <= MAX_ACTIONS:
        raise Refusal("invalid_request", f"A list holds 1 to {MAX_ACTIONS} actions.")
    return body


def acted(done: Carried, caller: SeatCaller, include: bool, body: Any = None) -> Response:
    """What came of an action, or of a list of them, as its seat sees it."""
    here, game = context(), done.game
    events = [event_body(carved, game, caller.seat, settled=False) for carved in done.entries]
    answer: dict[str, Any] = {"version": game.version, "hash": game.hash}
    answer |= {"events": events} if isinstance(body, list) else {"event": events[0]}
    answer["view"] = view_body(game, caller.seat)
    answer |= situation(game, here.ledger.patience)
    if include:
        answer["actions"] = choices(game, caller.seat, here.rulesets)
    if isinstance(body, list):
        answer["stopped"] = where_stopped(done, caller, body)
    return done.answer(answer)


def where_stopped(done: Carried, caller: SeatCaller, actions: Sequence[Any]) -> dict[str, Any] | None:
    """The first action of a list that was refused, and why; None if all were carried out."""
    index = len(done.entries)
    if index == len(actions):
        return None
    try:
        with RulesInWords(done.game, actions[index]):
            acts.check_action(done.game, caller.seat, actions[index], context().rulesets)
    except Refusal as refusal:
        return {"index": index, "code": refusal.code, "detail": detail_of(refusal)}
    return None


def dry_run(
    caller: SeatCaller, game_id: str, body: Any, versions: frozenset[int] | None, decision: int | None
) -> Response:
    """Would this one action be accepted? Nothing is appended."""
    dossier = context().ledger.get(game_id)
    check_may_act(caller, dossier.game)
    if isinstance(body, list):
        raise Refusal("invalid_request", "A dry run takes one action.")
    try:
        check_version(dossier.game, versions)
        check_decision(dossier.game, caller.seat, decision)
        with RulesInWords(dossier.game, body):
            acts.check_action(dossier.game, caller.seat, body, context().rulesets)
    except Refusal as refusal:
        return answer({"legal": False, "code": refusal.code, "detail": detail_of(refusal)})
    return answer({"legal": True})


@blueprint.route("/games/<game_id>/resignation", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY, IF_MATCH, INCLUDE)
@blueprint.refuses(*ABOUT_A_GAME, *BODY, *RETRIED, *ACTING, "game_not_started", "game_over")
@blueprint.response(201, ActedSchema, headers=REPLAYED_HEADER)
def resign(game_id: str) -> Response:
    """Give up. With two players the other one wins at once; with more a bot plays on."""
    body = json_body()
    caller = seat_caller(game_id)
    versions, include = expected_versions(), wants_actions()
    call = idempotency(caller, body, game_id)

    def check(dossier: Dossier) -> None:
        check_may_act(caller, dossier.game)

    def write(page: Page, dossier: Dossier) -> None:
        check_version(dossier.game, versions)
        acts.withdraw(page, caller.seat, "resigned", caller.actor, context().rulesets)

    done = change(game_id, caller, call, writes=SeatWithdrawn, check=check, write=write)
    return acted(done, caller, include)

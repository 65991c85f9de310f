"""Playing: what a seat may do, doing it, giving up."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from events import commands
from events.batch import EntryBatch
from events.entries import ActionSignature, ActionTaken, SeatWithdrawn
from events.game import Game
from events.signatures import sign_actions, sign_resignation
from games.kernel import IllegalAction, Refusal
from services.api.authentication import Caller, SeatCaller, authorize
from services.api.command_handling import CommandResult, handle_command
from services.api.context import context
from services.api.parameters import (
    DECISION,
    DRY_RUN,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    INCLUDED,
    PREFER,
    READER,
    SIGNATURE,
)
from services.api.problems import Problem
from services.api.requests import (
    MINIMAL,
    check_version,
    expected_versions,
    flag_parameter,
    idempotency,
    integer_parameter,
    json_body,
    prefers_minimal,
    seat_caller,
    signatures_given,
    visit,
)
from services.api.responses import (
    NO_INCLUDE,
    IncludeRequest,
    etag_response,
    event_body,
    include_request,
    json_response,
    shape_of,
    view_body,
)
from services.api.returns import (
    ABOUT_A_GAME,
    ANY_RULE,
    BODY,
    NOT_MODIFIED,
    REPLAYED_HEADER,
    RETRIED,
    TAG_HEADER,
)
from services.api.table import TABLE
from services.api.translation import detail_of, in_callers_language
from services.bodies.play import ActedBody, DryRunBody, LegalActionsBody, ReachedBody, StoppedBody
from services.core.ledger import Dossier
from services.core.public_status import included, own_status, public_status
from services.http.messages import Response, this_request
from services.http.routing import Body, Returns

route = TABLE.section("play")

MAX_ACTIONS = 32
ACTING = ("forbidden", "seat_is_bot", "seat_withdrawn", "version_conflict")
ONE_ACTION = {"$ref": "#/components/schemas/Action"}
SOME_ACTIONS = {"type": "array", "minItems": 1, "maxItems": MAX_ACTIONS, "items": ONE_ACTION}


@route(
    "GET",
    "/v1/games/<game_id>/actions",
    runs_in="loop",
    params=(*INCLUDED, *READER, IF_NONE_MATCH),
    returns={200: Returns(LegalActionsBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=ABOUT_A_GAME,
)
def legal_actions(game_id: str) -> Response:
    """What you may do now: every action the rules accept has its canonical form in this list."""
    wanted = include_request()
    caller, dossier = visit(game_id)
    game, seat = dossier.game, caller.viewer
    include = wanted.of(dossier)._replace(actions=True)
    decision = game.decisions.get(seat) if seat is not None else None
    offered = included(game, seat, context().rulesets, include)
    body = LegalActionsBody(version=game.version, decision=decision, seat=seat, **offered)
    return etag_response(body, game, shape_of(caller, game, include=include.labels and include.mark))


class ActQuery(NamedTuple):
    """What the query of an action asks for."""

    decision: int | None
    include: IncludeRequest
    only_checks: bool


NOTHING_ASKED = ActQuery(None, NO_INCLUDE, only_checks=False)


def act_query() -> ActQuery:
    return ActQuery(integer_parameter("decision"), include_request(), flag_parameter("dry_run"))


def check_may_act(caller: SeatCaller, game: Game) -> None:
    """The token is alive, and nobody acts for a bot or for a seat that has withdrawn."""
    authorize(caller, game)
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


@route(
    "POST",
    "/v1/games/<game_id>/actions",
    runs_in="loop",
    body=Body({"anyOf": [ONE_ACTION, SOME_ACTIONS]}),
    params=(IDEMPOTENCY_KEY, IF_MATCH, PREFER, DECISION, SIGNATURE, DRY_RUN, *INCLUDED),
    returns={
        201: Returns(ActedBody, headers=REPLAYED_HEADER),
        200: Returns(DryRunBody, description="A dry run's answer."),
    },
    errors=(
        *ABOUT_A_GAME,
        *BODY,
        *RETRIED,
        *ACTING,
        "bad_signature",
        "deadline_passed",
        "malformed_action",
        "paused",
        "unknown_action",
        ANY_RULE,
    ),
)
def act(game_id: str) -> Response:
    """Do something: one action, or a list of up to 32 that are played in order up to the first refusal."""
    here, body = context(), json_body()
    caller = seat_caller(game_id)
    versions, sigs = expected_versions(), signatures_given()
    decision, include, only_checks = act_query() if this_request().query else NOTHING_ASKED
    if only_checks:
        return dry_run(caller, game_id, body, versions, decision)
    idempotency_key = idempotency(caller, body, game_id)
    actions = actions_of(body)

    def check(dossier: Dossier) -> None:
        check_may_act(caller, dossier.game)

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        check_version(dossier.game, versions)
        check_decision(dossier.game, caller.seat, decision)
        signed: Sequence[ActionSignature | None] = ()
        if sigs or dossier.game.chairs[caller.seat].public_key:
            signed = sign_actions(dossier.game, caller.seat, decision, actions, sigs)
        try:
            commands.act_in_order(batch, caller.seat, actions, here.rulesets, dossier.seed, signed)
        except IllegalAction as illegal:
            raise in_callers_language(illegal, dossier.game, actions[0]) from None

    done = handle_command(game_id, caller, idempotency_key, writes=ActionTaken, check=check, write=write)
    return acted(done, caller, include, body)


@route(
    "POST",
    "/v1/games/<game_id>/actions/check",
    runs_in="loop",
    body=Body(ONE_ACTION),
    params=(IF_MATCH, DECISION),
    returns={200: Returns(DryRunBody)},
    errors=(*ABOUT_A_GAME, *BODY, "forbidden", "seat_is_bot", "seat_withdrawn"),
)
def check_action(game_id: str) -> Response:
    """Would this action be accepted now? Nothing is changed by asking, and no deadline binds it."""
    body = json_body()
    caller = seat_caller(game_id)
    return dry_run(caller, game_id, body, expected_versions(), integer_parameter("decision"))


def actions_of(body: Any) -> Sequence[Any]:
    """The actions of a request: the list it is, or the one it is."""
    if not isinstance(body, list):
        return [body]
    if not 1 <= len(body) <= MAX_ACTIONS:
        raise Refusal("invalid_request", f"A list holds 1 to {MAX_ACTIONS} actions.")
    return body


def acted(
    done: CommandResult, caller: Caller, include: IncludeRequest = NO_INCLUDE, body: Any = None
) -> Response:
    """What came of an action, or of a list of them, as the caller sees it."""
    here, game = context(), done.game
    if prefers_minimal():
        return done.answer(ReachedBody(version=game.version, hash=game.hash), preference_applied=MINIMAL)
    events = [event_body(carved, game, caller.viewer, settled=False) for carved in done.entries]
    answer = ActedBody(
        version=game.version,
        hash=game.hash,
        view=view_body(game, caller.viewer),
        **included(game, caller.viewer, here.rulesets, include.after(game)),
        **public_status(game, here.ledger.patience),
        **own_status(game, caller.viewer, here.rulesets),
    )
    if isinstance(body, list):
        answer.events = events
        answer.stopped = where_stopped(done, caller, body)
    else:
        answer.event = events[0]
    return done.answer(answer)


def where_stopped(done: CommandResult, caller: Caller, actions: Sequence[Any]) -> StoppedBody | None:
    """The first action of a list that was refused, and why; None if all were carried out."""
    index = len(done.entries)
    if index == len(actions) or not isinstance(caller, SeatCaller):
        return None
    try:
        check_action_by_rules(done.game, caller.seat, actions[index])
    except Refusal as refusal:
        return StoppedBody(index=index, code=refusal.code, detail=detail_of(refusal))
    return None


def check_action_by_rules(game: Game, seat: int, action: Any) -> None:
    """Refuse, in the caller's language, what the rules refuse."""
    try:
        commands.check_action(game, seat, action, context().rulesets)
    except IllegalAction as illegal:
        raise in_callers_language(illegal, game, action) from None


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
        check_action_by_rules(dossier.game, caller.seat, body)
    except Refusal as refusal:
        return json_response(DryRunBody(legal=False, code=refusal.code, detail=detail_of(refusal)))
    return json_response(DryRunBody(legal=True))


@route(
    "POST",
    "/v1/games/<game_id>/resignation",
    runs_in="loop",
    params=(IDEMPOTENCY_KEY, IF_MATCH, PREFER, SIGNATURE, *INCLUDED),
    returns={201: Returns(ActedBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, *ACTING, "bad_signature", "game_not_started", "game_over"),
)
def resign(game_id: str) -> Response:
    """Give up. With two players the other one wins at once; with more a bot plays on."""
    body = json_body()
    caller = seat_caller(game_id)
    versions, include, sigs = expected_versions(), include_request(), signatures_given()
    idempotency_key = idempotency(caller, body, game_id)

    def check(dossier: Dossier) -> None:
        check_may_act(caller, dossier.game)

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        check_version(dossier.game, versions)
        signed = sign_resignation(dossier.game, caller.seat, versions is not None, sigs)
        commands.withdraw(batch, caller.seat, "resigned", caller.actor, context().rulesets, signed)

    done = handle_command(game_id, caller, idempotency_key, writes=SeatWithdrawn, check=check, write=write)
    return acted(done, caller, include)

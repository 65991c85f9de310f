"""Forks: new games from positions of settled ones."""

from typing import Any

from flask import Response

from events import acts
from events.game import Game, ruleset_of
from events.origins import position_of
from games.kernel import InvalidSetup, Refusal
from projections.forks import Fork
from services.api.answers import answer, links
from services.api.callers import ANYONE, Caller, HostCaller, OperatorCaller, SeatCaller
from services.api.context import context
from services.api.creating import begin, check_may_create, check_room
from services.api.promises import ABOUT_A_GAME, CREATED_HEADERS, CREATING, IDEMPOTENCY_KEY, READER
from services.api.requests import StrictBlueprint, idempotency, json_body, visit
from services.api.schemas.games import ForksSchema, GameSchema
from services.api.schemas.requests import ForkSchema
from services.core.ledger import new_seed

blueprint = StrictBlueprint("forks", __name__, url_prefix="/v1", description="New games from old positions.")


@blueprint.route("/games/<game_id>/forks", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*ABOUT_A_GAME, *CREATING, "not_forkable", "not_settled")
@blueprint.arguments(ForkSchema)
@blueprint.response(201, GameSchema, headers=CREATED_HEADERS)
def fork_game(wanted: dict[str, Any], game_id: str) -> Response:
    """Begin a new game where a settled one stood after entry `version`, under the rules of that game."""
    visitor = visit(game_id, tickets=False)
    check_may_create(visitor.caller, wanted)
    creator = creator_of(visitor.caller)
    call = idempotency(creator, json_body())
    players = wanted.get("players", [])
    check_room(players, visitor.game.created.seats)
    new = forked(visitor.game, wanted, creator)
    try:
        return begin(creator, new, players, call)
    except InvalidSetup as refusal:
        if refusal.code != "invalid_position":
            raise
        raise Refusal("not_forkable", f"No game can begin there: {refusal.message}") from None


def creator_of(caller: Caller) -> Caller:
    """A seat of the parent has no say in the child, and its number would stand for seats of other games as well."""
    return ANYONE if isinstance(caller, SeatCaller) else caller


def forked(parent: Game, wanted: dict[str, Any], creator: Caller) -> acts.NewGame:
    """The child: ruleset version, options and number of seats of its parent, and as private."""
    if not parent.settled:
        raise Refusal("not_settled", "The game is not settled yet: it can be forked when it is.")
    here, version = context(), wanted["version"]
    if version > parent.version:
        raise Refusal(
            "not_forkable", f"The game has {parent.version} entries: there is no version {version}."
        )
    then = here.past.game(parent.id, version)
    if then.status != "playing":
        raise Refusal("not_forkable", f"At version {version} the game had not begun, or was over.")
    return acts.NewGame(
        ruleset=ruleset_of(parent, here.rulesets),
        options=parent.created.options,
        seats=parent.created.seats,
        server_seed=new_seed(),
        origin={"kind": "fork", "game": parent.id, "version": version, "position": position_of(then.state)},
        private=wanted["private"] or parent.created.private,
        host=creator.host if isinstance(creator, HostCaller) else None,
    )


@blueprint.route("/games/<game_id>/forks")
@blueprint.takes(*READER)
@blueprint.refuses(*ABOUT_A_GAME)
@blueprint.response(200, ForksSchema)
def list_forks(game_id: str) -> Response:
    """The games that began from positions of this one, oldest first; private ones for operators alone."""
    caller, dossier = visit(game_id)
    everything = isinstance(caller, OperatorCaller)
    forks = context().ledger.projections.forks(dossier.game.id)
    return answer(
        {"items": [fork_body(fork) for fork in forks if everything or not fork.private], "next": None}
    )


def fork_body(fork: Fork) -> dict[str, Any]:
    return {"id": fork.id, "version": fork.version, "created": fork.created, "links": links(fork.id)}

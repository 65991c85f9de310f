"""Forks: new games from positions of settled ones."""

from typing import Any

from events import commands
from events.game import Game, ruleset_of
from events.origins import position_of
from games.kernel import InvalidSetup, Refusal
from projections.forks import Fork
from services.api.authentication import ANYONE, Caller, HostCaller, OperatorCaller, SeatCaller
from services.api.context import context
from services.api.game_creation import check_may_create, check_room, create_new_game
from services.api.parameters import IDEMPOTENCY_KEY, READER
from services.api.requests import idempotency, json_body, json_of, visit
from services.api.responses import game_links, json_response
from services.api.returns import ABOUT_A_GAME, CREATED_HEADERS, CREATING
from services.api.schemas.requests import ForkSchema
from services.api.table import TABLE
from services.bodies.games import ForkRowBody, ForksBody, GameBody
from services.core.ledger import new_seed
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("forks")


@route(
    "POST",
    "/v1/games/<game_id>/forks",
    runs_in="slow",
    body=json_of(ForkSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(GameBody, headers=CREATED_HEADERS)},
    errors=(*ABOUT_A_GAME, *CREATING, "not_forkable", "not_settled"),
)
def fork_game(wanted: dict[str, Any], game_id: str) -> Response:
    """Begin a new game where a settled one stood after entry `version`, under the rules of that game."""
    visitor = visit(game_id, tickets=False)
    check_may_create(visitor.caller, wanted)
    creator = creator_of(visitor.caller)
    idempotency_key = idempotency(creator, json_body())
    players = wanted.get("players", [])
    check_room(players, visitor.game.created.seats)
    new = forked(visitor.game, wanted, creator)
    try:
        return create_new_game(creator, new, players, idempotency_key)
    except InvalidSetup as refusal:
        if refusal.code != "invalid_position":
            raise
        raise Refusal("not_forkable", f"No game can begin there: {refusal.message}") from None


def creator_of(caller: Caller) -> Caller:
    """A seat of the parent has no say in the child, and its number would stand for seats of other games as well."""
    return ANYONE if isinstance(caller, SeatCaller) else caller


def forked(parent: Game, wanted: dict[str, Any], creator: Caller) -> commands.NewGame:
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
    return commands.NewGame(
        ruleset=ruleset_of(parent, here.rulesets),
        options=parent.created.options,
        seats=parent.created.seats,
        server_seed=new_seed(),
        origin={
            "kind": "fork",
            "game": parent.id,
            "version": version,
            "position": position_of(then.state),
            "redeal": wanted["redeal"],
        },
        private=wanted["private"] or parent.created.private,
        host=creator.host if isinstance(creator, HostCaller) else None,
    )


@route(
    "GET",
    "/v1/games/<game_id>/forks",
    params=READER,
    returns={200: Returns(ForksBody)},
    errors=ABOUT_A_GAME,
)
def list_forks(game_id: str) -> Response:
    """The games that began from positions of this one, oldest first; private ones for operators alone."""
    caller, dossier = visit(game_id)
    everything = isinstance(caller, OperatorCaller)
    forks = context().ledger.projections.forks(dossier.game.id)
    rows = [fork_body(fork) for fork in forks if everything or not fork.private]
    return json_response(ForksBody(items=rows, next=None))


def fork_body(fork: Fork) -> ForkRowBody:
    return ForkRowBody(id=fork.id, version=fork.version, created=fork.created, links=game_links(fork.id))

"""What the API answers: games, events and tokens, as a caller may see them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response

from events.canonical import canonical
from events.clocks import deadlines
from events.entries import Carved
from events.game import Game, ruleset_of
from events.origins import without_position
from events.show import show
from games.kernel import Refusal, Viewer
from services.api.callers import Caller, OperatorCaller, forbidden
from services.api.context import context, this_request

FORGOTTEN = "(forgotten)"
JSON_FOR_ONE = (("Content-Type", "application/json"), ("Cache-Control", "private"), ("Vary", "Authorization"))


class Whole(Response):
    """An answer whose bytes and headers are all there: nothing is left for WSGI's usual ceremony to find out."""

    def __call__(self, environ: Any, start_response: Any) -> Any:
        if environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return self.response


def answer(body: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer that nobody but the caller may keep: the same bytes whichever process makes it."""
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Whole(canonical(body), status, [*JSON_FOR_ONE, *named])


def private(response: Response) -> Response:
    """Mark an answer as one that depends on who asks."""
    response.headers["Cache-Control"] = "private"
    response.headers["Vary"] = "Authorization"
    return response


def negotiated(response: Response) -> Response:
    """Mark an answer as one that also depends on what the caller accepts."""
    response.vary.add("Accept")
    return response


def tagged(body: Any, game: Game, shape: str) -> Response:
    """An answer with its ETag; 304 if the caller has it already."""
    tag = f"{game.version}.{shape}"
    asked = this_request()
    if "If-None-Match" in asked.headers and asked.if_none_match.contains_weak(tag):
        response = private(Response(status=304))
        response.set_etag(tag)
        return response
    response = answer(body)
    response.set_etag(tag)
    return response


def shape_of(viewer: Viewer, *, full: bool = False) -> str:
    """What an ETag says besides the version: for whom, and how, the answer is made."""
    return "full" if full else "spectator" if viewer is None else f"seat{viewer}"


def game_body(
    game: Game,
    people: Mapping[int, bytes],
    caller: Caller,
    *,
    full: bool = False,
    tokens: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """A game as a caller may see it."""
    created = game.created
    return {
        "id": game.id,
        "ruleset": created.ruleset,
        "ruleset_version": created.ruleset_version,
        "options": created.options,
        "origin": created.origin if game.settled else without_position(created.origin),
        "private": created.private,
        "clock": created.clock,
        "created": game.created_at,
        "status": game.status,
        "settled": game.settled is not None,
        "version": game.version,
        "hash": game.hash,
        "seats": [seat_body(game, seat, people, tokens or {}) for seat in range(len(game.chairs))],
        "to_act": game.to_act,
        "decisions": by_seat(game.decisions),
        "deadlines": by_seat(deadlines(game)),
        "seed_commitment": created.seed_commitment,
        "fairness": game.fairness,
        "view": view_body(game, caller.viewer, full=full),
        "outcome": None if game.aborted else game.outcome,
        "links": links_of(game),
    }


def by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    """Values by seat as JSON has them: its keys are text."""
    return {str(seat): value for seat, value in values.items()}


def seat_body(
    game: Game, seat: int, people: Mapping[int, bytes], tokens: Mapping[int, str]
) -> dict[str, Any]:
    """A seat as answers show it; a free one has no name."""
    chair = game.chairs[seat]
    name = name_of(chair.taken, chair.bot, people.get(seat))
    body = {"seat": seat, "name": name, "bot": chair.bot, "withdrawn": chair.withdrawn}
    return body | {"token": tokens[seat]} if seat in tokens else body


def name_of(taken: bool, bot: str | None, person: bytes | None) -> str | None:
    """The name of who sits there; None if the seat is free."""
    if bot:
        return f"{bot} bot"
    if not taken:
        return None
    return FORGOTTEN if person is None else str(msgspec.json.decode(person)["name"])


def links(game_id: str) -> dict[str, str]:
    """The links that every game has."""
    here = f"/v1/games/{game_id}"
    return {"self": here} | {name: f"{here}/{name}" for name in ("actions", "events", "head", "seats")}


def links_of(game: Game) -> dict[str, str]:
    """The links of a game: a settled one can be checked and forked, a fork leads back to its parent."""
    ways = links(game.id)
    if game.settled:
        ways |= {name: f"{ways['self']}/{name}" for name in ("audit", "forks", "record")}
    if game.created.origin["kind"] == "fork":
        ways["parent"] = f"/v1/games/{game.created.origin['game']}"
    return ways


def view_body(game: Game, viewer: Viewer, *, full: bool = False) -> Any:
    """The state of play as a viewer may see it; None before the start."""
    if game.state is None or full:
        return game.state
    return ruleset_of(game, context().rulesets).view(game.state, viewer)


def wants_full_view(caller: Caller, game: Game) -> bool:
    """Does the caller ask for the full state, and may it have it?"""
    asked = this_request()
    match asked.args.get("view") if asked.query_string else None:
        case None:
            return False
        case "full":
            if isinstance(caller, OperatorCaller) or game.settled:
                return True
            raise forbidden("The full state opens when the game is settled; until then to operators alone.")
    raise Refusal("invalid_request", "`view` is `full` or left out.")


def event_body(carved: Carved, game: Game, viewer: Viewer, *, settled: bool | None = None) -> dict[str, Any]:
    """An entry as a viewer may see it."""
    is_settled = game.settled is not None if settled is None else settled
    return show(carved, viewer, ruleset_of(game, context().rulesets), settled=is_settled)

"""What the API answers: games, events and tokens, as a caller may see them."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIEnvironment

import msgspec
from flask import Response
from werkzeug.datastructures import Headers

from events.canonical import canonical
from events.entries import Carved
from events.game import Game, ruleset_of
from events.origins import without_position
from events.show import show
from games.kernel import Viewer
from services.api.callers import Caller, OperatorCaller, SeatCaller, forbidden
from services.api.context import context, this_request
from services.api.packing import packed
from services.api.promises import INCLUDABLE, VIEWS
from services.api.requests import one_of
from services.core.ledger import Dossier
from services.core.situation import by_seat, choices, situation

FORGOTTEN = "(forgotten)"
PUBLIC_SECONDS = 300
"""For how long a cache need not ask again for what changes with the server alone."""
FOR_ONE = (("Cache-Control", "private"), ("Vary", "Authorization"))
JSON_FOR_ONE = (("Content-Type", "application/json"), *FOR_ONE)


STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class Whole(Response):
    """An answer whose bytes and headers are all there: nothing is left for Werkzeug's usual ceremony to find out."""

    def __init__(self, body: bytes, status: int, headers: list[tuple[str, str]]) -> None:
        self.response = [body]
        self.direct_passthrough = False
        self.headers = Headers()
        self.headers._list = headers  # ours, so that they need not be checked one by one
        self._status_code, self._status = status, STATUS_LINES[status]
        self._on_close = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self._status, self.headers.to_wsgi_list())
        return cast(list[bytes], self.response)


def answer(body: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer that nobody but the caller may keep: the same bytes whichever process makes it."""
    content = canonical(body)
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Whole(content, status, [*JSON_FOR_ONE, ("Content-Length", str(len(content))), *named])


def public(body: bytes) -> Response:
    """An answer that is the same for everyone, which caches may keep; 304 if the caller has it already."""
    response = Response(body, mimetype="application/json")
    response.headers["Cache-Control"] = f"public, max-age={PUBLIC_SECONDS}"
    response.set_etag(sha256(body).hexdigest()[:32])
    response.make_conditional(this_request())
    return packed(response)


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
    current = this_request()
    if current.header("IF_NONE_MATCH") is not None and current.if_none_match.contains_weak(tag):
        return Whole(b"", 304, [*FOR_ONE, ("ETag", f'"{tag}"')])
    return answer(body, ETag=f'"{tag}"')


def shape_of(caller: Caller, game: Game, **parameters: Any) -> str:
    """What an ETag says besides the version: the caller's role, and every parameter that shapes the answer."""
    chosen = [f"{name}={value}" for name, value in parameters.items() if value is not None]
    return "-".join([caller.role(game), *chosen])


# -- a game -----------------------------------------------------------------------------------------------------------


def game_body(
    game: Game,
    dossier: Dossier,
    caller: Caller,
    *,
    now: str | None = None,
    full: bool = False,
    actions: bool = False,
    tokens: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """A game as a caller may see it; `now` is the moment of its latest entry, if it is not given.

    `known` is what the server keeps beside the log: names, and the code of a private game.
    """
    here, created = context(), game.created
    body = {
        "id": game.id,
        "ruleset": created.ruleset,
        "ruleset_version": created.ruleset_version,
        "options": created.options,
        "origin": created.origin if game.settled else without_position(created.origin),
        "private": created.private,
        "clock": created.clock,
        "tags": created.tags,
        "host": created.host,
        "created": game.created_at,
        "now": now or game.at,
        "settled": game.settled is not None,
        "abort_reason": game.aborted,
        "version": game.version,
        "hash": game.hash,
        "you": caller.viewer,
        "seats": [seat_body(game, seat, dossier.people, tokens or {}) for seat in range(len(game.chairs))],
        "seals": by_seat(seals(game)),
        "seed_commitment": created.seed_commitment,
        "fairness": game.fairness,
        "view": view_body(game, caller.viewer, full=full),
        "links": links_of(game),
    } | situation(game, here.ledger.patience)
    if actions:
        body["actions"] = choices(game, caller.viewer, here.rulesets)
    if dossier.join_code and game.status == "open" and may_invite(caller, game):
        body["join_code"] = dossier.join_code
    return body


def may_invite(caller: Caller, game: Game) -> bool:
    """May this caller have the code of a private game, to hand it on?"""
    return isinstance(caller, SeatCaller) or caller.governs(game)


def seals(game: Game) -> dict[int, str]:
    """What has become of the entropy that each player sealed: `sealed`, `open`, or `none` if it sealed nothing."""
    return {
        seat: "none" if chair.entropy_commitment is None else "sealed" if chair.sealed else "open"
        for seat, chair in enumerate(game.chairs)
        if chair.taken
    }


def seat_body(
    game: Game, seat: int, people: Mapping[int, bytes], tokens: Mapping[int, str]
) -> dict[str, Any]:
    """A seat as answers show it; a free one has no name."""
    chair = game.chairs[seat]
    name = name_of(chair.taken, chair.bot, people.get(seat))
    body = {"seat": seat, "name": name, "ref": chair.ref, "bot": chair.bot, "withdrawn": chair.withdrawn}
    return body | {"token": tokens[seat]} if seat in tokens else body


def name_of(taken: bool, bot: str | None, person: bytes | None) -> str | None:
    """The name of who sits there; None if the seat is free. A bot may have been given one."""
    if not taken:
        return None
    if person is not None:
        return str(msgspec.json.decode(person)["name"])
    return f"{bot} bot" if bot else FORGOTTEN


def links(game_id: str) -> dict[str, str]:
    """The links that every game has."""
    here = f"/v1/games/{game_id}"
    return {"self": here} | {name: f"{here}/{name}" for name in ("actions", "events", "head", "seats")}


def links_of(game: Game) -> dict[str, str]:
    """The links of a game: a settled one can be checked, forked and reviewed, a fork leads back to its parent."""
    ways = links(game.id)
    if game.settled:
        ways |= {name: f"{ways['self']}/{name}" for name in ("audit", "forks", "record")}
        if game.started:
            ways["review"] = f"{ways['self']}/review"
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
    if one_of("view", VIEWS) is None:
        return False
    if isinstance(caller, OperatorCaller) or game.settled:
        return True
    raise forbidden("The full state opens when the game is settled; until then to operators alone.")


def wants_actions() -> bool:
    """Does the caller ask for what it may do, beside the answer?"""
    return one_of("include", INCLUDABLE) is not None


def event_body(carved: Carved, game: Game, viewer: Viewer, *, settled: bool | None = None) -> dict[str, Any]:
    """An entry as a viewer may see it."""
    is_settled = game.settled is not None if settled is None else settled
    return show(carved, viewer, ruleset_of(game, context().rulesets), settled=is_settled)

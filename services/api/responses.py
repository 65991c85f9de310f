"""Responses of the API: games, events and tokens, as a caller may see them."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from events.canonical import canonical
from events.entries import Carved
from events.game import Game, ruleset_of
from events.origins import without_position
from events.rematch import can_have_rematch
from events.show import visible_event
from games.kernel import Viewer
from replays.labels import LabelWords
from replays.narration import bot_name
from services.api.authentication import Caller, OperatorCaller, SeatCaller, forbidden
from services.api.compression import compressed
from services.api.context import context
from services.api.parameters import INCLUDABLE, LANGUAGES, VIEWS
from services.api.requests import choice_parameter
from services.api.translation import language
from services.bodies.games import GameBody, GameSeatBody
from services.core.ledger import Dossier
from services.core.public_status import NOTHING_MORE, Include, by_seat, included, own_status, public_status
from services.http.messages import EMPTY_TYPE, Response, response, this_request

FORGOTTEN = "(forgotten)"
PUBLIC_SECONDS = 300
"""For how long a cache need not ask again for what changes with the server alone."""
FOR_ONE = (("cache-control", "private"), ("vary", "Authorization"))
JSON_FOR_ONE = (("content-type", "application/json"), *FOR_ONE)


def json_response(body: Struct, status: int = 200, **headers: str) -> Response:
    """A JSON answer that nobody but the caller may keep: the same bytes whichever process makes it."""
    content = canonical(body)
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Response(status, [*JSON_FOR_ONE, ("content-length", str(len(content))), *named], content)


def public_response(
    body: bytes, content_type: str = "application/json", seconds: int = PUBLIC_SECONDS
) -> Response:
    """An answer that is the same for everyone, which caches may keep; 304 if the caller has it already."""
    tag = sha256(body).hexdigest()[:32]
    kept = {"cache_control": f"public, max-age={seconds}", "etag": f'"{tag}"'}
    if this_request().has(tag):
        return compressed(Response(304, []).with_headers(**kept))
    return compressed(response(body, content_type, **kept))


def mark_private(answer: Response) -> Response:
    """Mark an answer as one that depends on who asks."""
    return answer.with_headers(cache_control="private", vary="Authorization")


def nothing() -> Response:
    """The answer that something is done, and that there is nothing to say about it."""
    return mark_private(Response(204, [("content-type", EMPTY_TYPE)]))


def etag_response(body: Struct, game: Game, shape: str) -> Response:
    """An answer with its ETag; 304 if the caller has it already."""
    tag = f"{game.version}.{shape}"
    if this_request().has(tag):
        return Response(304, [*FOR_ONE, ("etag", f'"{tag}"')])
    return json_response(body, etag=f'"{tag}"')


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
    include: Include = NOTHING_MORE,
    tokens: Mapping[int, str] | None = None,
) -> GameBody:
    """A game as a caller may see it; `now` is the moment of its latest entry, if it is not given.

    `dossier` also has what the server keeps beside the log: names, and the code of a private game.
    """
    here, created = context(), game.created
    invites = game.status == "open" and may_invite(caller, game)
    return GameBody(
        id=game.id,
        ruleset=created.ruleset,
        ruleset_version=created.ruleset_version,
        options=created.options,
        origin=created.origin if game.settled else without_position(created.origin),
        private=created.private,
        clock=created.clock,
        tags=created.tags,
        host=created.host,
        created=game.created_at,
        now=now or game.at,
        settled=game.settled is not None,
        abort_reason=game.aborted,
        version=game.version,
        hash=game.hash,
        you=caller.viewer,
        seats=[seat_body(game, seat, dossier.people, tokens or {}) for seat in range(len(game.chairs))],
        seals=by_seat(seals(game)),
        seed_commitment=created.seed_commitment,
        fairness=game.fairness,
        view=view_body(game, caller.viewer, full=full),
        takebacks=game.takebacks,
        links=links_of(game),
        join_code=(invites and dossier.join_code) or UNSET,
        **included(game, caller.viewer, here.rulesets, include),
        **public_status(game, here.ledger.patience),
        **own_status(game, caller.viewer, here.rulesets),
    )


def may_invite(caller: Caller, game: Game) -> bool:
    """May this caller have the code of a private game, to hand it on?"""
    return isinstance(caller, SeatCaller) or caller.administers(game)


def seals(game: Game) -> dict[int, str]:
    """What has become of the entropy that each player sealed: `sealed`, `open`, or `none` if it sealed nothing."""
    return {
        seat: "none" if chair.entropy_commitment is None else "sealed" if chair.sealed else "open"
        for seat, chair in enumerate(game.chairs)
        if chair.taken
    }


def seat_body(game: Game, seat: int, people: Mapping[int, bytes], tokens: Mapping[int, str]) -> GameSeatBody:
    """A seat as answers show it; a free one has no name."""
    chair = game.chairs[seat]
    return GameSeatBody(
        seat=seat,
        name=name_of(chair.taken, chair.bot, people.get(seat)),
        ref=chair.ref,
        bot=chair.bot,
        withdrawn=chair.withdrawn,
        token=tokens.get(seat, UNSET),
    )


def name_of(taken: bool, bot: str | None, person: bytes | None) -> str | None:
    """The name of who sits there; None if the seat is free. A bot may have been given one."""
    if not taken:
        return None
    if person is not None:
        return str(msgspec.json.decode(person)["name"])
    return f"{bot} bot" if bot else FORGOTTEN


def player_names(dossier: Dossier, language: str) -> list[str | None]:
    """What the seats are called where people read it; None where a seat is free."""
    people = dossier.people
    return [
        bot_name(chair.bot, language)
        if chair.bot and seat not in people
        else name_of(chair.taken, chair.bot, people.get(seat))
        for seat, chair in enumerate(dossier.game.chairs)
    ]


def game_links(game_id: str) -> dict[str, str]:
    """The links that every game has."""
    here = f"/v1/games/{game_id}"
    return {"self": here} | {name: f"{here}/{name}" for name in ("actions", "events", "head", "seats")}


def links_of(game: Game) -> dict[str, str]:
    """The links of a game: one that is over has a rematch, a settled one can be checked, forked and reviewed."""
    ways = game_links(game.id)
    if game.settled:
        ways |= {name: f"{ways['self']}/{name}" for name in ("audit", "forks", "record")}
        if game.started:
            ways["review"] = f"{ways['self']}/review"
    if can_have_rematch(game):
        ways["rematch"] = f"{ways['self']}/rematch"
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
    if choice_parameter("view", VIEWS) is None:
        return False
    if isinstance(caller, OperatorCaller) or game.settled:
        return True
    raise forbidden("The full state opens when the game is settled; until then to operators alone.")


class IncludeRequest(NamedTuple):
    """What a caller asks for beside an answer, before it is known of which game."""

    actions: bool = False
    language: str | None = None
    """Of labels, if they are wanted."""

    def of(self, dossier: Dossier) -> Include:
        """The same, with the names of those who play."""
        if self.language is None:
            return Include(self.actions)
        return Include(True, LabelWords(self.language, tuple(player_names(dossier, self.language))))

    def after(self, game: Game) -> Include:
        """The same, of a game that was just changed: this process has its names."""
        return self.of(context().ledger.cached(game.id)) if self.language else Include(self.actions)


NO_INCLUDE = IncludeRequest()


def include_request() -> IncludeRequest:
    """What the caller wants to know beside the answer."""
    wanted = choice_parameter("include", INCLUDABLE) or ""
    spoken = choice_parameter("lang", LANGUAGES) or language()
    return IncludeRequest(bool(wanted), spoken if "labels" in wanted else None)


def event_body(carved: Carved, game: Game, viewer: Viewer, *, settled: bool | None = None) -> dict[str, Any]:
    """An entry as a viewer may see it."""
    is_settled = game.settled is not None if settled is None else settled
    return visible_event(carved, viewer, ruleset_of(game, context().rulesets), settled=is_settled)

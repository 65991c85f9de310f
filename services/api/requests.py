"""Reading requests: the caller, the body, and what makes a retry safe."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from marshmallow import Schema, missing
from marshmallow import ValidationError as Complaint
from msgspec import Struct, ValidationError, convert

from events.batch import IdempotencyKey
from events.entries import body_hash, request_key
from events.game import Game, fold
from events.keys import is_game_id
from events.tombstones import ArchiveUnavailable
from games.kernel import Refusal, UnknownRuleset
from services.api.authentication import (
    ANYONE,
    GUEST,
    Caller,
    HostCaller,
    OperatorCaller,
    SeatCaller,
    authorize,
    denied,
    has_code,
    not_found,
    unauthorized,
)
from services.api.context import context
from services.api.problems import Problem, refused
from services.core.ledger import Denied, Dossier
from services.http.messages import Request, Response, this_request
from services.http.routing import Body

STRONG_KEY = 22
MINIMAL = "return=minimal"
KEY = re.compile(r"[\x21-\x7e]{1,255}")
VERSION_TAG = re.compile(r'(?:W/)?"?([0-9]{1,16})(?:\.[^"]*)?"?')


# -- the body -------------------------------------------------------------------------------------------------------


def json_body() -> Any:
    """The request's JSON, read strictly and once; None without a body."""
    return this_request().json


def json_of(schema: type[Schema], plain: type[Struct] | None = None) -> Body:
    """A JSON body that is read by this schema, which is made once: to make it costs more than to read by it.

    What `plain` can read needs no schema: the schema gives the same, and has the words for what is wrong.
    """
    made = schema()

    def read(request: Request) -> Any:
        body = request.json
        if plain is not None and is_plain(body, plain):
            return {**left_out(made), **body}
        return read_by(made, {} if body is None else body)

    return Body(schema, read)


def read_by(schema: Schema, body: Any) -> Any:
    """What a body says, by its schema."""
    try:
        return schema.load(body)
    except Complaint as complaint:
        sentence = "Some members of the request are not right."
        raise Problem("invalid_request", sentence, errors={"json": complaint.messages}) from None


def is_plain(body: Any, plain: type[Struct]) -> bool:
    """Is a body what this type says, so that there is nothing to complain about?"""
    try:
        convert(body, plain)
    except (ValidationError, Complaint):
        return False
    return True


@cache
def left_out(schema: Schema) -> Mapping[str, Any]:
    """What stands for members that a body leaves out."""
    defaults = {name: each.load_default for name, each in schema.fields.items()}
    return {name: value for name, value in defaults.items() if value is not missing}


# -- the query ------------------------------------------------------------------------------------------------------


def refuse_unknown_parameters(request: Request) -> None:
    """What is not understood is not passed over, so that no filter is left out unseen."""
    assert request.route
    known = request.route.known_parameters
    unknown = [name for name in request.args if name not in known] if known is not None else []
    if unknown:
        names = f"Known here: {', '.join(known or ())}." if known else "There are none here."
        raise Problem(
            "invalid_request",
            f"There is no query parameter `{unknown[0][:64]}`. {names}",
            errors={"query": {name: [f"Unknown. {names}"] for name in unknown[:8]}},
        )


# -- the caller -----------------------------------------------------------------------------------------------------


def bearer() -> str | None:
    """The token of the Authorization header."""
    header = this_request().headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise unauthorized("Send the token as `Authorization: Bearer TOKEN`.")
    return token.strip()


class Visit(NamedTuple):
    """A caller who may see a game, and the game as it stands."""

    caller: Caller
    dossier: Dossier

    @property
    def game(self) -> Game:
        return self.dossier.game


def visit(game_id: str, *, tickets: bool = True) -> Visit:
    """Let the caller of a read in: by token, by a ticket where a browser cannot send one, or by a game's code."""
    caller = identify_or_hide(game_id, ticket_given() if tickets else None)
    dossier = context().ledger.get(game_id)
    if not caller.may_see(dossier.game) and has_code(this_request().args.get("join_code"), dossier.join_code):
        caller = GUEST
    authorize(caller, dossier.game)
    return Visit(caller, dossier)


def identify_or_hide(game_id: str, ticket: str | None = None) -> Caller:
    """The caller, whom `authorize` has yet to let in; to a wrong token or ticket a private game does not exist."""
    try:
        caller = identify(game_id, ticket)
    except Denied:
        if not is_game_id(game_id):
            raise not_found(game_id) from None
        if context().ledger.get(game_id).game.created.private:
            raise not_found(game_id) from None
        raise
    if not isinstance(caller, SeatCaller) and not is_game_id(game_id):  # a seat's token names its game
        raise not_found(game_id)
    return caller


def identify(game_id: str, ticket: str | None) -> Caller:
    """The caller, by the ticket or else by the token; a seat that asks too often is sent away."""
    here = context()
    authenticator = here.authenticator
    caller = (
        authenticator.identify(bearer(), game_id)
        if ticket is None
        else authenticator.identify_ticket(ticket, game_id)
    )
    if isinstance(caller, SeatCaller):
        here.limits.check_pace(game_id, caller.seat, caller.generation)
    return caller


def ticket_given() -> str | None:
    """The ticket in the query, which counts only where no token is sent."""
    current = this_request()
    if not current.query or current.headers.get("authorization") is not None:
        return None
    return current.args.get("ticket")


def without_rules(missing: UnknownRuleset) -> Response:
    """The answer for a game whose version of the rules is not here; a private one stays hidden all the same."""
    game_id = this_request().arguments.get("game_id")
    entries = context().store.read(game_id, limit=1) if game_id else []
    if entries:
        begun = fold(None, entries[0], context().rulesets)
        try:
            caller = identify_or_hide(begun.id, ticket_given())
        except Refusal:
            caller = ANYONE
        if not caller.may_see(begun):
            return refused(not_found(begun.id))
    return refused(missing)


def without_archive(missing: ArchiveUnavailable) -> Response:
    """The answer for an archived game that cannot be read now; a private one stays hidden all the same."""
    game_id = this_request().arguments.get("game_id")
    stone = context().store.tombstone(game_id) if game_id else None
    if game_id and stone and stone.private:
        try:
            caller = identify(game_id, ticket_given())
        except Refusal:
            caller = ANYONE
        may_know = isinstance(caller, SeatCaller | OperatorCaller) or caller == HostCaller(stone.host or "")
        if not may_know:
            return refused(not_found(game_id))
    return refused(missing)


def seat_caller(game_id: str) -> SeatCaller:
    """The seat that calls; nobody else may do what comes now."""
    caller = identify_or_hide(game_id)
    if isinstance(caller, SeatCaller):
        return caller
    authorize(caller, context().ledger.get(game_id).game)
    raise denied(caller, "Only a seat may do this, with its own token.")


# -- what a request depends on --------------------------------------------------------------------------------------


def idempotency(caller: Caller, body: Any, game_id: str | None = None) -> IdempotencyKey | None:
    """The request as the log remembers it, if it may be retried; `game_id` is that of the game it changes, if any."""
    key = this_request().headers.get("idempotency-key")
    return None if key is None else idempotency_of(key, caller, body, game_id)


def idempotency_of(key: str, caller: Caller, body: Any, game_id: str | None = None) -> IdempotencyKey:
    """A request with this key as the log remembers it."""
    if not KEY.fullmatch(key):
        raise Refusal(
            "invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters, no spaces."
        )
    if not caller.name and len(key) < STRONG_KEY:
        raise Refusal(
            "weak_idempotency_key",
            f"Without a token an Idempotency-Key needs at least {STRONG_KEY} characters: use a random UUID.",
        )
    return IdempotencyKey(request_key(name_in_log(caller, game_id), key), body_hash(body))


def name_in_log(caller: Caller, game_id: str | None) -> str:
    """How the log of a game names a caller: who sits at a seat is not who sat there before."""
    if game_id is None or not isinstance(caller, SeatCaller):
        return caller.name
    ledger, seat = context().ledger, caller.seat
    game = ledger.cached(game_id).game
    if seat < len(game.chairs) and game.chairs[seat].generation < caller.generation:
        game = ledger.get(game_id).game  # this process has not heard yet of how the token came to be
    return game.caller_at(seat, caller.generation) if seat < len(game.chairs) else caller.name


def expected_versions() -> frozenset[int] | None:
    """The versions that `If-Match` allows, one or a list of them; only what stands before the dot counts."""
    header = this_request().headers.get("if-match")
    if header is None or header.strip() == "*":
        return None
    tags = [VERSION_TAG.fullmatch(tag.strip()) for tag in header.split(",") if tag.strip()]
    versions = frozenset(int(tag[1]) for tag in tags if tag)
    if not versions or None in tags:
        raise Refusal(
            "invalid_request", 'If-Match looks like "VERSION.x", as ETag gave it, or is a list of such.'
        )
    return versions


def prefers_minimal() -> bool:
    """Does the caller want no more than the version and hash that its request led to (RFC 7240)?"""
    header = this_request().headers.get("prefer")
    if header is None or header == MINIMAL:
        return header is not None
    preferred = (each.partition(";")[0].replace('"', "").lower() for each in header.split(","))
    named = [each for each in ("".join(each.split()) for each in preferred) if each.startswith("return=")]
    return named[:1] == [MINIMAL]


def signatures_given() -> list[str]:
    """The signatures that a seat sends with what it does."""
    header = this_request().headers.get("stele-signature")
    return [] if header is None else [sig.strip() for sig in header.split(",")]


def check_version(game: Game, expected: frozenset[int] | None) -> None:
    """Refuse if the game has gone on since the caller looked."""
    if expected is not None and game.version not in expected:
        latest = max(expected)
        raise Problem(
            "version_conflict",
            f"You expected version {latest}; the game is at version {game.version}.",
            expected=latest,
            version=game.version,
        )


def integer_parameter(name: str, *, least: int = 0, most: int = 2**53 - 1) -> int | None:
    """A query parameter that is a whole number, if it is given."""
    current = this_request()
    text = current.args.get(name) if current.query else None
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 16 or not least <= int(text) <= most:
        raise Problem(
            "invalid_request",
            f"`{name}` is a whole number from {least} to {most}.",
            errors={"query": {name: ["Not a whole number in range."]}},
        )
    return int(text)


def choice_parameter(name: str, values: Sequence[str]) -> str | None:
    """A query parameter that has a few values, if it is given; who gives another one is told which."""
    current = this_request()
    text = current.args.get(name) if current.query else None
    if text is not None and text not in values:
        choices = ", ".join(values)
        raise Problem(
            "invalid_request",
            f"`{name}` is one of: {choices}.",
            errors={"query": {name: [f"Must be one of: {choices}."]}},
        )
    return text


def flag_parameter(name: str) -> bool:
    """A query parameter that is `true` or `false`."""
    return choice_parameter(name, ("true", "false")) == "true"

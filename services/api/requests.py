"""Reading requests: the caller, the body, and what makes a retry safe."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple, TypeVar, cast

from flask import Request, Response
from flask_smorest import Blueprint
from marshmallow import Schema, missing
from marshmallow import ValidationError as Complaint
from msgspec import Struct, ValidationError, convert
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from events.archived import ArchiveUnavailable
from events.canonical import parse
from events.entries import body_hash, request_key
from events.game import Game, fold
from events.keys import is_game_id
from events.scribe import Call
from games.kernel import Refusal, UnknownRuleset
from services.api.callers import (
    ANYONE,
    GUEST,
    Caller,
    HostCaller,
    OperatorCaller,
    SeatCaller,
    admit,
    has_code,
    not_found,
    turned_away,
    unauthorized,
)
from services.api.context import UNREAD, context, this_request
from services.api.problems import Problem, refused
from services.api.promises import Promising
from services.core.ledger import Denied, Dossier
from services.front.ways import WHOLE_BODY

View = TypeVar("View", bound=Callable[..., Any])

MAX_BODY = 256_000
STRONG_KEY = 22
KEY = re.compile(r"[\x21-\x7e]{1,255}")
VERSION_TAG = re.compile(r'(?:W/)?"?([0-9]{1,16})(?:\.[^"]*)?"?')


# -- the body -------------------------------------------------------------------------------------------------------


def raw_body(limit: int = MAX_BODY) -> bytes:
    """The request's body, which must say that it is JSON."""
    current = this_request()
    source: bytes | None = current.environ.get(WHOLE_BODY)
    if source is None:
        source = current.get_data()
    if len(source) > limit:
        raise RequestEntityTooLarge(f"A request's body has at most {limit} bytes.")
    if source and not current.says_json:
        raise UnsupportedMediaType("Send JSON in UTF-8, with Content-Type: application/json.")
    return source


def json_body() -> Any:
    """The request's JSON, read strictly and once; None without a body."""
    current = this_request()
    if current.body is UNREAD:
        source = raw_body()
        current.body = parse(source) if source else None
    return current.body


class StrictParser(FlaskParser):
    """Lets marshmallow see only JSON that the log could hold."""

    def load_json(self, req: Request, schema: Any) -> Any:
        body = json_body()
        return {} if body is None else body


class StrictBlueprint(Promising, Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """A blueprint whose arguments are read strictly, and whose views make their answers themselves."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: type[Schema], plain: type[Struct] | None = None) -> Callable[[View], View]:
        """Read a request's body by this schema, which is made once: to make it costs more than to read by it.

        What `plain` can read needs no schema: the schema gives the same, and has the words for what is wrong.
        """
        made = schema()
        document: Callable[[View], View] = only_document(super().arguments(made))

        def decorate(view: View) -> View:
            @wraps(view)
            def read_first(**arguments: Any) -> Any:
                return view(self._read(made, plain), **arguments)

            return document(cast(View, read_first))

        return decorate

    def _read(self, schema: Schema, plain: type[Struct] | None) -> Any:
        body = json_body()
        if plain is not None and is_plain(body, plain):
            return {**left_out(schema), **body}
        return self.ARGUMENTS_PARSER.parse(schema, this_request(), location="json")

    def response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Document an answer; nothing is done at the time of a request."""
        return only_document(super().response(*args, **kwargs))

    def doc(self, **kwargs: Any) -> Callable[[View], View]:
        """Document other properties of a route; nothing is done at the time of a request."""
        return only_document(super().doc(**kwargs))

    def alt_response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Document an answer besides the usual one; nothing is done at the time of a request."""
        return only_document(super().alt_response(*args, **kwargs))


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


def only_document(decorator: Callable[[View], View]) -> Callable[[View], View]:
    """Take what a decorator tells the OpenAPI document, and leave the view as it is."""

    def document(view: View) -> View:
        view._apidoc = decorator(view)._apidoc  # type: ignore[attr-defined]  # where flask-smorest keeps it
        return view

    return document


# -- the query ------------------------------------------------------------------------------------------------------


def refuse_unknown_parameters(views: Mapping[str, Callable[..., Any]]) -> None:
    """Before each request under /v1: what is not understood is not passed over, so that no filter is left out unseen."""
    current = this_request()
    if not current.query_string or current.url_rule is None or not current.url_rule.rule.startswith("/v1/"):
        return
    parameters = parameters_of(views[str(current.endpoint)])
    unknown = [name for name in current.args if name not in parameters]
    if unknown and current.method != "OPTIONS":
        names = f"Known here: {', '.join(parameters)}." if parameters else "There are none here."
        raise Problem(
            "invalid_request",
            f"There is no query parameter `{unknown[0][:64]}`. {names}",
            errors={"query": {name: [f"Unknown. {names}"] for name in unknown[:8]}},
        )


@cache
def parameters_of(view: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the query parameters that a route takes."""
    takes = getattr(view, "_apidoc", {}).get("takes", ())
    return tuple(parameter["name"] for parameter in takes if parameter["in"] == "query")


# -- the caller -----------------------------------------------------------------------------------------------------


def bearer() -> str | None:
    """The token of the Authorization header."""
    header = this_request().header("AUTHORIZATION")
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
    admit(caller, dossier.game)
    return Visit(caller, dossier)


def identify_or_hide(game_id: str, ticket: str | None = None) -> Caller:
    """The caller, whom `admit` has yet to let in; to a wrong token or ticket a private game does not exist."""
    if not is_game_id(game_id):
        raise not_found(game_id)
    try:
        return identify(game_id, ticket)
    except Denied:
        if context().ledger.get(game_id).game.created.private:
            raise not_found(game_id) from None
        raise


def identify(game_id: str, ticket: str | None) -> Caller:
    """The caller, by the ticket or else by the token; a seat that asks too often is sent away."""
    here = context()
    door = here.door
    caller = door.identify(bearer(), game_id) if ticket is None else door.identify_ticket(ticket, game_id)
    if isinstance(caller, SeatCaller):
        here.limits.check_pace(game_id, caller.seat, caller.generation)
    return caller


def ticket_given() -> str | None:
    """The ticket in the query, which counts only where no token is sent."""
    current = this_request()
    if not current.query_string or current.header("AUTHORIZATION") is not None:
        return None
    return current.args.get("ticket")


def without_rules(missing: UnknownRuleset) -> Response:
    """The answer for a game whose version of the rules is not here; a private one stays hidden all the same."""
    game_id = (this_request().view_args or {}).get("game_id")
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
    game_id = (this_request().view_args or {}).get("game_id")
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
    admit(caller, context().ledger.get(game_id).game)
    raise turned_away(caller, "Only a seat may do this, with its own token.")


# -- what a request depends on --------------------------------------------------------------------------------------


def idempotency(caller: Caller, body: Any, game_id: str | None = None) -> Call | None:
    """The request as the log remembers it, if it may be retried; `game_id` is that of the game it changes, if any."""
    key = this_request().header("IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not KEY.fullmatch(key):
        raise Refusal(
            "invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters, no spaces."
        )
    if not caller.name and len(key) < STRONG_KEY:
        raise Refusal(
            "weak_idempotency_key",
            f"Without a token an Idempotency-Key needs at least {STRONG_KEY} characters: use a random UUID.",
        )
    return Call(request_key(name_in_log(caller, game_id), key), body_hash(body))


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
    header = this_request().header("IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = [VERSION_TAG.fullmatch(tag.strip()) for tag in header.split(",") if tag.strip()]
    versions = frozenset(int(tag[1]) for tag in tags if tag)
    if not versions or None in tags:
        raise Refusal(
            "invalid_request", 'If-Match looks like "VERSION.x", as ETag gave it, or is a list of such.'
        )
    return versions


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


def whole_number(name: str, *, most: int = 2**53 - 1) -> int | None:
    """A query parameter that is a whole number, if it is given."""
    current = this_request()
    text = current.args.get(name) if current.query_string else None
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 16 or int(text) > most:
        raise Problem(
            "invalid_request",
            f"`{name}` is a whole number from 0 to {most}.",
            errors={"query": {name: ["Not a whole number in range."]}},
        )
    return int(text)


def one_of(name: str, values: Sequence[str]) -> str | None:
    """A query parameter that has a few values, if it is given; who gives another one is told which."""
    current = this_request()
    text = current.args.get(name) if current.query_string else None
    if text is not None and text not in values:
        choices = ", ".join(values)
        raise Problem(
            "invalid_request",
            f"`{name}` is one of: {choices}.",
            errors={"query": {name: [f"Must be one of: {choices}."]}},
        )
    return text


def flag(name: str) -> bool:
    """A query parameter that is `true` or `false`."""
    return one_of(name, ("true", "false")) == "true"

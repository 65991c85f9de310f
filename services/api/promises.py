"""What routes promise in the OpenAPI document: what they take besides a body, and the problems they may answer with.

    @blueprint.takes(AFTER, LIMIT)
    @blueprint.refuses(*ABOUT_A_GAME, "forbidden")

Nothing of it is done at the time of a request; a test holds the server to it.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypeVar

from services.api.problems import HTTP_CODES, STATUS

View = TypeVar("View", bound=Callable[..., Any])
Doc = dict[str, Any]
Code = str | tuple[int, str]
"""A problem's code; with a status, if it has another than usual."""

# -- what routes take -----------------------------------------------------------------------------------------------


def query(name: str, description: str, **schema: Any) -> Doc:
    """A parameter in the query."""
    return {"in": "query", "name": name, "description": description, "schema": schema}


def header(name: str, description: str, **schema: Any) -> Doc:
    """A parameter in the headers."""
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


MAX_WAIT = 30
"""Seconds."""
MOST_EVENTS = 1000
MOST_ITEMS = 200
LANGUAGES = ("en", "fr")
THEMES = ("light", "dark")
LOBBY_STATUSES = ("open", "playing", "ended")
VIEWS = ("full",)
INCLUDABLE = ("actions",)

NUMBER: Doc = {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}
FLAG: Doc = {"type": "string", "enum": ["true", "false"]}

TICKET = query("ticket", "In place of a token, where a browser cannot send the header.", type="string")
JOIN_CODE = query(
    "join_code",
    "The code of a private game: lets you look at it as a spectator until it is settled.",
    type="string",
)
READER = (TICKET, JOIN_CODE)
"""How who cannot send a token is let in to read."""
AFTER = query("after", "What came after this version.", **NUMBER)
WAIT = query(
    "wait", "Seconds to hold the answer until there is more.", type="integer", minimum=0, maximum=MAX_WAIT
)
VIEW = query(
    "view",
    "The full state: for operators, and for everyone once the game is settled.",
    type="string",
    enum=VIEWS,
)
INCLUDE = query(
    "include",
    "Also what you may do now, in `actions`: nothing, if you are not to act.",
    type="string",
    enum=INCLUDABLE,
)
FRAMES = query(
    "frames", "Of a stream: frames in place of events, with which nothing need be asked again.", **FLAG
)
FROM = query("from", "The first version.", **NUMBER)
TO = query("to", "The last version.", **NUMBER)
AS = query("as", "With whose eyes: a seat's number, or `spectator`.", type="string")
LANG = query("lang", "The language of the words.", type="string", enum=LANGUAGES)
THEME = query("theme", "The light that it is drawn in.", type="string", enum=THEMES)
EVENTS = query("limit", "Events a page.", type="integer", minimum=0, maximum=MOST_EVENTS)
ITEMS = query("limit", "Items a page.", type="integer", minimum=0, maximum=MOST_ITEMS)
CURSOR = query("cursor", "Where the page before said that this one begins (`next`).", type="string")
LOBBY_STATUS = query("status", "Games in this status.", type="string", enum=LOBBY_STATUSES)
RULESET = query("ruleset", "Games of this ruleset.", type="string")
HOST = query("host", "Games of this host.", type="string")
TAG = query("tag", "Games with this tag.", type="string")
PLAYER = query(
    "player",
    "Games of the player with this ref: as `host` gave it, else as the calling host did, else whoever gave it.",
    type="string",
)
TO_ACT = query("to_act", "Games in which the player with this ref is to act (see `player`).", type="string")
DECISION = query("decision", "Refuse unless this is the decision the seat has to make.", **NUMBER)
DRY_RUN = query("dry_run", "Only tell whether it would be accepted.", **FLAG)
IMPORT = query("import", "Keep the game; for operators.", **FLAG)
IF_MATCH = header(
    "If-Match", "Refuse unless the game is at this version: its ETag, or `*`; of several, at one of them."
)
IF_NONE_MATCH = header("If-None-Match", "Answer 304 if this ETag is still right.")
LAST_EVENT_ID = header(
    "Last-Event-ID", "The last event seen: a stream goes on after it.", pattern="^[0-9]{1,16}$"
)
IDEMPOTENCY_KEY = header(
    "Idempotency-Key",
    "Makes a retry safe for ever: the same key gives the first answer again. Without a token, at least 22 characters.",
    pattern="^[!-~]{1,255}$",
)

# -- what routes refuse ---------------------------------------------------------------------------------------------

ANY_RULE = "(the rules of the game)"
"""Stands for every code of every game."""
BODY = ("malformed_json", "body_too_large", "unsupported_media_type", "invalid_request")
RETRIED = ("idempotency_key_reused", "weak_idempotency_key", "store_full", "not_replicated")
ABOUT_A_GAME = (
    "rate_limited",
    "unauthorized",
    "game_not_found",
    "invalid_request",
    "not_found",
    "ruleset_version_missing",
    "archive_unavailable",
    "store_unavailable",
)
CREATING = (
    *BODY,
    *RETRIED,
    "forbidden",
    "invalid_seats",
    "ruleset_version_missing",
    "archive_unavailable",
    "rate_limited",
    "store_unavailable",
    "unauthorized",
)

STATUS_OF = {code: status for status, code in HTTP_CODES.items()} | STATUS
HEADERS: dict[int, Doc] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}},
    429: {
        name: {"schema": {"type": "string"}, "required": True}
        for name in ("Retry-After", "RateLimit", "RateLimit-Policy")
    },
    503: {"Retry-After": {"schema": {"type": "string"}}},
}
REPLAYED_HEADER: Doc = {"Idempotent-Replayed": {"schema": {"type": "string", "enum": ["true"]}}}
"""The header of an answer that was given before."""
CREATED_HEADERS: Doc = REPLAYED_HEADER | {"Location": {"schema": {"type": "string"}, "required": True}}
TAG_HEADER: Doc = {"ETag": {"schema": {"type": "string"}, "required": True}}


def problems(codes: Iterable[Code]) -> dict[int, list[str]]:
    """Problems with these codes by status; what the rules refuse is 409."""
    by_status: dict[int, set[str]] = {}
    for each in codes:
        status, code = each if isinstance(each, tuple) else (STATUS_OF.get(each, 409), each)
        by_status.setdefault(status, set()).add(code)
    return {status: sorted(by_status[status]) for status in sorted(by_status)}


def response_name(status: int) -> str:
    """What the answers with a status are called in the document, which all routes share."""
    return HTTPStatus(status).phrase.title().replace(" ", "")


def problem_responses(statuses: Iterable[int]) -> dict[str, Doc]:
    """The answers of problems with these statuses, by name."""
    return {response_name(status): problem_response(status) for status in sorted(statuses)}


def problem_response(status: int) -> Doc:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    response: Doc = {"description": f"{HTTPStatus(status).phrase}: `code` says why.", "content": content}
    return response | ({"headers": HEADERS[status]} if status in HEADERS else {})


def problem_reference(status: int, codes: Iterable[str]) -> Doc:
    """A shared answer, with the codes that it may have here."""
    named = ", ".join(f"`{code}`" for code in codes)
    return {"$ref": f"#/components/responses/{response_name(status)}", "description": named}


class Promising:
    """For a blueprint: it tells the document what its routes promise."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks: list[Callable[..., Doc]]
        self._prepare_doc_cbks.append(document_promises)

    def takes(self, *parameters: Doc) -> Callable[[View], View]:
        """The parameters of a route, but for those in its path."""
        return note("takes", list(parameters))

    def refuses(self, *codes: Code) -> Callable[[View], View]:
        """The codes of the problems that a route may answer with (`busy` and `internal_error` go without saying)."""
        return note("refuses", [*codes, "busy", "internal_error"])


def note(name: str, value: Any) -> Callable[[View], View]:
    """Keep something for the document where flask-smorest keeps what its own decorators say."""

    def keep(view: View) -> View:
        notes = {name: value, "operation_id": view.__name__}
        view._apidoc = getattr(view, "_apidoc", {}) | notes  # type: ignore[attr-defined]  # see above
        return view

    return keep


def document_promises(doc: Doc, info: Doc, **_: Any) -> Doc:
    """Add to the document of a route what it is called, takes and refuses; `x-problems` has the codes by status."""
    refused = problems(info.get("refuses", ["internal_error"]))
    doc["operationId"] = info["operation_id"]
    doc.setdefault("parameters", []).extend(info.get("takes", []))
    doc["x-problems"] = {str(status): codes for status, codes in refused.items()}
    doc.setdefault("responses", {}).update(
        {status: problem_reference(status, codes) for status, codes in refused.items()}
    )
    return doc

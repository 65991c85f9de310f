"""What every request passes: it is named, counted and logged, its query checked, and what goes wrong is explained."""

from events.tombstones import ArchiveUnavailable
from games.kernel import UnknownRuleset
from services.api import observability
from services.api.problems import explain, missing, unforeseen
from services.api.requests import refuse_unknown_parameters, without_archive, without_rules
from services.http.messages import Request, Response

EXPOSED = "ETag, Location, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy"
ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer"


class ApiHooks:
    """The hooks of the API (`services.http.application.Hooks`)."""

    def __init__(self, cors_origins: tuple[str, ...]) -> None:
        self._origins = cors_origins

    def begin(self, request: Request) -> None:
        observability.begin(request)

    def check(self, request: Request) -> None:
        if request.query:
            refuse_unknown_parameters(request)

    def explain(self, request: Request, error: Exception) -> Response:
        return explained(request, error)

    def missing(self, request: Request, allowed: list[str]) -> Response:
        return missing(request.method, allowed)

    def end(self, request: Request, answer: Response, seconds: float) -> Response:
        if self._origins:
            answer = allow_origin(request, answer, self._origins)
        if request.query:  # no browser hands on an address that holds a ticket or the code of a private game
            answer = answer.with_headers(referrer_policy="no-referrer")
        return observability.end(request, answer, seconds)


def explained(request: Request, error: Exception) -> Response:
    """The answer to an error, whatever it is."""
    try:
        match error:
            case UnknownRuleset():
                return without_rules(error)
            case ArchiveUnavailable():
                return without_archive(error)
        return explain(error)
    except Exception as another:
        return unforeseen(request, another)


def allow_origin(request: Request, answer: Response, origins: tuple[str, ...]) -> Response:
    """Let pages of these origins read an answer (CORS)."""
    origin = request.headers.get("origin")
    answer = answer.varying("Origin")
    if not origin or ("*" not in origins and origin not in origins):
        return answer
    headers = {"access_control_allow_origin": origin, "access_control_expose_headers": EXPOSED}
    if request.method == "OPTIONS":
        headers["access_control_allow_methods"] = "GET, POST, DELETE, OPTIONS"
        headers["access_control_allow_headers"] = ALLOWED
        headers["access_control_max_age"] = "86400"
    return answer.with_headers(**headers)

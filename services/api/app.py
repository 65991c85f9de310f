"""The Flask application: routes, errors, cross-origin calls, the OpenAPI document and how it is browsed."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from flask import Flask, Request, Response, request, send_from_directory

from events.archived import ArchiveUnavailable
from games.kernel import UnknownRuleset
from services.api.context import Context
from services.api.describe import actions_schema
from services.api.lanes import FoundRoute
from services.api.observing import observe
from services.api.packing import packed
from services.api.problems import ProblemApi, register_problems
from services.api.requests import refuse_unknown_parameters, without_archive, without_rules
from services.api.routes import BLUEPRINTS, HEALTH
from services.api.schemas import ProblemSchema
from services.front.ways import LARGEST_BODY, ROUTE

DESCRIPTION = """Board games whose log is the truth. Act over HTTP, watch live, audit to the last shuffle."""

DOCS_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
DOCUMENTS = ("/openapi.json", *(f"/docs/{name}" for name in DOCS_FILES))
EXPOSED = "ETag, Location, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy"
ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"


class Stele(Flask):
    """Flask without what we do not need: coroutines, of which there are none, and a second look for the route."""

    def create_url_adapter(self, request: Request | None) -> Any:
        """Where a request goes: the front has found it already, if it has passed the front."""
        route = request.environ.get(ROUTE) if request else None
        return FoundRoute(route) if route else super().create_url_adapter(request)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def keep_addresses_secret(response: Response) -> Response:
    """Let no browser hand on an address that holds a ticket or the code of a private game."""
    if request.query_string:
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


def pack_documents(response: Response) -> Response:
    """Compress the OpenAPI document and what shows it."""
    return packed(response) if request.path in DOCUMENTS else response


def create_app(context: Context) -> Flask:
    """The application that serves this context."""
    app = Stele("stele", static_folder=None)
    app.extensions["stele"] = context
    app.config.update(
        API_TITLE="Stele",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION, "license": {"name": "MIT"}}},
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.merge_slashes = False
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of Flask's default provider
    api = ProblemApi(app)
    for blueprint in (*BLUEPRINTS, HEALTH):
        api.register_blueprint(blueprint)
    register_problems(app)
    app.register_error_handler(UnknownRuleset, without_rules)
    app.register_error_handler(ArchiveUnavailable, without_archive)
    observe(app)
    app.before_request(refuse_unknown_parameters)
    app.after_request(keep_addresses_secret)
    app.after_request(pack_documents)
    document(api, context)
    serve_docs(app)
    allow_origins(app, context.cors_origins)
    return app


# -- the document -----------------------------------------------------------------------------------------------------


def document(api: ProblemApi, context: Context) -> None:
    """What the decorators do not say: tokens, problems, and the actions of each game."""
    bearer = {"type": "http", "scheme": "bearer", "description": "A seat's, a host's or an operator's token."}
    api.spec.components.security_scheme("token", bearer)
    api.spec.options["security"] = [{}, {"token": []}]
    for unused in ("Error", "PaginationMetadata"):
        del api.spec.components.schemas[unused]  # flask-smorest's own
    api.spec.components.schema("Problem", schema=ProblemSchema)
    names = []
    for ruleset in context.rulesets:
        name = f"{ruleset.name}_{ruleset.version}_action"
        api.spec.components.schema(name, actions_schema(ruleset))
        names.append({"$ref": f"#/components/schemas/{name}"})
    api.spec.components.schema("Action", {"anyOf": names} if names else {"type": "object"})


# -- browsing it ------------------------------------------------------------------------------------------------------

DOCS_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Stele: HTTP API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
DOCS_START = (
    'SwaggerUIBundle({url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null});\n'
)
NOTHING_FROM_OUTSIDE = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"


def serve_docs(app: Flask) -> None:
    """The browsable document: everything it needs is served from here, so it works offline."""
    folder = str(files("swagger_ui").joinpath("static"))

    @app.get("/docs")
    def docs() -> Response:
        return Response(
            DOCS_PAGE, mimetype="text/html", headers={"Content-Security-Policy": NOTHING_FROM_OUTSIDE}
        )

    @app.get("/docs/start.js")
    def docs_start() -> Response:
        return Response(DOCS_START, mimetype="text/javascript")

    for name in DOCS_FILES:
        app.add_url_rule(
            f"/docs/{name}",
            f"docs_{name}",
            lambda name=name: send_from_directory(folder, name, max_age=86400),
        )


# -- other origins ----------------------------------------------------------------------------------------------------


def allow_origins(app: Flask, origins: tuple[str, ...]) -> None:
    """Let pages of these origins call the API (CORS)."""
    if not origins:
        return

    @app.after_request
    def add_headers(response: Response) -> Response:
        origin = request.headers.get("Origin")
        response.headers.add("Vary", "Origin")
        if origin and ("*" in origins or origin in origins):
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
            if request.method == "OPTIONS":
                response.headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE, OPTIONS"
                response.headers["Access-Control-Allow-Headers"] = ALLOWED
                response.headers["Access-Control-Max-Age"] = "86400"
        return response

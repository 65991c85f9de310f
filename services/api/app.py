"""The Flask application: routes, errors, cross-origin calls, the OpenAPI document and how it is browsed."""

from functools import cache, partial
from importlib.resources import files

import msgspec
from flask import Flask, Response, send_from_directory

from events.archived import ArchiveUnavailable
from games.kernel import Registry, UnknownRuleset
from services.api.answers import public
from services.api.context import Context, this_request
from services.api.document import complete
from services.api.lanes import PlainNumber
from services.api.observing import observe
from services.api.packing import packed
from services.api.page import serve_page
from services.api.problems import ProblemApi, register_problems
from services.api.requests import refuse_unknown_parameters, without_archive, without_rules
from services.api.routes import BLUEPRINTS, HEALTH
from services.api.schemas.parts import as_component
from services.api.stele import Stele
from services.front.ways import LARGEST_BODY

DESCRIPTION = """Board games whose log is the truth. Act over HTTP, watch live, audit to the last shuffle."""

DOCS_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
DOCUMENTS = tuple(f"/docs/{name}" for name in DOCS_FILES)
EXPOSED = "ETag, Location, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy"
ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"


def keep_addresses_secret(response: Response) -> Response:
    """Let no browser hand on an address that holds a ticket or the code of a private game."""
    if this_request().query_string:
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


def pack_documents(response: Response) -> Response:
    """Compress what shows the OpenAPI document."""
    return packed(response) if this_request().path in DOCUMENTS else response


def create_app(context: Context) -> Stele:
    """The application that serves this context."""
    app = Stele(context)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, PROPAGATE_EXCEPTIONS=False)
    app.url_map.merge_slashes = False
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of Flask's default provider
    register_routes(app)
    register_problems(app)
    app.register_error_handler(UnknownRuleset, without_rules)
    app.register_error_handler(ArchiveUnavailable, without_archive)
    observe(app)
    app.before_request(partial(refuse_unknown_parameters, app.view_functions))
    app.after_request(keep_addresses_secret)
    app.after_request(pack_documents)
    serve_docs(app, context.rulesets)
    serve_page(app)
    allow_origins(app, context.cors_origins)
    return app


# -- the document -----------------------------------------------------------------------------------------------------


def register_routes(app: Flask) -> ProblemApi:
    """Every route, and what it says of itself."""
    app.config.update(
        API_TITLE="Stele",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION, "license": {"name": "MIT"}}},
    )
    app.url_map.converters["int"] = PlainNumber
    api = ProblemApi(app)
    api.ma_plugin.converter.add_attribute_function(as_component)
    for blueprint in (*BLUEPRINTS, HEALTH):
        api.register_blueprint(blueprint)
    return api


@cache
def openapi_document(rulesets: Registry) -> bytes:
    """The OpenAPI document of a server with these games: written when it is first asked for, and never again."""
    api = register_routes(Flask("document", static_folder=None))
    return msgspec.json.encode(complete(api.spec, rulesets))


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


def serve_docs(app: Flask, rulesets: Registry) -> None:
    """The document and how it is browsed: everything that needs is served from here, so it works offline."""
    folder = str(files("swagger_ui").joinpath("static"))

    @app.get("/openapi.json")
    def openapi() -> Response:
        return public(openapi_document(rulesets))

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
        request = this_request()
        origin = request.headers.get("Origin")
        response.headers["Vary"] = ", ".join(filter(None, (response.headers.get("Vary"), "Origin")))
        if origin and ("*" in origins or origin in origins):
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
            if request.method == "OPTIONS":
                response.headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE, OPTIONS"
                response.headers["Access-Control-Allow-Headers"] = ALLOWED
                response.headers["Access-Control-Max-Age"] = "86400"
        return response

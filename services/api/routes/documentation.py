"""The OpenAPI document, and a page to browse it: everything that needs is served from here, so it works offline."""

from importlib.resources import files

from services.api.context import context
from services.api.document import openapi_document
from services.api.responses import public_response
from services.api.table import TABLE
from services.core.archivist import SECONDS_PER_DAY
from services.http.messages import Response, response

route = TABLE.section("documentation")

PAGE = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Stele: HTTP API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
START = b'SwaggerUIBundle({url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null});\n'
NOTHING_FROM_OUTSIDE = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
HTML, CSS, SCRIPT = (f"text/{kind}; charset=utf-8" for kind in ("html", "css", "javascript"))


@route("GET", "/openapi.json", documented=False)
def openapi() -> Response:
    """The OpenAPI document of this server."""
    return public_response(openapi_document(context().rulesets))


@route("GET", "/docs", documented=False)
def docs() -> Response:
    """The page that shows it."""
    return response(PAGE, HTML, content_security_policy=NOTHING_FROM_OUTSIDE)


@route("GET", "/docs/start.js", documented=False)
def docs_start() -> Response:
    return response(START, SCRIPT)


@route("GET", "/docs/swagger-ui.css", documented=False)
def docs_style() -> Response:
    return public_response(swagger_file("swagger-ui.css"), CSS, SECONDS_PER_DAY)


@route("GET", "/docs/swagger-ui-bundle.js", documented=False)
def docs_script() -> Response:
    return public_response(swagger_file("swagger-ui-bundle.js"), SCRIPT, SECONDS_PER_DAY)


def swagger_file(name: str) -> bytes:
    return files("swagger_ui").joinpath("static", name).read_bytes()

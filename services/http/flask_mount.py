"""Flask over the table of routes: a plain WSGI application, for every server that runs such.

Each route is a rule of Flask's own, and Flask finds, parses and sends as it always does; what it finds no route for is
answered by the table too. Live streams need an event loop: they are refused here. A long poll blocks its thread.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import flask
from flask import Flask
from werkzeug.exceptions import MethodNotAllowed, NotFound, RequestEntityTooLarge
from werkzeug.routing import IntegerConverter

from games.kernel import Refusal
from services.http.application import Application
from services.http.messages import LongPoll, Request, Result, Stream
from services.http.routing import LARGEST_BODY, Route

LOOK_EVERY = 0.1
"""Seconds between two looks at a game that a long poll waits for."""
NO_STREAMS = "This server sends no live streams: ask for JSON, and for news with `after` and `wait`."

Newer = Callable[[str, int], bool]
"""Whether the version of a game exceeds a number."""


class PlainNumber(IntegerConverter):
    """A number in an address, in the digits 0 to 9: there are others that Python would read."""

    regex = "[0-9]+"


def mount(application: Application, is_newer: Newer) -> Flask:
    """The application as a WSGI application."""
    app = Flask("stele", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.url_map.merge_slashes = False
    app.url_map.converters["int"] = PlainNumber

    def serve(route: Route | None, **arguments: Any) -> flask.Response:
        request = request_from_flask(application, route, arguments)
        try:
            request = request._replace(body=flask.request.get_data())
        except RequestEntityTooLarge:
            too_large = Refusal("body_too_large", f"A request's body has at most {LARGEST_BODY} bytes.")
            return flask_response(application.refuse(request, too_large))
        return flask_response(waited_for(application, request, application.respond(request), is_newer))

    def serve_other(_: Exception | None = None) -> flask.Response:
        """What Flask has no rule for: the table answers."""
        found = application.table.find(flask.request.method, path_sent())
        return serve(found.route, **found.arguments)

    @app.before_request
    def find_no_doubled_slash() -> flask.Response | None:
        """Two slashes at the beginning of a path lead nowhere; Werkzeug would read them as one."""
        return serve_other() if path_sent().startswith("//") else None

    for route in application.table.routes:
        app.add_url_rule(
            route.path,
            f"{route.method} {route.path}",
            partial(serve, route),
            methods=[route.method],
            provide_automatic_options=False,
        )
    for error in (NotFound, MethodNotAllowed):
        app.register_error_handler(error, serve_other)
    return app


def request_from_flask(application: Application, route: Route | None, arguments: dict[str, Any]) -> Request:
    """The request that Flask deals with, but for its body."""
    current = flask.request
    return Request(
        method=current.method,
        path=path_sent(),
        query=current.query_string.decode("latin-1"),
        headers={name.lower(): value for name, value in current.headers},
        body=b"",
        peer=current.remote_addr or "",
        context=application.context,
        route=route,
        arguments=arguments,
    )


def path_sent() -> str:
    """The path as the server has it, with all slashes at its beginning."""
    sent: str = flask.request.environ["PATH_INFO"]
    return sent.encode("latin-1").decode(errors="replace")


def waited_for(application: Application, request: Request, result: Result, is_newer: Newer) -> Result:
    """What can be sent here: after a long poll's wait, and no live stream."""
    if isinstance(result, LongPoll):
        until = time.monotonic() + result.seconds
        while time.monotonic() < until and not is_newer(result.game, result.version):
            time.sleep(LOOK_EVERY)
        return result.then()
    if isinstance(result, Stream) and request.method != "HEAD":
        return application.refuse(request, Refusal("not_acceptable", NO_STREAMS))
    return result


def flask_response(result: Result) -> flask.Response:
    """An answer as Flask sends it."""
    assert not isinstance(result, LongPoll)
    answer = result.head if isinstance(result, Stream) else result
    content = answer.body if answer.rest is None else answer.rest
    return flask.Response(content, answer.status, headers=answer.headers)

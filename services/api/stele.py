"""The application itself: Flask, and a shorter way through it for what is asked all the time.

Flask makes two contexts for a request, keeps them on stacks, sends signals and tears all of it down again, which takes as
long as the rules need for a move. The routes that players take (`services.api.lanes.LOOP`) do without: their views, and the
hooks before and after every request, ask `this_request()` and `context()`, never Flask's own proxies. What goes wrong is
answered by Flask in its usual way, so that there is one set of answers for errors.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Request, Response
from flask.ctx import RequestContext

from services.api.context import CURRENT, Context, ThisRequest
from services.api.lanes import LOOP, FoundRoute, Nowhere, Signs
from services.front.ways import ROUTE


class Stele(Flask):
    """Flask without what we do not need: coroutines, of which there are none, and a second look for the route."""

    def __init__(self, context: Context) -> None:
        super().__init__("stele", static_folder=None)
        self.context = context

    @cached_property
    def signs(self) -> Signs:
        """Which way each route goes; looked at when all routes are there."""
        return Signs(self)

    # -- a request ----------------------------------------------------------------------------------------------------

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request: by the short way, if its route has one."""
        request = ThisRequest(environ, self.context)
        CURRENT.set(request)
        route = environ.get(ROUTE) or self.signs(request.method, request.path).route
        if route is None or route[0].endpoint not in LOOP:
            return super().wsgi_app(environ, start_response)
        request.url_rule, request.view_args = environ[ROUTE] = route
        return self._answer(request)(environ, start_response)

    def _answer(self, request: ThisRequest) -> Response:
        """The answer of a view that needs no context of Flask's, and of the hooks around it."""
        try:
            view = cast(Callable[..., Response], self.view_functions[str(request.endpoint)])
            response = self._before() or view(**request.view_args or {})
            for hook in reversed(self.after_request_funcs.get(None, ())):
                response = hook(response)
        except Exception as error:
            return self._explain(request, error)
        return response

    def _before(self) -> Response | None:
        for hook in self.before_request_funcs.get(None, ()):
            if (response := hook()) is not None:
                return cast(Response, response)
        return None

    def _explain(self, request: ThisRequest, error: Exception) -> Response:
        """The answer to an error, as Flask would give it."""
        with self.request_context(request.environ):
            try:
                return self.finalize_request(self.handle_user_exception(error))
            except Exception as unforeseen:
                return self.handle_exception(unforeseen)

    # -- what Flask asks ----------------------------------------------------------------------------------------------

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        """Flask's context of the request that is dealt with."""
        return RequestContext(self, environ, CURRENT.get())

    def create_url_adapter(self, request: Request | None) -> Any:
        """Where a request goes: the front has found it already, if it has passed the front."""
        route = request.environ.get(ROUTE) if request else None
        if request and request.path.startswith("//"):
            return Nowhere()
        return FoundRoute(route) if route else super().create_url_adapter(request)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

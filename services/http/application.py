"""What answers a request: a route's handler, between hooks that every request passes.

Whoever carries requests (the front, Flask, a test) finds the route in the table, makes a `Request`, and calls `respond`.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from services.http.messages import CURRENT, EMPTY_TYPE, LongPoll, Request, Response, Result, Stream, response
from services.http.routing import Table


class Hooks(Protocol):
    """What an application adds to every request."""

    def begin(self, request: Request) -> None:
        """Before anything else."""

    def check(self, request: Request) -> None:
        """Before the handler of a route; raises what the answer is made of."""

    def explain(self, request: Request, error: Exception) -> Response:
        """The answer to a request that something went wrong with."""

    def missing(self, request: Request, allowed: list[str]) -> Response:
        """The answer where there is no route, or none for this method but for those that are allowed."""

    def end(self, request: Request, answer: Response, seconds: float) -> Response:
        """After everything else."""


class Application:
    """The routes of a table, and what they serve with."""

    def __init__(self, table: Table, context: Any, hooks: Hooks) -> None:
        self.table = table
        self.context = context
        self._hooks = hooks

    def respond(self, request: Request) -> Result:
        """Answer a request, whatever happens."""
        return self._answer(request, partial(self._result, request))

    def refuse(self, request: Request, error: Exception) -> Result:
        """The answer to a request that whoever carries it does not take."""

        def fail() -> Result:
            raise error

        return self._answer(request, fail)

    def _answer(self, request: Request, make: Callable[[], Result]) -> Result:
        CURRENT.set(request)
        began = time.perf_counter()
        self._hooks.begin(request)
        try:
            result = make()
        except Exception as error:
            result = self._hooks.explain(request, error)
        match result:
            case Response():
                return self._hooks.end(request, result, time.perf_counter() - began)
            case Stream(head=head):
                return result._replace(head=self._hooks.end(request, head, time.perf_counter() - began))
            case LongPoll():
                return result._replace(then=partial(self._answer_after, request, result.then))

    def _answer_after(self, request: Request, then: Callable[[], Response]) -> Response:
        """Answer a request whose wait is over."""
        result = self._answer(request, then)
        assert isinstance(result, Response)
        return result

    def _result(self, request: Request) -> Result:
        route = request.route
        if route is None or request.method == "OPTIONS":
            return self._missing(request)
        self._hooks.check(request)
        if route.body and route.body.read:
            return route.handler(route.body.read(request), **request.arguments)
        return route.handler(**request.arguments)

    def _missing(self, request: Request) -> Response:
        """The answer of the table itself: which methods a path takes, or that nothing is there."""
        allowed = self.table.allowed(request.path)
        if allowed and request.method == "OPTIONS":
            return response(b"", EMPTY_TYPE, allow=", ".join(allowed))
        return self._hooks.missing(request, allowed)

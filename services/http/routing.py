"""The table of routes: the only place that names a route, and the matcher that finds one by method and path.

    route = TABLE.section("games")

    @route("GET", "/v1/games/<game_id>", runs_in="loop", params=(AFTER, WAIT), returns={200: Returns(GameBody)},
           errors=ABOUT_A_GAME)
    def show_game(game_id: str) -> Response: ...

Everything else derives from the table: where a route runs, how large a body it takes, its OpenAPI operation, which
query parameters it knows, 404 and 405, and the name it is counted by.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

from services.http.messages import SMALL_BODY, Request, Result

LARGEST_BODY = 16_000_000
"""What any request may bring: a record is the largest thing there is."""
WITH_BODY = ("POST", "PUT", "PATCH", "DELETE")

RunsIn = Literal["loop", "threads", "slow"]
"""`loop`: what is quick but for the store, in the event loop. `threads`: what takes some milliseconds, or waits for
several things. `slow`: what may take seconds, in a small pool of its own, so that it never has the last thread."""
Handler = TypeVar("Handler", bound=Callable[..., Result])
Doc = dict[str, Any]
Code = str | tuple[int, str]
"""A problem's code; with a status, if it has another than usual."""
LONGEST_NUMBER = 4300
"""Digits that Python reads as a number."""
VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")


class Body(NamedTuple):
    """What a request may hold."""

    schema: Any
    """For the document: a marshmallow schema, a struct, or a JSON Schema."""
    read: Callable[[Request], Any] | None = None
    """Makes the first argument of the handler of it."""
    largest: int = SMALL_BODY
    """Bytes."""


class Returns(NamedTuple):
    """What a route may answer with, for the document."""

    schema: Any = None
    """A struct, or a JSON Schema."""
    headers: Mapping[str, Any] = MappingProxyType({})
    description: str = ""
    content_type: str = "application/json"
    also: tuple[str, ...] = ()
    """Other media types that the same thing comes in, as text."""


@dataclass(frozen=True, eq=False)
class Route:
    """A route: what it is called by, where it runs, and everything that the document says of it."""

    method: str
    path: str
    """With what varies in it: `<name>` is a part, `<int:name>` a number, `<path:name>` all that is left."""
    handler: Callable[..., Result]
    section: str
    runs_in: RunsIn = "threads"
    body: Body | None = None
    params: tuple[Doc, ...] = ()
    returns: Mapping[int, Returns] = field(default_factory=dict)
    errors: tuple[Code, ...] = ()
    streams: bool = False
    """Can it be watched live? Then no web server that knows only WSGI comes in between."""
    sheds_load: bool = True
    """Is it refused when there is too much to do? Not if its caller would end a server that does not answer."""
    documented: bool = True

    @property
    def name(self) -> str:
        return self.handler.__name__

    @cached_property
    def largest_body(self) -> int:
        """Bytes; 0 if none is read."""
        return self.body.largest if self.body else SMALL_BODY if self.method in WITH_BODY else 0

    @cached_property
    def known_parameters(self) -> tuple[str, ...] | None:
        """The names of the query parameters that it takes; None where others are passed over."""
        if not self.path.startswith("/v1/"):
            return None
        return tuple(parameter["name"] for parameter in self.params if parameter["in"] == "query")


class Found(NamedTuple):
    """Where a request goes."""

    route: Route | None
    arguments: Mapping[str, Any]


NOWHERE = Found(None, {})


@dataclass
class Node:
    """What may come next in a path."""

    routes: dict[str, Route] = field(default_factory=dict)
    """By method, of paths that end here."""
    fixed: dict[str, "Node"] = field(default_factory=dict)
    part: "Node | None" = None
    number: "Node | None" = None
    rest: "Node | None" = None
    name: str = ""
    """What the part of the path that led here is called."""


class Table:
    """All routes of an application."""

    def __init__(self, sections: Mapping[str, str] = MappingProxyType({})) -> None:
        self.routes: list[Route] = []
        self.sections = sections
        """What is said of each section in the document."""
        self._root = Node()

    def section(self, name: str) -> Callable[..., Callable[[Handler], Handler]]:
        """A decorator that adds routes to the table, under one heading of the document."""

        def route(method: str, path: str, **more: Any) -> Callable[[Handler], Handler]:
            def add(handler: Handler) -> Handler:
                self.add(Route(method, path, handler, name, **more))
                return handler

            return add

        return route

    def add(self, route: Route) -> None:
        node = self._root
        for segment in route.path.split("/"):
            node = _next_node(node, segment)
        assert route.method not in node.routes, f"{route.method} {route.path} is there already"
        node.routes[route.method] = route
        if route.method == "GET":
            node.routes["HEAD"] = route
        self.routes.append(route)

    def find(self, method: str, path: str) -> Found:
        """The route of a request, if there is one; for OPTIONS any that its path has."""
        arguments: dict[str, Any] = {}
        node = _go_straight(self._root, path.split("/"), arguments)
        if node is None or not node.routes:
            arguments.clear()
            node = _walk(self._root, path.split("/"), 0, arguments)
        if node is None:
            return NOWHERE
        route = next(iter(node.routes.values())) if method == "OPTIONS" else node.routes.get(method)
        return Found(route, arguments) if route else NOWHERE

    def allowed(self, path: str) -> list[str]:
        """The methods that a path takes; none if nothing is there."""
        node = _walk(self._root, path.split("/"), 0, {})
        return sorted({*node.routes, "OPTIONS"}) if node else []


def _next_node(node: Node, segment: str) -> Node:
    match = VARIABLE.fullmatch(segment)
    if match is None:
        return node.fixed.setdefault(segment, Node())
    kind, name = match[1] or "part", match[2]
    kind = {"part": "part", "int": "number", "path": "rest"}[kind]
    child: Node = getattr(node, kind) or Node(name=name)
    assert child.name == name, f"one part of a path has two names: {name}, {child.name}"
    setattr(node, kind, child)
    return child


def _go_straight(node: Node, segments: list[str], arguments: dict[str, Any]) -> Node | None:
    """Where a path leads if nothing has to be tried twice: most do."""
    for segment in segments:
        child = node.fixed.get(segment)
        if child is None:
            child = node.part
            if child is None or node.number or not segment:
                return None
            arguments[child.name] = segment
        node = child
    return node


def _walk(node: Node, segments: list[str], place: int, arguments: dict[str, Any]) -> Node | None:
    """Where a path leads, if it ends at a route; what varies in it is noted on the way."""
    if place == len(segments):
        return node if node.routes else None
    segment = segments[place]
    if (child := node.fixed.get(segment)) and (found := _walk(child, segments, place + 1, arguments)):
        return found
    if not segment:
        return None
    is_number = segment.isascii() and segment.isdecimal() and len(segment) < LONGEST_NUMBER
    if is_number and (child := node.number) and (found := _walk(child, segments, place + 1, arguments)):
        arguments[child.name] = int(segment)
        return found
    if (child := node.part) and (found := _walk(child, segments, place + 1, arguments)):
        arguments[child.name] = segment
        return found
    if child := node.rest:
        arguments[child.name] = "/".join(segments[place:])
        return child
    return None

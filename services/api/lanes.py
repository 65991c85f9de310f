"""Which way each route goes: where it runs, and how large a body it takes. What is not named here runs in threads.

In the loop goes what needs little but the store: one slow view there would keep every player waiting. Whatever
reads whole logs, checks, packs or draws them is slow, and has its own few threads.
"""

from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, Rule

from services.front.ways import LARGEST_BODY, SMALL_BODY, Lane, Way

LOOP = frozenset(
    (
        "games.create_game",
        "games.show_game",
        "health.alive",
        "home",
        "log.show_head",
        "page_file",
        "page_inside",
        "play.act",
        "play.check_action",
        "play.legal_actions",
        "play.resign",
        "seats.make_ticket",
        "seats.open_seal",
        "seats.renew_token",
        "seats.take_seat",
    )
)
BY_SCHEMA = frozenset(("games.create_game", "seats.open_seal", "seats.take_seat"))
"""Routes whose bodies flask-smorest reads, which needs Flask's context."""
SHORT = LOOP - BY_SCHEMA
"""Routes that are answered without Flask's context (`services.api.stele`)."""
SLOW = frozenset(
    (
        "audit.audit_record",
        "audit.show_audit",
        "audit.show_record",
        "forks.fork_game",
        "pictures.board_now",
        "pictures.board_then",
        "replay.replay",
        "replay.replay_version",
        "review.begin_review",
        "review.show_review",
    )
)
LARGE = ("audit.audit_record",)
"""Routes that take more than other requests may bring."""
WATCHED = ("log.list_events", "feed.show_feed")
"""Routes that can be watched live."""
WITH_BODY = ("POST", "PUT", "PATCH", "DELETE")

NOWHERE = Way("threads", largest_body=0, watched=False)
"""For what Flask answers by itself, or cannot find."""

GAMES = "/v1/games/"
GAME = GAMES + "<game_id>"

Route = tuple[Rule, dict[str, Any]]


class PlainNumber(IntegerConverter):
    """A number in an address, in the digits 0 to 9: there are others that Python would read."""

    regex = "[0-9]+"


class Signs:
    """The signpost of an application: its own map, looked at once for both the front and the application."""

    def __init__(self, app: Flask) -> None:
        self._adapter = app.url_map.bind("")
        self._of_games = {
            (method, tail): rule
            for rule in app.url_map.iter_rules()
            for tail in [rule.rule.removeprefix(GAME)]
            if tail != rule.rule and "<" not in tail
            for method in rule.methods or ()
        }
        """The routes of a game, which most requests take, by what follows its id."""

    def __call__(self, method: str, path: str) -> Way:
        if method == "OPTIONS":
            return NOWHERE
        route = self._route_of_a_game(method, path) or self._route(method, path)
        if route is None:
            return NOWHERE
        rule, _ = route
        largest = LARGEST_BODY if rule.endpoint in LARGE else SMALL_BODY if method in WITH_BODY else 0
        return Way(lane_of(rule.endpoint), largest, route, rule.endpoint in WATCHED)

    def _route_of_a_game(self, method: str, path: str) -> Route | None:
        """Routes are found by looking through all of them; a game's are told apart by their end."""
        if not path.startswith(GAMES):
            return None
        game, slash, tail = path[len(GAMES) :].partition("/")
        rule = self._of_games.get((method, slash + tail))
        return (rule, {"game_id": game}) if rule and game else None

    def _route(self, method: str, path: str) -> Route | None:
        try:
            rule, arguments = self._adapter.match(path, method, return_rule=True)
        except HTTPException:
            return None
        return rule, dict(arguments)


def lane_of(endpoint: str) -> Lane:
    return "loop" if endpoint in LOOP else "slow" if endpoint in SLOW else "threads"


class FoundRoute:
    """What Flask asks for the route of a request, where the front has found it already."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def match(self, **_: Any) -> Route:
        return self._route

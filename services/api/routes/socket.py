"""The WebSocket as a route of the table, and the one operation on it that is no other call: to follow a game."""

from games.kernel import Refusal
from services.api.parameters import AFTER, FRAMES, INCLUDE, JOIN_CODE
from services.api.requests import flag_parameter, integer_parameter
from services.api.returns import ABOUT_A_GAME
from services.api.routes.games import shown, visit_after
from services.api.routes.log import watch_of
from services.api.table import TABLE
from services.http.messages import Response, Stream
from services.http.routing import Returns, Route

route = TABLE.section("socket")


@route(
    "GET",
    "/v1/socket",
    runs_in="loop",
    returns={101: Returns(description="The connection is a WebSocket from here on.")},
    errors=("upgrade_required",),
)
def open_socket() -> Response:
    """A WebSocket for many games and seats at once: follow games, act, hear a feed. Messages are JSON text.

    `{"id", "op": "follow", "game", "token"?, "after"?}` is answered `{"re", "status", "as", "ok": the game}`, and each
    later version comes as `{"as", "frame"}`; `{"id", "op": "act", "as", "action", "key"?}` acts. See docs/clients.md.
    """
    raise Refusal("upgrade_required", "This address speaks WebSocket: ask for an upgrade.")


def follow_game(game_id: str) -> Response | Stream:
    """The game as GET gives it, and with `frames` everything that comes after it, live."""
    after, frames = integer_parameter("after"), flag_parameter("frames")
    visitor = visit_after(game_id, after)
    game = shown(visitor)
    is_over = visitor.game.settled and after == visitor.game.version
    return game if is_over or not frames else Stream(game, watch_of(visitor, after, wants_frames=True))


FOLLOW = Route(
    "GET",
    "/v1/socket",
    follow_game,
    "socket",
    runs_in="loop",
    params=(AFTER, INCLUDE, JOIN_CODE, FRAMES),
    errors=(*ABOUT_A_GAME, "rewound"),
    documented=False,
)
"""What a follow is carried out and counted as. It is in no table: nothing but a socket asks for it."""

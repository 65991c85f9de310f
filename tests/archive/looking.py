"""Everything that the API answers about a game, and about all games, to everyone."""

from events.keys import game_key
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table

PAGES = (
    "",
    "/events",
    "/events?after=3&limit=2",
    "/replay",
    "/replay?as=0",
    "/replay?as=spectator&from=2&to=5",
    "/replay/3",
    "/audit",
    "/record",
    "/head",
    "/forks",
    "/actions",
)
LISTS = ("/v1/games", "/v1/games?status=ended", "/v1/results")


def tokens_of(game: Table) -> list[str | None]:
    return [None, *map(str, game.tokens.values()), CLUB, SCHOOL, OPERATOR]


def answers(api: Api, *games: Table) -> dict[tuple[str, str | None], bytes]:
    """What each caller sees of each page; games are known to the test, tokens and all."""
    found = {}
    for game in games:
        for token in tokens_of(game):
            for page in PAGES:
                found[game.path + page, token] = api.get(game.path + page, token).lasting
        found[game.path + "?view=full", OPERATOR] = api.get(game.path + "?view=full", OPERATOR).lasting
        lines = api.get(game.path + "/events", OPERATOR, Accept="application/x-ndjson").bytes
        found[game.path + "/events as lines", OPERATOR] = lines
    for page in LISTS:
        found[page, None] = api.get(page).bytes
    return found


def kept_of(api: Api, game: str) -> set[str]:
    """The names of what the store holds of a game."""
    found = api.context.store.client.scan_iter(game_key(game, "*"), count=1000)
    return {key.decode().rsplit(":", 1)[1] for key in found}

"""Replays over HTTP: while a game is played what the caller could see then; once settled everything, as anyone saw it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.canonical import canonical
from games.kernel import Viewer
from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, new_game
from tests.api.finished import close, settled_game

GAMES: dict[str, dict[str, Any]] = {
    "lanterns": {},
    "babel": {"options": {"edition": "2000"}},
    "aton": {},
    "temple_of_five": {
        "players": 3,
        "options": {"special_tiles": "mixed", "will_of_the_gods": True, "ultimate_goal": True},
    },
    "sa_re": {"players": 3, "options": {"max_rounds": 2, "divinity": True}},
}


class Witness:
    """Somebody who looks at a game after every entry and keeps what the server answers."""

    def __init__(self, game: Table, viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.views: dict[int, bytes] = {}
        self.events: dict[int, bytes] = {}

    @property
    def name(self) -> str:
        return "spectator" if self.viewer is None else str(self.viewer)

    def look(self) -> None:
        seen = self.game.show(self.viewer)
        self.views[seen["version"]] = canonical(seen["view"])
        after = max(self.events, default=0)
        for event in self.game.get(f"/events?after={after}", self.game.token(self.viewer)).json["items"]:
            self.events[event["seq"]] = canonical(event)


def watched_game(api: Api, ruleset: str) -> list[Witness]:
    """A game played at random to its end and settled, before the eyes of all its viewers."""
    game = new_game(api, ruleset, key=f"watched-{ruleset}-game", **GAMES[ruleset])
    witnesses = [Witness(game, viewer) for viewer in (None, *game.tokens)]
    random = Random(ruleset)
    look(witnesses)
    while to_act := game.show()["to_act"]:
        seat = random.choice(to_act)
        assert game.act(seat, random.choice(game.legal(seat))).status == 201
        look(witnesses)
    close(game)
    look(witnesses)
    return witnesses


def look(witnesses: list[Witness]) -> None:
    for witness in witnesses:
        witness.look()


def replayed(game: Table, query: str = "", token: str | None = None) -> Iterator[Any]:
    """Every frame, page by page."""
    start: int | None = 1
    while start is not None:
        page = game.get(f"/replay?from={start}&limit=30{query}", token)
        assert page.status == 200, page
        assert len(page.json["items"]) <= 30
        yield from page.json["items"]
        start = page.json["next"]


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_settled_game_replayed_as_someone_is_byte_for_byte_what_they_saw(api: Api, ruleset: str) -> None:
    for witness in watched_game(api, ruleset):
        frames = list(replayed(witness.game, f"&as={witness.name}"))
        assert {frame["version"]: canonical(frame["event"]) for frame in frames} == witness.events
        views = {frame["version"]: canonical(frame["view"]) for frame in frames}
        assert {version: views[version] for version in witness.views} == witness.views
        assert views[len(frames)] == witness.views[len(frames)]


def test_a_settled_game_lies_open_to_everyone(api: Api) -> None:
    game = settled_game(api)
    frames = list(replayed(game))
    assert [frame["version"] for frame in frames] == list(range(1, game.head[0] + 1))
    assert canonical(frames[-1]["view"]) == canonical(game.get("?view=full").json["view"])
    assert [frame["event"] for frame in frames] == game.get("/events").json["items"]
    assert frames[0]["view"] is None
    deck = next(frame["view"]["deck"] for frame in frames if frame["view"])
    assert deck


def test_a_live_game_shows_each_caller_what_it_could_see_then(api: Api) -> None:
    game = new_game(api)
    seen = []
    for _ in range(4):
        game.play()
        seen.append(game.show(1))
    for then in seen:
        frame = game.get(f"/replay/{then['version']}", game.token(1)).json
        assert canonical(frame["view"]) == canonical(then["view"])
    spectators = list(replayed(game))
    assert all(player["hand"] is None for player in spectators[-1]["view"]["players"])
    assert all("salt" not in frame["event"] for frame in spectators)
    assert list(replayed(game, token=CLUB)) == spectators
    assert list(replayed(game, token=OPERATOR)) == spectators


def test_in_a_live_game_nobody_looks_with_the_eyes_of_another(api: Api) -> None:
    game = new_game(api)
    game.play(2)
    for path in ("/replay", "/replay/5"):
        assert game.get(f"{path}?as=0", game.token(0)).status == 200
        assert game.get(f"{path}?as=spectator").status == 200
        assert game.get(f"{path}?as=1", OPERATOR).status == 200
        for token, other in ((game.token(0), "1"), (game.token(0), "spectator"), (None, "0"), (CLUB, "0")):
            refused = game.get(f"{path}?as={other}", token)
            assert (refused.status, refused.code) == (403, "forbidden"), refused


def test_one_frame_is_that_of_the_whole_replay(api: Api) -> None:
    game = settled_game(api)
    for query in ("", "&as=2"):
        frames = list(replayed(game, query))
        for frame in (frames[0], frames[5], frames[-1]):
            assert game.get(f"/replay/{frame['version']}?{query}").json == frame


def test_line_by_line_it_comes_all_at_once(api: Api) -> None:
    game = settled_game(api)
    answer = game.get("/replay?from=2&to=9&limit=3", Accept="application/x-ndjson")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = answer.body.splitlines()
    assert lines == [canonical(frame) for frame in replayed(game)][1:9]


def test_a_part_is_asked_for_by_its_first_and_last_version(api: Api) -> None:
    game = settled_game(api)
    last = game.head[0]

    def versions(query: str) -> tuple[list[int], int | None]:
        body = game.get(f"/replay?{query}").json
        return [frame["version"] for frame in body["items"]], body["next"]

    assert versions("from=3&to=5") == ([3, 4, 5], None)
    assert versions("from=3&to=8&limit=2") == ([3, 4], 5)
    assert versions("from=0&limit=1") == ([1], 2)
    assert versions(f"from={last}") == ([last], None)
    assert versions(f"from={last + 1}") == ([], None)
    assert versions("from=5&to=3") == ([], None)


@pytest.mark.parametrize(
    "query", ["from=x", "to=-1", "limit=201", "as=3", "as=-1", "as=host", "as=", "as=01"]
)
def test_what_makes_no_sense_is_refused(api: Api, query: str) -> None:
    game = new_game(api)
    refused = game.get(f"/replay?{query}", game.token(0))
    assert (refused.status, refused.code) == (422, "invalid_request"), refused


@pytest.mark.parametrize("version", ["0", "6", "1000000000000000000", "x", "-1"])
def test_a_version_that_is_not_there_is_not_found(api: Api, version: str) -> None:
    game = new_game(api)
    answer = game.get(f"/replay/{version}")
    assert (answer.status, answer.code) == (404, "not_found")


def test_a_private_game_is_replayed_by_its_own_alone(api: Api) -> None:
    game = new_game(api, private=True)

    def statuses() -> list[int]:
        callers = (None, SCHOOL, "wrong", CLUB, OPERATOR, game.token(2))
        return [game.get(path, token).status for path in ("/replay", "/replay/1") for token in callers]

    expected = [404, 404, 404, 200, 200, 200] * 2
    assert statuses() == expected
    while to_act := game.show(0)["to_act"]:
        game.act(to_act[0], game.legal(to_act[0])[0])
    close(game)
    assert statuses() == expected


def test_a_frame_that_is_known_is_not_sent_again(api: Api) -> None:
    game = new_game(api)
    game.play()

    def again(answer: Answer, path: str) -> int:
        return game.get(path, game.token(0), If_None_Match=answer.headers["etag"]).status

    frame, pages = game.get("/replay/5", game.token(0)), game.get("/replay", game.token(0))
    assert frame.headers["etag"] == '"5.seat0"'
    own = game.get("/replay/5?as=0", game.token(0))
    assert (again(frame, "/replay/5"), again(pages, "/replay")) == (304, 304)
    game.play()
    assert (again(frame, "/replay/5"), again(pages, "/replay")) == (304, 200)
    while to_act := game.show()["to_act"]:
        game.act(to_act[0], game.legal(to_act[0])[0])
    close(game)
    assert again(frame, "/replay/5") == 200
    assert again(own, "/replay/5?as=0") == 304

"""The code of a private game lets look whoever has it, as a spectator, until the game is settled."""

import pytest

from tests.api.client import CLUB, SCHOOL, Api, Table, new_game

READS = (
    "",
    "/actions",
    "/events",
    "/head",
    "/replay",
    "/replay/4",
    "/board.svg",
    "/replay/4/board.svg",
    "/forks",
)
STREAM = "text/event-stream"


@pytest.fixture
def game(api: Api) -> Table:
    """A private game of the club, in play."""
    return new_game(api, "babel", private=True)


def code(game: Table) -> str:
    return f"?join_code={game.created['join_code']}"


def test_the_code_admits_to_every_read_as_a_spectator(game: Table) -> None:
    for path in READS:
        assert game.get(path).code == "game_not_found"
        for token in (None, SCHOOL):
            assert game.get(path + code(game), token).status == 200, path
    shown = game.get(code(game)).json
    assert (shown["you"], shown["view"]["players"][0]["hand"]) == (None, None)
    assert "join_code" not in shown
    assert game.get(code(game)).headers["etag"].endswith('.spectator"')
    assert game.get("/events" + code(game), Accept=STREAM).status == 200


def test_whoever_has_a_role_keeps_it(game: Table) -> None:
    assert game.get(code(game), game.token(1)).json["you"] == 1
    assert game.get(code(game), CLUB).headers["etag"].endswith('.host"')


def test_it_admits_to_nothing_else(game: Table) -> None:
    head = game.head
    for path in ("/actions", "/resignation", "/abort", "/adjudication", "/seats", "/forks"):
        assert game.post(path + code(game), {}).status in (404, 422)
    assert game.get("?view=full&" + code(game)[1:]).code == "forbidden"
    assert game.get("/audit" + code(game)).code == "not_settled"
    assert game.head == head


def test_a_code_holds_for_its_own_game_alone(api: Api, game: Table) -> None:
    other = new_game(api, "babel", private=True)
    for wrong in (code(other), "?join_code=", "?join_code=0123456789abcdef", "?join_code=%ff%00é"):
        assert game.get(wrong).code == "game_not_found"


def test_it_ends_with_the_settlement_and_so_do_its_tickets(game: Table) -> None:
    ticket = game.post("/tickets" + code(game)).json["ticket"]
    assert game.get(f"?ticket={ticket}").json["you"] is None
    game.post("/resignation", token=game.token(0))
    assert game.get(code(game)).json["status"] == "ended"
    game.settle()
    for path in READS:
        assert game.get(path + code(game)).code == "game_not_found"
        assert game.get(f"{path}?ticket={ticket}").code == "game_not_found"
    assert game.post("/tickets" + code(game)).code == "game_not_found"


def test_no_browser_hands_the_code_on(game: Table) -> None:
    for path in (*READS, "/nowhere"):
        assert game.get(path + code(game)).headers["referrer-policy"] == "no-referrer"
    assert game.get("?join_code=wrong").headers["referrer-policy"] == "no-referrer"


def test_a_public_game_needs_no_code(api: Api) -> None:
    assert new_game(api, "babel").get("?join_code=whatever").status == 200

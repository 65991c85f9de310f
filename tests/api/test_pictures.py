"""Boards over HTTP: each caller's own view as a picture, and nothing of anyone else's."""

from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from replays.frames import Perspective
from replays.pictures import picture
from tests.api.client import CLUB, GAMES, OPERATOR, SCHOOL, Answer, Api, new_game
from tests.api.finished import settled_game

SVG = "{http://www.w3.org/2000/svg}"


def title(answer: Answer) -> str:
    assert answer.status == 200, answer
    return str(fromstring(answer.body.decode()).findtext(f"{SVG}title"))


def hands(answer: Answer) -> set[str]:
    """Whose cards lie open."""
    assert answer.status == 200, answer
    ids = [part.attrib.get("id", "") for part in fromstring(answer.body.decode()).iter()]
    return {name.split("-")[1] for name in ids if name.startswith("hand-") and name.count("-") > 1}


@pytest.mark.parametrize("ruleset", sorted({ruleset.name for ruleset in GAMES}))
def test_every_game_has_a_picture_for_each_who_may_look(quiet_api: Api, ruleset: str) -> None:
    game = new_game(quiet_api, ruleset)
    game.play(2)
    for token in (None, CLUB, OPERATOR, *game.tokens.values()):
        answer = game.get("/board.svg", token)
        assert title(answer).startswith(GAMES.latest(ruleset).names["en"][ruleset])
        assert answer.headers["content-type"].startswith("image/svg+xml")


def test_a_picture_can_do_nothing_and_is_kept_by_nobody_else(quiet_api: Api) -> None:
    answer = new_game(quiet_api, "babel").get("/board.svg")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (
        answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    )
    assert answer.headers["cache-control"] == "private"
    assert answer.headers["vary"] == "Authorization"


def test_a_seat_sees_its_own_hand_and_a_spectator_none(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    assert hands(game.get("/board.svg")) == set()
    assert hands(game.get("/board.svg", OPERATOR)) == set()
    assert hands(game.get("/board.svg", game.token(0))) == {"0"}
    assert hands(game.get("/board.svg", game.token(1))) == {"1"}


def test_nobody_draws_with_the_eyes_of_another_while_it_is_played(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    for path in ("/board.svg", f"/replay/{game.head[0]}/board.svg"):
        assert game.get(f"{path}?as=1", game.token(0)).code == "forbidden"
        assert game.get(f"{path}?as=1").code == "forbidden"
        assert hands(game.get(f"{path}?as=1", OPERATOR)) == {"1"}
        own = game.get(path, game.token(1))
        assert game.get(f"{path}?as=1", game.token(1)).body == own.body
        assert game.get(f"{path}?as=spectator", game.token(1)).code == "forbidden"


def test_a_ticket_shows_what_its_owner_sees(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel", private=True)
    ticket = game.post("/tickets", token=game.token(1)).json["ticket"]
    assert game.get(f"/board.svg?ticket={ticket}").body == game.get("/board.svg", game.token(1)).body
    assert game.get("/board.svg").code == "game_not_found"
    assert game.get("/board.svg", SCHOOL).code == "game_not_found"


def test_who_has_a_picture_is_not_sent_it_again(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    ways = ["", "?lang=fr", "?theme=dark", "?shape=tall"]
    tags = {
        game.get(f"/board.svg{way}", token).headers["etag"] for way in ways for token in (None, game.token(0))
    }
    assert len(tags) == 8
    tag = game.get("/board.svg", game.token(0)).headers["etag"]
    assert tag.startswith(f'"{game.head[0]}.')
    again = game.get("/board.svg", game.token(0), If_None_Match=tag)
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert game.get("/board.svg", game.token(1), If_None_Match=tag).status == 200
    game.play()
    assert game.get("/board.svg", game.token(0), If_None_Match=tag).status == 200


def test_a_replay_is_drawn_as_it_looked_then(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    shown = {}
    for _ in range(4):
        shown[game.head[0]] = game.get("/board.svg", game.token(1)).body
        game.play()
    for version, then in shown.items():
        assert game.get(f"/replay/{version}/board.svg", game.token(1)).body == then
    assert game.get(f"/replay/{game.head[0] + 1}/board.svg").status == 404
    assert game.get("/replay/0/board.svg").status == 404


def test_a_settled_game_lies_open_or_is_seen_as_someone_saw_it(quiet_api: Api) -> None:
    game = settled_game(quiet_api, "aton")
    path = "/replay/4/board.svg"
    opened, closed = game.get(path), game.get(f"{path}?as=spectator")
    assert opened.headers["etag"] != closed.headers["etag"]
    assert opened.body != closed.body
    assert "victoire : " in title(game.get("/board.svg?lang=fr"))


def test_before_the_start_there_is_no_board(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel", players=["Ada"], seats=2)
    assert game.get("/board.svg").code == "game_not_started"
    assert game.get("/replay/1/board.svg").code == "game_not_started"


@pytest.mark.parametrize("wrong", ["lang=de", "theme=red", "as=7", "lang=", "shape=round", "shape="])
def test_what_nobody_can_draw_is_refused(quiet_api: Api, wrong: str) -> None:
    assert new_game(quiet_api, "babel").get(f"/board.svg?{wrong}").code == "invalid_request"


@pytest.mark.parametrize("ruleset", sorted({ruleset.name for ruleset in GAMES}))
def test_every_game_has_a_tall_picture_with_the_same_hands(quiet_api: Api, ruleset: str) -> None:
    game = new_game(quiet_api, ruleset)
    for path in ("/board.svg", f"/replay/{game.head[0]}/board.svg"):
        for token in (None, game.token(0)):
            wide, tall = game.get(path, token), game.get(f"{path}?shape=tall", token)
            assert fromstring(tall.body.decode()).attrib["viewBox"].split()[2] == "600"
            assert fromstring(wide.body.decode()).attrib["viewBox"].split()[2] == "1000"
            assert hands(tall) == hands(wide)
            assert game.get(f"{path}?shape=wide", token).body == wide.body


def test_a_ruleset_tells_where_things_lie(quiet_api: Api) -> None:
    layout: Any = quiet_api.get("/v1/rulesets/aton").json["layout"]["aton_standard"]
    assert layout["zones"]["t1-05"].keys() == {"x", "y", "width", "height"}
    assert layout["colours"]["dark"].keys() == {"yellow", "green", "black", "blue", "bonus"}
    assert {"yellow", "green", "black", "blue"} <= layout["signs"].keys()


def test_a_name_that_is_forgotten_vanishes_from_every_picture(api: Api) -> None:
    game = new_game(api, "babel")
    paths = ("/board.svg", f"/replay/{game.head[0]}/board.svg")
    before = {path: game.get(path) for path in paths}
    assert all(b"Ada" in answer.body for answer in before.values())
    assert api.context.store.forget(game.id, 0)
    for path, answer in before.items():
        again = game.get(path, If_None_Match=answer.headers["etag"])
        assert again.status == 200
        assert again.headers["etag"] != answer.headers["etag"]
        assert b"Ada" not in again.body


def test_a_bot_without_a_name_is_called_one_in_each_language(api: Api) -> None:
    game = api.post("/v1/games", {"ruleset": "babel", "players": [{"name": "Ada"}, {"bot": "greedy"}]}).json
    path = f"{game['links']['self']}/board.svg"
    assert b"Quick bot" in api.get(path).body
    assert b"Robot rapide" in api.get(f"{path}?lang=fr").body


def test_a_picture_is_drawn_once_for_all_with_the_same_eyes(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(api, "babel")
    drawn: list[Perspective] = []

    def counted(*arguments: Any) -> str:
        drawn.append(arguments[2])
        return picture(*arguments)

    monkeypatch.setattr("services.api.routes.pictures.picture", counted)
    looks = [
        (None, ""),
        (None, ""),
        (CLUB, ""),
        (game.token(0), ""),
        (game.token(1), ""),
        (game.token(1), "?lang=fr"),
    ]
    shown = [game.get(f"/board.svg{query}", token).body for token, query in looks]
    assert [each.viewer for each in drawn] == [None, 0, 1, 1]
    assert shown[0] == shown[1] == shown[2]
    assert len(set(shown)) == 4
    game.play()
    assert game.get("/board.svg").body != shown[0]

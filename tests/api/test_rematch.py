"""Rematches over HTTP: who meets whom in the next game, and who does not."""

import json
import threading
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.live import live_api
from tests.servers import ValkeyServer

BOT = {"bot": "random", "name": "Robo", "ref": "r-1"}
CLOCK = {"turn_seconds": 600, "reserve_seconds": 60}
LONG_KEY = "a-key-that-is-long-enough"


def played(api: Api, *players: Any, **wanted: Any) -> Table:
    """A game of Temple of Five that is over."""
    return give_up(new_game(api, "temple_of_five", list(players) or ["Ada", "Ben"], **wanted))


def give_up(game: Table) -> Table:
    """People resign one after the other, until the game is over."""
    for seat in sorted(game.tokens):
        if game.show(seat)["status"] == "playing":
            assert game.post("/resignation", token=game.token(seat)).status == 201
    assert game.show(seat)["status"] == "ended"
    return game


def ask(game: Table, seat: int, **brought: str) -> Answer:
    return game.post("/rematch", brought, game.token(seat))


def next_table(*answers: Answer) -> Table:
    """The next game, with the tokens of those who asked."""
    table = Table(Api.__new__(Api), answers[0].json["game"])
    table.tokens = {answer.json["seat"]: answer.json["token"] for answer in answers}
    return table


def codes(*answers: Answer) -> list[tuple[int, str]]:
    return [(answer.status, answer.code) for answer in answers]


def test_players_meet_one_seat_further_on_in_a_game_like_the_one_before(api: Api) -> None:
    game = played(api, token=None, clock=CLOCK, private=True, takebacks=False)
    assert game.show(0)["links"]["rematch"] == f"/v1/games/{game.id}/rematch"
    assert game.get("/rematch", game.token(1)).json == {"game": None, "asked": []}
    first = ask(game, 0, entropy="mine")
    assert first.status == 201, first
    new = first.json["game"]
    assert (first.json["seat"], new["you"], new["status"]) == (1, 1, "open")
    assert [seat["name"] for seat in new["seats"]] == [None, "Ada"]
    alike = ("clock", "private", "takebacks", "options", "host")
    assert [new[member] for member in alike] == [game.created[member] for member in alike]
    assert new["join_code"] != game.created["join_code"]
    assert game.get("/rematch", game.token(1)).json == {"game": new["id"], "asked": [0]}
    second = ask(game, 1, public_key="ab" * 32)
    assert (second.json["seat"], second.json["game"]["id"]) == (0, new["id"])
    assert (second.json["game"]["status"], second.json["game"]["fairness"]) == ("playing", "open")
    assert game.get("/rematch", game.token(0)).json["asked"] == [0, 1]
    created, *seated = api.get(f"/v1/games/{new['id']}/events", first.json["token"]).json["items"][:3]
    assert (created["actor"], created["data"]["rematch_of"]) == ({"anonymous": True}, game.id)
    assert [entry["actor"] for entry in seated] == [{"seat": 1}, {"seat": 0}]
    again = ask(game, 0)
    assert (again.status, again.json["token"]) == (201, first.json["token"])
    assert again.json["game"]["hash"] == second.json["game"]["hash"]


def test_bots_sit_down_again_with_whoever_asks_first_and_all_of_it_audits_clean(api: Api) -> None:
    game = played(api, "Ada", {"name": "Ben", "ref": "b-7"}, BOT)
    events = []
    for _ in range(2):
        answers = ask(game, min(game.tokens)), ask(game, max(game.tokens))
        rotated = [game.show()["seats"][seat - 1] for seat in range(3)]
        game = Table(api, answers[0].json["game"])
        game.tokens = {answer.json["seat"]: answer.json["token"] for answer in answers}
        assert answers[1].json["game"]["status"] == "playing"
        seats = game.show()["seats"]
        members = ("name", "ref", "bot")
        assert [[s[m] for m in members] for s in seats] == [[s[m] for m in members] for s in rotated]
        assert game.created["host"] == "club"
        give_up(game).settle()
        assert game.get("/audit").json["verdict"] == "pass"
        events += game.get("/events").json["items"][:3]
    assert [entry["actor"] for entry in events[:3]] == [{"host": "club"}, {"host": "club"}, {"seat": 1}]


def test_retries_give_the_same_answer_and_join_once(api: Api) -> None:
    game = played(api)
    first = game.post("/rematch", {"entropy": "x"}, game.token(0), Idempotency_Key="once")
    ask(game, 1)
    again = game.post("/rematch", {"entropy": "x"}, game.token(0), Idempotency_Key="once")
    assert (again.json, again.headers["idempotent-replayed"]) == (first.json, "true")
    assert codes(
        game.post("/rematch", {"entropy": "y"}, game.token(0), Idempotency_Key="once"),
        game.post("/rematch", {"entropy": "y", "entropy_commitment": "0" * 64}, game.token(0)),
        game.post("/rematch", {"name": "Eve"}, game.token(0)),
    ) == [(422, "idempotency_key_reused"), (422, "invalid_request"), (422, "invalid_request")]


def test_nobody_else_takes_the_seats_of_a_rematch(api: Api) -> None:
    game = played(api, token=None)
    new = next_table(ask(game, 0))
    new.api = api
    assert codes(
        new.post("/seats", {"name": "Eve"}),
        new.post("/seats", {"bot": "random"}, new.token(1)),
        new.post("/seats", {"name": "Eve", "ref": "e"}, OPERATOR),
        game.post("/rematch", {}),
        game.post("/rematch", {}, CLUB),
        new.post("/rematch", {}, new.token(1)),
    ) == [(409, "reserved")] * 3 + [(401, "unauthorized"), (403, "forbidden"), (409, "no_rematch")]
    assert new.leave(1, new.token(1)).status == 200
    back = ask(game, 0)
    assert back.json["token"] != new.token(1)
    assert ask(game, 1).json["game"]["status"] == "playing"


def test_some_games_have_no_rematch(api: Api) -> None:
    playing = new_game(api, "lanterns")
    called_off = new_game(api, "lanterns", ["Ada"], seats=3)
    called_off.post("/abort", token=CLUB)
    lesson_id = api.get("/v1/rulesets/temple_of_five/lessons").json["items"][0]["id"]
    lesson = new_game(api, "temple_of_five", ["Ada", {"bot": "random"}], lesson=lesson_id)
    lesson.post("/resignation", token=lesson.token(0))
    tagged = played(api, tags=["cup"])
    private = played(api, private=True)
    assert (
        codes(
            ask(playing, 0),
            ask(called_off, 0),
            ask(lesson, 0),
            ask(tagged, 0),
            private.post("/rematch", {}, playing.token(0)),
            private.get("/rematch"),
        )
        == [(409, "no_rematch")] * 4 + [(404, "game_not_found")] * 2
    )
    assert "rematch" not in playing.show()["links"]
    assert playing.get("/rematch").json == {"game": None, "asked": []}


def test_a_host_asks_for_everybody_and_each_player_still_gets_its_seat(api: Api) -> None:
    game = played(api, tags=["cup"])
    assert codes(game.post("/rematch", {}, SCHOOL), game.post("/rematch", {"entropy": "mine"}, CLUB)) == [
        (403, "forbidden"),
        (422, "invalid_request"),
    ]
    answer = game.post("/rematch", {}, CLUB)
    assert answer.status == 201, answer
    assert (answer.json["seat"], answer.json["token"]) == (None, None)
    new = Table(api, answer.json["game"])
    assert (new.created["status"], new.created["tags"], sorted(new.tokens)) == ("playing", [], [0, 1])
    assert game.post("/rematch", {}, CLUB).json["game"]["seats"] == answer.json["game"]["seats"]
    mixed = played(api)
    own = ask(mixed, 0)
    filled = Table(api, mixed.post("/rematch", {}, CLUB).json["game"])
    assert sorted(filled.tokens) == [0], "who has joined by itself has its own token"
    assert ask(mixed, 1).json["token"] == filled.token(0)
    assert own.json["game"]["id"] == filled.id


def test_whoever_gave_the_seat_away_gets_no_token_of_who_has_it_now(api: Api) -> None:
    game = played(api)
    token = ask(game, 0).json["token"]
    new = Table(api, ask(game, 1).json["game"])
    taken = new.post("/seats/1/handover", {"name": "Dora"}, CLUB)
    assert taken.status == 201, taken
    again = ask(game, 0)
    assert (again.status, again.json["token"]) == (201, token)
    assert codes(new.get("", token)) == [(401, "unauthorized")]


def test_a_rematch_counts_as_a_creation_where_nobody_hosts(make_api: MakeApi) -> None:
    api = make_api(creations_per_minute=2)
    game = played(api, token=None)
    again = played(api, token=None)
    hosted = played(api)
    assert codes(ask(game, 0), ask(hosted, 0)) == [(429, "rate_limited"), (201, "")]
    assert again.get("/rematch").json["game"] is None


def test_players_who_ask_at_once_meet_and_whoever_waits_is_told(valkey: ValkeyServer, tmp_path: Path) -> None:
    with live_api(f"{valkey.url}?db=9", tmp_path) as port:

        def call(method: str, path: str, token: str | None, body: Any = None) -> Any:
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {"Content-Type": "application/json"} | (
                {"Authorization": f"Bearer {token}"} if token else {}
            )
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            try:
                return json.loads(connection.getresponse().read())
            finally:
                connection.close()

        names = ["Ada", "Ben", "Cleo"]
        wanted = {"ruleset": "temple_of_five", "players": [{"name": name} for name in names]}
        game = call("POST", "/v1/games", CLUB, wanted)
        path, tokens = f"/v1/games/{game['id']}", [seat["token"] for seat in game["seats"]]
        for token in tokens[:2]:
            call("POST", f"{path}/resignation", token)
        heard: list[Any] = []
        answers: list[Any] = []
        waiting = threading.Thread(target=lambda: heard.append(call("GET", f"{path}/rematch?wait=30", None)))
        asking = [
            threading.Thread(target=lambda t=token: answers.append(call("POST", f"{path}/rematch", t, {})))
            for token in tokens
        ]
        for thread in (waiting, *asking):
            thread.start()
        for thread in (waiting, *asking):
            thread.join(60)
        (met,) = {answer["game"]["id"] for answer in answers}
        assert heard[0]["game"] == met
        assert sorted(answer["seat"] for answer in answers) == [0, 1, 2]
        assert call("GET", f"/v1/games/{met}", None)["status"] == "playing"

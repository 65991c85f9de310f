"""Creating games, looking at them, listing them, calling them off."""

from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, new_game
from tests.api.conftest import MakeApi


def test_a_game_with_every_seat_named_starts_at_once_and_hands_out_tokens(api: Api) -> None:
    game = new_game(api, "babel")
    assert game.created["status"] == "playing"
    assert game.created["to_act"] == [0]
    assert game.created["decisions"] == {"0": 4}
    assert [seat["name"] for seat in game.created["seats"]] == ["Ada", "Ben"]
    assert set(game.tokens) == {0, 1}
    assert game.created["view"]["players"][0]["hand"] is None


def test_a_created_game_tells_where_it_is(api: Api) -> None:
    answer = api.post("/v1/games", {"ruleset": "babel"}, CLUB)
    assert answer.status == 201
    assert answer.headers["location"] == f"/v1/games/{answer.json['id']}"
    assert api.get(answer.headers["location"]).json["id"] == answer.json["id"]


def test_a_game_without_players_is_open_with_as_few_seats_as_it_takes(api: Api) -> None:
    game = new_game(api, "temple_of_five", players=0)
    shown = game.show()
    assert (shown["status"], len(shown["seats"]), shown["view"]) == ("open", 2, None)
    assert all(seat["name"] is None for seat in shown["seats"])


def test_the_last_one_to_sit_down_starts_the_game(api: Api) -> None:
    game = new_game(api, "babel", players=0)
    first = game.post("/seats", {"name": "Ada", "seat": 1})
    assert (first.status, first.json["seat"]) == (201, 1)
    assert game.show()["status"] == "open"
    second = game.post("/seats", {"name": "Ben"})
    assert second.json["seat"] == 0
    assert game.show()["status"] == "playing"
    assert game.get("/actions", second.json["token"]).json["actions"] != []


def test_a_seat_that_is_taken_and_a_game_that_is_full_are_refused(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2)
    assert game.post("/seats", {"name": "Ben", "seat": 0}).code == "seat_taken"
    assert game.post("/seats", {"name": "Ben"}).status == 201
    assert game.post("/seats", {"name": "Cleo"}).code == "game_full"


def test_the_same_seed_gives_the_same_game(api: Api) -> None:
    views = [new_game(api, "babel", seed="ab" * 32).show(0)["view"] for _ in range(2)]
    assert views[0] == views[1]
    assert new_game(api, "babel", seed="ac" * 32).show(0)["view"] != views[0]


def test_a_seeded_game_says_so_and_takes_no_entropy(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2, seed="ab" * 32)
    assert game.show()["origin"] == {"kind": "seeded"}
    assert game.show()["fairness"] == "seeded"
    assert game.post("/seats", {"name": "Ben", "entropy": "dice"}).code == "invalid_request"


def test_a_game_may_begin_from_a_position_that_stays_hidden_until_the_end(api: Api) -> None:
    position = {"turn": 5, "players": [{"pawn": "medes", "hand": ["medes"]}, {"hand": []}]}
    game = new_game(api, "babel", position=position)
    assert game.show()["origin"] == {"kind": "position", "seeded": False}
    assert game.show(0)["view"]["players"][0]["hand"] == ["medes"]
    assert game.show(1)["view"]["players"][0]["hand"] is None


def test_a_private_game_does_not_exist_for_strangers_and_opens_with_its_code(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2, private=True)
    code = game.created["join_code"]
    assert game.get().code == "game_not_found"
    assert game.get("", SCHOOL).code == "game_not_found"
    assert game.get("", game.token(0)).status == 200
    assert game.get("", CLUB).status == 200
    assert game.get("", OPERATOR).status == 200
    assert game.post("/seats", {"name": "Ben"}).code == "game_not_found"
    assert game.post("/seats", {"name": "Ben", "join_code": "guess"}).code == "game_not_found"
    assert game.post("/seats", {"name": "Ben", "join_code": code}).status == 201
    api.project(game.id)
    assert api.get("/v1/games").json["items"] == []


def test_a_read_carries_its_version_and_is_not_sent_twice(api: Api) -> None:
    game = new_game(api, "babel")
    first = game.get("", game.token(0))
    tag = first.headers["etag"]
    assert tag == '"4.seat0"'
    assert first.headers["cache-control"] == "private"
    assert first.headers["vary"] == "Authorization"
    again = game.get("", game.token(0), If_None_Match=tag)
    assert (again.status, again.body) == (304, b"")
    assert game.get("", game.token(1), If_None_Match=tag).status == 200
    game.play()
    assert game.get("", game.token(0), If_None_Match=tag).status == 200


def test_the_full_state_is_for_operators_until_the_game_is_settled(api: Api) -> None:
    game = new_game(api, "babel")
    for token in (None, game.token(0), CLUB):
        assert game.get("?view=full", token).code == "forbidden"
    full = game.get("?view=full", OPERATOR)
    assert full.json["view"]["players"][0]["hand"] is not None
    assert full.headers["etag"] == '"4.operator-view=full"'


def test_the_lobby_lists_public_games_newest_first_and_pages(api: Api) -> None:
    made = [new_game(api, "babel", players=0 if number % 2 else 2).id for number in range(5)]
    for game in made:
        api.project(game)
    first = api.get("/v1/games?limit=2").json
    second = api.get(f"/v1/games?limit=2&cursor={first['next']}").json
    third = api.get(f"/v1/games?limit=2&cursor={second['next']}").json
    assert [row["id"] for page in (first, second, third) for row in page["items"]] == made[::-1]
    assert third["next"] is None
    assert [row["id"] for row in api.get("/v1/games?status=open").json["items"]] == [made[3], made[1]]
    assert [row["id"] for row in api.get("/v1/games?status=playing").json["items"]] == made[4::-2]
    assert api.get("/v1/games?ruleset=aton").json["items"] == []


def test_the_lobby_finds_a_player_by_ref_and_forgets_a_status_that_has_passed(api: Api) -> None:
    game = new_game(api, "babel", [{"name": "Ada", "ref": "u-17"}, {"name": "Ben"}])
    api.project(game.id)
    assert [row["id"] for row in api.get("/v1/games?player=u-17").json["items"]] == [game.id]
    assert api.get("/v1/games?player=u-18").json["items"] == []
    game.post("/resignation", token=game.token(0))
    api.project(game.id)
    assert api.get("/v1/games?status=playing").json["items"] == []
    row = api.get("/v1/games?status=ended").json["items"][0]
    assert row["outcome"]["reason"] == "resigned"
    assert [seat["name"] for seat in row["seats"]] == ["Ada", "Ben"]


def test_a_host_calls_off_its_game_before_the_start_and_an_operator_at_any_time(api: Api) -> None:
    waiting = new_game(api, "babel", players=0)
    assert waiting.post("/abort").status in (401, 403)
    assert waiting.post("/abort", token=SCHOOL).code == "forbidden"
    done = waiting.post("/abort", token=CLUB)
    assert (done.status, done.json["status"]) == (201, "aborted")
    assert waiting.post("/seats", {"name": "Ada"}).code == "game_over"
    playing = new_game(api, "babel")
    assert playing.post("/abort", token=CLUB).code == "forbidden"
    assert playing.post("/abort", token=OPERATOR).json["to_act"] == []
    assert playing.act(0, {"type": "end_turn"}).code == "game_over"


def test_where_only_hosts_create_others_are_refused(make_api: MakeApi) -> None:
    api = make_api(create="host")
    assert api.post("/v1/games", {"ruleset": "babel"}).code == "unauthorized"
    assert api.post("/v1/games", {"ruleset": "babel"}, CLUB).status == 201


@pytest.mark.parametrize("wanted", [{"seed": "ab" * 32}, {"position": {}}])
def test_seeded_and_positioned_games_need_a_role_where_there_are_roles(
    make_api: MakeApi, wanted: dict[str, object]
) -> None:
    body = {"ruleset": "babel", **wanted}
    assert make_api().post("/v1/games", body).code == "unauthorized"
    without = make_api(database=1, host_tokens={}, operator_tokens=())
    assert without.post("/v1/games", body).status == 201


def test_games_that_only_bots_play_are_for_hosts_unless_a_setting_opens_them(make_api: MakeApi) -> None:
    body = {"ruleset": "babel", "players": [{"bot": "random"}] * 2}
    without: dict[str, Any] = {"host_tokens": {}, "operator_tokens": ()}
    for roles in ({}, without):
        api = make_api(**roles)
        assert api.post("/v1/games", body).code == "unauthorized"
        assert api.post("/v1/games", {**body, "seats": 2}).code == "unauthorized"
        with_room = {"ruleset": "temple_of_five", "seats": 3, "players": [{"bot": "random"}] * 2}
        assert api.post("/v1/games", with_room).status == 201, "a person may join"
    assert make_api().post("/v1/games", body, CLUB).status == 201
    assert make_api(bot_games="open").post("/v1/games", body).status == 201


def test_every_ruleset_tells_its_options_actions_components_and_words(api: Api) -> None:
    listed = api.get("/v1/rulesets").json["items"]
    assert [one["id"] for one in listed] == ["aton", "babel", "lanterns", "sa_re", "temple_of_five"]
    for one in listed:
        shown = api.get(one["links"]["self"]).json
        assert set(shown["names"]) == {"en", "fr"}
        assert shown["component_sets"][0]["data"]["id"] == shown["component_sets"][0]["name"]
        assert shown["actions"]["anyOf"]
    assert api.get("/v1/rulesets/chess").status == 404

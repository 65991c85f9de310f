"""Forks: a new game from any position of a settled one, under the very rules of its parent."""

import json
from typing import Any

import pytest

from games import RULESETS
from games.canonical import canonical
from games.kernel import InvalidSetup, Ruleset
from services.api.authentication import Authenticator
from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.finished import close, finish, settled_game, verdicts
from tests.events.logs import game_at

STRONG_KEY = "a-key-that-nobody-guesses"
NAMED = [{"name": "Dora"}, {"name": "Emil"}]


@pytest.fixture
def parent(api: Api) -> Table:
    """A game of Babel, given up after some moves."""
    return given_up(new_game(api, "babel", players=["Ada", "Ben"], options={"edition": "2000"}))


def given_up(game: Table, moves: int = 8) -> Table:
    for _ in range(moves):
        seat = game.show(0)["to_act"][0]
        assert game.act(seat, game.legal(seat)[0]).status == 201
    assert game.post("/resignation", token=game.token(1)).status == 201
    return close(game)


def fork(parent: Table, version: int, token: str | None = CLUB, **more: Any) -> Answer:
    headers = {name: more.pop(name) for name in list(more) if name == "Idempotency_Key"}
    return parent.post("/forks", {"version": version, **more}, token, **headers)


def state_at(game: Table, version: int) -> Any:
    context = game.api.context
    state = game_at(context.store.walk(game.id), version, context.rulesets).state
    return None if state is None else json.loads(canonical(state))


def child_of(parent: Table, version: int, **more: Any) -> Table:
    answer = fork(parent, version, **more)
    assert answer.status == 201, answer
    return Table(parent.api, answer.json)


# -- what a fork is -----------------------------------------------------------------------------------------------------


def test_a_fork_begins_exactly_where_its_parent_stood(parent: Table) -> None:
    for version in (4, 7, 11):
        child = child_of(parent, version, players=NAMED)
        assert child.get("?view=full", OPERATOR).json["view"] == state_at(parent, version)
        assert child.show()["status"] == "playing"


def test_a_fork_has_the_rules_options_and_seats_of_its_parent(parent: Table) -> None:
    child, shown = child_of(parent, 6).show(), parent.show()
    for member in ("ruleset", "ruleset_version", "options", "private"):
        assert child[member] == shown[member]
    assert [seat["name"] for seat in child["seats"]] == [None, None]
    assert child["status"] == "open"
    assert child["clock"] is None


@pytest.mark.parametrize("ruleset", ["sa_re", "temple_of_five"])
def test_in_a_fork_everybody_is_back_at_the_table_and_can_win(api: Api, ruleset: str) -> None:
    parent = new_game(api, ruleset, players=4)
    parent.play(2)
    left = resign(parent, 3)
    resign(parent, 0)
    resign(parent, 1)
    close(parent)
    assert state_at(parent, left)["players"][3]["vacated"] == "resigned"

    child = child_of(parent, left, players=[{"name": name} for name in ("Dora", "Emil", "Fay", "Gus")])
    origin = api.context.ledger.get(child.id).game.created.origin
    assert [player["vacated"] for player in origin["position"]["players"]] == [None] * 4
    for seat in (0, 1, 2):
        assert child.show()["status"] == "playing"
        resign(child, seat)
    assert child.show()["outcome"]["winners"] == [3]
    assert close(child).get("/audit").json["verdict"] == "pass"


def resign(game: Table, seat: int) -> int:
    """A seat gives up; the version after it."""
    answer = game.post("/resignation", token=game.token(seat))
    assert answer.status == 201, answer
    return int(answer.json["version"])


def test_a_fork_is_linked_both_ways(api: Api, parent: Table) -> None:
    first, second = child_of(parent, 6), child_of(parent, 5)
    for child in (first, second):
        api.project(child.id)
    shown = first.show()
    assert shown["origin"] == {"kind": "fork", "game": parent.id, "version": 6, "redeal": "none"}
    assert api.get(shown["links"]["parent"]).json["id"] == parent.id
    listed = api.get(parent.show()["links"]["forks"]).json
    assert [(row["id"], row["version"]) for row in listed["items"]] == [(first.id, 6), (second.id, 5)]
    assert api.get(listed["items"][0]["links"]["self"]).json["id"] == first.id


def test_the_list_of_forks_follows_from_the_children_alone(api: Api, parent: Table) -> None:
    child = child_of(parent, 6)
    api.project(child.id)
    listed = parent.get("/forks").json
    projections = [
        key for key in api.context.store.client.scan_iter() if not key.endswith((b":log", b":secrets"))
    ]
    api.context.store.client.delete(*projections)
    assert parent.get("/forks").json["items"] == []
    api.project(child.id)
    assert parent.get("/forks").json == listed


def test_a_fork_is_played_settled_and_audited_clean(api: Api, parent: Table) -> None:
    child = child_of(parent, 6, players=NAMED)
    audit = given_up(child, 3).get("/audit").json
    assert audit["verdict"] == "pass", audit
    assert audit["fairness"] is None
    record = child.get("/record").json
    assert record["entries"][0]["data"]["origin"]["position"] == state_at(parent, 6)
    assert api.post("/v1/records", record).json["verdict"] == "pass"


def test_a_fork_stays_out_of_results(api: Api, parent: Table) -> None:
    given_up(child_of(parent, 6, players=NAMED), 2)
    assert [row["game"] for row in api.get("/v1/results").json["items"]] == [parent.id]


def test_a_fork_of_a_fork_has_the_fork_for_its_parent(parent: Table) -> None:
    child = given_up(child_of(parent, 6, players=NAMED), 3)
    grandchild = child_of(child, 5, players=NAMED)
    assert grandchild.show()["origin"]["game"] == child.id
    assert grandchild.get("?view=full", OPERATOR).json["view"] == state_at(child, 5)


def test_the_position_of_a_fork_is_not_told_before_it_is_settled(parent: Table) -> None:
    child = child_of(parent, 6, players=NAMED)
    for token in (None, child.token(0), CLUB, OPERATOR):
        assert "position" not in child.get("", token).json["origin"]
        events = child.get("/events", token).json["items"]
        assert "position" not in events[0]["data"]["origin"]


def test_the_chances_of_a_fork_are_its_own(parent: Table) -> None:
    one, other = (child_of(parent, 6).show() for _ in range(2))
    assert one["seed_commitment"] != other["seed_commitment"]


@pytest.mark.parametrize("ruleset", sorted({ruleset.name for ruleset in RULESETS}))
def test_every_game_can_be_forked_wherever_it_was_played(api: Api, ruleset: str) -> None:
    seats = max(RULESETS.latest(ruleset).seat_counts)
    game = new_game(api, ruleset, players=seats)
    for _ in range(12):
        if to_act := game.show(0)["to_act"]:
            game.act(to_act[0], game.legal(to_act[0])[-1])
    if seats > 2:
        assert game.post("/resignation", token=game.token(1)).status == 201
    game.post("/abort", token=OPERATOR)
    last = game.head[0]
    close(game)
    players = [{"name": f"Player {seat}"} for seat in range(seats)]
    for version in range(seats + 2, last):
        child = child_of(game, version, players=players)
        then = state_at(game, version)
        for player in then["players"] if seats > 2 else ():
            player["vacated"] = None
        assert child.get("?view=full", OPERATOR).json["view"] == then, version


# -- dealt anew ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", sorted({ruleset.name for ruleset in RULESETS}))
def test_piles_are_dealt_anew_and_every_seat_sees_what_it_saw(api: Api, ruleset: str) -> None:
    rules = RULESETS.latest(ruleset)
    begun: dict[str, Any] = {"position": {"phase": "season"}} if ruleset == "sa_re" else {}
    game = given_up(new_game(api, ruleset, players=2, **begun), moves=6)
    version = game.show()["version"] - 3
    child = child_of(game, version, players=NAMED, redeal="piles")
    then = rules.read_state(state_at(game, version))
    now = rules.read_state(child.get("?view=full", OPERATOR).json["view"])
    assert [rules.view(now, viewer) for viewer in (None, 0, 1)] == [
        rules.view(then, viewer) for viewer in (None, 0, 1)
    ]
    assert rules.zones.piles(now) != rules.zones.piles(then)
    assert rules.zones.lying(now) == rules.zones.lying(then)
    child.post("/abort", token=OPERATOR)
    close(child)
    entries = child.get("/record", OPERATOR).json["entries"]
    origin = entries[0]["data"]["origin"]
    assert (origin["redeal"], origin["position"]) == ("piles", json.loads(canonical(then)))
    started = next(entry["data"] for entry in entries if entry["type"] == "game_started")
    labels = {draw["label"] for draw in started["random"]}
    assert labels
    assert labels <= {f"fork/{kind}" for kind in rules.zones.box(then)}
    assert started["facts"][0]["state"]["players"] == json.loads(canonical(now.players))
    assert set(verdicts(child.get("/audit").json).values()) == {"pass"}


def test_a_fork_lies_as_it_lay_unless_it_says_otherwise(parent: Table) -> None:
    assert child_of(parent, 6).show()["origin"]["redeal"] == "none"
    refused = fork(parent, 6, redeal="hands")
    assert (refused.status, refused.code) == (422, "invalid_request")


def test_a_key_does_not_serve_for_another_deal(parent: Table) -> None:
    first = fork(parent, 6, Idempotency_Key=STRONG_KEY)
    again = fork(parent, 6, Idempotency_Key=STRONG_KEY, redeal="piles")
    assert (first.status, again.status, again.code) == (201, 422, "idempotency_key_reused")


# -- where and when -----------------------------------------------------------------------------------------------------


def test_a_game_that_is_not_settled_cannot_be_forked(api: Api) -> None:
    game = new_game(api, "babel")
    refused = fork(game, 3)
    assert (refused.status, refused.code) == (409, "not_settled")


def test_only_a_position_in_play_can_be_forked(parent: Table) -> None:
    last = parent.show()["version"]
    before_the_start, over, settled, beyond = 3, last - 1, last, last + 1
    for version in (1, before_the_start, over, settled, beyond, 2**53 - 1):
        refused = fork(parent, version)
        assert (refused.status, refused.code) == (409, "not_forkable"), version
    assert fork(parent, before_the_start + 1).status == 201
    assert fork(parent, over - 1).status == 201


def test_a_game_called_off_can_be_forked_where_it_was_played(api: Api) -> None:
    game = new_game(api, "babel")
    game.play(3)
    game.post("/abort", token=OPERATOR)
    close(game)
    assert fork(game, 6).status == 201
    assert fork(game, 8).code == "not_forkable"


def test_a_game_that_takes_no_positions_cannot_be_forked(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = settled_game(api)

    def refuse(*_: Any) -> None:
        raise InvalidSetup("invalid_position", "This game begins with an ordinary deal.")

    monkeypatch.setattr(Ruleset, "setup", refuse)
    refused = fork(parent, 6)
    assert (refused.status, refused.code) == (409, "not_forkable")


@pytest.mark.parametrize("version", [0, -1, "6", None, 6.5, True, 2**53])
def test_a_version_is_a_number(parent: Table, version: Any) -> None:
    body = json.dumps({"version": version}).encode()
    refused = parent.api.send("POST", f"{parent.path}/forks", body, CLUB, Content_Type="application/json")
    assert refused.status in (400, 422), refused


def test_a_fork_needs_a_version_and_nothing_unknown(parent: Table) -> None:
    assert parent.post("/forks", {}, CLUB).code == "invalid_request"
    assert fork(parent, 6, ruleset="aton").code == "invalid_request"
    assert fork(parent, 6, seed="0" * 64).code == "invalid_request"
    assert fork(parent, 6, players=[{"name": "A", "entropy_commitment": "0" * 64}]).code == "invalid_request"


def test_no_more_players_than_seats(parent: Table) -> None:
    assert fork(parent, 6, players=[*NAMED, {"name": "Fay"}]).code == "invalid_seats"
    child = child_of(parent, 6, players=NAMED[:1])
    assert child.show()["status"] == "open"


# -- who ----------------------------------------------------------------------------------------------------------------


def test_everyone_who_may_create_games_may_fork_what_they_see(parent: Table) -> None:
    for token in (None, parent.token(0), CLUB, SCHOOL, OPERATOR):
        child = fork(parent, 6, token)
        assert child.status == 201
    assert fork(parent, 6, "wrong").code == "unauthorized"


def test_where_hosts_alone_create_games_they_alone_fork(make_api: MakeApi) -> None:
    parent = given_up(new_game(make_api(create="host"), "babel"))
    assert fork(parent, 6, None).code == "unauthorized"
    assert fork(parent, 6, parent.token(0)).code == "forbidden"
    assert fork(parent, 6, CLUB).status == 201


def test_bots_alone_and_refs_are_for_hosts(parent: Table) -> None:
    bots = [{"bot": "random"}, {"bot": "greedy"}]
    assert fork(parent, 6, parent.token(0), players=bots).code == "forbidden"
    assert fork(parent, 6, None, players=[{"name": "A", "ref": "a"}]).code == "unauthorized"
    assert fork(parent, 6, CLUB, players=bots).status == 201


def test_a_seat_of_the_parent_has_no_say_in_the_child(parent: Table) -> None:
    answer = fork(parent, 6, parent.token(0), players=NAMED)
    child = Table(parent.api, answer.json)
    assert answer.json["view"] == child.show()["view"]
    assert child.get("", parent.token(0)).code == "unauthorized"
    assert child.get("/events").json["items"][0]["actor"] == {"anonymous": True}
    assert child.get("?view=full", child.token(0)).code == "forbidden"


def test_a_private_parent_gives_a_private_fork(api: Api) -> None:
    parent = given_up(new_game(api, "babel", private=True))
    assert fork(parent, 6, None).code == "game_not_found"
    assert fork(parent, 6, SCHOOL).code == "game_not_found"
    child = fork(parent, 6, parent.token(1), players=NAMED)
    assert (child.status, child.json["private"]) == (201, True)
    assert child.json["join_code"]
    assert api.get(f"/v1/games/{child.json['id']}").code == "game_not_found"


def test_a_public_game_may_have_a_private_fork_that_its_list_does_not_tell(api: Api, parent: Table) -> None:
    child = child_of(parent, 6, private=True)
    api.project(child.id)
    assert child.get("").code == "game_not_found"
    for token in (None, parent.token(0), CLUB):
        assert parent.get("/forks", token).json["items"] == []
    assert [row["id"] for row in parent.get("/forks", OPERATOR).json["items"]] == [child.id]


def test_the_forks_of_a_private_game_are_hidden_with_it(api: Api) -> None:
    parent = given_up(new_game(api, "babel", private=True))
    assert parent.get("/forks").code == "game_not_found"
    assert parent.get("/forks", parent.token(0)).json == {"items": [], "next": None}


# -- retries ------------------------------------------------------------------------------------------------------------


def test_a_retry_gives_the_same_fork(parent: Table) -> None:
    first = fork(parent, 6, players=NAMED, Idempotency_Key="once")
    Table(parent.api, first.json).play()
    again = fork(parent, 6, players=NAMED, Idempotency_Key="once")
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.status, again.json) == (201, first.json)


def test_a_key_serves_one_fork_of_one_game(api: Api, parent: Table) -> None:
    other = given_up(new_game(api, "babel"))
    assert fork(parent, 6, Idempotency_Key="once").status == 201
    assert fork(parent, 7, Idempotency_Key="once").code == "idempotency_key_reused"
    assert fork(other, 6, Idempotency_Key="once").code == "idempotency_key_reused"
    assert fork(parent, 6, SCHOOL, Idempotency_Key="once").headers.get("idempotent-replayed") is None
    create = api.post("/v1/games", {"ruleset": "babel"}, CLUB, Idempotency_Key="once")
    assert create.code == "idempotency_key_reused"


def test_seats_of_different_games_do_not_share_keys(api: Api, parent: Table) -> None:
    other = given_up(new_game(api, "babel"))
    assert fork(parent, 6, parent.token(0), Idempotency_Key="short").code == "weak_idempotency_key"
    mine = fork(parent, 6, parent.token(0), players=NAMED, Idempotency_Key=STRONG_KEY)
    assert mine.status == 201
    theirs = fork(other, 6, other.token(0), players=NAMED, Idempotency_Key=STRONG_KEY)
    assert theirs.code == "idempotency_key_reused"
    assert "token" not in theirs.body.decode()


def test_an_id_in_use_is_no_fork(parent: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Authenticator, "create_id", lambda *_: bytes(17))
    assert fork(parent, 6, Idempotency_Key="one").status == 201
    assert fork(parent, 6, Idempotency_Key="two").code == "idempotency_key_reused"


def test_the_audit_of_a_fork_whose_position_was_changed_fails(parent: Table) -> None:
    child = finish_quickly(child_of(parent, 6, players=NAMED))
    record = child.get("/record").json
    record["entries"][0]["data"]["origin"]["version"] = 5
    assert verdicts(child.api.post("/v1/records", record).json)["chain"] == "fail"


def finish_quickly(game: Table) -> Table:
    assert game.post("/resignation", token=game.token(0)).status == 201
    return close(game)


def test_a_game_can_be_forked_after_it_was_imported(api: Api, make_api: MakeApi, parent: Table) -> None:
    away = make_api(2)
    record = parent.get("/record").body
    sent = away.send("POST", "/v1/records?import=true", record, OPERATOR, Content_Type="application/json")
    assert sent.status == 200
    child = child_of(Table(away, parent.created), 6, players=NAMED)
    assert child.get("?view=full", OPERATOR).json["view"] == state_at(parent, 6)
    assert finish(child).get("/audit").json["verdict"] == "pass"

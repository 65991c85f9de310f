"""All settled games at once: each caller gets those it may see, each once, wherever the list breaks off."""

import json
from typing import Any

import msgspec
import pytest

from events.keys import partition_key, partition_of
from replays.audit.verify import read_record, verify
from services.api.routes import export
from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, build_api, new_game
from tests.api.finished import close, settled_game
from tests.servers import ValkeyServer


@pytest.fixture(scope="module")
def api(valkey: ValkeyServer) -> Any:
    """An API with games of every kind: public, private, called off, in play."""
    with valkey.client(db=9) as client:
        client.flushdb()
    api = build_api(f"{valkey.url}?db=9")
    yield api
    api.close()


@pytest.fixture(scope="module")
def games(api: Api) -> dict[str, Table]:
    called_off = new_game(api)
    called_off.post("/abort", token=OPERATOR)
    made = {
        "public": settled_game(api),
        "private": settled_game(api, private=True, token=CLUB),
        "tagged": settled_game(api, "aton", tags=["cup"], token=SCHOOL),
        "called off": close(called_off),
        "in play": new_game(api),
    }
    api.project(made["in play"].id)
    return made


def exported(api: Api, query: str = "", token: str | None = None) -> list[str]:
    """The games of an export."""
    answer = api.get(f"/v1/export{query}", token)
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line)["game"] for line in answer.body.splitlines()]


def test_each_caller_gets_the_settled_games_that_it_may_see(api: Api, games: dict[str, Table]) -> None:
    public = [games[each].id for each in ("called off", "tagged", "public")]
    with_private = {*public, games["private"].id}
    assert set(exported(api)) == set(exported(api, "", SCHOOL)) == set(public)
    assert set(exported(api, "", CLUB)) == set(exported(api, "", OPERATOR)) == with_private
    assert exported(api, "?tag=cup") == exported(api, "?ruleset=aton") == [games["tagged"].id]


def test_each_line_is_the_record_that_can_be_checked_anywhere(api: Api, games: dict[str, Table]) -> None:
    for line in api.get("/v1/export").body.splitlines():
        game = json.loads(line)["game"]
        assert line == api.get(f"/v1/games/{game}/record").body
        assert all(check.verdict != "fail" for check in verify(read_record(line)))


def test_a_list_that_broke_off_goes_on_after_the_last_record(api: Api, games: dict[str, Table]) -> None:
    whole = exported(api)
    for at, game in enumerate(whole):
        assert exported(api, f"?cursor={game}") == whole[at + 1 :]
    for wrong in ("", "x", games["private"].id, "00-xvp07ck455byg7gws9sa6q9z20"):
        assert api.get(f"/v1/export?cursor={wrong}").code == "invalid_request"
    assert exported(api, f"?cursor={games['private'].id}", CLUB)


def test_games_are_chosen_by_when_they_were_settled(api: Api, games: dict[str, Table]) -> None:
    times = {json.loads(line)["game"]: settled(line) for line in api.get("/v1/export").body.splitlines()}
    middle = sorted(times.values())[1]
    assert set(exported(api, f"?since={middle}")) == {game for game, at in times.items() if at >= middle}
    assert set(exported(api, f"?until={middle}")) == {game for game, at in times.items() if at < middle}
    for wrong in ("yesterday", "2026-13-01T00:00Z", "2026-01-01T00:00:00", ""):
        assert api.get(f"/v1/export?since={wrong}").code == "invalid_request"


def settled(line: bytes) -> str:
    return str(json.loads(line)["entries"][-1]["at"])


def test_rows_of_an_earlier_version_do_not_say_when_a_game_was_settled(
    api: Api, games: dict[str, Table]
) -> None:
    before = exported(api)
    rows = partition_key(partition_of(games["public"].id), "lobby:rows")
    row: Any = msgspec.json.decode(api.context.store.client.hget(rows, games["public"].id))  # type: ignore[arg-type]
    del row["settled_at"], row["settled"]
    api.context.store.client.hset(rows, games["public"].id, msgspec.json.encode(row))
    assert exported(api) == before


def test_a_list_that_cannot_go_on_ends_with_a_problem(
    api: Api, games: dict[str, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = exported(api)

    def fail(store: Any, keys: Any, game: str, log: Any) -> Any:
        if game == whole[1]:
            raise RuntimeError("a secret")
        return {"game": game}

    monkeypatch.setattr(export, "export_record", fail)
    api.compares = False
    answer: Answer = api.get("/v1/export")
    api.compares = True
    first, last = answer.body.splitlines()
    assert json.loads(first) == {"game": whole[0]}
    assert json.loads(last)["code"] == "internal_error"
    assert b"secret" not in answer.body

"""What may be compressed and cached, and what never is."""

import gzip
import json

import pytest

from games import RULESETS
from tests.api.client import OPERATOR, Answer, Api, Table, new_game
from tests.api.finished import settled_game

GZIP = {"Accept_Encoding": "gzip"}
LINES = "application/x-ndjson"
OF_A_GAME = (
    "",
    "/events",
    "/actions",
    "/head",
    "/replay",
    "/replay/5",
    "/record",
    "/audit",
    "/forks",
    "/board.svg",
)


def vary(answer: Answer) -> set[str]:
    return {each.strip() for each in answer.headers.get("vary", "").split(",")}


# -- rulesets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/rulesets", *(f"/v1/rulesets/{each.name}" for each in RULESETS)])
def test_rulesets_may_be_kept_by_every_cache_and_asked_for_by_their_tag(quiet_api: Api, path: str) -> None:
    answer = quiet_api.get(path)
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert vary(answer) == {"Accept-Encoding"}
    again = quiet_api.get(path, If_None_Match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert vary(again) == {"Accept-Encoding"}
    packed = quiet_api.get(path, **GZIP)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == answer.body
    assert packed.headers["etag"] == f"W/{answer.headers['etag']}"
    assert quiet_api.get(path, If_None_Match=packed.headers["etag"], **GZIP).status == 304


def test_a_ruleset_says_what_gives_a_seat_its_time_anew(quiet_api: Api) -> None:
    for ruleset in RULESETS:
        shown = quiet_api.get(f"/v1/rulesets/{ruleset.name}").json
        assert shown["clock_restarts"] == list(ruleset.state_type.clock_restarts()) != []


def test_another_game_has_another_tag(quiet_api: Api) -> None:
    tags = {quiet_api.get(f"/v1/rulesets/{each.name}").headers["etag"] for each in RULESETS}
    assert len(tags) == 4


# -- compression --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/openapi.json", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"])
def test_documents_are_compressed(quiet_api: Api, path: str) -> None:
    plain, packed = quiet_api.get(path), quiet_api.get(path, **GZIP)
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert "content-encoding" not in plain.headers
    assert "Accept-Encoding" in vary(plain) & vary(packed)


@pytest.fixture
def settled(quiet_api: Api) -> Table:
    return settled_game(quiet_api)


@pytest.mark.parametrize("path", ["/record", "/audit", "/replay", "/replay/5", "/replay?as=0"])
def test_what_a_settled_public_game_lays_open_is_compressed(settled: Table, path: str) -> None:
    plain, packed = settled.get(path), settled.get(path, **GZIP)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "Accept-Encoding" in vary(plain) & vary(packed)


def test_long_lists_are_compressed_while_they_are_made(settled: Table) -> None:
    plain, packed = (settled.get("/replay", Accept=LINES, **more) for more in ({}, GZIP))
    lines = gzip.decompress(packed.body)
    assert lines == plain.body
    assert len([json.loads(line) for line in lines.splitlines()]) == settled.head[0]


@pytest.mark.parametrize("path", OF_A_GAME)
@pytest.mark.parametrize("accept", ["application/json", LINES])
def test_nothing_of_a_game_that_is_not_open_to_all_is_compressed(
    quiet_api: Api, path: str, accept: str
) -> None:
    playing, hidden = new_game(quiet_api), settled_game(quiet_api, private=True)
    playing.play(2)
    for game in (playing, hidden):
        for token in (game.token(0), OPERATOR):
            answer = game.get(path, token, Accept=accept, **GZIP)
            assert "content-encoding" not in answer.headers
            assert "Accept-Encoding" not in vary(answer)


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0"])
def test_who_does_not_take_it_compressed_gets_it_plain(quiet_api: Api, accepted: str) -> None:
    answer = quiet_api.get("/v1/rulesets", Accept_Encoding=accepted)
    assert "content-encoding" not in answer.headers
    assert answer.json["items"]

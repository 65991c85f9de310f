"""A game that has moved to the archive is served as before; what cannot be read is said, never guessed."""

import gzip
import json
import lzma
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.entries import carve
from events.keys import keys_of
from events.store import BrokenChain, Head
from projections.rebuild import Rebuild
from services.core.archivist import Archivist
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game
from tests.api.finished import close, finish, settled_game
from tests.archive.conftest import MakeApi, Run
from tests.archive.looking import answers, kept_of
from tests.worker.test_rebuild import contents

KEY = "a-key-that-nobody-else-would-ever-use"


def archived(archivist: Archivist, *games: Table) -> None:
    """Move these games, all that are due."""
    due = archivist.due(0)
    assert set(due) == {game.id for game in games}
    assert [moved.problem for moved in archivist.run(due)] == [None] * len(games)


def file_of(directory: Path, game: Table) -> Path:
    return directory / game.id[:2] / f"{game.id}.json.xz"


# -- served as before ---------------------------------------------------------------------------------------------------


def test_every_answer_is_the_same_as_before(api: Api, another: MakeApi, archivist: Archivist) -> None:
    players = [{"name": "Ada", "ref": "ada"}, {"name": "Ben", "ref": "ben"}]
    games = [settled_game(api, "babel", players=players), settled_game(api, private=True)]
    child = games[0].post("/forks", {"version": 6}, CLUB).json["id"]
    api.project(child)
    before = answers(api, *games)
    archived(archivist, *games)
    for game in games:
        assert kept_of(api, game.id) - {"forks"} == {"archived", "secrets", "people"}
    assert answers(api, *games) == before, "by a process that knows the games"
    assert answers(another(), *games) == before, "by one that does not"


def test_the_file_is_a_record_without_names_for_its_owner_alone(
    api: Api, archivist: Archivist, directory: Path
) -> None:
    game = settled_game(api)
    record = game.get("/record").json
    archived(archivist, game)
    path = file_of(directory, game)
    kept = json.loads(lzma.decompress(path.read_bytes()))
    assert kept["entries"] == record["entries"]
    assert kept["people"] == []
    assert b"Ada" not in lzma.decompress(path.read_bytes())
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name], "no draft is left"


def test_a_game_that_was_archived_when_files_were_packed_with_gzip_is_served_too(
    api: Api, another: MakeApi, archivist: Archivist, directory: Path
) -> None:
    game = settled_game(api)
    before = answers(api, game)
    archived(archivist, game)
    path = file_of(directory, game)
    path.with_suffix(".gz").write_bytes(gzip.compress(lzma.decompress(path.read_bytes())))
    path.unlink()
    assert answers(another(), game) == before


def test_a_name_is_forgotten_in_an_archived_game_too(api: Api, archivist: Archivist, run: Run) -> None:
    game = settled_game(api)
    archived(archivist, game)
    assert game.show()["seats"][0]["name"] == "Ada"
    assert "is forgotten" in run("forget", game.id, 0).output
    assert game.show()["seats"][0]["name"] != "Ada"
    assert [person["seat"] for person in game.get("/record").json["people"]] == [1, 2]
    assert game.get("/audit").json["verdict"] == "pass"


def test_retries_get_their_first_answers(api: Api, another: MakeApi, archivist: Archivist) -> None:
    wanted = {"ruleset": "lanterns", "players": [{"name": name} for name in ("Ada", "Ben", "Cleo")]}
    first = api.post("/v1/games", wanted, CLUB, Idempotency_Key=KEY)
    game = Table(api, first.json)
    seat = game.show()["to_act"][0]
    action = game.legal(seat)[0]
    acted = game.act(seat, action, Idempotency_Key="once")
    finish(game)
    archived(archivist, game)
    for here in (api, another()):
        again = here.post("/v1/games", wanted, CLUB, Idempotency_Key=KEY)
        assert (again.status, again.json["id"], again.json["version"]) == (
            201,
            game.id,
            first.json["version"],
        )
        repeated = here.post(f"{game.path}/actions", action, game.token(seat), Idempotency_Key="once")
        assert (repeated.status, repeated.body) == (201, acted.body)
        assert repeated.headers["idempotent-replayed"] == "true"
        other = here.post(f"{game.path}/actions", {"type": "pass"}, game.token(seat), Idempotency_Key="once")
        assert other.code == "idempotency_key_reused"
    assert kept_of(api, game.id) == {"archived", "secrets", "people"}, "no log was begun in its place"


def test_what_a_settled_game_refuses_an_archived_one_refuses_too(
    api: Api, another: MakeApi, archivist: Archivist
) -> None:
    game = settled_game(api)
    stale = another()
    wishes: list[tuple[str, Any, str | None]] = [
        ("/actions", {"type": "pass"}, game.token(0)),
        ("/resign", {}, game.token(1)),
        ("/abort", {}, OPERATOR),
        ("/seats/0/token", {}, CLUB),
    ]

    def refusals(here: Api) -> list[bytes]:
        return [here.post(game.path + path, body, token).bytes for path, body, token in wishes]

    before = refusals(api)
    archived(archivist, game)
    assert refusals(api) == refusals(stale) == before


def test_a_process_that_was_behind_learns_the_end_from_the_archive(
    api: Api, another: MakeApi, archivist: Archivist
) -> None:
    game = new_game(api)
    behind = another()
    action = game.legal(game.show()["to_act"][0])[0]
    seat = game.show()["to_act"][0]
    behind.get(game.path)
    finish(game)
    archived(archivist, game)
    refused = behind.post(f"{game.path}/actions", action, game.token(seat))
    assert refused.code == "game_over", refused
    assert behind.get(game.path).json["version"] == game.head[0]


def test_an_archived_game_can_be_forked_and_not_imported_over(api: Api, archivist: Archivist) -> None:
    game = settled_game(api, "babel")
    record = game.get("/record").body
    archived(archivist, game)
    assert game.post("/forks", {"version": 6}, CLUB).status == 201
    refused = api.send("POST", "/v1/records?import=true", record, OPERATOR, Content_Type="application/json")
    assert refused.code == "game_exists"


def test_nothing_can_follow_an_archived_log(api: Api, archivist: Archivist) -> None:
    game = settled_game(api)
    store = api.context.store
    latest = store.read(game.id)[-1]
    archived(archivist, game)
    following = msgspec.structs.replace(latest.entry, seq=latest.seq + 1, prev=latest.hash)
    with pytest.raises(BrokenChain):
        store.append(Head(latest.seq, latest.hash), [carve(following)])
    assert store.read(game.id, latest.seq - 1) == [latest]


def test_a_rebuild_reads_the_archive(api: Api, archivist: Archivist) -> None:
    players = [{"name": "Ada", "ref": "ada"}, {"name": "Ben", "ref": "ben"}]
    games = [settled_game(api, "babel", players=players), settled_game(api)]
    archived(archivist, *games)
    client = api.context.store.client
    before = contents(client)
    for key in list(client.scan_iter()):
        if not key.endswith((b":log", b":secrets", b":people", b":archived", b"stele:keys")):
            client.delete(key)
    rebuild = Rebuild(api.context.store, api.context.ledger.projections)
    assert all(problem is None for _, problem in rebuild.run(rebuild.survey()))
    assert contents(client) == before


# -- an archive that cannot be read -------------------------------------------------------------------------------------


def cut_off(path: Path, _other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def change_a_name_inside(path: Path, _other: Path) -> None:
    record = json.loads(lzma.decompress(path.read_bytes()))
    record["entries"][1]["at"] = "2020-01-01T00:00:00.000Z"
    path.write_bytes(lzma.compress(json.dumps(record).encode()))


def drop_the_end(path: Path, _other: Path) -> None:
    record = json.loads(lzma.decompress(path.read_bytes()))
    record["entries"].pop()
    path.write_bytes(lzma.compress(json.dumps(record).encode()))


def put_another_game_there(path: Path, other: Path) -> None:
    shutil.copy(other, path)


def write_nonsense(path: Path, _other: Path) -> None:
    path.write_bytes(lzma.compress(b"[]"))


def write_numbers_for_entries(path: Path, _other: Path) -> None:
    path.write_bytes(lzma.compress(b'{"entries": [1, 2]}'))


def take_it_away(path: Path, _other: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "harm",
    [
        cut_off,
        change_a_name_inside,
        drop_the_end,
        put_another_game_there,
        write_nonsense,
        write_numbers_for_entries,
        take_it_away,
    ],
)
def test_a_damaged_file_gives_no_answer_and_never_a_wrong_one(
    api: Api, another: MakeApi, archivist: Archivist, directory: Path, harm: Any
) -> None:
    game, other = settled_game(api), settled_game(api)
    archived(archivist, game, other)
    harm(file_of(directory, game), file_of(directory, other))
    fresh = another()
    for page in ("", "/events", "/replay", "/audit", "/record", "/head", "/forks"):
        told = fresh.get(game.path + page)
        assert (told.status, told.code) == (503, "archive_unavailable"), (page, told)
        assert str(directory) not in told.body.decode()
        assert fresh.get(other.path + page).status == 200
    assert fresh.get("/v1/games").status == 200


def test_a_private_game_stays_hidden_while_the_archive_is_away(
    api: Api, another: MakeApi, archivist: Archivist, directory: Path
) -> None:
    game = settled_game(api, private=True)
    archived(archivist, game)
    directory.rename(directory.parent / "elsewhere")
    fresh = another()
    ticket = fresh.context.authenticator.ticket(game.id, fresh.context.authenticator.identify(CLUB))[0]
    for token in (CLUB, OPERATOR, game.token(0)):
        assert fresh.get(game.path, token).status == 503
    assert fresh.get(f"{game.path}?ticket={ticket}").status == 503
    for token in (None, SCHOOL, "nonsense"):
        hidden, missing = fresh.get(game.path, token), fresh.get(f"/v1/games/{'00-' + '0' * 26}", token)
        assert (hidden.status, hidden.code) == (404, "game_not_found"), token
        assert missing.status in (404, 401)


def test_once_the_archive_is_back_so_are_its_games(
    api: Api, another: MakeApi, archivist: Archivist, directory: Path
) -> None:
    game = settled_game(api)
    archived(archivist, game)
    elsewhere = directory.parent / "elsewhere"
    directory.rename(elsewhere)
    fresh = another()
    assert fresh.get(game.path).status == 503
    elsewhere.rename(directory)
    assert fresh.get(game.path).status == 200


# -- what is not moved --------------------------------------------------------------------------------------------------


def test_games_that_are_played_or_settled_lately_stay(api: Api, archivist: Archivist, run: Run) -> None:
    new_game(api)
    game = settled_game(api)
    assert archivist.due(3600) == []
    assert archivist.due(0) == [game.id]
    told = run("archive", "--older-than", "1h")
    assert (told.exit_code, told.output) == (0, "0 games archived\n")
    assert "log" in kept_of(api, game.id)


def test_a_game_that_does_not_audit_clean_stays_and_is_named(api: Api, run: Run, directory: Path) -> None:
    good, bad = settled_game(api), settled_game(api)
    stream = keys_of(bad.id).stream
    client: Any = api.context.store.client
    rows = client.xrange(stream)
    client.delete(stream)
    for number, fields in rows:
        fields[b"e"] = fields[b"e"].replace(b'"anonymous":true', b'"anonymous":false')
        fields[b"e"] = fields[b"e"].replace(b'"host":"club"', b'"host":"cliff"')
        client.xadd(stream, fields, id=number)
    told = run("archive", "--older-than", "0d")
    assert told.exit_code == 1
    assert f"{bad.id} stays in the store: " in told.output
    assert told.output.endswith("1 game archived, 1 stayed\n")
    assert client.xrange(stream), "nothing was removed"
    assert [file.name for file in directory.rglob("*.xz")] == [f"{good.id}.json.xz"]


def test_a_log_that_changed_or_is_not_projected_stays(api: Api, archivist: Archivist) -> None:
    game = settled_game(api)
    client = api.context.store.client
    client.sadd(keys_of(game.id).dirty, game.id)
    (moved,) = archivist.run([game.id])
    assert moved.problem == "its log has changed, or is not projected yet"
    assert not archivist.archive.path(game.id).exists()
    api.project(game.id)
    (moved,) = archivist.run([game.id])
    assert moved.problem is None
    (again,) = archivist.run([game.id])
    assert again.problem is None, "a game that is archived can be archived again"


def test_a_game_that_goes_on_is_not_moved(api: Api, archivist: Archivist) -> None:
    game = new_game(api)
    (moved,) = archivist.run([game.id])
    assert moved.problem == "it is not settled"


def test_an_aborted_game_is_moved_like_any_other(api: Api, archivist: Archivist) -> None:
    game = new_game(api, "babel")
    assert game.post("/abort", token=OPERATOR).status == 201
    close(game)
    before = game.get("").lasting
    archived(archivist, game)
    assert game.get("").lasting == before


def test_drafts_of_the_killed_are_removed_after_a_day(
    api: Api, archivist: Archivist, directory: Path
) -> None:
    old, young = directory / "00" / ".draft-old", directory / "00" / ".draft-young"
    old.parent.mkdir(parents=True)
    for draft in (old, young):
        draft.touch()
    os.utime(old, (0, 0))
    assert list(archivist.run([])) == []
    assert (old.exists(), young.exists()) == (False, True)

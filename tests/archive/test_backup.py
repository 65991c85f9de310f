"""A backup brings everything back: into an empty store, with every answer as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.batch import EntryFactory
from events.keys import keys_of
from services.core.archivist import Archivist
from services.core.backup import MANIFEST, file_of
from tests.api.client import CLUB, OPERATOR, Api, Table, build_api, new_game
from tests.api.finished import finish, settled_game
from tests.archive.conftest import Run
from tests.archive.looking import answers, kept_of
from tests.servers import ValkeyServer

EMPTY_DATABASE = 8
KEY = "a-key-that-nobody-else-would-ever-use"


@pytest.fixture
def elsewhere(valkey: ValkeyServer) -> str:
    with valkey.client(db=EMPTY_DATABASE) as client:
        client.flushdb()
    return f"{valkey.url}?db={EMPTY_DATABASE}"


@pytest.fixture
def restored(elsewhere: str, tmp_path: Path) -> Iterator[Api]:
    """An API on the store that a backup is restored to; its archive is empty."""
    api = build_api(elsewhere, archive_dir=tmp_path / "nothing", entry_factory=EntryFactory())
    yield api
    api.close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def furnish(api: Api, archivist: Archivist) -> dict[str, Table]:
    """Games of every kind: settled with a result, archived, imported, private, running, open."""
    players = [{"name": "Ada", "ref": "ada"}, {"name": "Ben", "ref": "ben"}]
    old = settled_game(api)
    assert [moved.problem for moved in archivist.run([old.id])] == [None]
    games = {
        "archived": old,
        "settled": settled_game(api, "babel", players=players),
        "private": new_game(api, private=True),
        "running": new_game(api, "babel", players=players, key=KEY),
        "open": new_game(api, seats=3, players=["Ada"]),
    }
    games["running"].play(3)
    assert games["settled"].post("/forks", {"version": 6}, CLUB).status == 201
    for game in games_of(api):
        api.project(game)
    return games


def games_of(api: Api) -> list[str]:
    """All games whose logs are in an API's store."""
    keys = api.context.store.client.scan_iter("stele:*:game:*:log")
    return [key.decode().split(":")[3] for key in keys]


def test_every_answer_is_as_it_was(
    api: Api, archivist: Archivist, run: Run, copy: Path, restored: Api, elsewhere: str
) -> None:
    games = furnish(api, archivist)
    before = answers(api, *games.values())
    told = run("backup", copy)
    assert (told.exit_code, told.output) == (0, "6 games backed up\n")
    told = run("restore", copy, STELE_STORE_URL=elsewhere)
    assert (told.exit_code, told.output) == (0, "6 games restored\n")
    assert answers(restored, *games.values()) == before
    assert restored.get("/.well-known/stele-keys.json").body == api.get("/.well-known/stele-keys.json").body
    for game in games.values():
        secrets = api.context.store.secrets(game.id)
        assert restored.context.store.secrets(game.id) == secrets
        assert restored.context.store.people(game.id) == api.context.store.people(game.id)
    assert "log" in kept_of(restored, games["archived"].id)


def test_a_running_game_goes_on_and_retries_are_known(
    api: Api, archivist: Archivist, run: Run, copy: Path, restored: Api, elsewhere: str
) -> None:
    game = furnish(api, archivist)["running"]
    seat = game.show()["to_act"][0]
    action = game.legal(seat)[0]
    acted = game.act(seat, action, Idempotency_Key="once")
    assert run("backup", copy).exit_code == 0
    assert run("restore", copy, STELE_STORE_URL=elsewhere).exit_code == 0
    again = restored.post(f"{game.path}/actions", action, game.token(seat), Idempotency_Key="once")
    assert (again.status, again.body) == (201, acted.body)
    assert again.headers["idempotent-replayed"] == "true"
    goes_on = Table(restored, game.created)
    finish(goes_on)
    assert goes_on.get("/audit").json["verdict"] == "pass"


def test_an_imported_game_comes_back_as_one(
    api: Api, run: Run, copy: Path, restored: Api, elsewhere: str
) -> None:
    record = settled_game(restored, "babel").get("/record").body
    restored.context.store.client.flushdb()
    told = api.send("POST", "/v1/records?import=true", record, OPERATOR, Content_Type="application/json")
    assert told.status == 200
    assert run("backup", copy).exit_code == 0
    assert run("restore", copy, STELE_STORE_URL=elsewhere).exit_code == 0
    (game,) = games_of(restored)
    assert restored.context.store.secrets(game) == api.context.store.secrets(game)
    assert "imported" in restored.context.store.secrets(game)
    assert restored.get("/v1/results").json["items"] == []


def test_files_are_for_their_owner_alone(api: Api, run: Run, copy: Path) -> None:
    game = new_game(api)
    assert run("backup", copy).exit_code == 0
    assert {path.stat().st_mode & 0o777 for path in copy.rglob("*") if path.is_file()} == {0o600}
    assert file_of(copy, game.id).exists()


def test_a_store_with_games_is_left_alone(api: Api, run: Run, copy: Path) -> None:
    game = new_game(api)
    head = game.head
    assert run("backup", copy).exit_code == 0
    game.play()
    told = run("restore", copy)
    assert told.exit_code == 1
    assert "into an empty one only" in told.output
    assert game.head[0] == head[0] + 1


def test_a_backup_that_lacks_anything_is_refused_before_anything_is_written(
    api: Api, run: Run, copy: Path, restored: Api, elsewhere: str
) -> None:
    games = [new_game(api), new_game(api)]
    assert run("backup", copy).exit_code == 0
    path = file_of(copy, games[1].id)
    whole = path.read_bytes()
    for harm in (whole[:-9], whole[:50] + b"x" + whole[51:], None):
        path.unlink() if harm is None else path.write_bytes(harm)
        told = run("restore", copy, STELE_STORE_URL=elsewhere)
        assert told.exit_code == 1
        assert f"{path} cannot be used" in told.output
    (copy / MANIFEST).unlink()
    told = run("restore", copy, STELE_STORE_URL=elsewhere)
    assert "is no backup, or one that was broken off" in told.output
    assert games_of(restored) == []


def test_what_cannot_be_copied_is_named_and_the_rest_is_kept(
    api: Api, archivist: Archivist, run: Run, copy: Path, directory: Path
) -> None:
    good, gone, broken = new_game(api), settled_game(api), new_game(api)
    assert [moved.problem for moved in archivist.run([gone.id])] == [None]
    directory.rename(directory.parent / "away")
    api.context.store.client.xadd(keys_of(broken.id).stream, {"e": "{}", "h": "0"}, id="999-0")
    told = run("backup", copy)
    assert told.exit_code == 1
    assert f"{gone.id} is not backed up" in told.output
    assert f"{broken.id} is not backed up: it cannot be copied: MalformedEntry" in told.output
    assert told.output.endswith("1 game backed up, 2 not\n")
    assert file_of(copy, good.id).exists()


def test_a_directory_that_is_in_use_is_refused(api: Api, run: Run, copy: Path) -> None:
    new_game(api)
    assert run("backup", copy).exit_code == 0
    told = run("backup", copy)
    assert told.exit_code == 1
    assert "is not empty" in told.output

"""When games are moved: at the operator's word, by the server itself, and after a kill at the worst moment."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from services.core.archive import FileArchive
from services.core.archivist import Archivist
from services.core.crash_points import CRASH_POINT_VARIABLE
from services.core.settings import Settings, archive_dir, archives_by_itself
from services.front.live import Live
from services.http.streams import Watch
from services.worker import jobs
from services.worker.archive_job import archive_due_games
from services.worker.housekeeping import Housekeeper, Sweeper
from services.worker.job_handlers import JobHandlers
from services.worker.queue import WorkQueue
from tests.api.client import GAMES, Api
from tests.api.finished import settled_game
from tests.archive.conftest import MakeApi, Run
from tests.archive.looking import answers, kept_of
from tests.servers import PATIENCE, ValkeyCluster, ValkeyServer
from tests.worker.house import House

# -- at the operator's word ---------------------------------------------------------------------------------------------


def test_the_command_tells_what_it_would_do_and_does_it(api: Api, run: Run) -> None:
    game = settled_game(api)
    would = run("archive", "--older-than", "0d", "--dry-run")
    assert would.exit_code == 0
    assert would.output.splitlines() == [game.id, "1 game would be archived"]
    assert "log" in kept_of(api, game.id)
    did = run("archive", "--older-than", "0d")
    assert (did.exit_code, did.output) == (0, "1 game archived\n")
    assert "log" not in kept_of(api, game.id)


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1w", "1.5d"])
def test_an_age_that_cannot_be_read_is_refused(run: Run, age: str) -> None:
    told = run("archive", f"--older-than={age}")
    assert told.exit_code == 2
    assert "30d" in told.output


def test_a_directory_that_cannot_be_written_is_named(api: Api, run: Run, tmp_path: Path) -> None:
    settled_game(api)
    (tmp_path / "file").touch()
    told = run("archive", "--older-than", "0d", STELE_ARCHIVE_DIR=str(tmp_path / "file"))
    assert told.exit_code == 1
    assert f"{tmp_path / 'file'} cannot be written" in told.output


# -- killed at the worst moment -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("point", ["before the archive has its name", "between the archive and the removal"])
def test_killed_there_the_game_is_whole_and_the_next_run_finishes(
    api: Api, another: MakeApi, environ: dict[str, str], directory: Path, point: str
) -> None:
    game = settled_game(api, "babel")
    before = answers(api, game)

    def archive_in_a_process(**more: str) -> int:
        command = [
            sys.executable,
            "-c",
            "from services.cli import main; main()",
            "archive",
            "--older-than=0d",
        ]
        done = subprocess.run(
            command, check=False, env={**os.environ, **environ, **more}, capture_output=True
        )
        return done.returncode

    assert archive_in_a_process(**{CRASH_POINT_VARIABLE: point}) == 86
    assert "log" in kept_of(api, game.id)
    whole = FileArchive(directory).path(game.id).exists()
    assert whole == (point == "between the archive and the removal")
    assert answers(another(), game) == before
    assert archive_in_a_process() == 0
    assert kept_of(api, game.id) == {"archived", "secrets", "people"}
    assert answers(another(), game) == before


# -- by the server itself -----------------------------------------------------------------------------------------------


def test_the_projector_asks_for_it_once_an_hour(api: Api) -> None:
    client = api.context.store.client
    assert isinstance(client, Redis)
    queue = WorkQueue(client)
    sweeper = Sweeper(api.context.ledger.projections, queue, lambda _: None)
    for days, asked in ((30, [1, 1, 2]), (0, [0, 0, 0])):
        queue.patient.delete()
        here = Housekeeper(sweeper, days)
        counts = []
        for now in (10.0, 3500.0, 3700.0):
            here.do_what_is_due(now)
            counts.append(queue.patient.count)
        assert counts == asked
    queue.patient.delete()


def test_a_worker_moves_what_is_old_enough(
    api: Api, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = api.context.store.client
    assert isinstance(client, Redis)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    workshop = JobHandlers(api.context.ledger, WorkQueue(client))
    monkeypatch.setattr(jobs, "job_handlers", lambda: workshop)
    games = [settled_game(api), settled_game(api)]
    jobs.archive("30")
    assert all("log" in kept_of(api, game.id) for game in games)
    jobs.archive("0")
    assert all("log" not in kept_of(api, game.id) for game in games)
    assert workshop.queue.patient.count == 0


def test_a_long_work_is_done_a_little_at_a_time(
    api: Api, archivist: Archivist, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = api.context.store.client
    assert isinstance(client, Redis)
    queue = WorkQueue(client)
    monkeypatch.setattr("services.worker.archive_job.ARCHIVE_TURN_SECONDS", 0.0)
    for _ in range(2):
        settled_game(api)
    archive_due_games(archivist, 0, queue)
    assert (len(archivist.due(0)), queue.patient.count) == (1, 1)
    archive_due_games(archivist, 0, queue)
    assert (len(archivist.due(0)), queue.patient.count) == (0, 1)


def test_old_games_are_archived_unasked_unless_others_may_not_share_the_directory(tmp_path: Path) -> None:
    elsewhere = "redis://elsewhere"
    assert archives_by_itself(Settings())
    assert not archives_by_itself(Settings(archive_after=0))
    assert not archives_by_itself(Settings(store_url=elsewhere))
    assert archives_by_itself(Settings(store_url=elsewhere, archive_dir=tmp_path))
    assert archive_dir(Settings(data_dir=tmp_path)) == tmp_path / "archive"


# -- live, and on a cluster ---------------------------------------------------------------------------------------------


def test_a_live_stream_of_an_archived_game_delivers_it_and_ends(
    api: Api, archivist: Archivist, url: str
) -> None:
    game = settled_game(api)
    before = game.get("/events?limit=1000").json["items"]
    assert [moved.problem for moved in archivist.run([game.id])] == [None]
    got: list[bytes] = []

    async def take(data: bytes) -> None:
        got.append(data)

    async def scene() -> None:
        here = Live(url, GAMES, archive=archivist.archive)
        here.start(asyncio.get_running_loop())
        try:
            await asyncio.wait_for(here.stream(Watch(game.id, None, 0), take), PATIENCE)
        finally:
            await here.stop()

    asyncio.run(scene())
    assert b"".join(got).count(b"id: ") == len(before)
    assert b'"game_settled"' in b"".join(got)


def test_it_works_on_a_cluster(valkey_cluster: ValkeyCluster, valkey: ValkeyServer, directory: Path) -> None:
    with valkey_cluster.client() as cluster, valkey.client(db=7) as queue:
        queue.flushdb()
        cluster.flushall()
        house = House(cluster, queue)
        game = house.create("babel", ("greedy", "greedy"))
        house.run()
        before = house.folded(game)
        archive = FileArchive(directory)
        house.ledger.store.archive = archive
        assert [moved.problem for moved in Archivist(house.ledger, archive).run([game])] == [None]
        house.ledger._cache.forget(game)
        assert house.game(game) == before
        house.workshop.project([game])
        assert house.projections.stuck() == {}
        cluster.disconnect_connection_pools()

"""Projections are values: everything in the store belongs to a log or to one of them, and no key outlives its games."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from events.keys import game_key, partitions
from projections.list_query import list_names
from projections.lobby import facets, lobby_list_root, lobby_row
from projections.registry import PROJECTIONS
from tests.worker.house import House
from tests.worker.test_rebuild import furnish

ROOT = Path(__file__).parents[2]
OF_THE_LOG = {"log", "secrets", "people", "archived"}
"""The keys of a game that nothing is made of again."""
OF_APPENDS = {"feed", "dirty", "unlogged", "hosted", "unhosted", "damaged"}
"""The keys of a partition that appends and audits write, and the streams of host events."""


def keys_in(house: House) -> list[str]:
    return [key.decode() for key in house.client.scan_iter("stele:{*}:*")]


def test_every_key_belongs_to_a_log_or_to_a_projection(house: House) -> None:
    furnish(house)
    of_games = {name for projection in PROJECTIONS for name in projection.game_keys} | OF_THE_LOG
    of_partitions = {name for projection in PROJECTIONS for name in projection.keys} | OF_APPENDS
    lists = {projection.lists for projection in PROJECTIONS}
    strange = []
    for key in keys_in(house):
        _, partition, kind, *rest = key.split(":", 4)
        if partition.strip("{}") not in partitions():
            continue
        own = rest[-1] in of_games if kind == "game" else kind in of_partitions | lists
        if not own and ":".join([kind, *rest]) not in of_partitions:
            strange.append(key)
    assert strange == []


def test_a_game_with_a_host_two_tags_and_two_players_stands_in_few_lists(house: House) -> None:
    """Six of each list for its tags and players, and eight for what all games have in common."""
    game = house.create("babel", (None, None), refs=("ada", "ben"), host="club", tags=("cup", "spring"))
    row = lobby_row(house.game(game), house.projections.patience)
    assert len(facets(row)) == 8 + 2 * 4 + 4 * 2 + 2
    assert len(set(facets(row))) == len(list_names(lobby_list_root, row, "playing"))


def test_no_key_is_left_of_a_game_whose_log_is_gone(house: House) -> None:
    empty = set(keys_in(house))
    games = furnish(house)
    for game in games:
        house.client.delete(*(game_key(game, name) for name in OF_THE_LOG))
        house.projections.forget(game)
    left = {key for key in keys_in(house) if not key.endswith((":feed", ":lists", ":unlogged"))} - empty
    assert left == set()


NEW_PROJECTION = """
import fakeredis
from events.store import EMPTY_LOG, EventStore, SideData
from projections.catch_up import catch_up
from projections.health import backlog
from projections.rebuild import Rebuild
from projections.store import ProjectionStore
from tests.events.logs import SERVER_SEED, TOYS, created

client = fakeredis.FakeRedis()
store, projections = EventStore(client), ProjectionStore(client, TOYS)
batch = created()
store.append(EMPTY_LOG, batch.carve(), side_data=SideData({"seed": SERVER_SEED.hex()}))
catch_up(store, projections, TOYS, batch.id)
key = f"stele:{{{batch.id[:2]}}}:latest"
assert client.hget(key, batch.id).decode() == batch.game.at
client.hset(key, batch.id, "wrong")
client.hset(key, "a game that is gone", "wrong")
run = Rebuild(store, projections, ["latest"])
assert all(problem is None for _, problem in run.run(run.survey()))
assert client.hgetall(key) == {batch.id.encode(): batch.game.at.encode()}
client.delete(*client.keys(f"stele:*:game:{batch.id}:*"))
projections.forget(batch.id)
assert not client.exists(key)
assert backlog(client).dirty == 0
"""


def test_a_new_projection_is_one_file_as_the_page_about_the_architecture_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    diff = re.search(r"```diff\n--- /dev/null\n\+\+\+ (projections/registry/\S+)\n(.*?)```", page, re.S)
    assert diff
    shutil.copytree(ROOT / "projections", tmp_path / "projections")
    added = "\n".join(line.removeprefix("+") for line in diff[2].splitlines())
    (tmp_path / diff[1]).write_text(added, encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-W", "error", "-P", "-c", NEW_PROJECTION]
    run = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_page_about_the_architecture_lists_every_projection() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (yes|no) \|$", page, re.M)
    assert rows == [(each.name, each.title, "yes" if each.rebuilt else "no") for each in PROJECTIONS]

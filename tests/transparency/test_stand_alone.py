"""Lies about the transparency log, and the stand-alone verifiers that catch them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from replays.audit.verify import COSIGNATURE_KEY, read_checkpoint, tile_path
from replays.transparency.notes import verifier_key
from tests.api.finished import settled_game
from tests.replays.test_javascript import SCRIPTS
from tests.transparency.conftest import LoggedApi
from tests.transparency.test_publishing import KEYS, forged
from tests.transparency.test_witness import SIGNER
from tests.transparency.test_writer import marks

COMPARE = """
const { compareCheckpoints, readLogKeys, tilePath } = await import(process.argv[1]);
const { readFile } = await import("node:fs/promises");
const [kept, latest, keys, folder] = process.argv.slice(2);
const tiles = (level, tile, width) => readFile(`${folder}/${tilePath(level, tile, width).replaceAll("/", "_")}`);
const texts = await Promise.all([kept, latest].map((file) => readFile(file, "utf8")));
console.log(JSON.stringify(await compareCheckpoints(...texts, { logKeys: readLogKeys(await readFile(keys)), tiles })));
"""


def judge(program: str, *arguments: Any) -> tuple[int, dict[str, tuple[str, int | None]]]:
    command = [*SCRIPTS[program], *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout, done.stderr
    checks = json.loads(done.stdout)["checks"]
    return done.returncode, {check["check"]: (check["verdict"], check["entry"]) for check in checks}


def judge_in_words(program: str, *arguments: Any) -> str:
    command = [*SCRIPTS[program], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


def keep(server: LoggedApi, tmp_path: Path, game: Any) -> tuple[Path, Path]:
    record, keys = tmp_path / "record.json", tmp_path / "keys.json"
    record.write_bytes(game.get("/record").body)
    keys.write_bytes(server.api.get(KEYS).body)
    return record, keys


@pytest.mark.parametrize("program", SCRIPTS)
def test_true_proofs_pass_and_missing_ones_fail_where_they_are_required(
    server: LoggedApi, tmp_path: Path, program: str
) -> None:
    game = settled_game(server.api)
    record, keys = keep(server, tmp_path, game)
    assert "logged" not in judge(program, record, "--key", keys)[1]
    assert judge(program, record, "--key", keys, "--require-proofs")[1]["logged"] == ("fail", None)
    server.publish()
    record, keys = keep(server, tmp_path, game)
    assert judge(program, record, "--key", keys)[1]["logged"] == ("pass", None)
    assert judge(program, record)[1]["logged"] == ("not_checked", None), "no key was given"
    other = tmp_path / "other"
    other.write_text("77" * 32)
    assert judge(program, record, "--key", other)[1]["logged"][0] == "fail", "another key"


@pytest.mark.parametrize("program", SCRIPTS)
def test_a_kept_checkpoint_and_witnesses_are_held_against_the_proofs(
    server: LoggedApi, tmp_path: Path, program: str
) -> None:
    settled_game(server.api)
    server.publish()
    kept, witnesses = tmp_path / "kept", tmp_path / "witnesses"
    kept.write_bytes(server.api.get("/tlog/checkpoint").body)
    witnesses.write_text(verifier_key(SIGNER.name, SIGNER.public, COSIGNATURE_KEY))
    game = settled_game(server.api)
    server.publish()
    record, keys = keep(server, tmp_path, game)
    options = ("--key", keys, "--checkpoint", kept)
    assert judge(program, record, *options)[1]["logged"] == ("not_checked", None), "no tiles to compare with"
    tiles = tmp_path / "log"
    width = read_checkpoint(server.api.get("/tlog/checkpoint").body.decode()).size
    place = tile_path(0, 0, width)
    (tiles / place).parent.mkdir(parents=True)
    (tiles / place).write_bytes(server.api.get(f"/tlog/{place}").body)
    told = judge_in_words(program, record, *options, "--log", tiles, "--cosigners", witnesses)
    assert "cosigned by 0 of 1 witnesses" in told
    _, signer = server.log.ready(*server.writer.identity)
    kept.write_text(signer.checkpoint(int(kept.read_text().split("\n")[1]), bytes(32)))
    assert judge(program, record, *options, "--log", tiles)[1]["logged"][0] == "fail"


@pytest.mark.parametrize("program", SCRIPTS)
@pytest.mark.parametrize(
    ("lie", "place"),
    [
        ("rewritten", -1),
        ("another first entry", 0),
        ("another place", -1),
        ("another tree", -1),
        ("no proof", -1),
    ],
)
def test_a_lie_about_the_log_is_caught(
    server: LoggedApi, tmp_path: Path, program: str, lie: str, place: int
) -> None:
    game = settled_game(server.api)
    server.publish()
    path, keys = keep(server, tmp_path, game)
    record = forged(json.loads(path.read_bytes()), lie)
    path.write_text(json.dumps(record))
    code, checks = judge(program, path, "--key", keys)
    assert code == 1
    assert checks["logged"] == ("fail", range(1, len(record["entries"]) + 1)[place])


def test_the_browsers_code_and_pythons_agree_on_histories(server: LoggedApi, tmp_path: Path) -> None:
    sizes, kept = (1, 2, 5, 6), {}
    for size in sizes:
        server.writer.unlogged.add(marks(size))
        server.publish()
        kept[size] = server.api.get("/tlog/checkpoint").body
    keys, folder = tmp_path / "keys.json", tmp_path / "tiles"
    keys.write_bytes(server.api.get(KEYS).body)
    folder.mkdir()
    (folder / "tile_0_000.p_6").write_bytes(server.api.get("/tlog/tile/0/000.p/6").body)
    latest = tmp_path / "latest"
    latest.write_bytes(kept[6])
    _, signer = server.log.ready(*server.writer.identity)
    lies = {
        "another history": signer.checkpoint(5, bytes(32)),
        "had 9 leaves": signer.checkpoint(9, bytes(32)),
    }
    for wanted, note in [*((None, kept[size].decode()) for size in sizes), *lies.items()]:
        seen = tmp_path / "seen"
        seen.write_text(note)
        node, module = SCRIPTS["node"]
        command = [
            node,
            "--input-type=module",
            "-e",
            COMPARE,
            Path(module).as_uri(),
            *map(str, (seen, latest, keys, folder)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        found = json.loads(done.stdout)
        assert found["verdict"] == ("fail" if wanted else "pass"), found
        assert not wanted or wanted in found["detail"]

"""The transparency log over HTTP, proofs in records, and check 14 of the server."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from replays.audit.verify import (
    LogTrust,
    Tree,
    check_proof,
    game_leaf,
    read_checkpoint,
    read_proof,
    tile_path,
)
from services.cli import main
from services.core.records import export_record
from tests.api.client import CLUB, SIGNING_KEY, TOKEN_KEY, new_game
from tests.api.finished import settled_game, verdicts
from tests.replays.forging import chained
from tests.transparency.conftest import LOG_KEY, LoggedApi

KEYS = "/.well-known/stele-keys.json"


def trust_of(server: LoggedApi) -> LogTrust:
    listed = server.api.get(KEYS).json["logs"]
    return LogTrust({log["origin"]: bytes.fromhex(log["public_key"]) for log in listed})


def test_a_game_is_proved_from_its_start_to_its_settlement(server: LoggedApi) -> None:
    game = new_game(server.api, "babel", players=["Ada", "Ben"])
    assert game.get("/proof").json == {"created": None, "settled": None}
    server.publish()
    proof = game.get("/proof").json
    assert proof["settled"] is None
    first = game.get("/events").json["items"][0]
    check_proof(
        game_leaf(game.id, "created", 1, first["hash"]), read_proof(proof["created"]), trust_of(server)
    )
    settled = settled_game(server.api)
    assert "proofs" not in settled.get("/record").json, "nothing is half proved"
    assert "logged" not in verdicts(settled.get("/audit").json)
    server.publish()
    record = settled.get("/record").json
    assert record["proofs"] == settled.get("/proof").json
    assert all(record["proofs"].values())
    assert verdicts(settled.get("/audit").json)["logged"] == "pass"
    assert verdicts(server.api.post("/v1/records", record).json)["logged"] == "pass"


def test_the_log_is_published_in_tiles(server: LoggedApi) -> None:
    api = server.api
    assert api.get("/tlog/checkpoint").status == api.get("/tlog/tile/0/000.p/1").status == 404
    for _ in range(3):
        new_game(api, "babel", players=["Ada", "Ben"])
    server.publish()
    answer = api.get("/tlog/checkpoint")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    checkpoint = read_checkpoint(answer.body.decode())
    assert checkpoint.size == 3

    def tiles(level: int, number: int, width: int) -> bytes:
        tile = api.get(f"/tlog/{tile_path(level, number, width)}")
        assert tile.headers["content-type"] == "application/octet-stream"
        assert "immutable" in tile.headers["cache-control"]
        return tile.body

    assert Tree(3, tiles).root() == checkpoint.root
    assert api.get("/tlog/tile/entries/000.p/3").body.count(b'"kind":"created"') == 3
    assert new_game(api).id.encode() not in api.get("/tlog/tile/entries/000.p/3").body


@pytest.mark.parametrize(
    "tile",
    ["0/000", "0/000.p/2", "0/000.p/0", "0/000.p/256", "0/0", "0/001.p/1", "00/000.p/1", "64/000", "0/x000/000.p/1",
     "1/000.p/1", "entries/000", "../log.db", "0/000.p/01", "x", "0/" + "x999/" * 9 + "999"],
)  # fmt: skip
def test_what_is_no_tile_is_not_found(server: LoggedApi, tile: str) -> None:
    new_game(server.api, "babel", players=["Ada", "Ben"])
    server.publish()
    assert server.api.get("/tlog/tile/0/000.p/1").status == 200
    answer = server.api.get(f"/tlog/tile/{tile}")
    assert (answer.status, answer.json["code"]) == (404, "not_found")


def forged(record: dict[str, Any], lie: str) -> dict[str, Any]:
    """A record that tells a lie of what was logged."""
    lines = record["proofs"]["settled"].split("\n")
    match lie:
        case "rewritten":
            record["entries"][-1]["salt"] = "0" * 32
            chained(record)
        case "another first entry":
            record["entries"][0]["salt"] = "0" * 32
            chained(record)
        case "another place":
            lines[1] = "index 0"
        case "another tree":
            at = lines.index("") + 3
            lines[at] = "A" * 43 + "="
        case "no proof":
            record["proofs"] = {"created": record["proofs"]["created"], "settled": "nothing"}
    if "another" in lie and lie != "another first entry":
        record["proofs"]["settled"] = "\n".join(lines)
    return record


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
def test_a_lie_about_the_log_is_caught_by_the_audit(server: LoggedApi, lie: str, place: int) -> None:
    settled = settled_game(server.api)
    server.publish()
    record = forged(settled.get("/record").json, lie)
    checks = {check["check"]: check for check in server.api.post("/v1/records", record).json["checks"]}
    assert checks["logged"]["verdict"] == "fail"
    assert checks["logged"]["entry"] == range(1, len(record["entries"]) + 1)[place]


def run_audit(server: LoggedApi, tmp_path: Path, *arguments: Any) -> dict[str, Any]:
    environ = {
        "STELE_STORE_URL": server.url,
        "STELE_LOG_DIR": str(server.directory),
        "STELE_LOG_KEY": LOG_KEY,
        "STELE_SIGNING_KEY": SIGNING_KEY,
        "STELE_TOKEN_KEY": TOKEN_KEY,
        "STELE_DATA_DIR": str(tmp_path / "data"),
    }
    done = CliRunner(env=environ).invoke(main, ["audit", *map(str, arguments), "--json"])
    assert done.exit_code in (0, 1, 2), done.output
    found = json.loads(done.output)
    return {check["check"]: (check["verdict"], check["detail"]) for check in found["checks"]}


def test_the_command_holds_a_kept_checkpoint_against_the_log(server: LoggedApi, tmp_path: Path) -> None:
    early = settled_game(server.api)
    record, kept, keys = tmp_path / "record.json", tmp_path / "kept", tmp_path / "keys.json"
    record.write_bytes(early.get("/record").body)
    assert run_audit(server, tmp_path, record, "--require-proofs")["logged"][0] == "fail"
    server.publish()
    kept.write_bytes(server.api.get("/tlog/checkpoint").body)
    keys.write_bytes(server.api.get(KEYS).body)
    late = settled_game(server.api)
    server.publish()
    record.write_bytes(late.get("/record").body)
    assert run_audit(server, tmp_path, record, "--checkpoint", kept, "--require-proofs")["logged"] == (
        "pass",
        None,
    )
    assert run_audit(server, tmp_path, record, "--key", keys, "--checkpoint", kept)["logged"] == (
        "pass",
        None,
    )
    assert run_audit(server, tmp_path, late.id, "--checkpoint", kept)["logged"] == ("pass", None)
    lying = kept.read_text().split("\n")
    _, signer = server.log.ready(*server.writer.identity)
    kept.write_text(signer.checkpoint(int(lying[1]), bytes(32)))
    verdict, detail = run_audit(server, tmp_path, record, "--checkpoint", kept)["logged"]
    assert (verdict, detail) == (
        "fail",
        "its log has another history than the one kept, of 2 leaves: both are signed",
    )


def test_a_fork_that_names_a_false_parent_is_caught(server: LoggedApi, tmp_path: Path) -> None:
    players = [{"name": "Ada"}, {"name": "Ben"}]
    parent, other = (settled_game(server.api, "babel", players=players) for _ in range(2))
    child = parent.post("/forks", {"version": 6}, CLUB).json
    fork, file = tmp_path / "fork.json", tmp_path / "parent.json"
    here = server.api.context
    record = export_record(here.store, here.keys, child["id"])
    fork.write_text(json.dumps(record))
    file.write_bytes(parent.get("/record").body)
    assert run_audit(server, tmp_path, fork, "--parent", file)["parent"] == ("pass", None)
    record["entries"][0]["data"]["origin"]["version"] = 7
    fork.write_text(json.dumps(chained(record)))
    assert run_audit(server, tmp_path, fork, "--parent", file)["parent"][0] == "fail"
    file.write_bytes(other.get("/record").body)
    assert run_audit(server, tmp_path, fork, "--parent", file)["parent"][0] == "not_checked"
    assert "parent" not in run_audit(server, tmp_path, fork)

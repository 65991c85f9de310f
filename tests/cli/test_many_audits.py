"""`stele audit` of several games at once, on every core."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from events.keys import keys_of
from services.core.archive import FileArchive
from services.core.archivist import Archivist
from tests.api.client import Api, new_game
from tests.api.finished import settled_game
from tests.cli.conftest import DATABASE, Run
from tests.replays.forging import chained, entry_of
from tests.servers import ValkeyServer


def forged(record: Path) -> Path:
    """A record whose outcome is not what was played."""
    path = record.parent / "forged.json"
    content = json.loads(record.read_bytes())
    entry_of(content, "game_settled")["data"]["outcome"]["reason"] = "magic"
    path.write_text(json.dumps(chained(content)))
    return path


def copies(record: Path, count: int) -> list[Path]:
    return [Path(shutil.copy(record, record.parent / f"copy {number}.json")) for number in range(count)]


def test_many_files_that_pass_are_only_counted(run: Run, record: Path) -> None:
    result = run("audit", *copies(record, 9))
    assert (result.exit_code, result.output) == (0, "9 games audited: 9 passed\n")


def test_one_forged_among_many_is_named_with_what_is_wrong(run: Run, record: Path) -> None:
    result = run("audit", *copies(record, 3), forged(record))
    assert result.exit_code == 1
    line, counted = result.output.splitlines()
    assert line.startswith(f"{record.parent / 'forged.json'}: fail: outcome (entry ")
    assert counted == "4 games audited: 3 passed, 1 failed"


def test_one_that_cannot_be_read_does_not_hinder_the_others(run: Run, record: Path) -> None:
    result = run("audit", record, "07-" + "0" * 26, record.parent / "missing.json")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == "3 games audited: 1 passed, 2 could not be read"


def test_a_fault_weighs_more_than_what_could_not_be_read(run: Run, record: Path) -> None:
    assert run("audit", forged(record), record.parent / "missing.json").exit_code == 1


def test_an_incomplete_audit_of_many_says_what_is_missing(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STELE_SIGNING_KEY")
    result = run("audit", *copies(record, 2))
    assert result.exit_code == 2
    assert all(": incomplete: signature: " in line for line in result.output.splitlines()[:2])
    assert result.output.splitlines()[-1] == "2 games audited: 2 incomplete"


def test_many_as_json_are_one_a_line(run: Run, record: Path) -> None:
    result = run("audit", record, forged(record), "nothing", "--json")
    by_subject = {line["subject"]: line for line in map(json.loads, result.output.splitlines())}
    assert by_subject[str(record)]["audit"] == json.loads(run("audit", record, "--json").output)
    assert by_subject[str(record.parent / "forged.json")]["audit"]["verdict"] == "fail"
    assert by_subject["nothing"] == {
        "subject": "nothing",
        "problem": "nothing is neither a file nor a game's id.",
    }


def test_all_are_the_settled_games_here_and_in_the_archive(run: Run, api: Api, tmp_path: Path) -> None:
    settled = [settled_game(api) for _ in range(3)]
    new_game(api)
    archivist = Archivist(api.context.ledger, FileArchive(tmp_path / "data" / "archive"))
    archivist.move(settled[0].id)
    result = run("audit", "--all")
    assert (result.exit_code, result.output) == (0, "3 games audited: 3 passed\n")


def test_a_log_that_was_changed_in_the_store_is_found_among_all(
    run: Run, api: Api, valkey: ValkeyServer
) -> None:
    games = [settled_game(api) for _ in range(3)]
    with valkey.client(db=DATABASE) as client:
        stream = keys_of(games[1].id).stream
        rows: Any = client.xrange(stream)
        client.delete(stream)
        for number, (name, fields) in enumerate(rows):
            client.xadd(stream, fields | ({b"h": b"0" * 64} if number == 2 else {}), name)
    result = run("audit", "--all")
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.output.splitlines()[:-1]] == [games[1].id]
    assert result.output.splitlines()[-1] == "3 games audited: 2 passed, 1 failed"
    assert api.get("/readyz").json["checks"]["failed_audits"] == 1
    assert api.context.ledger.projections.failed_audits() == [games[1].id]


def test_where_no_game_is_there_is_nothing_to_find(run: Run, api: Api) -> None:
    result = run("audit", "--all")
    assert (result.exit_code, result.output) == (0, "0 games audited\n")


def test_one_must_say_what_to_audit(run: Run, record: Path) -> None:
    for arguments in ((), ("--all", record)):
        result = run("audit", *arguments)
        assert result.exit_code == 2
        assert "--all" in result.output


def test_a_store_that_does_not_answer_is_no_verdict_on_all(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STELE_STORE_URL", f"unix://{tmp_path}/nobody")
    result = run("audit", "--all")
    assert result.exit_code == 2
    assert "stele up" in result.output

"""`stele audit`, `export`, `import` and `forget`, as someone at a terminal meets them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.cli import main
from services.core.signing import Signer
from tests.api.client import CLUB, Api, new_game
from tests.api.finished import settled_game
from tests.cli.conftest import DATABASE, Run
from tests.replays.forging import chained, entry_of
from tests.servers import ValkeyServer


def lines_of(result: Result) -> dict[str, str]:
    """What a report says of each check."""
    rows = (line.split(maxsplit=2) for line in result.output.splitlines() if line[:1] in "✓✗–")
    return {row[1]: row[0] for row in rows}


# -- audit ------------------------------------------------------------------------------------------------------------


def test_a_clean_record_passes_with_0(run: Run, record: Path, keys: Path) -> None:
    result = run("audit", record, "--key", keys)
    assert result.exit_code == 0
    assert set(lines_of(result).values()) == {"✓"}
    assert list(lines_of(result))[-1] == "signature"
    assert "Verdict: pass" in result.output
    assert "server_only" in result.output


def test_the_servers_own_key_is_known_on_its_machine(run: Run, record: Path) -> None:
    assert run("audit", record).exit_code == 0


def test_without_a_key_the_signature_is_left_open_with_2(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STELE_SIGNING_KEY")
    result = run("audit", record)
    assert (result.exit_code, lines_of(result)["signature"]) == (2, "–")
    assert "Verdict: incomplete" in result.output


def test_an_audit_of_a_file_makes_no_key(run: Run, record: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("STELE_SIGNING_KEY")
    run("audit", record)
    assert not (tmp_path / "data").exists()


def test_a_forged_record_fails_with_1_and_is_told_where(run: Run, record: Path, keys: Path) -> None:
    forged = json.loads(record.read_bytes())
    entry_of(forged, "game_settled")["data"]["outcome"]["reason"] = "[bold]magic"
    record.write_text(json.dumps(chained(forged)))
    result = run("audit", record, "--key", keys)
    assert result.exit_code == 1
    assert [check for check, sign in lines_of(result).items() if sign == "✗"] == ["outcome", "signature"]
    assert f"entry {len(forged['entries'])}" in result.output
    assert "Verdict: fail" in result.output


def test_a_record_signed_by_another_than_the_pinned_key_fails(run: Run, record: Path, tmp_path: Path) -> None:
    pinned = tmp_path / "pinned.hex"
    pinned.write_text(Signer(bytes(32)).public.hex())
    result = run("audit", record, "--key", pinned)
    assert (result.exit_code, lines_of(result)["signature"]) == (1, "✗")


def test_a_witness_is_heard(run: Run, api: Api, record: Path, tmp_path: Path) -> None:
    head = api.get(f"/v1/games/{json.loads(record.read_bytes())['game']}/head").json
    witness = tmp_path / "heads.json"
    witness.write_text(json.dumps([head]))
    assert lines_of(run("audit", record, "--witness", witness))["witness"] == "✓"
    witness.write_text(json.dumps([head | {"hash": "0" * 64}]))
    result = run("audit", record, "--witness", witness)
    assert (result.exit_code, lines_of(result)["witness"]) == (1, "✗")


def test_a_game_of_the_server_is_audited_by_its_id(run: Run, api: Api) -> None:
    settled, playing = settled_game(api), new_game(api)
    assert run("audit", settled.id).exit_code == 0
    result = run("audit", playing.id)
    assert (result.exit_code, lines_of(result)["outcome"]) == (2, "–")


def test_a_game_without_its_ruleset_is_audited_as_far_as_it_goes(run: Run, record: Path, api: Api) -> None:
    game = json.loads(record.read_bytes())["game"]
    for subject in (str(record), game):
        result = CliRunner().invoke(main, ["audit", subject])
        assert result.exit_code == 2
        left = [check for check, sign in lines_of(result).items() if sign == "–"]
        assert left == ["facts", "states", "components", "outcome"]


def test_what_was_found_can_be_had_as_json(run: Run, api: Api) -> None:
    game = settled_game(api)
    assert json.loads(run("audit", game.id, "--json").output) == game.get("/audit").json


def test_details_of_a_record_are_no_markup(run: Run, record: Path) -> None:
    forged = json.loads(record.read_bytes())
    for draw in entry_of(forged, "game_started")["data"]["random"]:
        draw["label"] = "[red]deck[/nothing]"
    record.write_text(json.dumps(chained(forged)))
    result = run("audit", record)
    assert result.exit_code == 1
    assert "[red]deck[/nothing]" in result.output


@pytest.mark.parametrize("subject", ["no-such-file.json", "07-" + "0" * 26])
def test_what_is_not_there_is_told_in_one_line(run: Run, subject: str) -> None:
    result = run("audit", subject)
    assert result.exit_code == 2
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert len(result.output.splitlines()) == 1


def test_files_that_cannot_be_used_are_told_in_one_line(run: Run, record: Path, tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("{")
    for arguments in (
        (nonsense,),
        (tmp_path,),
        (record, "--key", nonsense),
        (record, "--witness", nonsense),
        (record, "--key", tmp_path / "missing"),
    ):
        result = run("audit", *arguments)
        assert result.exit_code == 2
        assert len(result.output.splitlines()) == 1


# -- export, import, forget -------------------------------------------------------------------------------------------


def test_an_export_is_the_record_that_the_api_gives(run: Run, api: Api, tmp_path: Path) -> None:
    game = settled_game(api)
    assert run("export", game.id, tmp_path / "out.json").exit_code == 0
    record = game.get("/record").body
    assert (tmp_path / "out.json").read_bytes() == record
    assert run("export", game.id).stdout_bytes == record + b"\n"


def test_a_game_that_is_not_settled_is_not_exported(run: Run, api: Api, tmp_path: Path) -> None:
    result = run("export", new_game(api).id, tmp_path / "out.json")
    assert result.exit_code == 1
    assert "not settled" in result.output
    assert not (tmp_path / "out.json").exists()


def test_an_export_to_nowhere_is_told(run: Run, api: Api, tmp_path: Path) -> None:
    result = run("export", settled_game(api).id, tmp_path / "no" / "such" / "place")
    assert result.exit_code == 1
    assert "cannot be written" in result.output


def test_a_record_is_imported_once(run: Run, record: Path, valkey: ValkeyServer, api: Api) -> None:
    game = json.loads(record.read_bytes())["game"]
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    result = run("import", record)
    assert result.exit_code == 0
    assert game in result.output
    assert api.get(f"/v1/games/{game}/record").body == record.read_bytes()
    again = run("import", record)
    assert again.exit_code == 1
    assert "already" in again.output


def test_a_forged_record_is_not_imported(run: Run, record: Path) -> None:
    record.write_bytes(record.read_bytes().replace(b"Ada", b"Eve"))
    result = run("import", record)
    assert result.exit_code == 1
    assert "`schema`" in result.output
    record.write_text("[]")
    assert "not a record" in run("import", record).output
    assert "cannot be read" in run("import", record / "nowhere").output


def test_a_name_is_forgotten_for_good(run: Run, api: Api) -> None:
    game = settled_game(api)
    assert "is forgotten" in run("forget", game.id, 0).output
    assert game.get("").json["seats"][0]["name"] == "(forgotten)"
    assert run("audit", game.id).exit_code == 0
    again = run("forget", game.id, 0)
    assert (again.exit_code, "No name is kept" in again.output) == (0, True)
    assert run("forget", "07-" + "0" * 26, 0).exit_code == 1


def test_a_name_is_forgotten_while_the_game_is_played(run: Run, api: Api) -> None:
    game = new_game(api, token=CLUB)
    run("forget", game.id, 2)
    assert game.get("", game.token(2)).json["seats"][2]["name"] == "(forgotten)"
    game.play()
    assert game.get("").json["seats"][2]["name"] == "(forgotten)"


def test_a_store_that_does_not_answer_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STELE_STORE_URL", f"unix://{tmp_path}/nobody")
    game, directory = "07-" + "0" * 26, tmp_path / "copy"
    for arguments, code in (
        (("export", game), 1),
        (("forget", game, 0), 1),
        (("audit", game), 2),
        (("jobs",), 1),
        (("rebuild",), 1),
        (("archive",), 1),
        (("backup", directory), 1),
        (("restore", directory), 1),
    ):
        result = run(*arguments)
        assert result.exit_code == code
        assert "stele up" in result.output

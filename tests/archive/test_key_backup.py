"""Keys in a backup: encrypted, and back on an empty machine, where tokens hold and heads are signed as before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli import main
from services.core.key_backup import KEYS_FILE
from tests.api.client import Api, build_api, new_game
from tests.archive.test_backup import EMPTY_DATABASE
from tests.servers import ValkeyServer

SECRETS = {"token.key": "5e" * 32, "signing.key": "1d" * 32, "log.key": "07" * 32}


@pytest.fixture
def passphrase(tmp_path: Path) -> Path:
    return written(tmp_path / "passphrase", "correct horse battery")


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
    return path


def run(url: str, data: Path, *arguments: object) -> tuple[int, str]:
    environ = {"STELE_STORE_URL": url, "STELE_DATA_DIR": str(data)}
    done = CliRunner(env=environ).invoke(main, [str(argument) for argument in arguments])
    return done.exit_code, done.output


@pytest.fixture
def elsewhere(valkey: ValkeyServer) -> Iterator[str]:
    with valkey.client(db=EMPTY_DATABASE) as client:
        client.flushdb()
        yield f"{valkey.url}?db={EMPTY_DATABASE}"


def test_an_empty_machine_becomes_the_same_server(
    api: Api, url: str, elsewhere: str, passphrase: Path, tmp_path: Path
) -> None:
    here, there, copy = tmp_path / "here", tmp_path / "there", tmp_path / "copy"
    for name, secret in SECRETS.items():
        written(here / name, secret)
    old = build_api(url, data_dir=here, token_key=None, signing_key=None)
    game = new_game(old, "babel", players=["Ada", "Ben"])
    before = game.show(0)
    code, output = run(url, here, "backup", copy, "--passphrase-file", passphrase)
    assert (code, set(SECRETS) <= set(output.split("encrypted: ")[-1].rstrip(".\n").split(", "))) == (0, True)
    assert not any(secret.encode() in (copy / KEYS_FILE).read_bytes() for secret in SECRETS.values())
    assert (copy / KEYS_FILE).stat().st_mode & 0o077 == 0
    code, output = run(elsewhere, there, "restore", copy, "--passphrase-file", passphrase)
    assert code == 0, output
    assert {name: (there / name).read_text().strip() for name in SECRETS} == SECRETS
    new = build_api(elsewhere, data_dir=there, token_key=None, signing_key=None)
    answer = new.get(f"/v1/games/{game.id}", game.tokens[0])
    assert (answer.status, answer.json["view"]) == (200, before["view"]), "the token still holds"
    keys = "/.well-known/stele-keys.json"
    assert new.get(keys).json["keys"][0]["key_id"] == old.get(keys).json["keys"][0]["key_id"]
    old.close()
    new.close()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda copy, _: (copy / KEYS_FILE).unlink(), "is missing"),
        (lambda _, phrase: written(phrase, "another passphrase"), "another passphrase"),
        (lambda _, phrase: written(phrase, "short"), "fewer than 12"),
        (
            lambda copy, _: (copy / KEYS_FILE).write_bytes(
                (copy / KEYS_FILE).read_bytes().replace(b"stele-keys/1", b"stele-keys/9")
            ),
            "another format",
        ),
    ],
)
def test_keys_that_cannot_be_opened_change_nothing(
    api: Api, url: str, passphrase: Path, tmp_path: Path, spoil: object, says: str
) -> None:
    here, there, copy = tmp_path / "here", tmp_path / "there", tmp_path / "copy"
    written(here / "token.key", SECRETS["token.key"])
    assert run(url, here, "backup", copy, "--passphrase-file", passphrase)[0] == 0
    assert callable(spoil)
    spoil(copy, passphrase)
    code, output = run(url, there, "restore", copy, "--passphrase-file", passphrase, "--keys-only")
    assert (code, says in output) == (1, True), output
    assert not there.exists()


def test_another_key_is_never_overwritten(api: Api, url: str, passphrase: Path, tmp_path: Path) -> None:
    here, copy = tmp_path / "here", tmp_path / "copy"
    written(here / "token.key", SECRETS["token.key"])
    assert run(url, here, "backup", copy, "--passphrase-file", passphrase)[0] == 0
    written(here / "token.key", "9" * 64)
    code, output = run(url, here, "restore", copy, "--passphrase-file", passphrase, "--keys-only")
    assert (code, "move it away first" in output) == (1, True)
    assert (here / "token.key").read_text() == "9" * 64
    assert run(url, here, "restore", copy, "--keys-only")[0] == 2

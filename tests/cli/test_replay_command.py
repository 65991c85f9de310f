"""`stele replay`: the whole game for pipes, and a screen with keys for people."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from events.seeds import name_hash
from events.store import EMPTY_LOG, Appended, EventStore
from games import RULESETS
from games.kernel import Registry
from games.toy import LANTERNS
from replays.frames import Perspective
from replays.record import entries_of
from services.cli import main
from services.cli.film import Film
from stele_terminal.keyboard import split_keys
from stele_terminal.screen import HELP, Screen
from tests.golden.records import HERE, golden
from tests.replays.forging import chained
from tests.servers import PATIENCE, ValkeyServer

RECORD = HERE / "babel" / "close_fight_2000.json"
DATABASE = 12
LAST = len(golden(RECORD)["entries"])


def run(*arguments: str | Path, rulesets: Registry | None = None) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)], obj=rulesets)


# -- in full ----------------------------------------------------------------------------------------------------------


def test_a_file_is_told_from_beginning_to_end() -> None:
    result = run(RECORD, "--plain")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == f"Babel · {golden(RECORD)['game']}"
    assert [line.split()[0] for line in lines if not line.startswith("      ")][1:] == [
        str(version) for version in range(1, LAST + 1)
    ]
    assert "Ben has won. Scores: " in result.output


def test_a_pipe_is_plain_by_itself() -> None:
    assert run(RECORD).output == run(RECORD, "--plain").output


def test_it_is_told_in_french_and_with_the_eyes_of_a_seat() -> None:
    assert "Ada pioche un Mède et deux Sumériens." in run(RECORD, "--lang", "fr").output
    assert "Ada pioche un Mède et deux Sumériens." in run(RECORD, "--lang", "fr", "--as", "0").output
    for viewer in ("1", "spectator"):
        result = run(RECORD, "--lang", "fr", "--as", viewer).output
        assert "Ada pioche trois cartes Nation." in result
        assert "Ada pioche un Mède" not in result


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-thing",), "no-such-thing is neither a file nor a game's id."),
        ((RECORD, "--as", "2"), "--as takes a seat from 0 to 1, or `spectator`, not '2'."),
        ((Path(__file__),), "cannot be used"),
        ((HERE,), "cannot be read"),
    ],
)
def test_what_cannot_be_watched_is_said_in_one_line(arguments: tuple[str | Path, ...], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1), result.output
    assert said in result.output


def test_a_broken_record_is_not_shown(tmp_path: Path) -> None:
    record = json.loads(RECORD.read_bytes())
    del record["entries"][7]
    (tmp_path / "broken.json").write_text(json.dumps(record))
    result = run(tmp_path / "broken.json")
    assert (result.exit_code, "is broken" in result.output) == (2, True)


def test_a_game_whose_rules_are_not_here_is_not_shown() -> None:
    result = run(RECORD, rulesets=Registry([LANTERNS]))
    assert (result.exit_code, "Ruleset 'babel' version 1 is not here." in result.output) == (2, True)


# -- on the screen ----------------------------------------------------------------------------------------------------


@pytest.fixture
def screen() -> Screen:
    screen = Screen(Film(golden(RECORD), RULESETS, Perspective(0), "en"))
    screen.press("home")
    return screen


def shown(screen: Screen, width: int = 120) -> str:
    page = io.StringIO()
    Console(width=width, file=page).print(screen)
    return page.getvalue()


def after(screen: Screen, *keys: str) -> int:
    for key in keys:
        screen.press(key)
    return screen.version


def test_the_screen_opens_on_the_first_board() -> None:
    film = Film(golden(RECORD), RULESETS, Perspective(0), "en")
    first = Screen(film).version
    assert film.scene(first).view is not None
    assert film.scene(first - 1).view is None


def test_keys_step_forward_and_back_and_stop_at_the_ends(screen: Screen) -> None:
    assert after(screen, "left") == 1
    assert after(screen, "right", "n", "l", "enter") == 5
    assert after(screen, "left", "b", "h") == 2
    assert after(screen, "end") == LAST
    assert after(screen, "right") == LAST
    assert after(screen, "home") == 1


def test_a_number_and_enter_go_to_a_version(screen: Screen) -> None:
    assert after(screen, "1", "7", "enter") == 17
    assert after(screen, "1", "2", "backspace", "enter") == 1
    assert after(screen, "9", "9", "9", "9", "enter") == LAST
    assert after(screen, "0", "enter") == 1
    assert after(screen, "4", "right") == 2
    assert after(screen, "3", "x", "enter") == 3


def test_playing_goes_on_by_itself_until_the_end_or_a_key(screen: Screen) -> None:
    screen.press("space")
    screen.tick()
    assert (screen.version, screen.playing) == (2, True)
    screen.press("space")
    assert not screen.playing
    after(screen, "end", "left", "space")
    screen.tick()
    assert (screen.version, screen.playing) == (LAST, False)


@pytest.mark.parametrize("key", ["q", "escape"])
def test_a_watcher_can_leave(screen: Screen, key: str) -> None:
    screen.press(key)
    assert screen.over


def test_the_screen_shows_what_happened_the_place_and_the_zones_a_viewer_sees(screen: Screen) -> None:
    after(screen, "1", "0", "enter")
    text = shown(screen)
    assert "Ada draws one Mede and two Sumerians." in text
    assert f"10/{LAST}" in text
    assert HELP["en"] in text
    assert "Medes, Sumerians" in text
    screen.press("7")
    assert "→ 7" in shown(screen)


def test_before_the_start_there_is_nothing_to_lay_out(screen: Screen) -> None:
    assert "Hand" not in shown(screen)


@pytest.mark.parametrize("path", ["aton/shared", "sa_re/pharaoh", "temple_of_five/four_late"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_moment_of_every_game_can_be_shown(path: str, language: str) -> None:
    film = Film(golden(HERE / f"{path}.json"), RULESETS, Perspective(None, everything=True), language)
    screen = Screen(film)
    for version in range(1, len(film) + 1, 7):
        after(screen, *str(version), "enter")
        assert f"{version}/{len(film)}" in shown(screen)


@pytest.mark.parametrize(
    ("path", "version", "language", "told"),
    [
        (
            "temple_of_five/three_effect_and_goals",
            118,
            "en",
            ["Red 2 (closed)", "row 1 column 2", "│ .rbbb.g. "],
        ),
        ("temple_of_five/three_effect_and_goals", 118, "fr", ["Rouge 2 (fermée)", "ligne 1 colonne 2"]),
        ("sa_re/pharaoh", 90, "en", ["Warehouse and Master Builder,"]),
        ("sa_re/pharaoh", 90, "fr", ["Entrepôt et Maître d'œuvre,"]),
        ("aton/shared", 60, "en", ["Ada 1 0 1 0, Ben 1 1 1 1"]),
    ],
)
def test_the_zones_are_told_as_a_player_would(
    path: str, version: int, language: str, told: list[str]
) -> None:
    screen = Screen(
        Film(golden(HERE / f"{path}.json"), RULESETS, Perspective(None, everything=True), language)
    )
    after(screen, *str(version), "enter")
    text = shown(screen, width=200)
    assert [part for part in told if part not in text] == []


def test_keys_are_told_apart_however_they_arrive() -> None:
    assert split_keys("\x1b[C\x1b[D12\r q") == ["right", "left", "1", "2", "enter", "space", "q"]
    assert split_keys("\x1b") == ["escape"]
    assert split_keys("é\x7f\x1bOF") == ["é", "backspace", "end"]


def test_on_a_terminal_keys_work_and_the_terminal_is_left_as_it_was() -> None:
    master, slave = pty.openpty()
    code = "from services.cli import main; main()"
    command = [sys.executable, "-c", code, "replay", str(RECORD)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    program = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    try:
        seen = read_until(master, f"/{LAST}")
        os.write(master, b"\x1b[H\x1b[C\x1b[C")
        seen += read_until(master, f"3/{LAST}")
        os.write(master, b"q")
        seen += read_until(master, "\x1b[?1049l")
        assert program.wait(PATIENCE) == 0, seen
    finally:
        program.kill()
        program.wait()
        os.close(master)


def read_until(terminal: int, wanted: str, seconds: float = PATIENCE) -> str:
    """What the program shows until this is among it."""
    seen, until = "", time.monotonic() + seconds
    while wanted not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0, until - time.monotonic()))
        assert ready, f"{wanted!r} was not shown: {seen!r}"
        seen += os.read(terminal, 65536).decode(errors="replace")
    return seen


# -- from the store ---------------------------------------------------------------------------------------------------


def test_a_game_of_this_server_is_told_as_far_as_it_has_come(
    valkey: ValkeyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STELE_STORE_URL", f"{valkey.url}?db={DATABASE}")
    monkeypatch.setenv("STELE_DATA_DIR", str(tmp_path))
    entries = entries_of(golden(RECORD))
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
        assert EventStore(client).append(EMPTY_LOG, entries[:12]) == Appended()
    game = entries[0].entry.game
    result = run(game, "--as", "1")
    assert result.exit_code == 0, result.output
    assert "\n   12  Seat 1 · Travel" in result.output
    assert "\n   13  " not in result.output
    missing = run(f"00-{'0' * 26}")
    assert (missing.exit_code, "There is no game" in missing.output) == (1, True)


@pytest.mark.parametrize("written", ["\x1b[2J\x1b[31m", "\x9b31m", "\x1b]0;title\x07", "\u202e", "\r"])
def test_nothing_that_a_player_wrote_reaches_the_terminal_as_a_command(tmp_path: Path, written: str) -> None:
    record = json.loads(RECORD.read_bytes())
    nonce = bytes.fromhex(record["people"][0]["nonce"])
    name = f"Ann{written}Lee"
    record["people"][0]["name"] = name
    seated = next(entry for entry in record["entries"] if entry["type"] == "seat_taken")
    seated["data"]["player"]["name_hash"] = name_hash(nonce, name)
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(chained(record)))
    for command in ("replay", "audit"):
        output = (
            CliRunner()
            .invoke(main, [command, str(file), *(["--plain"] if command == "replay" else [])])
            .output
        )
        assert not set(written) & set("\x1b\x9b\x07\u202e\r") & set(output), command
    assert "Ann\N{REPLACEMENT CHARACTER}" in CliRunner().invoke(main, ["replay", str(file), "--plain"]).output

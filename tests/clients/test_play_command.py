"""`stele play`: whole games by keys, in both languages, and at a real terminal."""

import io
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from services.cli import main
from stele_client import Stele
from stele_terminal.choices import Choice, next_question
from stele_terminal.seat import Seat, teller_for
from tests.cli.test_replay_command import read_until
from tests.seeding import rotated
from tests.servers import PATIENCE, free_ports, short_directory
from tests.system import stele as system

RULESETS = ["babel", "aton", "temple_of_five", "sa_re"]
COMMAND = [sys.executable, "-c", "from services.cli import main; main()", "play"]


class Fingers:
    """Press digits at random; after so many, the last keys."""

    def __init__(self, number: int, *last: str) -> None:
        self.dice = Random(number)
        self.left, self.last = number, list(last)

    def read(self, _: float | None) -> list[str]:
        if self.left == 0:
            return [self.last.pop(0)]
        self.left -= 1
        return [self.dice.choice("0123456789")]


def seat(stele: Stele, ruleset: str, language: str, keys: Fingers) -> tuple[Seat, io.StringIO]:
    table = stele.create(ruleset, [{"name": "Ann"}, {"bot": "random"}])
    state = table.players[0].look()
    page = io.StringIO()
    teller = teller_for(stele, state, language)
    return Seat(table.players[0], state, teller, Console(file=page, width=140), keys), page


# -- choosing -----------------------------------------------------------------------------------------------------------


def chosen(actions: list[Any], *keys: str) -> Any:
    choice = Choice(actions)
    for key in keys:
        choice.press(key)
    return choice.action


def test_actions_are_told_apart_step_by_step() -> None:
    actions = [
        {"type": "end_turn"},
        {"type": "move", "from": 3, "to": 5},
        {"type": "move", "from": 3, "to": 6},
        {"type": "move", "from": 4, "to": 5},
    ]
    assert chosen(actions, "1") == actions[0]
    assert chosen(actions, "2", "1", "2") == actions[2]
    assert chosen(actions, "2", "2") == actions[3]
    assert chosen(actions, "2", "1", "left", "2") == actions[3]
    assert chosen(actions, "x", "9", "backspace", "1") == actions[0]


def test_more_than_nine_options_take_two_digits() -> None:
    actions = [{"type": "place", "space": number} for number in range(45)]
    assert chosen(actions, "0", "1") == actions[0]
    assert chosen(actions, "4", "backspace", "3", "7") == actions[36]
    assert chosen(actions, "9", "9", "4", "5") == actions[44]


def test_many_lists_are_chosen_item_by_item() -> None:
    lists = [[a, b] for a in range(4) for b in range(3)] + [[0]]
    actions = [{"type": "lay", "cards": cards} for cards in lists]
    assert chosen(actions, "2", "3") == {"type": "lay", "cards": [1, 2]}
    assert chosen(actions, "1", "4") == {"type": "lay", "cards": [0]}


@pytest.mark.parametrize("ruleset", rotated(RULESETS, most=2))
def test_every_legal_action_can_be_reached(served: system.Stele, ruleset: str) -> None:
    def leaves(actions: list[Any]) -> list[Any]:
        question = next_question(actions)
        if question is None:
            return actions
        assert sum(len(option.actions) for option in question.options) == len(actions)
        return [leaf for option in question.options for leaf in leaves(list(option.actions))]

    with Stele(served.url) as stele:
        table = stele.create(ruleset, [{"name": "Ann"}, {"bot": "random"}])
        dice = Random(5)
        for turn, _ in zip(table.players[0].my_turns(), range(25), strict=False):
            assert len(leaves(turn.actions)) == len(turn.actions)
            turn.play(dice.choice(turn.actions))


# -- playing ------------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_played_by_keys_and_told_to_its_end(served: system.Stele) -> None:
    with Stele(served.url) as stele:
        player, page = seat(stele, "babel", "en", Fingers(100_000))
        assert player.play() is None
        text = page.getvalue()
        assert "What do you do?" in text
        assert re.search(r"Ann has won|bot has won|share", text)
        assert "The game is over." in text


@pytest.mark.parametrize("ruleset", rotated([*RULESETS][::-1], most=2))
def test_every_game_can_be_played_in_french_and_given_up(served: system.Stele, ruleset: str) -> None:
    with Stele(served.url, language="fr") as stele:
        player, page = seat(stele, ruleset, "fr", Fingers(60, "q", "x", "q", "r"))
        assert player.play() == "resigned"
        assert "Que faites-vous ?" in page.getvalue()
        assert player.game.look().seats[0].withdrawn == "resigned"


def test_a_refused_move_is_told_and_another_can_be_chosen(
    served: system.Stele, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stele(served.url) as stele:
        player, _ = seat(stele, "babel", "en", Fingers(0))
        frame = next(iter(player.game.frames(actions=True)))
        choices = iter([{"type": "nonsense"}, "left"])
        monkeypatch.setattr(player, "choose", lambda _: next(choices))
        while not frame.actions:
            frame = next(iter(player.game.frames(after=frame.version, actions=True)))
        assert player.answer(frame) == "left"
        assert player.story[-1].startswith("An action's `type` is one of: travel")


# -- at a terminal ------------------------------------------------------------------------------------------------------


LEAVING = [("come back later", b"l"), ("--token 0.0.", b"")]


def at_a_terminal(*arguments: str, keys: list[tuple[str, bytes]], **environ: str) -> tuple[int, str]:
    """Run it on a terminal: whenever this is shown, press that."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50", **environ}
    program = subprocess.Popen(
        [*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    seen = ""
    try:
        for shown, key in keys:
            seen += read_until(master, shown, 60)
            os.write(master, key)
        seen += read_rest(master)
        return program.wait(PATIENCE), seen
    finally:
        program.kill()
        program.wait()
        os.close(master)


def read_rest(terminal: int) -> str:
    """What is still shown, until the program has ended."""
    seen = b""
    with suppress(OSError):  # which a terminal says when nobody is there any more
        while chunk := os.read(terminal, 65536):
            seen += chunk
    return seen.decode(errors="replace")


def test_at_a_terminal_a_game_is_begun_left_and_taken_up_again(served: system.Stele) -> None:
    code, seen = at_a_terminal(
        *("babel", "--server", served.url, "--name", "Ann"),
        keys=[("number: choose", b"q"), ("come back later", b"x"), ("number: choose", b"q"), *LEAVING],
    )
    assert code == 0
    _, game, token = re.findall(r"--(server|game|token) (\S+)", seen)
    code, seen = at_a_terminal("--server", served.url, *(f"--{name}={value}" for name, value in (game, token)), keys=[("number: choose", b"q"), *LEAVING])  # fmt: skip
    assert (code, "Ann" in seen) == (0, True)


def test_a_server_is_started_where_none_runs_and_stopped_again() -> None:
    (port,) = free_ports(1)
    with short_directory() as directory:
        code, _ = at_a_terminal(
            "aton",
            *("--lang", "fr"),
            keys=[("Que faites-vous ?", b"q"), ("abandonner", b"r")],
            STELE_PORT=str(port),
            STELE_DATA_DIR=str(directory / "data"),
        )
        assert code == 0
        with Stele(f"http://127.0.0.1:{port}") as stele:
            assert not stele.is_ready()
        assert (directory / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name a RULESET"),
        (("babel", "--game", "x", "--token", "y"), "Name a RULESET"),
        (("babel",), "needs a terminal"),
    ],
)
def test_what_is_missing_is_said(arguments: tuple[str, ...], said: str) -> None:
    told = CliRunner().invoke(main, ["play", *arguments])
    assert (told.exit_code, said in told.output) == (2, True)


def test_nobody_at_an_address_is_said_in_one_line() -> None:
    code, seen = at_a_terminal("babel", "--server", "http://127.0.0.1:9", keys=[("No Stele answers", b"")])
    assert (code, "Traceback" in seen) == (1, False)

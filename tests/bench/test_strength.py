"""The table of strengths: opponents that play by the rules, games that are kept, and a page that shows them."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import strength
from bench.docs import DOCS
from bench.opponents import FIRST_ROUND, OPPONENTS, ROOT, AbsentMinded, player_of, unpack_first_round
from bench.pairings import Game, Pairing, play
from games import RULESETS
from games.chance import Chance, Stream
from games.search import Strong

SEED = bytes(range(32))
IN_HISTORY = subprocess.run(
    ["git", "cat-file", "-e", f"{FIRST_ROUND}^{{commit}}"], cwd=ROOT, capture_output=True, check=False
)
needs_history = pytest.mark.skipif(IN_HISTORY.returncode != 0, reason="a clone without history has no past")
each_ruleset = pytest.mark.parametrize("name", strength.RULESET_NAMES)


@needs_history
@each_ruleset
def test_the_greedy_of_the_first_round_answers_from_its_own_code(name: str, tmp_path: Path) -> None:
    unpack_first_round(tmp_path)
    assert not (tmp_path / "games/search.py").exists()
    ruleset = RULESETS.get(name, 1)
    state = ruleset.fold(None, ruleset.new_game({}, 2, Chance(SEED)))
    seat = state.to_act[0]
    first = player_of(ruleset, "first", tmp_path)
    for number in range(3):
        action = first.choose(ruleset.view(state, seat), seat, Stream(SEED, f"bot/{number}"))
        assert action in ruleset.legal_actions(state, seat)


def test_every_opponent_has_a_player() -> None:
    babel = RULESETS.latest("babel")
    players = {name: player_of(babel, name, Path()) for name in OPPONENTS if name != "first"}
    assert players["greedy"] is babel.greedy
    assert isinstance(players["absent"], AbsentMinded)
    assert isinstance(players["unguarded"], Strong)


def test_both_play_each_deal_from_every_seat() -> None:
    pairing = Pairing("aton", "greedy", "random", "")
    (first, one), (second, other) = play(pairing, 0), play(pairing, 1)
    assert (first, second) == (0, 1)
    assert (one.won, other.won) == (1.0, 1.0)
    assert one.decisions > 10
    assert play(pairing, 0)[1].decisions == one.decisions


def measured(path: Path, *more: str) -> str:
    arguments = [
        "--only",
        "aton",
        "--opponent",
        "absent",
        "--player",
        "greedy",
        "--jobs",
        "1",
        "--json",
        str(path),
    ]
    result = CliRunner().invoke(strength.main, [*arguments, *more], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@needs_history
def test_what_is_played_is_kept_and_never_played_twice(tmp_path: Path) -> None:
    path = tmp_path / "strengths.json"
    assert "random" in measured(path, "-n", "2")
    (first,) = json.loads(path.read_text()).values()
    measured(path, "-n", "4")
    (more,) = json.loads(path.read_text()).values()
    assert list(more) == ["0", "1", "2", "3"]
    assert {number: more[number] for number in first} == first
    measured(path, "-n", "2", "--fresh")
    (again,) = json.loads(path.read_text()).values()
    assert list(again) == ["0", "1"]


def test_the_page_shows_what_is_kept() -> None:
    kept = strength.KEPT
    shown = "\n".join(strength.table(json.loads(kept.read_text()))) if kept.exists() else "Not yet measured"
    assert shown in (DOCS / "bots.md").read_text()


def test_a_row_tells_both_players_with_intervals_and_the_time_of_the_strong_one() -> None:
    game = Game(1.0, 10, 5.0)
    kept = {
        "babel/strong/greedy": {"0": game, "1": game},
        "babel/greedy/first": {"0": Game(0.5, 1, 1.0)},
    }
    one, two = strength.rows(kept)
    assert one == ("Babel", "`greedy`", "2", "100 % (34–100)", "–", "500 ms")
    assert two[2:] == ("1", "–", "50 % (5–95)", "–")

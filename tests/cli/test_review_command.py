"""`stele review`: a curve, turning points in sentences, and an account of choices and luck, for people and for programs."""

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from games import RULESETS
from projections.reviews import Reviews
from replays.narration import teller_of
from replays.review.report import review_tag
from services.cli.curve import HEIGHT, MARKS, Curve, signed
from tests.api.client import Api, new_game
from tests.api.finished import settled_game
from tests.cli.conftest import Run
from tests.golden.records import HERE

GIVEN_UP = HERE / "babel" / "close_fight_2000.json"


def test_a_record_is_reviewed_without_a_server(run: Run, record: Path) -> None:
    result = run("review", record, "--iterations", 4)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Lanterns · ")
    for words in ("Chances to win", "● Ada   ▲ Ben   ■ Cleo", "Lost by choices", "Luck of the draws"):
        assert words in result.output


def test_it_is_told_in_french(run: Run, record: Path) -> None:
    result = run("review", record, "--iterations", 4, "--lang", "fr")
    assert "Chances de victoire" in result.output
    assert "Perdu par ses choix" in result.output


def test_as_json_it_is_the_same_however_often_it_is_made(run: Run, record: Path) -> None:
    first, again = (run("review", record, "--iterations", 4, "--json").output for _ in range(2))
    assert first == again
    assert json.loads(first)["game"] == json.loads(record.read_bytes())["game"]


def test_a_game_of_this_server_is_reviewed_and_a_review_that_is_there_is_shown(run: Run, api: Api) -> None:
    game = settled_game(api)
    made = json.loads(run("review", game.id, "--iterations", 2, "--json").output)
    assert made["version"] == game.head[0]
    reviews = Reviews(api.context.store.client)
    reviews.begin(game.id, "somebody")
    asked = reviews.run(game.id)
    assert asked
    kept = msgspec.json.encode(made | {"format": 77})
    assert reviews.finish(game.id, asked, review_tag(game.head[1]), kept)
    assert json.loads(run("review", game.id, "--json").output)["format"] == 77
    assert json.loads(run("review", game.id, "--iterations", 2, "--json").output) == made


def test_what_cannot_be_reviewed_is_said_in_a_line(run: Run, api: Api, tmp_path: Path, record: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(record.read_bytes().replace(b'"seq":3', b'"seq":4', 1))
    aborted = new_game(api, players=0, seats=3)
    aborted.post("/abort", token="token-of-an-operator-here")
    aborted.settle()
    for subject, said in (
        ("nothing", "nothing is neither a file nor a game's id."),
        (broken, "is broken"),
        (new_game(api).id, "is not settled yet"),
        (aborted.id, "called off before it began"),
    ):
        result = run("review", subject)
        assert (result.exit_code, said in result.output) == (2, True), result.output


def drawn(body: Any, width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    console.print(Curve(body, teller_of(RULESETS.latest("babel"), "en", ["Ada", "Ben"])))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_curve_is_as_wide_as_there_is_room(width: int) -> None:
    points = [{"version": 4 + n, "chances": [10 * n, 1000 - 10 * n], "luck": None} for n in range(101)]
    turning = [{"version": 4}, {"version": 104}]
    title, legend, *rows, below = drawn({"curve": points, "turning_points": turning}, width)
    assert legend.strip() == "● Ada   ▲ Ben"
    assert len(rows) == HEIGHT
    assert rows[0].startswith(" 100 │▲")
    assert rows[0].rstrip().endswith("●")
    assert rows[-1].startswith("   0 │●")
    assert max(len(row) for row in rows) == len(below) == min(width, 160)
    assert (below[6], below[-1]) == ("1", "2")
    assert title


def test_every_seat_has_a_mark_of_its_own() -> None:
    most = max(ruleset.seat_counts[-1] for ruleset in RULESETS)
    assert len(set(MARKS)) == len(MARKS) >= most


@pytest.mark.parametrize(
    ("thousandths", "told"), [(0, "0"), (4, "0"), (-4, "0"), (123, "+12"), (-125, "−13")]
)
def test_thousandths_are_told_as_signed_points(thousandths: int, told: str) -> None:
    assert signed(thousandths) == told


def test_of_a_golden_game_the_turning_points_are_told(run: Run) -> None:
    result = run("review", GIVEN_UP, "--iterations", 4)
    assert result.exit_code == 0, result.output
    assert "would have been better, with" in result.output

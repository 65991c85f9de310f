"""`stele selfplay` and the games it plays."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace as replace_members

from games import RULESETS
from games.chance import Stream
from games.kernel import Outcome, Registry, Ruleset
from games.toy import LANTERNS, HighestCard, Lay, State
from services.cli import main, selfplay
from services.cli.confidence import interval
from services.cli.selfplay import BrokenGame, Match, Tally, play_game, play_many, seeds

SEED = bytes(range(32))
GREEDY_FIRST = ("greedy", "random", "random")


class Stuck(HighestCard):
    """A bot that does not know what to do."""

    def choose(self, view: State, seat: int, dice: Stream) -> Lay:
        raise ValueError("what now?")


STUCK = replace(LANTERNS, greedy=Stuck())


def run(*arguments: str, ruleset: Ruleset[State, Lay] = LANTERNS) -> Result:
    return CliRunner().invoke(main, ["selfplay", *arguments], obj=Registry([ruleset]))


def in_short(result: selfplay.SelfplayResult) -> str:
    """All that a seed decides: not the time that it took."""
    return repr(replace_members(result, seconds=()))


def test_the_same_seed_gives_the_same_game() -> None:
    results = {in_short(play_game(LANTERNS, {}, 3, GREEDY_FIRST, SEED)) for _ in range(3)}
    assert len(results) == 1


def test_another_seed_gives_another_game() -> None:
    results = {in_short(play_game(LANTERNS, {}, 3, GREEDY_FIRST, seed)) for seed in seeds(SEED, 20)}
    assert len(results) > 1


def test_a_result_says_how_the_game_went() -> None:
    result = play_game(LANTERNS, {}, 3, GREEDY_FIRST, SEED)
    assert (result.actions, result.length) == (12, 4)
    assert (result.bots, result.decisions) == ((0, 1, 2), (4, 4, 4))
    assert all(seconds >= 0 for seconds in result.seconds)
    assert result.outcome.reason == "rounds_played"
    assert result.outcome.winners


def test_the_first_seed_is_used_as_it_is_and_no_seed_twice() -> None:
    derived = list(seeds(SEED, 50))
    assert derived[0] == SEED
    assert len(set(derived)) == 50
    assert {len(seed) for seed in derived} == {32}


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_come_out_the_same_on_any_number_of_processes(jobs: int) -> None:
    game = Match(LANTERNS, {}, GREEDY_FIRST, swap=True).play
    with play_many(game, seeds(SEED, 12), jobs) as results:
        played = sorted(map(in_short, results))
    assert played == sorted(in_short(game(*numbered)) for numbered in enumerate(seeds(SEED, 12)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_game_is_told_with_its_seed(jobs: int) -> None:
    game = Match(STUCK, {}, ("greedy",) * 3).play
    with pytest.raises(BrokenGame, match=SEED.hex()), play_many(game, [SEED], jobs) as results:
        list(results)


def test_a_tally_counts_ends_wins_and_scores() -> None:
    outcomes = [
        Outcome((0,), "first", (5, 3)),
        Outcome((0, 1), "second", (4, 4)),
        Outcome((), "second", (0, 0)),
    ]
    bots = [(0, 1), (0, 1), (1, 0)]
    tally = Tally(
        selfplay.SelfplayResult(outcome, 10, 2, seating, decisions=(5, 5), seconds=(1.0, 4.0))
        for outcome, seating in zip(outcomes, bots, strict=True)
    )
    assert tally.reasons == {"first": 1, "second": 2}
    assert tally.wins == {0: 2, 1: 1}
    assert (tally.shared, tally.won_by_nobody) == (1, 1)
    assert tally.scores_of(1) == [3, 4, 0]
    assert [tally.seconds_of(bot) for bot in (0, 1)] == [pytest.approx(6 / 15), pytest.approx(9 / 15)]


def test_the_table_tells_how_games_ended_how_long_they_were_and_who_won() -> None:
    result = run("lanterns", "-n", "5", "--bots", "greedy,random,random", "--seed", SEED.hex(), "--jobs", "1")
    assert result.exit_code == 0, result.output
    for word in (
        SEED.hex(),
        "5 games of Lanterns",
        "rounds_played",
        "100.0%",
        "actions",
        "rounds",
        "0 greedy",
    ):
        assert word in result.output
    lines = [line.split() for line in result.output.splitlines()]
    assert ["actions", "12.0", "12", "12"] in lines
    assert ["rounds", "4.0", "4", "4"] in lines


def test_the_same_seed_prints_the_same_table() -> None:
    outputs = {
        without_times(run("lanterns", "-n", "9", "--seed", SEED.hex(), "--jobs", jobs).output)
        for jobs in ("1", "2")
    }
    assert len(outputs) == 1


def without_times(output: str) -> str:
    """What was printed, but for how long the bots thought."""
    told, _, rest = output.partition("Thinking")
    return told + rest[rest.index("Won by several") :]


def test_whoever_swaps_seats_is_told_by_bot_with_an_interval() -> None:
    arguments = ("-n", "6", "--bots", "greedy,random,random", "--seed", SEED.hex(), "--jobs", "1")
    output = run("lanterns", *arguments, "--swap").output
    assert "95 %" in output
    assert "ms a decision" in output
    assert [line for line in output.splitlines() if line.split()[:2] == ["0", "greedy"]]
    match = Match(LANTERNS, {}, GREEDY_FIRST, swap=True)
    assert [match.play(number, SEED).bots for number in range(4)] == [
        (0, 1, 2),
        (2, 0, 1),
        (1, 2, 0),
        (0, 1, 2),
    ]


@pytest.mark.parametrize(
    ("won", "games", "between"), [(0, 10, (0.0, 0.278)), (5, 10, (0.237, 0.763)), (95, 100, (0.888, 0.978))]
)
def test_an_interval_is_wilsons(won: int, games: int, between: tuple[float, float]) -> None:
    assert interval(won, games) == pytest.approx(between, abs=0.001)


@pytest.mark.parametrize("name", sorted({ruleset.name for ruleset in RULESETS}))
def test_records_are_written_in_which_an_audit_misses_a_signature_alone(name: str, tmp_path: Path) -> None:
    arguments = ["selfplay", name, "-n", "2", "--bots", "random", "--swap", "--jobs", "1"]
    written = CliRunner().invoke(
        main, [*arguments, "--seed", SEED.hex(), "--records", str(tmp_path / "played")]
    )
    assert written.exit_code == 0, written.output
    records = sorted((tmp_path / "played").iterdir())
    assert [record.name for record in records] == ["0000.json", "0001.json"]
    for record in records:
        audited = CliRunner().invoke(main, ["audit", str(record)])
        assert "nothing is wrong in what could be checked" in audited.output, audited.output
        assert [line for line in audited.output.splitlines() if "–" in line] == [
            line for line in audited.output.splitlines() if "the head is not signed" in line
        ]


def test_without_a_seed_the_one_that_was_drawn_is_told() -> None:
    first = run("lanterns", "-n", "4").output
    again = run("lanterns", "-n", "4", "--seed", first.split()[2]).output
    assert without_times(again) == without_times(first)


@pytest.mark.parametrize("name", sorted({ruleset.name for ruleset in RULESETS}))
def test_every_game_of_the_house_can_be_played(name: str) -> None:
    result = CliRunner().invoke(main, ["selfplay", name, "-n", "2", "--bots", "greedy", "--jobs", "2"])
    assert result.exit_code == 0, result.output
    assert f"({name} {RULESETS.latest(name).version})" in result.output


def test_an_option_of_the_game_can_be_chosen() -> None:
    assert run("lanterns", "-n", "1", "--option", "component_set=lanterns").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no ruleset 'chess'; known: lanterns."),
        (["lanterns", "--seats", "5"], "lanterns is for 3 players, not 5."),
        (
            ["lanterns", "--bots", "clever"],
            "There is no bot 'clever'; choose one of random, greedy, keen, strong, master.",
        ),
        (["lanterns", "--bots", "greedy,random"], "3 seats take one bot level for all or 3 of them, not 2."),
        (["lanterns", "--option", "speed=9"], "lanterns has no option 'speed'; it has: component_set."),
        (["lanterns", "--option", "speed"], "An option is written NAME=VALUE, not 'speed'."),
        (["lanterns", "--option", "component_set=tin"], "There is no component set 'tin'; known: lanterns."),
        (["lanterns", "--seed", "abc"], "A seed is 64 hexadecimal digits, not 'abc'."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.output) == (2, f"Error: {sentence}\n")


def test_a_game_that_breaks_ends_the_run_with_its_seed() -> None:
    result = run("lanterns", "--bots", "greedy", "--seed", SEED.hex(), "--jobs", "1", ruleset=STUCK)
    assert result.exit_code == 1
    assert f"Error: The game with seed {SEED.hex()} broke" in result.output


def test_help_tells_every_option() -> None:
    for word in (
        "-n",
        "--bots",
        "--seats",
        "--option",
        "--seed",
        "--swap",
        "--records",
        "--jobs",
        "Examples",
    ):
        assert word in run("--help").output
    assert "selfplay" in CliRunner().invoke(main, ["--help"]).output

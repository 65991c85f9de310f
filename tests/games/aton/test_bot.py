"""The greedy bot plays with sense."""

import pytest

from games.aton import ATON
from games.chance import Stream
from services.cli.selfplay import play_game
from tests.games.aton.positions import BLUE, GREEN, RED, TEMPLE_1, given, in_turn, pieces, place
from tests.rulesets.story import SEED, Story, builtins


def choice(story: Story, seat: int) -> object:
    """What the bot does, seeing what its seat sees."""
    view = story.ruleset.view(story.state, seat)
    return builtins(ATON.bot("greedy").choose(view, seat, Stream(SEED, "bot")))


def test_the_greedy_bot_beats_the_random_one_clearly() -> None:
    wins = 0
    for number in range(20):
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        result = play_game(ATON, {}, 2, levels, number.to_bytes(32, "big"))
        wins += result.outcome.winners == (levels.index("greedy"),)
    assert wins >= 18


def test_it_completes_a_temple_that_it_can_fill() -> None:
    story = in_turn("place", RED, [1, 2, 4, 2], [1, 3, 4, 4], board=pieces(red=TEMPLE_1[2:]))
    for space in ("t1-01", "t1-02"):
        assert choice(story, RED) == {"type": "place", "space": space}
        story.when(RED, {"type": "place", "space": space})
    story.stands({"/outcome/winners": [RED]})


def test_it_breaks_a_set_that_the_opponent_is_about_to_complete() -> None:
    board = pieces(red=("t4-01", "t4-04"), blue=(*GREEN[:12], "t1-01", "t2-01", "t3-01"))
    story = in_turn("remove", RED, [1, 3, 4, 1], [1, 4, 4, 4], board=board)
    chosen = choice(story, RED)
    assert isinstance(chosen, dict)
    assert chosen["space"] in GREEN


def test_it_exchanges_a_poor_hand_and_keeps_a_good_one() -> None:
    story = given({"players": [{"hand": [1, 1, 2, 1]}, {"hand": [4, 4, 3, 4]}]})
    assert choice(story, RED) == {"type": "exchange"}
    assert choice(story, BLUE) != {"type": "exchange"}


def test_it_lays_the_card_that_wins_at_cartouche_1() -> None:
    players = [{"hand": [4, 1, 3, 3], "score": 39}, {}]
    chosen = choice(given({"round": 5, "players": players}), RED)
    assert isinstance(chosen, dict)
    assert chosen["cards"][0] == 4


def test_it_gives_up_the_piece_it_misses_least() -> None:
    board = pieces(red=("t4-01", "t4-04", "t4-08", "t4-05", "t4-06"))
    story = in_turn(
        "cull",
        RED,
        [1, 2, 1, 1],
        [1, 3, 1, 1],
        board=board,
        dead=[0, 1] * 4,
        cull_quota=[[0, 0, 0, 1], [0] * 4],
    )
    assert choice(story, RED) == {"type": "cull", "space": "t4-01"}


STRONG = (
    "t2-05",
    "t2-06",
    "t2-07",
    "t2-09",
    "t3-01",
    "t3-05",
    "t3-06",
    "t3-07",
    "t4-04",
    "t4-05",
    "t4-06",
    "t4-07",
    "t4-08",
)
WEAK = ("t1-01", "t1-02", "t1-03", "t2-01")


def laid_with_six_dead(board: dict[str, int], hand: list[int]) -> list[int]:
    """The cards that red lays when two more pieces bring a scoring."""
    players = [{"hand": hand, "score": 20}, {"score": 20}]
    position = {"round": 6, "board": board, "dead": [RED, BLUE] * 3, "players": players}
    chosen = choice(given(position), RED)
    assert isinstance(chosen, dict)
    cards: list[int] = chosen["cards"]
    return cards


@pytest.mark.parametrize("hand", [[4, 3, 2, 4], [4, 2, 3, 3], [2, 4, 4, 4]])
def test_it_sends_nobody_to_the_dead_when_a_scoring_would_be_the_opponents(hand: list[int]) -> None:
    assert laid_with_six_dead(pieces(red=WEAK, blue=STRONG), hand)[1] == 2


@pytest.mark.parametrize("hand", [[4, 3, 2, 4], [4, 2, 3, 3], [2, 4, 4, 4]])
def test_it_fills_the_dead_when_a_scoring_would_be_its_own(hand: list[int]) -> None:
    assert laid_with_six_dead(pieces(red=STRONG, blue=WEAK), hand)[1] == 4


def test_the_last_piece_before_a_scoring_makes_a_majority_and_one_long_before_it_takes_a_bonus() -> None:
    level_in_temple_2 = pieces(
        red=("t2-01", "t2-02", "t2-07", "t2-08"), blue=("t2-05", "t2-06", "t2-09", "t2-10")
    )
    lost_elsewhere = pieces(
        blue=(
            "t1-07",
            "t3-01",
            "t3-02",
            "t3-03",
            "t3-04",
            "t3-12",
            "t4-01",
            "t4-02",
            "t4-03",
            "t4-05",
            "t4-06",
            "t4-07",
        )
    )
    board = {**level_in_temple_2, **lost_elsewhere}
    full = in_turn("place", RED, [1, 4, 4, 1], [2, 3, 1, 1], board=board, dead=[RED, BLUE] * 4)
    assert choice(full, RED) == place("t2-03")
    empty = in_turn("place", RED, [1, 4, 4, 1], [2, 3, 1, 1], board=board)
    assert choice(empty, RED) == place("t4-04")

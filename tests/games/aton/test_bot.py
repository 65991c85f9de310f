"""The greedy bot plays with sense."""

from games.aton import ATON
from games.chance import Stream
from services.cli.selfplay import play
from tests.games.aton.positions import BLUE, GREEN, RED, TEMPLE_1, given, in_turn, pieces
from tests.rulesets.story import SEED, Story, builtins


def choice(story: Story, seat: int) -> object:
    """What the bot does, seeing what its seat sees."""
    view = story.ruleset.view(story.state, seat)
    return builtins(ATON.bot("greedy").choose(view, seat, Stream(SEED, "bot")))


def test_the_greedy_bot_beats_the_random_one_clearly() -> None:
    wins = 0
    for number in range(20):
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        result = play(ATON, {}, 2, levels, number.to_bytes(32, "big"))
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

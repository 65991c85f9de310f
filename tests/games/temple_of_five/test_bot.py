"""The greedy bot plays with sense (15)."""

from typing import Any

from games.chance import Stream
from games.temple_of_five import TEMPLE_OF_FIVE
from services.cli.selfplay import play_game
from tests.games.temple_of_five.tables import END_TURN, given, last_turn
from tests.rulesets.story import SEED, Story, builtins

EVERY_CHAIN = [[0, 1], [0, 3], [0, 6], [4, 2]]
"""Where priests close the red, gold, blue and green chain of seat 0 in `last_turn`."""


def turn(story: Story) -> list[Any]:
    """What the bot does on seat 0's turn, seeing what its seat sees."""
    actions = []
    while story.state.active_seat == 0:
        view = TEMPLE_OF_FIVE.view(story.state, 0)
        actions.append(builtins(TEMPLE_OF_FIVE.bot("greedy").choose(view, 0, Stream(SEED, "bot"))))
        story.when(0, actions[-1])
    return actions


def last_turn_for_goals(side: str, me: dict[str, Any], **zones: Any) -> Story:
    """Seat 0's last turn with this side of the goal card."""
    position = last_turn("s_gold_1", face_up=False, me={**me, "goal_side": side}, **zones)
    position["players"][1]["goal_side"] = "a"
    return given(position, options={"ultimate_goal": True})


def test_it_beats_the_random_bot() -> None:
    for number in range(4):
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        result = play_game(TEMPLE_OF_FIVE, {}, 2, levels, number.to_bytes(32, "big"))
        assert result.outcome.winners == (levels.index("greedy"),)


def test_it_lays_two_pieces_that_win_a_card_together_though_neither_does_alone() -> None:
    me = {"bonus_2": ["b2_green_1", "b2_green_2"], "board_priests": EVERY_CHAIN[:3]}
    display = {
        "green": {"card": "green_06", "priests": [None, None, 1, 1]},
        "supreme": {"card": "supreme_09", "priests": [None, 1, 1, 1, 1]},
    }
    story = given(last_turn("s_gold_1", face_up=False, me=me, display=display))
    turn(story)
    assert story.state.players[0].completed == ("green_06",)


def test_it_lays_the_pieces_that_a_goal_asks_for() -> None:
    laid = [
        {"bonus": "b2_red_1", "level": 0, "spaces": [[0, 4], [0, 5]]},
        {"bonus": "b2_blue_1", "level": 0, "spaces": [[2, 0], [3, 0]]},
    ]
    me = {"bonus_2": ["b2_green_1", "b2_gold_1"], "pieces": laid, "board_priests": EVERY_CHAIN}
    story = last_turn_for_goals("b", me)
    turn(story)
    assert len(story.state.players[0].pieces) == 4


def test_it_keeps_the_priests_in_reserve_that_a_goal_asks_for() -> None:
    display = {
        "gold": {"card": "gold_10", "priests": [1, 0, None, None, None]},
        "blue": {"card": "blue_10", "priests": [0, 0, None, None, 1]},
    }
    story = last_turn_for_goals("a", {"board_priests": EVERY_CHAIN[:3]}, display=display)
    assert story.state.players[0].priests_reserve == 4
    assert turn(story) == [END_TURN]


def test_it_prefers_the_second_card_of_a_god_that_a_goal_asks_for_to_a_dearer_one() -> None:
    display = {
        "blue": {"card": "blue_02", "priests": [1, 0, None]},
        "gold": {"card": "gold_04", "priests": [1, 0, None]},
        "supreme": {"card": "supreme_10", "priests": [1, 1, 1, None, None]},
    }
    me = {"completed": ["blue_01"]}
    story = last_turn_for_goals("b", me, display=display, turn_state={"chains_used": 1})
    turn(story)
    assert story.state.players[0].completed == ("blue_01", "blue_02")

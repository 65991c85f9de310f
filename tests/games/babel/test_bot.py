"""The greedy bot plays sensibly, from its own view alone, and comes to an end."""

from collections import Counter
from typing import Any

import pytest

from games.babel import BABEL
from games.babel.bot import PATIENCE
from games.babel.state import State
from games.chance import Chance, Stream
from tests.games.babel.laid_out import laid_out, pile_without, side, spare_temples
from tests.rulesets.story import Story, builtins

GREEDY = BABEL.bot("greedy")
DICE = Stream(bytes(32), "bot")


def choice(story: Story) -> Any:
    """What the bot does here, as on the wire."""
    seat = story.state.to_act[0]
    return builtins(GREEDY.choose(BABEL.view(story.state, seat), seat, DICE))


def turn_played(story: Story) -> State:
    """What the bot makes of the rest of a turn."""
    state: State = story.state
    turn, seat = state.turn, state.to_act[0]
    while state.to_act == (seat,) and state.turn == turn:
        action = GREEDY.choose(BABEL.view(state, seat), seat, DICE)
        state = BABEL.play(state, seat, action, Chance(bytes(32))).state
    return state


def played(number: int, levels: tuple[str, str], edition: str) -> State:
    """A whole game between two bots."""
    seed = number.to_bytes(32, "big")
    bots = [BABEL.bot(level) for level in levels]
    dice = Stream(seed, "bot")
    state = BABEL.fold(None, BABEL.new_game({"edition": edition}, 2, Chance(seed)))
    while state.to_act:
        seat = state.to_act[0]
        action = bots[seat].choose(BABEL.view(state, seat), seat, dice)
        state = BABEL.fold(state, BABEL.decide(state, seat, action, Chance(seed)))
    return state


@pytest.mark.parametrize("edition", ["2013", "2000"])
def test_the_greedy_bot_beats_the_random_one_from_either_seat(edition: str) -> None:
    for number in range(10):
        for seat, levels in enumerate((("greedy", "random"), ("random", "greedy"))):
            outcome = played(number, levels, edition).outcome
            assert outcome
            assert outcome.winners == (seat,)


def test_games_between_greedy_bots_end_in_every_way() -> None:
    reasons = Counter(
        outcome.reason
        for number in range(30)
        if (outcome := played(number, ("greedy", "greedy"), "2013").outcome)
    )
    assert reasons.keys() == {"fifteen_to_nine", "twenty", "below_ten", "temple_pile_empty"}


def test_the_greedy_bot_takes_a_win_that_lies_before_it() -> None:
    me = {
        "pawn": "hittites",
        "sites": spare_temples(total=14) | side("hittites", column=["medes"]),
        "temple_column": [1],
    }
    assert choice(laid_out(me, {"sites": spare_temples(total=9)})) == {"type": "build", "source": "own"}


def test_the_greedy_bot_destroys_a_high_temple() -> None:
    me = {"pawn": "medes", "hand": [], "sites": side("medes", column=["assyrians"] * 3)}
    other = {"sites": side("medes", temple=[1, 2, 3, 4, 5])}
    assert choice(laid_out(me, other)) == {"type": "destroy_temple", "run": 0}


def test_the_greedy_bot_destroys_nothing_once_its_patience_is_over() -> None:
    me = {"pawn": "medes", "hand": [], "sites": side("medes", column=["assyrians"] * 3)}
    other = {"hand": [], "sites": side("medes", temple=[1, 2, 3, 4, 5])}
    late = PATIENCE + 1 + PATIENCE % 2
    assert choice(laid_out(me, other, turn=late))["type"] != "destroy_temple"


def test_the_greedy_bot_keeps_a_journey_of_every_nation_when_its_hand_is_halved() -> None:
    pending = {"type": "discard_half", "seat": 1, "count": 3}
    hand = ["assyrians", "hittites", "medes", "medes", "medes", "medes"]
    story = laid_out(other={"hand": hand}, pending=pending)
    assert choice(story) == {"type": "discard", "nations": ["medes"] * 3}


def test_the_greedy_bot_wins_by_a_level_that_it_skips() -> None:
    me = {
        "pawn": "medes",
        "hand": ["persians", "persians", "sumerians"],
        "sites": spare_temples(total=13, at="sumerians") | side("sumerians", column=["persians"]),
        "temple_column": [2],
    }
    outcome = turn_played(laid_out(me, {"hand": ["medes"] * 4, "sites": spare_temples(total=9)})).outcome
    assert outcome
    assert (outcome.winners, outcome.scores) == ((0,), (15, 9))


def test_the_greedy_bot_wins_by_cards_that_it_moves_to_another_site() -> None:
    me = {
        "pawn": "assyrians",
        "hand": ["hittites", "sumerians"],
        "sites": spare_temples(total=13, at="sumerians")
        | side("persians", column=["hittites"] + ["persians"] * 3),
        "temple_column": [2],
    }
    outcome = turn_played(laid_out(me, {"hand": ["medes"] * 4, "sites": spare_temples(total=9)})).outcome
    assert outcome
    assert (outcome.winners, outcome.scores) == ((0,), (15, 9))


def test_the_greedy_bot_ends_its_turn_when_the_last_temple_cards_make_it_the_winner() -> None:
    me = {"pawn": "medes", "hand": ["medes"] * 3, "sites": spare_temples(total=7)}
    used = (6, 1, 6)
    column = pile_without(*used, 1, 2)
    other = {"sites": spare_temples(total=6), "temple_column": column}
    assert choice(laid_out(me, other, temple_pile=[1, 2])) == {"type": "end_turn"}

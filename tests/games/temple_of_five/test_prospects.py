"""What somebody who looks ahead is told of Temple of Five."""

from typing import Any

import pytest

from games.chance import Chance, Stream
from games.temple_of_five import TEMPLE_OF_FIVE
from games.temple_of_five.prospects import alike, chances, moment
from tests.games.temple_of_five.tables import given, last_turn, priest_turn, seats_at
from tests.rulesets.story import SEED

ALL_VARIANTS = {"special_tiles": "mixed", "will_of_the_gods": True, "ultimate_goal": True}


def course(seats: int, options: dict[str, Any]) -> list[Any]:
    """Every state of a game that greedy bots play, to its end."""
    states = [given(seats=seats, options=options).state]
    while states[-1].to_act:
        state, seat = states[-1], states[-1].to_act[0]
        dice = Stream(SEED, f"bot/{len(states)}")
        action = TEMPLE_OF_FIVE.bot("greedy").choose(TEMPLE_OF_FIVE.view(state, seat), seat, dice)
        states.append(TEMPLE_OF_FIVE.play(state, seat, action, Chance(SEED)).state)
    return states


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, ALL_VARIANTS], ids=["plain", "all variants"])
def test_chances_together_are_one_and_the_end_gives_them_to_the_winner(
    seats: int, options: dict[str, Any]
) -> None:
    states = course(seats, options)
    for state in states:
        assert sum(chances(state)) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in chances(state))
    winners = states[-1].outcome.winners
    shared = [1 / len(winners) if seat in winners else 0 for seat in range(seats)]
    assert chances(states[-1]) == pytest.approx(shared)


def test_a_game_is_measured_in_rounds() -> None:
    moments = [moment(state) for state in course(2, {})]
    assert moments == sorted(moments)
    assert set(moments) == set(range(1, 7))


def test_the_same_lead_tells_more_the_later_it_is() -> None:
    leads = []
    for number in (1, 3, 5):
        ahead = seats_at(2, seat_0={"completed": ["red_07"]})
        ahead[0]["tiles"] = ahead[1]["tiles"] = None
        state = given({"phase": "exchange", "round": number, "players": ahead}).state
        leads.append(chances(state)[0])
    assert leads == sorted(leads)
    assert leads[-1] > 0.6


def test_points_and_hopes_better_the_chances() -> None:
    def chance(**me: Any) -> float:
        return chances(given(last_turn("s_gold_1", face_up=False, me=me)).state)[0]

    assert chance(completed=["red_07"]) > chance(completed=["red_01"]) > chance()
    assert chance(bonus_2=["b2_red_1"]) > chance()
    led = {"red": {"card": "red_07", "priests": [0, 0, None, None]}}
    lost = {"red": {"card": "red_07", "priests": [1, 1, None, None]}}
    first, second = (
        chances(given(last_turn("s_gold_1", display=display)).state)[0] for display in (led, lost)
    )
    assert first > second


def test_who_has_withdrawn_has_no_chance() -> None:
    story = given(seats=3).withdraws(2)
    assert chances(story.state)[2] == 0
    assert sum(chances(story.state)) == pytest.approx(1)


def test_a_chain_serves_alike_from_all_spaces_that_the_same_levels_cover() -> None:
    state = given(priest_turn((0, "d01"), (1, "d02"), (2, "d03"))).state
    uses = [action for action in TEMPLE_OF_FIVE.choices(state, 0) if hasattr(action, "card_spaces")]
    keys = {alike(state, 0, action) for action in uses}
    assert 0 < len(keys) < len(uses)

"""What somebody who looks ahead is told of Sa-Ré."""

from typing import Any

import pytest

from games.chance import Chance, Stream
from games.sa_re import SA_RE
from games.sa_re.actions.season import Draw, Stop
from games.sa_re.prospects import alike, chances, is_left_to_greedy, moment
from tests.games.sa_re.table import city, given, in_construction, in_season, in_sites, site
from tests.rulesets.story import SEED


def course(seats: int, **options: Any) -> list[Any]:
    """Every state of a game that greedy bots play, to its end."""
    states = [given(seats=seats, **options).state]
    while states[-1].to_act:
        state, seat = states[-1], states[-1].to_act[0]
        dice = Stream(SEED, f"bot/{len(states)}")
        action = SA_RE.bot("greedy").choose(SA_RE.view(state, seat), seat, dice)
        states.append(SA_RE.play(state, seat, action, Chance(SEED)).state)
    return states


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("mode", ["scribe", "architect", "priest", "pharaoh"])
def test_chances_together_are_one_and_the_end_gives_them_to_the_winner(seats: int, mode: str) -> None:
    states = course(seats, mode=mode, max_rounds=4)
    for state in states:
        assert sum(chances(state)) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in chances(state))
    winners = states[-1].outcome.winners
    shared = [1 / len(winners) if seat in winners else 0 for seat in range(seats)]
    assert chances(states[-1]) == pytest.approx(shared)


def test_a_game_is_measured_in_rounds() -> None:
    moments = [moment(state) for state in course(2, max_rounds=3)]
    assert moments == sorted(moments)
    assert set(moments) == {1, 2, 3}


def test_the_further_a_pyramid_has_grown_the_better_the_chance() -> None:
    grown = [
        {"spaces": city({"5": site("pyramid", new=False, number=1, steps=steps)})} for steps in (0, 1, 2)
    ]
    first, second, third = (chances(in_sites(player, {}).state)[0] for player in grown)
    assert first < second < third


def test_crafts_and_resources_better_the_chances_and_revolt_worsens_them() -> None:
    rich = chances(in_sites({"spaces": city({"5": ["carpenter"]})}, {}).state)
    assert rich[0] > 0.5
    cards = chances(in_construction({"cards": ["gold_gold", "wood_wood"]}, {"cards": ["gold_1"]}).state)
    assert cards[0] > 0.5
    revolt = {"obelisk": "revolt", "revolt": 7, "cards": ["gold_1", "wood_1"]}
    assert chances(in_construction(revolt, {"cards": ["stone_1", "wood_2"]}).state)[0] < 0.5


def test_who_has_withdrawn_has_no_chance() -> None:
    story = in_sites({}, {}, {}).withdraws(1)
    assert chances(story.state)[1] == 0
    assert sum(chances(story.state)) == pytest.approx(1)


def test_cards_of_one_look_are_kept_alike_and_others_are_not() -> None:
    state = in_construction({"cards": ["gold_1", "gold_2", "wood_1"]}, {}).state
    keys = {
        action.keep: alike(state, 0, action) for action in SA_RE.choices(state, 0) if hasattr(action, "keep")
    }
    assert keys["gold_1",] == keys["gold_2",] != keys["wood_1",]


def test_looking_ahead_is_for_the_season() -> None:
    assert {state.phase for state in course(2) if not is_left_to_greedy(state, 0)} == {"season"}


def test_who_can_pay_its_last_step_ends_the_season_before_the_other_can() -> None:
    """Ready together, seat 1 would win by its Temple; it lacks three resources, and a season that goes on brings them."""
    ready = {
        "spaces": city({"5": site("pyramid", new=False, number=1, steps=2)}),
        "cards": ["gold_gold", "stone_stone", "gold_1", "stone_1", "wood_1"],
    }
    behind = {
        "spaces": city({"5": site("pyramid", new=False, number=2, steps=2), "1": ["temple"]}),
        "cards": ["gold_stone"],
    }
    deck = ["wood_2", "gold_2", "stone_2", "wood_3", "gold_3", "stone_3", "trouble_1", "trouble_2", "wood_4"]
    state = in_season(ready, behind, deck=deck).state
    view, dice = SA_RE.view(state, 0), Stream(SEED, "bot/0/0")
    assert SA_RE.bot("greedy").choose(view, 0, dice) == Draw()
    assert SA_RE.bot("keen").choose(view, 0, dice) == Stop()

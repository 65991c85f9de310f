"""Every use of chance is named once, recorded, and can be drawn again by anyone who has the seed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from games.chance import Stream
from tests.rulesets.kit import Kit
from tests.rulesets.playing import a_few_games, each_kit, games


@each_kit
@a_few_games
@given(data=st.data())
def test_a_label_is_used_once_in_a_game(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    uses = Counter(draw.label for draw in game.draws)
    assert uses, "a game of no chance at all?"
    assert max(uses.values()) == 1, uses.most_common(3)


@each_kit
@a_few_games
@given(data=st.data())
def test_every_draw_can_be_drawn_again(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    for draw in game.draws:
        assert Stream(game.seed, draw.label).shuffle(draw.result) == draw.result
        assert Stream(game.seed, draw.label).shuffle(draw.result[::-1]) == draw.result


@each_kit
@a_few_games
@given(data=st.data())
def test_the_record_of_an_entry_is_sorted_by_label(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    for draws in (game.opening_draws, *(step.draws for step in game.steps)):
        assert list(draws) == sorted(draws, key=lambda draw: draw.label)

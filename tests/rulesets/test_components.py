"""Nothing is lost and nothing is made: what lies in the box lies somewhere, at every moment."""

from hypothesis import given
from hypothesis import strategies as st

from tests.rulesets.kit import Kit
from tests.rulesets.playing import a_few_games, each_kit, games


@each_kit
@a_few_games
@given(data=st.data())
def test_the_components_add_up_after_every_entry(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    box = kit.components(game.start)
    assert box
    for number, (_, state) in enumerate(game.entries()):
        assert kit.components(state) == box, f"after entry {number}"

"""Nothing is lost and nothing is made: what lies in the box lies in some zone, at every moment."""

from hypothesis import given
from hypothesis import strategies as st

from tests.rulesets.kit import Kit
from tests.rulesets.playing import a_few_games, each_kit, games


@each_kit
@a_few_games
@given(data=st.data())
def test_the_components_add_up_after_every_entry(kit: Kit, data: st.DataObject) -> None:
    game, zones = data.draw(games(kit)), kit.ruleset.zones
    box = zones.box(game.start)
    assert all(box.values()), "a kind of component that the box does not have"
    for number, (_, state) in enumerate(game.entries()):
        assert zones.lying(state) == box, f"after entry {number}"

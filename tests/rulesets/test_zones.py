"""What follows from a game's table of zones alone: a full state at random that fits what a viewer sees."""

from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from tests.rulesets.kit import Kit
from tests.rulesets.playing import each_kit, moments, randoms, some_moments


@each_kit
@some_moments
@given(data=st.data())
def test_a_determinised_view_looks_the_same_has_every_component_and_allows_the_same(
    kit: Kit, data: st.DataObject
) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    for viewer in moment.game.viewers:
        view = kit.ruleset.view(moment.state, viewer)
        drawn = kit.exchange(moment.state, viewer, random)
        assert canonical(kit.ruleset.view(drawn, viewer)) == canonical(view), f"viewer {viewer}"
        assert kit.ruleset.zones.lying(drawn) == kit.ruleset.zones.box(drawn)
        if viewer is not None:
            assert kit.ruleset.legal_actions(drawn, viewer) == moment.legal(viewer)


@each_kit
@some_moments
@given(data=st.data())
def test_a_determinised_view_can_be_played_on(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    state = kit.exchange(moment.state, random.choice(moment.game.viewers), random)
    for _ in range(12):
        if state.phase == "ended":
            return
        seat = random.choice(state.to_act)
        action = random.choice(kit.ruleset.legal_actions(state, seat))
        state = kit.ruleset.fold(state, kit.ruleset.decide(state, seat, action, kit.chance(random)))
        assert kit.ruleset.zones.lying(state) == kit.ruleset.zones.box(state)

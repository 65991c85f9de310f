"""What follows from a game's table of zones alone: a full state at random that fits what a viewer sees."""

from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance, Stream
from games.sa_re import SA_RE
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


@each_kit
@some_moments
@given(data=st.data())
def test_what_no_seat_knows_can_be_dealt_anew_and_no_seat_sees_a_difference(
    kit: Kit, data: st.DataObject
) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    drawn = kit.ruleset.zones.redrawn(moment.state, Stream(random.randbytes(32), "redrawn"))
    assert kit.ruleset.zones.lying(drawn) == kit.ruleset.zones.box(drawn)
    for viewer in moment.game.viewers:
        assert canonical(kit.ruleset.view(drawn, viewer)) == canonical(
            kit.ruleset.view(moment.state, viewer)
        ), f"viewer {viewer}"
    before, after = kit.ruleset.zones.piles(moment.state), kit.ruleset.zones.piles(drawn)
    assert {place: len(pile) for place, pile in before.items()} == {
        place: len(pile) for place, pile in after.items()
    }


@each_kit
def test_a_pile_that_no_seat_knows_is_shuffled_when_it_is_dealt_anew(kit: Kit) -> None:
    for setting in kit.settings:
        facts = kit.ruleset.new_game(setting.options, setting.seats, Chance(bytes(32)))
        state = kit.ruleset.fold(None, facts)
        if not any(len(set(pile)) > 1 for pile in kit.ruleset.zones.piles(state).values()):
            continue  # Sa-Ré shuffles when its first season begins
        redrawn = [kit.ruleset.zones.redrawn(state, Stream(bytes([n]), "redrawn")) for n in range(4)]
        assert any(canonical(each) != canonical(state) for each in redrawn)


def test_what_is_dealt_anew_goes_to_the_places_in_the_order_of_the_table() -> None:
    """Sa-Ré's deck stands before its card set aside, and its open top stays."""
    position = {"phase": "season", "deck": ["wood_1", "gold_1", "stone_1"], "set_aside": ["hoshekh"]}
    state = SA_RE.fold(None, SA_RE.new_game({}, 2, Chance(bytes(32)), position))
    dealt = SA_RE.zones.redealt(state, lambda kind, pool: sorted(pool, reverse=True))
    assert (dealt.deck, dealt.set_aside) == (("wood_1", "stone_1", "hoshekh"), ("gold_1",))

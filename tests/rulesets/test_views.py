"""What a view holds: the state, with holes where something is hidden, and a count beside each hidden list."""

from hypothesis import given
from hypothesis import strategies as st

from tests.rulesets.hidden import at, holes
from tests.rulesets.kit import Kit
from tests.rulesets.playing import each_kit, moments, some_moments
from tests.rulesets.story import builtins


@each_kit
@some_moments
@given(data=st.data())
def test_a_view_is_the_state_with_holes_and_counts_beside_them(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    whole = builtins(moment.state)
    for viewer in moment.game.viewers:
        view = builtins(kit.ruleset.view(moment.state, viewer))
        for path in holes(whole, view):
            hidden = at(whole, path)
            if isinstance(hidden, list) and isinstance(path[-1], str):
                assert at(view, (*path[:-1], f"{path[-1]}_count")) == len(hidden), path


@each_kit
@some_moments
@given(data=st.data())
def test_the_full_state_itself_keeps_its_counts_right(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    whole = builtins(moment.state)
    counts = {member for place in (whole, *whole["players"]) for member in place if member.endswith("_count")}
    assert counts == kit.ruleset.zones.counts, "what is counted are the zones that can be hidden"
    for place in (whole, *whole["players"]):
        counted = [member for member in place if isinstance(place.get(f"{member}_count"), int)]
        assert {member: len(place[member]) for member in counted} == {
            member: place[f"{member}_count"] for member in counted
        }


@each_kit
@some_moments
@given(data=st.data())
def test_a_spectator_sees_nothing_that_is_hidden_from_a_seat(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    whole = builtins(moment.state)
    from_outside = set(holes(whole, builtins(kit.ruleset.view(moment.state, None))))
    for seat in range(len(moment.state.players)):
        from_the_seat = set(holes(whole, builtins(kit.ruleset.view(moment.state, seat))))
        assert from_the_seat <= from_outside


@each_kit
@some_moments
@given(data=st.data())
def test_a_redacted_fact_is_the_fact_with_holes(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    facts = moment.game.steps[moment.index - 1].facts if moment.index else moment.game.opening
    for fact in facts:
        whole = builtins(fact)
        redacted = {viewer: kit.ruleset.redact(fact, viewer) for viewer in moment.game.viewers}
        hidden = {viewer: set(holes(whole, builtins(redacted[viewer]))) for viewer in redacted}
        assert all(hidden[viewer] <= hidden[None] for viewer in redacted), (
            "a spectator is told more than a seat"
        )


@each_kit
@some_moments
@given(data=st.data())
def test_who_acts_knows_what_it_did(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    step = moment.game.steps[moment.index]
    action = builtins(step.action)
    assert kit.ruleset.redact_action(action, step.seat, step.seat) == action
    for viewer in moment.game.viewers:
        seen = kit.ruleset.redact_action(action, step.seat, viewer)
        assert seen["type"] == action["type"]
        assert all(value is None or value == action[member] for member, value in seen.items())

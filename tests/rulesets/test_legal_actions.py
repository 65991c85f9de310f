"""What is listed is accepted, and what is accepted is listed."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from games.kernel import IllegalAction
from tests.rulesets.fuzz import fuzzed
from tests.rulesets.kit import Kit
from tests.rulesets.playing import a_sample, each_kit, moments, randoms, refusal_of, some_moments
from tests.rulesets.story import builtins


@each_kit
@some_moments
@given(data=st.data())
def test_every_listed_action_is_accepted(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    for seat in moment.state.to_act:
        for action in a_sample(moment.legal(seat), 40, random):
            assert moment.decide(seat, action), f"{action} does nothing"


@each_kit
@some_moments
@given(data=st.data())
def test_the_list_holds_canonical_forms_each_once(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    for seat in moment.state.to_act:
        listed = moment.legal(seat)
        assert len({canonical(action) for action in listed}) == len(listed)
        assert [kit.ruleset.canonical(moment.state, seat, action) for action in listed] == listed


@each_kit
@some_moments
@given(data=st.data())
def test_whoever_is_to_act_can_do_something(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    assert moment.state.to_act
    assert all(moment.legal(seat) for seat in moment.state.to_act)


@each_kit
@some_moments
@given(data=st.data())
def test_whoever_is_not_to_act_can_do_nothing(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    seats = len(moment.state.players)
    for seat in {-1, *range(seats), seats} - set(moment.state.to_act):
        assert moment.legal(seat) == []


@each_kit
@some_moments
@given(data=st.data())
def test_any_action_is_accepted_if_and_only_if_its_canonical_form_is_listed(
    kit: Kit, data: st.DataObject
) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    for seat in range(len(moment.state.players)):
        listed = {canonical(action) for action in moment.legal(seat)}
        here = [builtins(action) for action in a_sample(moment.legal(seat), 30, random)]
        for _ in range(30):
            raw = fuzzed(_either(here, moment.game.vocabulary, random), random)
            accepted = refusal_of(kit.ruleset, moment.state, seat, raw) is None
            try:
                action = kit.ruleset.read_action(raw)
            except IllegalAction:
                continue
            form = canonical(kit.ruleset.canonical(moment.state, seat, action))
            assert accepted == (form in listed), f"seat {seat}: {raw}"


@each_kit
@some_moments
@given(data=st.data())
def test_an_action_and_its_canonical_form_lead_to_the_same(kit: Kit, data: st.DataObject) -> None:
    """Of two components that are alike, either may have been meant: the facts may name another, and no more."""
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    for seat in moment.state.to_act:
        here = [builtins(action) for action in a_sample(moment.legal(seat), 30, random)]
        for raw in (fuzzed(here, random) for _ in range(20)):
            if refusal_of(kit.ruleset, moment.state, seat, raw) is None:
                action = kit.ruleset.read_action(raw)
                plain = kit.ruleset.canonical(moment.state, seat, action)
                facts, plain_facts = (builtins(moment.decide(seat, form)) for form in (action, plain))
                assert kit.alike(facts) == kit.alike(plain_facts)


def _either(here: list[object], anywhere: list[object], random: Random) -> list[object]:
    return here if here and random.random() < 0.5 else anywhere

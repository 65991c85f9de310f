"""Refusals: in their fixed order, and without any effect."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from games.kernel import IllegalAction
from tests.rulesets.fuzz import fuzzed
from tests.rulesets.kit import Kit
from tests.rulesets.playing import Moment, each_kit, games, moments, randoms, refusal_of, some_moments

ILL_SHAPED: tuple[tuple[Any, str], ...] = (
    (None, "malformed_action"),
    ([], "malformed_action"),
    ("pass", "malformed_action"),
    ({}, "unknown_action"),
    ({"type": None}, "unknown_action"),
    ({"type": "no_such_action"}, "unknown_action"),
    ({"type": ["lay"]}, "unknown_action"),
)


@each_kit
@some_moments
@given(data=st.data())
def test_asking_changes_nothing_whether_refused_or_not(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    before = canonical(moment.state)
    for seat in range(len(moment.state.players)):
        for _ in range(10):
            refusal_of(kit.ruleset, moment.state, seat, fuzzed(moment.game.vocabulary, random))
        for action in moment.legal(seat)[:3]:
            moment.decide(seat, action)
    assert canonical(moment.state) == before


@each_kit
@some_moments
@given(data=st.data())
def test_every_refusal_has_a_code_and_a_sentence(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    for seat in range(len(moment.state.players)):
        for _ in range(20):
            raw = fuzzed(moment.game.vocabulary, random)
            refusal = refusal_of(kit.ruleset, moment.state, seat, raw)
            if refusal:
                assert refusal.code.replace("_", "").isalpha(), raw
                assert refusal.code.islower(), raw
                assert len(refusal.message) > 10, raw
                assert refusal.message.endswith("."), (raw, refusal.message)


@each_kit
@some_moments
@given(data=st.data())
def test_a_shape_is_refused_before_anything_else_is_looked_at(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    for seat in range(len(moment.state.players)):
        for raw, code in ILL_SHAPED:
            assert _code(moment, seat, raw) == code, raw
        for action in moment.game.vocabulary[::5]:
            assert _code(moment, seat, {**action, "no_such_member": 1}) == "malformed_action"


@each_kit
@some_moments
@given(data=st.data())
def test_after_the_end_every_action_comes_too_late(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    end = Moment(game, len(game.steps))
    for seat, raw in _well_formed(end, data):
        assert _code(end, seat, raw) == "game_over"


@each_kit
@some_moments
@given(data=st.data())
def test_out_of_turn_the_phase_does_not_matter(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    for seat, raw in _well_formed(moment, data):
        if seat not in moment.state.to_act:
            assert _code(moment, seat, raw) == "not_your_turn"


@each_kit
@some_moments
@given(data=st.data())
def test_in_another_phase_the_action_itself_does_not_matter(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    for seat, raw in _well_formed(moment, data):
        if seat in moment.state.to_act:
            untimely = moment.state.phase not in kit.ruleset.read_action(raw).phases
            assert (_code(moment, seat, raw) == "wrong_phase") == untimely


def _well_formed(moment: Moment, data: st.DataObject) -> Iterator[tuple[int, Any]]:
    """Actions of every kind, sensible or not, that have the right shape, each with a seat to send it."""
    random = data.draw(randoms())
    for raw in [*moment.game.vocabulary, *(fuzzed(moment.game.vocabulary, random) for _ in range(40))]:
        try:
            moment.ruleset.read_action(raw)
        except IllegalAction:
            continue
        yield random.randrange(len(moment.state.players)), raw


def _code(moment: Moment, seat: int, raw: Any) -> str | None:
    refusal = refusal_of(moment.ruleset, moment.state, seat, raw)
    return refusal.code if refusal else None

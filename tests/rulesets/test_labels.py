"""Every action that may be chosen has a sentence of its own, in each language, made of what its seat sees."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from games.members import members_of
from replays.labels import LabelWords, labels_of
from replays.narration import LANGUAGES
from tests.rulesets.kit import Kit
from tests.rulesets.playing import each_kit, moments, some_moments

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Fay")


@each_kit
@some_moments
@given(data=st.data())
def test_each_action_is_told_by_a_sentence_that_no_other_has(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    for seat in moment.state.to_act:
        actions, view = moment.legal(seat), kit.ruleset.view(moment.state, seat)
        for language in LANGUAGES:
            words = LabelWords(language, NAMES[: len(moment.state.players)])
            labels = labels_of(kit.ruleset, view, seat, actions, words)
            assert len(set(labels)) == len(labels) == len(actions)
            assert not [label for label in labels if not label or set("{}[]_") & set(label)]


@each_kit
@some_moments
@given(data=st.data())
def test_a_list_whose_order_matters_says_so_and_any_other_may_be_written_in_any_order(
    kit: Kit, data: st.DataObject
) -> None:
    """What the schema calls ordered is what front-ends let a player choose place by place."""
    moment = data.draw(moments(kit, undecided=True))
    for seat in moment.state.to_act:
        for action in moment.legal(seat):
            check_order(kit, moment.state, seat, action)


def check_order(kit: Kit, state: Any, seat: int, action: Any) -> None:
    """A list of this action that is not said to be ordered may be turned round."""
    slots = members_of(kit.ruleset.name).slots
    raw = to_builtins(action)
    for name, value in raw.items():
        is_list = isinstance(value, list | tuple) and len(value) > 1 and not is_pair(name)
        if is_list and f"{type(action).__name__}.{name}" not in slots:
            turned = kit.ruleset.read_action({**raw, name: list(value)[::-1]})
            assert kit.ruleset.canonical(state, seat, turned) == action, (name, raw)


def is_pair(name: str) -> bool:
    """A row and a column: one value."""
    return name == "space"

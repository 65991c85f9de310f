"""A full state is a position: a game set up from it stands where the other stood."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance
from tests.rulesets.kit import Kit
from tests.rulesets.playing import Moment, each_kit, moments, some_moments
from tests.rulesets.story import builtins, refuses_to_begin


def from_position(moment: Moment, state: Any) -> Any:
    """The state of a new game that begins from this one; nothing may be left to chance.

    Where one action alone is left, the rules may take it as soon as the game is set up.
    """
    chance = Chance(moment.seed)
    setting = moment.game.setting
    facts = moment.ruleset.new_game(setting.options, setting.seats, chance, builtins(state))
    assert chance.draws == ()
    has_choice = sum(len(moment.legal(seat)) for seat in state.to_act) > 1
    begun = moment.ruleset.fold(None, facts)
    return begun if has_choice or begun == state else moment.ruleset.fold(None, facts[:1])


@each_kit
@some_moments
@given(data=st.data())
def test_a_game_begins_again_from_any_moment_that_needs_a_decision(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    assert canonical(from_position(moment, moment.state)) == canonical(moment.state)


def set_up(kit: Kit, seats: int, options: Any, seed: bytes, position: Any) -> bytes:
    """All that comes of setting a game up: facts, draws, and the state that they lead to."""
    chance = Chance(seed)
    facts = kit.ruleset.new_game(options, seats, chance, position)
    return canonical([facts, chance.draws, kit.ruleset.fold(None, facts)])


def every_option(kit: Kit) -> Iterator[dict[str, Any]]:
    """All options that a game can be played with, in every combination."""
    described: Any = msgspec.inspect.type_info(kit.ruleset.options_type)
    values = {field.name: values_of(field) for field in described.fields}
    values["component_set"] = list(kit.ruleset.component_sets)
    return (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))


def values_of(option: Any) -> list[Any]:
    """All values of an option that has a few, else its default alone."""
    match option.type:
        case msgspec.inspect.BoolType():
            return [False, True]
        case msgspec.inspect.LiteralType(values):
            return list(values)
    return [option.default]


@each_kit
def test_an_empty_position_is_an_ordinary_set_up(kit: Kit) -> None:
    """The box is dealt directly, a position is laid over an empty table and filled: the outcome must be one."""
    for options in every_option(kit):
        for seats in kit.ruleset.seat_counts:
            for number in range(12):
                seed = sha256(canonical([options, seats, number])).digest()
                ordinary = set_up(kit, seats, options, seed, None)
                assert set_up(kit, seats, options, seed, {}) == ordinary, (options, seats)


@each_kit
@some_moments
@given(seed=st.binary(min_size=32, max_size=32), data=st.data())
def test_a_position_that_says_nothing_is_an_ordinary_set_up(
    kit: Kit, seed: bytes, data: st.DataObject
) -> None:
    setting = data.draw(st.sampled_from([setting for setting in kit.settings if setting.position is None]))
    ordinary = set_up(kit, setting.seats, setting.options, seed, None)
    assert set_up(kit, setting.seats, setting.options, seed, {}) == ordinary


@each_kit
@some_moments
@given(data=st.data())
def test_no_game_begins_after_its_end_or_with_unknown_zones(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    setting = moment.game.setting
    for position in (builtins(moment.game.end), {**builtins(moment.state), "no_such_zone": []}):
        sentence = refuses_to_begin(
            kit.ruleset, "invalid_position", position, seats=setting.seats, options=setting.options
        )
        assert sentence.endswith(".")


@each_kit
def test_a_position_that_nests_without_end_is_refused_clearly(kit: Kit) -> None:
    setting = kit.settings[0]
    for depth in (100, 20_000):
        deep: Any = []
        for _ in range(depth):
            deep = {"deeper": deep} if depth == 100 else [deep]
        for position in (
            {"players": deep},
            {"options": deep},
            {"no_such_zone": deep},
            {"players": [{"hand": deep}]},
        ):
            sentence = refuses_to_begin(
                kit.ruleset, "invalid_position", position, seats=setting.seats, options=setting.options
            )
            assert "levels deep" in sentence

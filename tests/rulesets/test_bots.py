"""Built-in players: they see what their seat sees, do what it may do, and come to an end.

Those that look ahead take longer, and have tests of their own in test_searching.py.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chance import Stream
from games.kernel import BOT_LEVELS, SEARCHING
from services.cli.selfplay import play_game
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import a_few_games, each_kit, moments, randoms, some_moments
from tests.rulesets.story import builtins

each_level = pytest.mark.parametrize("level", [level for level in BOT_LEVELS if level not in SEARCHING])


@each_level
@each_kit
@a_few_games
@given(data=st.data())
def test_bots_play_every_game_to_its_end(kit: Kit, level: str, data: st.DataObject) -> None:
    setting = data.draw(st.sampled_from([setting for setting in kit.settings if setting.position is None]))
    seed = data.draw(st.binary(min_size=32, max_size=32))
    result = play_game(kit.ruleset, setting.options, setting.seats, (level,) * setting.seats, seed)
    assert len(result.outcome.scores) == setting.seats
    assert set(result.outcome.winners) <= set(range(setting.seats))


@each_level
@each_kit
@some_moments
@given(data=st.data())
def test_a_bot_chooses_a_legal_action(kit: Kit, level: str, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    for seat in moment.state.to_act:
        view = kit.ruleset.view(moment.state, seat)
        choice = kit.ruleset.bot(level).choose(view, seat, Stream(moment.seed, f"bot/{seat}/0"))
        assert choice in moment.legal(seat)


@each_level
@each_kit
@some_moments
@given(data=st.data())
def test_a_bot_chooses_by_what_its_seat_sees_alone(kit: Kit, level: str, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    ruleset, bot = kit.ruleset, kit.ruleset.bot(level)
    for seat in moment.state.to_act:
        label = f"bot/{seat}/0"
        choice = bot.choose(ruleset.view(moment.state, seat), seat, Stream(moment.seed, label))
        other = kit.exchange(moment.state, seat, random)
        from_afar = ruleset.read_state(builtins(ruleset.view(other, seat)))
        assert ruleset.bot(level).choose(from_afar, seat, Stream(moment.seed, label)) == choice


def test_every_kit_has_a_setting_that_begins_at_the_beginning() -> None:
    assert all(any(setting.position is None for setting in kit.settings) for kit in KITS)

"""A position that somebody has changed is refused with a sentence, or it plays on soundly."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.chance import Chance
from games.kernel import InvalidSetup
from games.sa_re.state import State
from tests.games.sa_re.invariants import check
from tests.games.sa_re.kit import KIT
from tests.rulesets.fuzz import OUTLANDISH, reworked
from tests.rulesets.playing import Moment, moments, randoms
from tests.rulesets.story import builtins

NAMES = ("wood_1", "hoshekh", "trouble_1", "temple", "warehouse", "pyramid", "port", "carpenter", "main", "down",
         "revolt", "standing", "season", "construction", "sites", "setup", "build:5", "caravan", "joker")  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_changed_position_is_refused_or_plays_on_soundly(data: st.DataObject) -> None:
    moment, random = data.draw(moments(KIT, undecided=True)), data.draw(randoms())
    position = builtins(moment.state)
    for _ in range(random.choice((1, 1, 2, 3))):
        change(position, random)
    state = begun(moment, position)
    if isinstance(state, InvalidSetup):
        assert state.code == "invalid_position"
        assert state.message.endswith(".")
        return
    for _ in range(25):
        check(state)
        if state.phase == "ended":
            break
        seat = random.choice(state.to_act)
        action = random.choice(KIT.ruleset.legal_actions(state, seat))
        state = KIT.ruleset.fold(state, KIT.ruleset.decide(state, seat, action, Chance(moment.seed)))


def begun(moment: Moment, position: Any) -> State | InvalidSetup:
    """The game that begins from a position, or why none does."""
    setting = moment.game.setting
    try:
        facts = KIT.ruleset.new_game(setting.options, setting.seats, Chance(moment.seed), position)
    except InvalidSetup as refusal:
        return refusal
    state: State = KIT.ruleset.fold(None, facts)
    return state


def change(document: Any, random: Random) -> None:
    """Put something else, somewhere in a document."""
    inside, key = document, random.choice(list(document))
    while isinstance(inside[key], dict | list) and inside[key] and random.random() < 0.85:
        inside = inside[key]
        key = random.choice(list(inside)) if isinstance(inside, dict) else random.randrange(len(inside))
    match random.randrange(5):
        case 0:
            inside[key] = reworked(inside[key], random)
        case 1:
            inside[key] = random.choice(OUTLANDISH)
        case 2:
            inside[key] = random.choice(NAMES)
        case 3:
            inside[key] = random.randint(-2, 9)
        case _:
            del inside[key]

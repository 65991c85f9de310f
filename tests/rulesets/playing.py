"""Games for the generic suite to look into: played to the end once, then shared by all tests of a run.

Hypothesis draws which game, which moment of it and who looks; a game's number fixes its seed and its choices,
so that every failure names a game that can be played again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.chance import Chance, Draw, Stream
from games.kernel import IllegalAction, Ruleset, Viewer
from tests.rulesets.kit import Kit, Setting, ShownByName
from tests.rulesets.kits import KITS
from tests.rulesets.story import builtins

GAMES_PER_SETTING = 3
"""Even numbers are played at random, odd ones by greedy players who now and then do something silly."""

each_kit = pytest.mark.parametrize("kit", KITS, ids=str)
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
a_few_games = settings(unhurried, max_examples=8)
some_moments = settings(unhurried, max_examples=40)

T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """One entry of a game: what it stood at, who did what, and what came of it."""

    before: Any
    seat: int
    action: Any
    facts: list[Any]
    draws: tuple[Draw, ...]
    after: Any


@dataclass(frozen=True)
class Played(ShownByName):
    """A whole game."""

    kit: Kit
    setting: Setting
    number: int
    seed: bytes
    opening: list[Any]
    opening_draws: tuple[Draw, ...]
    start: Any
    steps: list[Step]

    def __repr__(self) -> str:
        return f"game {self.number} of {self.kit}, {self.setting}"

    @property
    def ruleset(self) -> Ruleset[Any, Any]:
        return self.kit.ruleset

    @property
    def end(self) -> Any:
        return self.steps[-1].after

    @property
    def viewers(self) -> list[Viewer]:
        return [None, *range(self.setting.seats)]

    @property
    def draws(self) -> list[Draw]:
        """Every use of chance in the game."""
        return [*self.opening_draws, *(draw for step in self.steps for draw in step.draws)]

    def entries(self) -> Iterator[tuple[list[Any], Any]]:
        """The facts of each entry, and the state they lead to."""
        yield self.opening, self.start
        for step in self.steps:
            yield step.facts, step.after

    @cached_property
    def vocabulary(self) -> list[Any]:
        """Actions of every kind that were legal at some time for someone, as on the wire."""
        said: dict[str, list[Any]] = {}
        random = Random(self.number)
        for step in a_sample(self.steps, 60, random):
            for action in a_sample(self.ruleset.legal_actions(step.before, step.seat), 5, random):
                said.setdefault(type(action).__name__, []).append(builtins(action))
        for step in self.steps:
            said.setdefault(type(step.action).__name__, [builtins(step.action)])
        return [action for kind in sorted(said) for action in a_sample(said[kind], 30, random)]


@dataclass(frozen=True)
class Moment(ShownByName):
    """A state that a game went through."""

    game: Played
    index: int

    def __repr__(self) -> str:
        return f"{self.game!r}, after {self.index} actions, phase {self.state.phase}"

    @property
    def state(self) -> Any:
        return self.game.steps[self.index - 1].after if self.index else self.game.start

    @property
    def ruleset(self) -> Ruleset[Any, Any]:
        return self.game.ruleset

    @property
    def seed(self) -> bytes:
        return self.game.seed

    def legal(self, seat: int) -> list[Any]:
        return self.ruleset.legal_actions(self.state, seat)

    def decide(self, seat: int, action: Any) -> list[Any]:
        return self.ruleset.decide(self.state, seat, action, Chance(self.seed))


def a_sample(items: Sequence[T], most: int, random: Random) -> list[T]:
    """All of a short list, some of a long one."""
    return list(items) if len(items) <= most else random.sample(items, most)


def an_action_of_any_type(actions: Sequence[Any], random: Random) -> Any:
    """Every type of action is as likely as every other, however many actions it has."""
    kind = random.choice(sorted({_tag(action) for action in actions}))
    return random.choice([action for action in actions if _tag(action) == kind])


def seed_of(number: int) -> bytes:
    return sha256(f"game {number}".encode()).digest()


def played(kit: Kit, setting: int, number: int) -> Played:
    """A game of this kit, played to its end (once a run)."""
    return _played(KITS.index(kit), setting, number)


@cache
def _played(kit_index: int, setting_index: int, number: int) -> Played:
    kit = KITS[kit_index]
    setting, seed = kit.settings[setting_index], seed_of(number)
    chance = Chance(seed)
    opening = kit.ruleset.new_game(setting.options, setting.seats, chance, setting.position)
    start = kit.ruleset.fold(None, opening)
    steps = list(_play_on(kit.ruleset, start, seed, silliness=0.3 if number % 2 else 1.0))
    return Played(kit, setting, number, seed, opening, chance.draws, start, steps)


def _play_on(ruleset: Ruleset[Any, Any], state: Any, seed: bytes, silliness: float) -> Iterator[Step]:
    greedy, random = ruleset.bot("greedy"), Random(seed)
    version = 0
    while state.phase != "ended":
        seat = random.choice(state.to_act)
        if random.random() < silliness:
            action = an_action_of_any_type(ruleset.legal_actions(state, seat), random)
        else:
            action = greedy.choose(ruleset.view(state, seat), seat, Stream(seed, f"bot/{seat}/{version}"))
        chance = Chance(seed)
        facts = ruleset.decide(state, seat, action, chance)
        after = ruleset.fold(state, facts)
        yield Step(state, seat, action, facts, chance.draws, after)
        state, version = after, version + 1


def all_games(kit: Kit) -> list[Played]:
    """Every game of the kit that this run looks into."""
    numbers = range(GAMES_PER_SETTING)
    return [played(kit, setting, number) for setting in range(len(kit.settings)) for number in numbers]


def situations(kit: Kit) -> dict[str, list[Moment]]:
    """Every moment of every game, by the phase and by what was done then."""
    return _situations(KITS.index(kit))


@cache
def _situations(kit_index: int) -> dict[str, list[Moment]]:
    by_situation: dict[str, list[Moment]] = {}
    for game in all_games(KITS[kit_index]):
        for index, step in enumerate(game.steps):
            by_situation.setdefault(f"{step.before.phase}: {_tag(step.action)}", []).append(
                Moment(game, index)
            )
        by_situation.setdefault("ended", []).append(Moment(game, len(game.steps)))
    return by_situation


def telling_steps(kit: Kit) -> dict[str, list[Moment]]:
    """Moments before a fact that hides or uncovers something, by the types of the fact and of the action."""
    return _telling_steps(KITS.index(kit))


@cache
def _telling_steps(kit_index: int) -> dict[str, list[Moment]]:
    kit = KITS[kit_index]
    uncovering = {kind for kind, _ in kit.reveals}
    by_situation: dict[str, list[Moment]] = {}
    for game in all_games(kit):
        for index, step in enumerate(game.steps):
            kinds = {_tag(fact) for fact in step.facts if kit.ruleset.redact(fact, None) != fact}
            kinds |= {_tag(fact) for fact in step.facts} & uncovering
            for kind in kinds:
                by_situation.setdefault(f"{kind} by {_tag(step.action)}", []).append(Moment(game, index))
    return by_situation


def _tag(struct: Any) -> str:
    return str(struct.__struct_config__.tag)


def refusal_of(ruleset: Ruleset[Any, Any], state: Any, seat: int, raw: Any) -> IllegalAction | None:
    """Why this action, as sent, is refused; None if it is accepted."""
    try:
        ruleset.decide(state, seat, ruleset.read_action(raw), Chance(bytes(32)))
    except IllegalAction as refusal:
        return refusal
    return None


def games(kit: Kit) -> st.SearchStrategy[Played]:
    """Any game of the kit."""
    return st.builds(
        lambda setting, number: played(kit, setting, number),
        st.integers(0, len(kit.settings) - 1),
        st.integers(0, GAMES_PER_SETTING - 1),
    )


@st.composite
def moments(draw: st.DrawFn, kit: Kit, *, undecided: bool = False) -> Moment:
    """Any moment of any game of the kit, rare situations as often as common ones; `undecided`: before the end."""
    by_situation = situations(kit)
    situation = draw(st.sampled_from(sorted(by_situation.keys() - {"ended"} if undecided else by_situation)))
    return draw(st.sampled_from(by_situation[situation]))


def randoms() -> st.SearchStrategy[Random]:
    """A source of choices that a failing example names by its number."""
    return st.integers(0, 2**32 - 1).map(Random)

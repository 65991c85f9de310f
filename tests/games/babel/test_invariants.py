"""The invariants of the specification (12.1) hold in every game: Hypothesis draws the seed and the choices of play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.babel import BABEL
from games.babel.actions import BabelAction
from games.babel.state import State
from games.canonical import canonical
from games.chance import Chance
from games.kernel import Fact
from tests.games.babel.invariants import check_invariants
from tests.rulesets.story import builtins

VIEWERS = (0, 1, None)

editions = st.sampled_from(["2013", "2000"])
seeds = st.binary(min_size=32, max_size=32)
some_games = settings(max_examples=12, deadline=None)


@dataclass(frozen=True)
class Step:
    """One action, or the opening, and what came of it."""

    before: State | None
    seat: int
    action: BabelAction | None
    facts: list[Fact[State]]
    after: State


@st.composite
def games(draw: st.DrawFn) -> list[Step]:
    """A whole game: how often a player is greedy is drawn, and every choice besides."""
    seed, choices = draw(seeds), draw(st.randoms(use_true_random=False))
    boldness = draw(st.sampled_from([0.0, 0.5, 0.9]))
    chance = Chance(seed)
    facts = BABEL.new_game({"edition": draw(editions)}, 2, chance)
    steps = [Step(None, 0, None, facts, BABEL.fold(None, facts))]
    greedy, dice = BABEL.bot("greedy"), chance.stream("bot")
    while (before := steps[-1].after).to_act:
        seat = before.to_act[0]
        action = (
            greedy.choose(BABEL.view(before, seat), seat, dice)
            if choices.random() < boldness
            else choices.choice(BABEL.legal_actions(before, seat))
        )
        facts = BABEL.decide(before, seat, action, Chance(seed))
        steps.append(Step(before, seat, action, facts, BABEL.fold(before, facts)))
    return steps


def pairs(game: list[Step]) -> Iterator[tuple[State, Step]]:
    return ((step.before, step) for step in game if step.before)


@some_games
@given(games())
def test_every_card_of_the_box_and_every_figure_is_accounted_for(game: list[Step]) -> None:
    """1–6, 8"""
    for step in game:
        check_invariants(step.after)
        assert step.after.options == game[0].after.options


@some_games
@given(games())
def test_modes_are_entered_once_and_start_cards_leave_in_the_first_turn(game: list[Step]) -> None:
    """6, 7"""
    for before, step in pairs(game):
        assert step.after.endgame or not before.endgame
        for seat, player in enumerate(step.after.players):
            assert before.players[seat].start_card or not player.start_card
            if step.after.to_act:
                assert player.start_card <= (step.after.turn <= seat + 1)


@some_games
@given(games())
def test_a_turn_begins_with_a_temple_pile_and_no_migration(game: list[Step]) -> None:
    """8"""
    for before, step in pairs(game):
        if step.after.turn != before.turn:
            assert step.after.temple_pile
            assert not step.after.migrated


@some_games
@given(games())
def test_there_is_always_something_to_do_for_whoever_is_to_act_and_for_nobody_else(game: list[Step]) -> None:
    """4, 11"""
    for step in game:
        for seat in (0, 1):
            actions = BABEL.legal_actions(step.after, seat)
            assert bool(actions) == (seat in step.after.to_act)
            assert len(set(actions)) == len(actions)


@some_games
@given(games())
def test_a_turn_is_finite(game: list[Step]) -> None:
    """12.2: cards, levels and one migration run out."""
    actions_of_turn: dict[int, int] = {}
    for before, _ in pairs(game):
        actions_of_turn[before.turn] = actions_of_turn.get(before.turn, 0) + 1
    assert max(actions_of_turn.values()) <= 60 + 60 + 45 + 2


@some_games
@given(games())
def test_what_each_viewer_is_told_keeps_its_view_right(game: list[Step]) -> None:
    """12"""
    for viewer in VIEWERS:
        seen: State | None = None
        for step in game:
            seen = BABEL.fold(seen, [BABEL.redact(fact, viewer) for fact in step.facts])
            assert seen == BABEL.view(step.after, viewer)


@some_games
@given(games())
def test_a_game_told_as_json_is_the_same_game(game: list[Step]) -> None:
    """9"""
    state: Any = None
    for step in game:
        state = BABEL.fold(state, BABEL.read_facts([builtins(fact) for fact in step.facts]))
    assert canonical(state) == canonical(game[-1].after)
    assert BABEL.read_state(builtins(state)) == state


@some_games
@given(seed=seeds, edition=editions, choices=st.lists(st.integers(0, 1000), max_size=60))
def test_the_same_seed_and_the_same_actions_give_the_same_facts(
    seed: bytes, edition: str, choices: list[int]
) -> None:
    """9"""

    def played() -> list[Fact[State]]:
        facts = BABEL.new_game({"edition": edition}, 2, Chance(seed))
        state = BABEL.fold(None, facts)
        for choice in choices:
            for seat in state.to_act:
                actions = BABEL.legal_actions(state, seat)
                more = BABEL.decide(state, seat, actions[choice % len(actions)], Chance(seed))
                facts, state = facts + more, BABEL.fold(state, more)
        return facts

    assert canonical(played()) == canonical(played())


@some_games
@given(games(), st.data())
def test_any_moment_of_a_game_is_a_position_to_go_on_from(game: list[Step], data: st.DataObject) -> None:
    """4.4"""
    state = data.draw(st.sampled_from(game)).after
    if state.to_act:
        chance = Chance(bytes(32))
        facts = BABEL.new_game({"edition": state.options.edition}, 2, chance, builtins(state))
        assert [str(fact.__struct_config__.tag) for fact in facts] == ["game_set_up"]
        assert canonical(BABEL.fold(None, facts)) == canonical(state)
        assert not chance.draws

"""Bots that look ahead: the same suite for every game, with fewer playouts than any level has."""

import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import RULESETS
from games.canonical import canonical, digest
from games.chance import Chance, Stream
from games.kernel import SEARCHING, Bot, Outcome, Ruleset, Seat, settled
from games.search import LONGEST, Strong, Weighed, estimate, play_on, weigh, worlds_seen
from games.toy import LANTERNS, HighestCard, Lay, State
from services.cli.selfplay import play_with
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, each_kit, moments, randoms, unhurried
from tests.rulesets.story import builtins

PLAYOUTS = 8
SEED = bytes(range(32))
a_dozen_moments = settings(unhurried, max_examples=12)


def dice() -> Stream:
    return Stream(SEED, "bot/0/0")


def weighed(moment: Moment, seat: Seat) -> list[Weighed[Any]]:
    ruleset = moment.ruleset
    worlds = worlds_seen(ruleset, ruleset.view(moment.state, seat), seat)
    return weigh(ruleset, seat, worlds, dice(), PLAYOUTS)


# -- in every game ------------------------------------------------------------------------------------------------------


@each_kit
def test_who_looks_ahead_plays_a_game_to_its_end(kit: Kit) -> None:
    setting = next(setting for setting in kit.settings if setting.position is None)
    players: list[Bot[Any, Any]] = [Strong(kit.ruleset, 1)] * setting.seats
    result = play_with(kit.ruleset, setting.options, players, SEED, [])
    assert len(result.outcome.scores) == setting.seats


@each_kit
@a_dozen_moments
@given(data=st.data())
def test_who_looks_ahead_chooses_a_legal_action_by_what_its_seat_sees_alone(
    kit: Kit, data: st.DataObject
) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    seat = random.choice(moment.state.to_act)
    bot = Strong(kit.ruleset, PLAYOUTS)
    choice = bot.choose(kit.ruleset.view(moment.state, seat), seat, dice())
    assert choice in moment.legal(seat)
    twin = kit.exchange(moment.state, seat, random)
    from_afar = kit.ruleset.read_state(builtins(kit.ruleset.view(twin, seat)))
    assert bot.choose(from_afar, seat, dice()) == choice


@each_kit
@a_dozen_moments
@given(data=st.data())
def test_what_is_weighed_are_legal_actions_with_chances_that_make_one(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    seat = moment.state.to_act[0]
    actions = weighed(moment, seat)
    assert [each.action for each in actions if each.action not in moment.legal(seat)] == []
    for each in actions:
        assert sum(each.chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in each.chances)
        assert 0 <= each.error <= 0.5
    assert all(0 < each.playouts <= PLAYOUTS * kit.ruleset.prospects.length for each in actions)


@each_kit
@a_dozen_moments
@given(data=st.data())
def test_a_state_is_judged_by_chances_that_make_one(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit))
    chances = kit.ruleset.prospects.chances(moment.state)
    assert len(chances) == len(moment.state.players)
    assert sum(chances) == pytest.approx(1)
    if moment.state.outcome:
        assert chances == settled(moment.state.outcome, len(chances))


@each_kit
@a_dozen_moments
@given(data=st.data())
def test_what_is_reopened_is_complete_and_looks_to_its_seat_as_before(kit: Kit, data: st.DataObject) -> None:
    moment = data.draw(moments(kit, undecided=True))
    seat = moment.state.to_act[0]
    reopened = kit.ruleset.prospects.reopened(moment.state, seat)
    assert kit.ruleset.zones.lying(reopened) == kit.ruleset.zones.lying(moment.state)
    assert seat in reopened.to_act
    assert set(moment.state.to_act) <= set(reopened.to_act)
    assert canonical(reopened.players[seat]) == canonical(moment.state.players[seat])
    assert kit.ruleset.legal_actions(reopened, seat) == moment.legal(seat)


def test_every_level_that_looks_ahead_is_one_of_these() -> None:
    assert all(isinstance(kit.ruleset.bot(level), Strong) for kit in KITS for level in SEARCHING)


def choices_of_every_game() -> str:
    """What searching bots choose at the beginning of every game, as one hash."""
    chosen = []
    for kit in KITS:
        setting = next(setting for setting in kit.settings if setting.position is None)
        state = kit.ruleset.fold(None, kit.ruleset.new_game(setting.options, setting.seats, Chance(SEED)))
        for _ in range(2):
            seat = state.to_act[0]
            action = Strong(kit.ruleset, PLAYOUTS).choose(kit.ruleset.view(state, seat), seat, dice())
            chosen.append(builtins(action))
            state = kit.ruleset.play(state, seat, action, Chance(SEED)).state
    return digest(chosen)


def test_another_process_with_another_hash_seed_chooses_the_same() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", f"from {__name__} import *; print(choices_of_every_game())"],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "2")
    ]
    assert told == [choices_of_every_game()] * 2


# -- in the toy game, where one can count --------------------------------------------------------------------------------


class Fussy(HighestCard):
    """A bot that counts how often it is asked."""

    asked = 0

    def choose(self, view: State, seat: Seat, dice: Stream) -> Lay:
        Fussy.asked += 1
        return super().choose(view, seat, dice)


def first_round(ruleset: Ruleset[State, Lay]) -> State:
    return ruleset.fold(None, ruleset.new_game({}, 3, Chance(SEED)))


def test_a_forced_move_needs_no_look_ahead() -> None:
    Fussy.asked = 0
    ruleset = replace(LANTERNS, greedy=Fussy())
    state = first_round(ruleset).with_player(0, hand=(3, 3))
    assert Strong(ruleset, 1000).choose(ruleset.view(state, 0), 0, dice()) == Lay(3)
    assert Fussy.asked == 1


def test_a_position_is_worth_what_its_playouts_come_to() -> None:
    ruleset, state = LANTERNS, first_round(LANTERNS)
    chances = estimate(ruleset, lambda dice: state, dice(), 30)
    assert sum(chances) == pytest.approx(1)
    over = ruleset.fold(state, [ruleset.end_now(state, (0, 2), "resigned")])
    assert estimate(ruleset, lambda dice: over, dice(), 3) == (0.5, 0.0, 0.5)


def test_a_game_that_nobody_won_is_shared_by_all() -> None:
    assert settled(Outcome((), "nobody", (0, 0)), 2) == (0.5, 0.5)


class LowestCard(HighestCard):
    """Plays badly."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> Lay:
        return Lay(min(view.players[seat].hand or ()))


def last_round(ruleset: Ruleset[State, Lay]) -> State:
    """Everything hangs on one card: a four beats everyone, a one nobody."""
    position = {
        **builtins(first_round(ruleset)),
        "round": 4,
        "players": [
            {"hand": [1, 4], "hand_count": 2, "laid": [], "laid_count": 0, "score": 0, "vacated": None},
            {"hand": [2, 3], "hand_count": 2, "laid": [], "laid_count": 0, "score": 0, "vacated": None},
            {"hand": [2, 3], "hand_count": 2, "laid": [], "laid_count": 0, "score": 0, "vacated": None},
        ],
        "deck": [1, 1, 2, 3, 4],
        "deck_count": 5,
    }
    return ruleset.read_state(position)


def test_the_better_action_is_found_where_greedy_misses_it() -> None:
    ruleset = replace(LANTERNS, greedy=LowestCard())
    state = last_round(ruleset)
    view = ruleset.view(state, 0)
    assert Strong(ruleset, 40).choose(view, 0, dice()) == Lay(4)
    best, *others = weigh(ruleset, 0, worlds_seen(ruleset, view, 0), dice(), 40)
    assert best.action == Lay(4)
    assert [each.chances[0] < best.chances[0] for each in others] == [True]


@pytest.mark.parametrize("greedy", [LowestCard(), HighestCard()])
def test_where_nothing_is_to_be_gained_greedys_own_choice_stands(greedy: HighestCard) -> None:
    ruleset = replace(LANTERNS, greedy=greedy)
    lost = last_round(ruleset).with_player(1, score=3)
    view = ruleset.view(lost, 0)
    assert Strong(ruleset, 40).choose(view, 0, dice()) == greedy.choose(view, 0, dice())


@pytest.mark.parametrize(("left", "chosen"), [(4, Lay(1)), (3, Lay(4))])
def test_what_is_left_to_greedy_it_decides_and_can_be_weighed_all_the_same(left: int, chosen: Lay) -> None:
    prospects = replace(LANTERNS.prospects, is_left_to_greedy=lambda state, seat: state.round == left)
    ruleset = replace(LANTERNS, greedy=LowestCard(), prospects=prospects)
    view = ruleset.view(last_round(ruleset), 0)
    assert Strong(ruleset, 40).choose(view, 0, dice()) == chosen
    best, *_ = weigh(ruleset, 0, worlds_seen(ruleset, view, 0), dice(), 40)
    assert best.action == Lay(4)


def test_no_action_is_dropped_before_it_was_tried_in_enough_worlds() -> None:
    state = last_round(LANTERNS)
    for fewest in (8, 20):
        ruleset = replace(LANTERNS, prospects=replace(LANTERNS.prospects, fewest=fewest))
        assert min(each.playouts for each in weigh(ruleset, 0, lambda dice: state, dice(), 400)) == fewest


def test_actions_that_are_alike_are_tried_once_and_greedy_stands_for_its_kind() -> None:
    prospects = replace(LANTERNS.prospects, alike=lambda state, seat, action: "any card")
    ruleset = replace(LANTERNS, prospects=prospects)
    state = last_round(ruleset)
    (only,) = weigh(ruleset, 0, lambda dice: state, dice(), 40)
    assert only.action == Lay(4)
    assert only.playouts > 1


def test_of_too_many_actions_a_glance_leaves_greedys_own_and_the_most_promising() -> None:
    prospects = replace(LANTERNS.prospects, chances=high_cards_promise_most)
    ruleset = replace(LANTERNS, greedy=LowestCard(), prospects=prospects)
    state = first_round(ruleset).with_player(0, hand=(1, 2, 3, 4), hand_count=4)
    few = weigh(ruleset, 0, lambda dice: state, dice(), 2)
    assert {each.action for each in few} == {Lay(1), Lay(4)}
    assert len(weigh(ruleset, 0, lambda dice: state, dice(), 100)) == 4


def high_cards_promise_most(state: State) -> tuple[float, ...]:
    """Better the higher the card that seat 0 has laid."""
    mine = sum(state.players[0].laid or ()) / 4
    return mine, (1 - mine) / 2, (1 - mine) / 2


def test_a_playout_that_was_won_clearly_counts_for_more_than_one_that_was_won_narrowly() -> None:
    temple = RULESETS.latest("temple_of_five")
    state = temple.fold(None, temple.new_game({}, 2, Chance(SEED)))
    narrow, clear = [
        msgspec.structs.replace(state, outcome=Outcome((0,), "final_scoring", scores))
        for scores in ((31, 30), (45, 20))
    ]
    assert temple.prospects.chances(narrow) == temple.prospects.chances(clear) == (1.0, 0.0)
    assert 0.5 < temple.prospects.outlook(narrow)[0] < temple.prospects.outlook(clear)[0] < 1
    assert sum(temple.prospects.outlook(narrow)) == pytest.approx(1)


def test_a_playout_that_goes_in_circles_is_judged_as_it_stands() -> None:
    ruleset = replace(LANTERNS, afterwards=start_again)
    state = last_round(ruleset)
    assert play_on(ruleset, state, SEED).chances == (1 / 3,) * 3
    assert LONGEST < 1000


def start_again(course: Any) -> None:
    """The game never ends."""
    course.state = last_round(LANTERNS)


def test_seeds_of_playouts_come_from_the_dice_alone() -> None:
    ruleset = LANTERNS
    state = last_round(ruleset)
    view = ruleset.view(state, 0)
    one = weigh(ruleset, 0, worlds_seen(ruleset, view, 0), Stream(sha256(b"1").digest(), "bot/0/0"), 60)
    same = weigh(ruleset, 0, worlds_seen(ruleset, view, 0), Stream(sha256(b"1").digest(), "bot/0/0"), 60)
    assert one == same

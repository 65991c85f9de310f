"""What always holds, whatever is chosen (12): every combination of options and seats, played at random."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance
from games.kernel import Fact
from games.temple_of_five.contents import GODS
from games.temple_of_five.facts.building import BonusPlaced, SpecialPlaced, TilePlaced
from games.temple_of_five.facts.priests import ChainUsed
from games.temple_of_five.state import Blessing, State, box_of
from games.temple_of_five.surface import chains_of, seen_from_above
from tests.games.temple_of_five.kit import OPTIONS
from tests.games.temple_of_five.tables import RULESET

SEATS = (2, 3, 4)
COMBINATIONS = list(product(OPTIONS, SEATS))
NAMES = [f"{seats} {'-'.join(str(value) for value in options.values())}" for options, seats in COMBINATIONS]
every_combination = pytest.mark.parametrize(("options", "seats"), COMBINATIONS, ids=NAMES)

seeds = st.binary(min_size=32, max_size=32)
choices = st.integers(0, 2**32 - 1).map(Random)

NUMBERS = {"tiles": 52, "specials": 8, "bonus_2": 28, "bonus_3": 24, **dict.fromkeys(map(str, GODS), 10)}
"""How many different components of each kind there are (1)."""

Step = tuple[State, int, Any, list[Fact[State]], State]


def opening(options: dict[str, Any], seats: int, seed: bytes) -> State:
    return RULESET.fold(None, RULESET.new_game(options, seats, Chance(seed)))


def play(state: State, seed: bytes, random: Random) -> Iterator[Step]:
    """A game at random: what stood, who did what, what came of it, what stands."""
    while state.to_act:
        seat = random.choice(state.to_act)
        action = random.choice(RULESET.legal_actions(state, seat))
        facts = RULESET.decide(state, seat, action, Chance(seed))
        after = RULESET.fold(state, facts)
        yield state, seat, action, facts, after
        state = after


@every_combination
@settings(max_examples=2, deadline=None)
@given(seed=seeds, random=choices)
def test_a_game_keeps_every_rule_of_the_table(
    options: dict[str, Any], seats: int, seed: bytes, random: Random
) -> None:
    start = state = opening(options, seats, seed)
    box = RULESET.zones.box(start)
    assert {kind: len(ids) for kind, ids in box.items()} == NUMBERS
    actions = chains = 0
    turns: Counter[int] = Counter()
    for before, seat, _, facts, state in play(start, seed, random):
        assert RULESET.zones.lying(state) == box
        assert priests_of_each_seat(state) == [10] * seats
        check_board(state, seat)
        check_table(state)
        check_surfaces_change_by_building_alone(before, facts, state)
        actions += 1
        chains += sum(isinstance(fact, ChainUsed) for fact in facts)
        turns[seat] += before.phase == "place_priests" and state.active_seat != seat
    assert state.round == 6
    assert set(turns.values()) == {6}
    assert chains <= seats * (13 if options["special_tiles"] != "single_colour" else 12)
    fewest = 28 if options["will_of_the_gods"] and seats > 2 else 25
    assert seats * (fewest + options["ultimate_goal"]) <= actions <= 42 * seats + 52


def cards_in_play(state: State) -> list[Blessing]:
    cards = [state.display.of(god) for god in GODS] + [player.private_card for player in state.players]
    return [card for card in cards if card is not None]


def priests_of_each_seat(state: State) -> list[int]:
    """In reserve, on its own board, on cards."""
    return [
        player.priests_reserve
        + len(player.board_priests)
        + sum(card.priests.count(seat) for card in cards_in_play(state))
        for seat, player in enumerate(state.players)
    ]


def check_board(state: State, seat: int) -> None:
    """What is derived is right, and priests stand on decorations, one a space."""
    player, box = state.players[seat], box_of(state)
    seen = seen_from_above(box, player.board, player.tiles, player.special, player.pieces)
    assert (player.surface, player.levels) == seen
    assert player.chains == chains_of(box, player.surface, player.board_priests)
    assert len(set(player.board_priests)) == len(player.board_priests)
    assert all(player.sign(space) in box.colour_of for space in player.board_priests)
    assert player.priests_reserve >= 0


def check_table(state: State) -> None:
    """Cards have a free space, levels are built together, and whoever is to act can act."""
    assert all(card.free for card in cards_in_play(state))
    if state.phase != "build":
        assert len({len(player.tiles) for player in state.players}) == 1
    for player in state.players:
        lying = Counter(tile.level for tile in player.tiles)
        assert lying[1] == 9 or not lying[2]
        assert lying[2] == 4 or player.special is None
        if state.options.will_of_the_gods and state.phase == "build" and state.level < 3:
            assert player.hand_count == (1 if player.unseen_count else player.hand_count) <= 1
    assert state.turn.chains_used <= state.turn.chain_limit
    assert bool(state.to_act) == (state.phase != "ended")
    for seat in range(state.seats):
        assert bool(RULESET.legal_actions(state, seat)) == (seat in state.to_act)


def check_surfaces_change_by_building_alone(before: State, facts: list[Fact[State]], after: State) -> None:
    builders = {fact.seat for fact in facts if isinstance(fact, TilePlaced | SpecialPlaced | BonusPlaced)}
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        assert old.surface == new.surface or seat in builders


@settings(max_examples=12, deadline=None)
@given(combination=st.sampled_from(COMBINATIONS), seed=seeds, random=choices)
def test_every_viewer_can_follow_the_game_fact_by_fact(
    combination: tuple[dict[str, Any], int], seed: bytes, random: Random
) -> None:
    state = opening(*combination, seed)
    viewers = [None, *range(state.seats)]
    views = {viewer: RULESET.view(state, viewer) for viewer in viewers}
    for before, *_, facts, _after in play(state, seed, random):
        state = before
        for fact in facts:
            state = fact.apply(state)
            for viewer in viewers:
                views[viewer] = RULESET.redact(fact, viewer).apply(views[viewer])
                assert views[viewer] == RULESET.view(state, viewer), f"{viewer}: {fact}"


@settings(max_examples=6, deadline=None)
@given(combination=st.sampled_from(COMBINATIONS), seed=seeds, random=choices)
def test_the_same_seed_and_actions_give_the_same_facts(
    combination: tuple[dict[str, Any], int], seed: bytes, random: Random
) -> None:
    state = opening(*combination, seed)
    views = []
    for _, seat, action, facts, _ in play(state, seed, random):
        views.append((seat, action, canonical(facts)))
    for seat, action, then in views:
        again = RULESET.decide(state, seat, action, Chance(seed))
        assert canonical(again) == then
        state = RULESET.fold(state, again)


@settings(max_examples=25, deadline=None)
@given(
    combination=st.sampled_from(COMBINATIONS),
    number=st.integers(1, 6),
    seed=seeds,
    random=choices,
    orders=st.tuples(choices, choices),
)
def test_exchange_and_construction_do_not_depend_on_whose_call_comes_first(
    combination: tuple[dict[str, Any], int],
    number: int,
    seed: bytes,
    random: Random,
    orders: tuple[Random, Random],
) -> None:
    start = state = opening(*combination, seed)
    for *_, state in play(start, seed, random):
        if state.round == number and state.phase in ("exchange", "build"):
            break
    plans = random.getrandbits(32)
    one, other = (built_in_order(state, seed, plans, order) for order in orders)
    assert one.phase == other.phase == "place_priests"
    assert canonical(one) == canonical(other)


def built_in_order(state: State, seed: bytes, plans: int, order: Random) -> State:
    """Every seat follows a plan of its own, whenever its turn to call comes."""
    minds = [Random(plans + seat) for seat in range(state.seats)]
    while state.phase in ("exchange", "build"):
        seat = order.choice(state.to_act)
        action = minds[seat].choice(RULESET.legal_actions(state, seat))
        state = RULESET.fold(state, RULESET.decide(state, seat, action, Chance(seed)))
    return state

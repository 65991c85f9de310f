"""What holds after every action of every game (section 12), whatever the players do."""

from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.aton import ATON
from games.aton.facts import PointsScored, TemplesScored
from games.aton.pieces import holds_all, pieces_by_temple
from games.aton.state import SEATS, Player, State, board_of, laid, scores
from games.aton.turn import placeable, removable
from games.canonical import canonical
from games.chance import Chance
from games.kernel import Fact, Viewer
from tests.rulesets.story import builtins

VIEWERS: tuple[Viewer, ...] = (0, 1, None)
LONGEST = 250

seeds = st.binary(min_size=32, max_size=32)
choices = st.lists(st.integers(0, 999), min_size=15, max_size=60)
a_few_games = settings(max_examples=25, deadline=None)


def entries(seed: bytes, choices: list[int]) -> Iterator[tuple[list[Fact[State]], State]]:
    """A game in which the choices, over and over, say who acts and how; each entry's facts and state."""
    facts: list[Fact[State]] = ATON.new_game({}, 2, Chance(seed))
    state = ATON.fold(None, facts)
    yield facts, state
    for _, choice in zip(range(LONGEST), cycle(choices), strict=False):
        if not state.to_act:
            return
        seat = state.to_act[choice % len(state.to_act)]
        legal = ATON.legal_actions(state, seat)
        facts = ATON.decide(state, seat, legal[choice // 2 % len(legal)], Chance(seed))
        state = ATON.fold(state, facts)
        yield facts, state


def cards_of(player: Player) -> Counter[int]:
    zones = (player.hand, player.deck, player.discard, player.exchanged, player.cartouches)
    return Counter(card for zone in zones for card in zone or ())


@a_few_games
@given(seeds, choices)
def test_cards_and_pieces_add_up_and_counts_are_right(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        for seat, player in zip(SEATS, state.players, strict=True):
            on_board = list(state.board.values()).count(seat)
            assert player.supply + on_board + state.dead.count(seat) == 29
            assert player.supply >= 0
            assert cards_of(player) == {1: 9, 2: 9, 3: 9, 4: 9}
            for zone in ("hand", "deck", "exchanged", "cartouches"):
                assert len(getattr(player, zone)) == getattr(player, f"{zone}_count")
        assert len(state.dead) <= 8
        assert tuple(state.board) == board_of(state).spaces
        assert set(state.board.values()) <= {None, 0, 1}


@a_few_games
@given(seeds, choices)
def test_scores_never_fall_and_a_trade_token_never_comes_back(seed: bytes, choices: list[int]) -> None:
    before: State | None = None
    for _, state in entries(seed, choices):
        for player in state.players:
            assert player.exchanged_count in (0, 4)
            assert not (player.exchanged_count and player.trade_token)
            if before:
                assert player.score >= before.players[player.seat].score
                assert player.trade_token <= before.players[player.seat].trade_token
        before = state


@a_few_games
@given(seeds, choices)
def test_a_game_goes_on_exactly_until_somebody_has_won(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        going_on = state.outcome is None
        assert going_on == (state.phase != "ended") == bool(state.to_act)
        if going_on:
            assert max(scores(state)) < 40
            sets = board_of(state).winning_sets
            assert not any(holds_all(state, seat, each.spaces) for seat in SEATS for each in sets)


@a_few_games
@given(seeds, choices)
def test_every_phase_has_what_belongs_to_it(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        for player in state.players:
            held = player.hand_count, player.cartouches_count
            assert held in ({(4, 0), (0, 4)} if state.phase == "allocate" else {(0, 4)})
        match state.phase:
            case "allocate":
                assert state.active_seat is None
                assert state.first_seat is None
            case "remove" | "place":
                assert_a_real_choice(state)
            case "cull":
                assert_a_cull_under_way(state)


def assert_a_real_choice(state: State) -> None:
    (seat,) = state.to_act
    assert seat == state.active_seat
    candidates = (removable if state.phase == "remove" else placeable)(state, seat)
    assert 1 <= state.remaining < len(candidates)
    assert (state.target_seat is None) == (state.phase == "place")
    assert laid(state, seat)


def assert_a_cull_under_way(state: State) -> None:
    assert len(state.dead) == 8
    assert state.cull_quota is not None
    red, blue = scores(state)
    leader = 0 if red >= blue else 1
    active = leader if any(state.cull_quota[leader]) else 1 - leader
    assert state.active_seat == active
    assert all(sum(quota) <= 4 for quota in state.cull_quota)
    pieces = pieces_by_temple(state, active)
    quota = state.cull_quota[active]
    assert all(left == 0 or left < own for left, own in zip(quota, pieces, strict=True))


@a_few_games
@given(seeds, choices)
def test_whoever_is_to_act_has_a_choice_and_nobody_else(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        for seat in SEATS:
            legal = ATON.legal_actions(state, seat)
            fewest = 0 if seat not in state.to_act else 1 if state.phase == "allocate" else 2
            assert len(legal) >= fewest
            assert bool(legal) == (seat in state.to_act)
            assert len(set(map(canonical, legal))) == len(legal)


@a_few_games
@given(seeds, choices)
def test_redacted_facts_fold_to_the_view_after_every_single_fact(seed: bytes, choices: list[int]) -> None:
    state: State | None = None
    views: dict[Viewer, Any] = dict.fromkeys(VIEWERS)
    for facts, after in entries(seed, choices):
        for fact in facts:
            state = ATON.fold(state, [fact])
            for viewer in VIEWERS:
                views[viewer] = ATON.fold(views[viewer], [ATON.redact(fact, viewer)])
                assert views[viewer] == ATON.view(state, viewer)
        assert state == after


@a_few_games
@given(seeds, choices)
def test_a_view_never_shows_what_lies_face_down(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        for viewer in VIEWERS:
            for player in ATON.view(state, viewer).players:
                assert player.deck is None
                if player.seat != viewer:
                    assert player.hand is None
                    assert player.exchanged is None
                    hidden = state.phase == "allocate" and player.cartouches_count
                    assert (player.cartouches is None) == bool(hidden)


@a_few_games
@given(seeds, choices)
def test_points_come_in_the_amounts_that_the_rules_allow(seed: bytes, choices: list[int]) -> None:
    for facts, _ in entries(seed, choices):
        for fact in facts:
            if isinstance(fact, PointsScored):
                assert fact.points in (2, 4, 6)
            if isinstance(fact, TemplesScored):
                assert max(fact.points) <= 55
                assert fact.points == tuple(sum(line.points[seat] for line in fact.lines) for seat in SEATS)


@a_few_games
@given(seeds, choices, st.integers(0, LONGEST), st.sampled_from(SEATS))
def test_a_withdrawal_leaves_cards_pieces_and_secrets_as_they_were(
    seed: bytes, choices: list[int], moment: int, seat: int
) -> None:
    *_, (_, state) = (entry for _, entry in zip(range(moment + 1), entries(seed, choices), strict=False))
    if state.outcome is None:
        after = ATON.fold(state, ATON.withdraw(state, seat, "timed_out"))
        assert after.outcome is not None
        assert after.outcome.winners == (1 - seat,)
        assert (after.players, after.board, after.dead) == (state.players, state.board, state.dead)
        for viewer in VIEWERS:
            assert ATON.view(after, viewer).players == ATON.view(state, viewer).players


@a_few_games
@given(seeds, choices)
def test_row_47_a_game_begins_from_any_state_that_needs_a_decision(seed: bytes, choices: list[int]) -> None:
    for _, state in entries(seed, choices):
        if state.outcome is None:
            chance = Chance(seed)
            again = ATON.fold(None, ATON.new_game({}, 2, chance, builtins(state)))
            assert again == state
            assert not chance.draws

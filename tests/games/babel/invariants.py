"""What is true of every state of Babel (12.1), whoever looks at it."""

from collections import Counter
from typing import Any

from games.babel.box import NATIONS
from games.babel.state import State
from tests.games.babel.laid_out import BOX
from tests.games.babel.laid_out import LEVELS as TEMPLE_CARDS

LEVELS = Counter(TEMPLE_CARDS)
CARDS = Counter({nation: BOX.nations[nation].copies for nation in NATIONS})


def count_temple_cards(state: State) -> Counter[int]:
    """Every temple card, wherever it lies (1)."""
    cards = Counter(state.temple_pile)
    for player in state.players:
        cards.update(player.temple_column)
        cards.update([1] * player.start_card)
        for site in player.sites.values():
            cards.update(site.temple)
    return cards


def count_nation_cards(state: State) -> Counter[Any]:
    """Every nation card, wherever it lies (2)."""
    cards: Counter[Any] = Counter(state.nation_pile)
    cards.update(state.nation_discard)
    for player in state.players:
        cards.update(player.hand or ())
        for site in player.sites.values():
            cards.update(site.column)
    return cards


def check_invariants(state: State) -> None:
    """Everything that a single full state can be asked."""
    assert count_temple_cards(state) == LEVELS
    assert count_nation_cards(state) == CARDS
    _check_players(state)
    _check_piles(state)
    _check_whose_turn(state)
    _check_totals(state)


def _check_players(state: State) -> None:
    for player in state.players:
        assert list(player.sites) == list(NATIONS)
        for site in player.sites.values():
            assert list(site.temple) == sorted(set(site.temple))
        assert player.total == sum(max(site.temple, default=0) for site in player.sites.values())
        assert 0 <= player.total <= 30
        assert player.hand is not None
        assert list(player.hand) == sorted(player.hand)
        assert player.hand_count == len(player.hand)


def _check_piles(state: State) -> None:
    assert state.temple_pile is not None
    assert state.nation_pile is not None
    assert state.temple_pile_count == len(state.temple_pile)
    assert state.nation_pile_count == len(state.nation_pile)
    assert state.temple_pile[: len(state.temple_pile_known)] == state.temple_pile_known


def _check_whose_turn(state: State) -> None:
    if state.outcome:
        assert (state.phase, state.active_seat, state.to_act, state.pending) == ("ended", None, (), None)
        return
    active = (state.turn - 1) % 2
    assert state.active_seat == active
    assert len(state.to_act) == 1
    assert (state.pending is not None) == (state.phase == "discard")
    if state.pending:
        assert state.to_act == (state.pending.seat,) == (1 - active,)
        assert state.pending.count == state.players[1 - active].hand_count // 2 >= 1
    else:
        assert (state.phase, state.to_act) == ("actions", (active,))


def _check_totals(state: State) -> None:
    if state.outcome:
        assert state.outcome.scores == tuple(player.total for player in state.players)
        return
    allowed = range(10, 20) if state.endgame else range(15)
    assert all(player.total in allowed for player in state.players)

"""Cards are laid at the same time and in secret: nothing tells them apart, and no order of calls matters."""

from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.aton import ATON
from games.aton.state import State
from games.canonical import canonical
from games.chance import Chance
from games.kernel import Viewer
from tests.games.aton.positions import allocate
from tests.rulesets.story import SEED

EXCHANGE = {"type": "exchange"}

hands = st.lists(st.integers(1, 4), min_size=4, max_size=4)
seats = st.sampled_from((0, 1))
many = settings(max_examples=60, deadline=None)


def begun(position: dict[str, Any]) -> State:
    return ATON.fold(None, ATON.new_game({}, 2, Chance(SEED), position))


def received(state: State, seat: int, action: dict[str, Any], viewer: Viewer) -> dict[str, bytes]:
    """All that another gets of an action: its facts, the action itself, the view after it."""
    facts = ATON.decide(state, seat, ATON.read_action(action), Chance(SEED))
    return {
        "facts": canonical([ATON.redact(fact, viewer) for fact in facts]),
        "action": canonical(ATON.redact_action(action, seat, viewer)),
        "view": canonical(ATON.view(ATON.fold(state, facts), viewer)),
    }


@many
@given(seats, hands, hands, hands)
def test_what_others_receive_of_an_allocation_is_the_same_whatever_was_laid(
    seat: int, hand: list[int], another: list[int], opposing: list[int]
) -> None:
    def players(own: list[int]) -> list[dict[str, Any]]:
        pair = [{"hand": own}, {"hand": opposing}]
        return pair if seat == 0 else pair[::-1]

    for viewer in (1 - seat, None):
        got = [
            received(begun({"round": 3, "players": players(own)}), seat, allocate(*cards), viewer)
            for own in (hand, another)
            for cards in (own, sorted(own), sorted(own, reverse=True))
        ]
        assert all(each == got[0] for each in got)
        assert {tuple(map(len, each.values())) for each in got} == {tuple(map(len, got[0].values()))}


@many
@given(seats, hands, hands)
def test_what_others_receive_of_an_exchange_is_the_same_whatever_was_given_up(
    seat: int, hand: list[int], another: list[int]
) -> None:
    def position(own: list[int]) -> dict[str, Any]:
        pair = [{"hand": own}, {"hand": [1, 2, 3, 4]}]
        return {"players": pair if seat == 0 else pair[::-1]}

    for viewer in (1 - seat, None):
        got = [received(begun(position(own)), seat, EXCHANGE, viewer) for own in (hand, another)]
        assert got[0] == got[1]


def test_the_allocation_of_another_stays_redacted_and_moves_of_pieces_are_open() -> None:
    for viewer in (1, None):
        assert ATON.redact_action(allocate(1, 2, 3, 4), 0, viewer) == {"type": "allocate"}
        for kind in ("remove", "place", "cull"):
            action = {"type": kind, "space": "t1-01"}
            assert ATON.redact_action(action, 0, viewer) == action
    assert ATON.redact_action(allocate(1, 2, 3, 4), 0, 0) == allocate(1, 2, 3, 4)


@st.composite
def plans(draw: st.DrawFn) -> list[int]:
    """What a seat does: whether it exchanges (1), and which of its ways to lay the hand it takes."""
    return [draw(st.integers(0, 1)), draw(st.integers(0, 23))]


def carried_out(state: State, seat: int, step: int, plan: list[int]) -> State:
    """The first (exchange) or second (allocation) step of a seat's plan."""
    if step == 0 and not plan[0]:
        return state
    hand = state.players[seat].hand or ()
    raw = EXCHANGE if step == 0 else allocate(*list(permutations(hand))[plan[1]])
    return ATON.fold(state, ATON.decide(state, seat, ATON.read_action(raw), Chance(SEED)))


@many
@given(hands, hands, st.integers(0, 32), st.integers(0, 32), plans(), plans())
def test_row_49_the_order_of_the_seats_has_no_influence(
    red: list[int], blue: list[int], red_deck: int, blue_deck: int, red_plan: list[int], blue_plan: list[int]
) -> None:
    position = {
        "round": 5,
        "players": [
            {"hand": hand, "deck": rest(hand)[:size], "discard": rest(hand)[size:]}
            for hand, size in ((red, red_deck), (blue, blue_deck))
        ],
    }
    after = set()
    for order in set(permutations((0, 0, 1, 1))):
        state, steps = begun(position), [0, 0]
        for seat in order:
            state = carried_out(state, seat, steps[seat], (red_plan, blue_plan)[seat])
            steps[seat] += 1
        after.add(canonical(state))
    assert len(after) == 1


def rest(hand: list[int]) -> list[int]:
    """The other cards of a seat, well mixed."""
    cards = [1, 3, 2, 4] * 9
    for card in hand:
        cards.remove(card)
    return cards

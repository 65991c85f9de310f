"""What the rules keep up to date or decide by a short way, held against its plain definition after every fact."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from msgspec import UNSET

from games.chance import Chance, Stream
from games.kernel import replace
from games.sa_re import SA_RE
from games.sa_re.actions.action import SaReAction
from games.sa_re.actions.powers import UseBarracks, UseGardens, UseLibrary, UseMarket, UsePalace, UseTemple
from games.sa_re.actions.season import DiscardTrouble, Draw, EndSequence, PassTrouble, Stop, TakeCard
from games.sa_re.box import RESOURCES
from games.sa_re.forced import ONLY_ACTION
from games.sa_re.state import (
    Card,
    Cost,
    Obelisk,
    Pending,
    Player,
    State,
    Tile,
    Work,
    awaited,
    sequence_of,
)
from tests.games.sa_re.kit import A_PAIR_FROM_HORUS, KIT
from tests.games.sa_re.table import BOX, POWERS, city, in_season, site
from tests.rulesets.kit import Setting

A_CITY_THAT_GROWS = Setting(
    seats=2,
    options={"mode": "pharaoh", "max_rounds": 3},
    position={
        "phase": "construction",
        "players": [
            {
                "spaces": city(
                    {
                        "2": site("carpenter"),
                        "3": site("temple"),
                        "5": site("pyramid", steps=1),
                        "6": site("goldsmith"),
                        "7": site("port"),
                        "8": ["market"],
                        "10": ["stonecutter"],
                        "11": site("library"),
                    }
                ),
                "caravans": 3,
                "cards": ["gold_wood", "gold_stone", "stone_wood", "stone_stone", "gold_gold", "wood_wood"],
            },
            {"spaces": city({"4": ["carpenter"], "5": site("barracks"), "6": site("gardens")})},
        ],
    },
)
"""Crafts and a Port about to be completed beside other sites."""

SETTINGS = (*KIT.settings, A_PAIR_FROM_HORUS, A_CITY_THAT_GROWS, A_CITY_THAT_GROWS)


@pytest.fixture(params=range(6 * len(SETTINGS)))
def states(request: pytest.FixtureRequest) -> Iterator[State]:
    """A game as it goes from fact to fact."""
    return course(SETTINGS[request.param % len(SETTINGS)], Random(request.param))


def course(setting: Setting, random: Random) -> Iterator[State]:
    seed, sense = random.randbytes(32), random.choice([0.0, 0.5, 0.9])
    facts = SA_RE.new_game(setting.options, setting.seats, Chance(seed), setting.position)
    state: State | None = None
    for turn in range(250):
        for fact in facts:
            state = SA_RE.fold(state, [fact])
            yield state
        if state is None or state.phase == "ended":
            return
        seat = random.choice(state.to_act)
        if random.random() < sense:
            action = SA_RE.greedy.choose(SA_RE.view(state, seat), seat, Stream(seed, str(turn)))
        else:
            action = random.choice(SA_RE.legal_actions(state, seat))
        facts = SA_RE.decide(state, seat, action, Chance(seed))


# -- what every state shows besides what it holds (4.1) ---------------------------------------------------------


def test_whom_the_game_waits_for_follows_from_the_rest_after_every_fact(states: Iterator[State]) -> None:
    for state in states:
        assert awaited(state) == state


def test_every_site_shows_its_price_less_its_discounts_after_every_fact(states: Iterator[State]) -> None:
    for state in states:
        for player in state.players:
            for space, tiles in enumerate(player.spaces):
                for tile in tiles:
                    assert tile.cost == (UNSET if tile.built else plain_cost(player, space, tile))


def plain_cost(player: Player, space: int, tile: Tile) -> Cost:
    """The specification's words (5.7) in one go."""
    if isinstance(tile.number, int) and isinstance(tile.steps, int):
        price = next(each for each in BOX.pyramids if each.number == tile.number).steps[tile.steps]
    else:
        price = BOX.buildings[tile.building].cost or pytest.fail("no price")
    near = [
        BOX.buildings[each.building].discount
        for neighbour in BOX.neighbours[space]
        for each in player.spaces[neighbour]
        if each.built
    ]
    left = {each: max(0, getattr(price, each) - near.count(each)) for each in RESOURCES}
    has_port = any(each.building == "port" and each.built for tiles in player.spaces for each in tiles)
    return Cost(**left, wild=int(has_port and space in BOX.bank))


def test_penalty_and_limit_follow_from_the_city_after_every_fact(states: Iterator[State]) -> None:
    for state in states:
        for player in state.players:
            tiles = [tile for there in player.spaces for tile in there]
            launched = sum(tile.new is True for tile in tiles)
            builders = sum(tile.built and tile.building == "master_builder" for tile in tiles)
            due = max(0, launched - builders) if state.phase == "sites" else None
            assert player.penalty == due
            assert player.revolt_limit == BOX.revolt_gauge.revolt_at - len(player.growth)


def test_a_work_shows_what_it_lacks_after_every_fact(states: Iterator[State]) -> None:
    for state in states:
        if state.work:
            assert state.work.uncovered == plainly_uncovered(state, state.work)


def plainly_uncovered(state: State, work: Work) -> int:
    """The specification's words (5.7) in one go."""
    paid = [resource for payment in work.paid for resource in payment.gives]
    if work.space is None:
        return max(0, BOX.caravan_track.exchange_in - len(paid))
    cost = next(tile.cost for tile in state.players[work.seat].spaces[work.space] if not tile.built)
    assert isinstance(cost, Cost)
    short: int = sum(max(0, getattr(cost, each) - paid.count(each)) for each in RESOURCES)
    return max(0, short - paid.count("joker") - cost.wild)


# -- choices ----------------------------------------------------------------------------------------------------


def test_the_list_in_a_sequence_is_all_one_could_ask_for_and_nothing_speaks_against(
    states: Iterator[State],
) -> None:
    for state in states:
        if state.sequence and state.decision in ("work", "resolve", "wrap_up"):
            seat = state.to_act[0]
            accepted = [each for each in conceivable(state, seat) if each.against(state, seat) is None]
            assert SA_RE.legal_actions(state, seat) == accepted


def conceivable(state: State, seat: int) -> Iterator[SaReAction]:
    """Everything a player could ask for in its sequence, in the order of the list."""
    opponents = [other for other in range(len(state.players)) if other != seat]
    yield from (Draw(), Stop(), EndSequence(), UseTemple())
    for pending in sequence_of(state).pending:
        yield from (TakeCard(pending.id), DiscardTrouble(pending.id))
        yield from (PassTrouble(pending.id, other) for other in opponents)
        yield from (UsePalace(pending.id), UseGardens(pending.id), UseLibrary(pending.id))
    yield from (UseBarracks(other) for other in opponents)
    for other in opponents:
        for mine, theirs in product(state.players[seat].cards, state.players[other].cards):
            yield UseMarket(mine.id, theirs.id, other)


def test_an_only_action_is_the_one_entry_of_the_list(states: Iterator[State]) -> None:
    for state in states:
        is_between_sequences = state.phase == "season" and state.sequence is None
        if state.decision in ONLY_ACTION and not is_between_sequences:
            seat = state.to_act[0]
            actions = SA_RE.legal_actions(state, seat)
            assert ONLY_ACTION[state.decision](state, seat) == (actions[0] if len(actions) == 1 else None)


def test_whoever_is_asked_to_react_has_a_choice(states: Iterator[State]) -> None:
    for state in states:
        if state.decision == "react":
            assert all(len(SA_RE.legal_actions(state, seat)) == 2 for seat in state.to_act)


MARKET = next(space for space, tiles in POWERS.items() if tiles == ["market"])
FEW_CARDS = [
    "wood_3",
    "gold_1",
    "gold_gold",
    "horus_1",
    "trouble_1",
    "trouble_2",
    "trouble_3",
    "double_trouble_1",
    "stone_1",
]


def test_an_only_action_is_the_one_entry_of_the_list_wherever_cards_and_gauges_lie() -> None:
    for number in range(2000):
        state = dealt_anew(Random(number))
        actions = SA_RE.legal_actions(state, 0)
        assert ONLY_ACTION[state.decision](state, 0) == (actions[0] if len(actions) == 1 else None), number


def dealt_anew(random: Random) -> State:
    """A sequence of seat 0, with one or two powers, few cards, and anything between calm and revolt."""
    powers = {space: POWERS[space] for space in random.sample([*POWERS, MARKET, MARKET], random.randrange(3))}
    players = [{"spaces": city(powers)}, {}, {}][: random.randrange(2, 4)]
    state = in_season(*players, deck=["wood_1", "wood_2"]).state
    cards = random.sample(FEW_CARDS, 9)
    pending = tuple(
        Pending(card, level=BOX.cards[card].level or UNSET) for card in cards[6 : 6 + random.randrange(4)]
    )
    sequence = replace(
        sequence_of(state),
        pending=pending,
        troubles=random.randrange(2),
        produced=random.random() < 0.5,
        owed=random.randrange(3),
        drawn=1,
    )
    hands = [cards[3 * seat : 3 * seat + random.randrange(3)] for seat in range(2)]
    table = [disturbed(player, random) for player in state.players]
    for seat, hand in enumerate(hands):
        table[seat] = replace(table[seat], cards=tuple(held(card, random) for card in hand))
    table[0] = replace(table[0], obelisk="standing")
    return awaited(replace(state, players=tuple(table), sequence=sequence))


def disturbed(player: Player, random: Random) -> Player:
    """A player somewhere on its gauge."""
    obelisk: Obelisk = random.choice(["standing", "down", "revolt"])
    return replace(player, revolt=random.choice([0, 4, 5, 6]), obelisk=obelisk)


def held(card: str, random: Random) -> Card:
    """A card in front of a player: only Troubles are jokers, and some cards have changed hands."""
    return Card(card, joker=not BOX.cards[card].gives, exchanged=random.random() < 0.5)

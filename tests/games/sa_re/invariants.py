"""The specification's invariants (12), told again from the tests' side: what holds at every moment of a game."""

from collections import Counter

from msgspec import UNSET

from games.sa_re.state import Player, State, Tile
from tests.games.sa_re.table import BOX

ADMINISTRATIVE = {"temple", "barracks", "gardens", "palace", "market", "library"}
UNIQUE = ADMINISTRATIVE | {"port", "pyramid"}
STEPS = {1: 3, 2: 3, 3: 2, 4: 2}


def check(state: State) -> None:
    """Hold every invariant against a state."""
    check_cards(state)
    check_tiles(state)
    for player in state.players:
        check_stores(state, player)
        check_gauge(state, player)
        check_board(state, player)
        check_history(player)
    check_season(state)
    check_who_acts(state)


def check_cards(state: State) -> None:
    sequence, work = state.sequence, state.work
    pending = [card.id for card in sequence.pending] if sequence else []
    temple = [card.id for card in sequence.temple] if sequence else []
    paid = [payment.card.id for payment in work.paid if payment.card is not UNSET] if work else []
    front = [card for player in state.players for card in player.cards]
    piles = [*(state.deck or ()), *(state.set_aside or ()), *state.discard]
    everywhere = [*piles, *(card.id for card in front), *pending, *temple, *paid]
    assert sorted(str(card) for card in everywhere) == sorted(BOX.cards)
    assert "hoshekh" in piles
    for card in front:
        assert card.joker == (BOX.cards[card.id].kind == "trouble")
        assert card.joker or BOX.cards[card.id].kind in ("single", "double")
    if state.phase in ("setup", "sites"):
        assert all(len(player.cards) <= 1 + state.round for player in state.players)
        assert all(card.kept is True for card in front)
        assert not any(card.joker for card in front)


def check_tiles(state: State) -> None:
    seats = len(state.players)
    boards = Counter(tile.building for player in state.players for tile in tiles(player))
    boards.update(building for player in state.players for building in player.to_place)
    for building, left in state.supply.items():
        total = 2 * seats if building in ("warehouse", "master_builder") else seats
        assert boards[building] + left == total
        assert left >= 0
    numbers = [
        tile.number for player in state.players for tile in tiles(player) if tile.building == "pyramid"
    ]
    assert sorted([*state.pyramids, *numbers], key=str) == list(range(1, seats + 1))


def tiles(player: Player) -> list[Tile]:
    return [tile for space in player.spaces for tile in space]


def built(player: Player) -> list[str]:
    return [tile.building for tile in tiles(player) if tile.built]


def check_stores(state: State, player: Player) -> None:
    stock = player.stock
    assert min(stock.wood, stock.gold, stock.stone, stock.joker) >= 0
    if state.phase != "setup":
        assert stock.total <= 3 * built(player).count("warehouse")
    assert 0 <= player.caravans_new <= player.caravans <= 3


def check_gauge(state: State, player: Player) -> None:
    assert player.revolt_limit == 7 - len(player.growth)
    if state.phase in ("setup", "sites"):
        assert player.obelisk == "standing"
    if state.phase in ("setup", "sites", "season"):
        assert (player.revolt == player.revolt_limit) == (player.obelisk == "revolt")
        assert 0 <= player.revolt <= player.revolt_limit
    new = sum(tile.new is True for tile in tiles(player))
    builders = built(player).count("master_builder")
    assert player.penalty == (max(0, new - builders) if state.phase == "sites" else None)


def check_board(state: State, player: Player) -> None:
    for space, there in enumerate(player.spaces):
        assert len(there) <= 1 or [tile.building for tile in there] == ["warehouse", "master_builder"]
        assert len(there) <= 1 or all(tile.built for tile in there)
        assert all(space in (3, 7, 11) for tile in there if tile.building == "port")
    kinds = Counter(tile.building for tile in tiles(player))
    assert all(kinds[building] <= 1 for building in UNIQUE)
    new = Counter(tile.building for tile in tiles(player) if tile.new is True)
    assert new.total() <= 2 * built(player).count("master_builder")
    assert all(count == 1 for count in new.values())
    for tile in tiles(player):
        assert (tile.cost is UNSET) == tile.built
        if isinstance(tile.number, int):
            assert tile.built == (tile.steps == STEPS[tile.number])
    assert state.phase == "setup" or "master_builder" in built(player)


def check_history(player: Player) -> None:
    assert len(set(player.growth)) == len(player.growth)
    assert len(set(player.ever_built)) == len(player.ever_built)
    assert {name for name in built(player) if name in UNIQUE} <= set(player.ever_built)
    assert not {tile.building for tile in tiles(player) if not tile.built} & set(player.ever_built)
    assert ("main" in player.growth) == bool({"port", "pyramid"} & set(player.ever_built))
    assert ("administrative" in player.growth) == (len(ADMINISTRATIVE & set(player.ever_built)) >= 2)


def check_season(state: State) -> None:
    if state.phase == "season":
        assert state.deck_face_up == ("hoshekh" not in state.discard)
        assert state.sequence
    elif state.phase != "ended":
        assert (state.deck, state.set_aside, state.sequence) == ((), (), None)
    assert (state.deck_count, state.set_aside_count) == (len(state.deck or ()), len(state.set_aside or ()))
    shown = bool(state.deck) and (state.deck_face_up or state.top_known_to is not None)
    assert state.top_card == (state.deck[0] if state.deck and shown else None)


def check_who_acts(state: State) -> None:
    if state.phase == "ended":
        assert (state.to_act, state.reactions, state.decision, state.active_seat) == ((), (), None, None)
    else:
        assert state.to_act
        assert len(state.to_act) == 1 or state.decision == "react"
        assert list(state.to_act) == sorted(state.to_act)

"""Every legal action, in canonical form and in the order of the actions' table (13.2)."""

from collections.abc import Iterator
from itertools import combinations

from games.kernel import Action, Seat
from games.temple_of_five.actions import building
from games.temple_of_five.actions.priests import EndTurn, TakeBlessing, UseChain
from games.temple_of_five.building import first_alike, first_like, free_slots, has_room_for_piece
from games.temple_of_five.contents import GODS
from games.temple_of_five.exchange import destinations_with_room, split_due
from games.temple_of_five.priests import at_chain_limit, can_reuse_a_chain, fits
from games.temple_of_five.state import DECKS, Blessing, Chain, State, Target, box_of


def choices(state: State, seat: Seat) -> list[Action[State]]:
    """What a seat may do that is to act now."""
    match state.phase:
        case "choose_goal":
            return [building.ChooseGoal("a"), building.ChooseGoal("b")]
        case "exchange" if state.options.will_of_the_gods:
            return [building.Allot(to) for to in destinations_with_room(state, seat)]
        case "exchange":
            return list(exchanges(state, seat))
        case "build" if state.level == 3:
            return [*special_placings(state, seat), *bonus_placings(state, seat)]
        case "build":
            return [*tile_placings(state, seat), *bonus_placings(state, seat)]
        case "place_priests":
            uses = chain_uses(state, seat)
            return [*bonus_placings(state, seat), *uses, *blessings(state, seat), EndTurn()]
        case "ended":
            return []


def exchanges(state: State, seat: Seat) -> Iterator[building.Exchange]:
    """Each way to split the hand, in hand order."""
    hand = state.players[seat].hand or ()
    due = split_due(state.seats, state.level)
    for keep in hand:
        others = tuple(tile for tile in hand if tile != keep)
        for left in combinations(others, due["left"]):
            yield building.Exchange(keep, left, tuple(tile for tile in others if tile not in left))


def tile_placings(state: State, seat: Seat) -> Iterator[building.PlaceTile]:
    """Each tile in hand, in each different face, on each free slot."""
    me = state.players[seat]
    slots = free_slots(state, me)
    for tile in me.hand or ():
        for rotation in box_of(state).different_rotations[tile]:
            for slot in slots:
                yield building.PlaceTile(tile, slot, rotation)


def special_placings(state: State, seat: Seat) -> Iterator[building.PlaceSpecial]:
    """Each different face in hand once face up; face down once, with the first tile."""
    hand = state.players[seat].hand or ()
    for tile in hand:
        if tile == first_alike(state, hand, tile):
            yield building.PlaceSpecial(tile, True)
    yield building.PlaceSpecial(hand[0], False)


def bonus_placings(state: State, seat: Seat) -> Iterator[building.PlaceBonus]:
    """The first piece of each colour and size in reserve, on each place that has room for it."""
    me, box = state.players[seat], box_of(state)
    for reserve, size in ((me.bonus_2 or (), 2), (me.bonus_3 or (), 3)):
        pieces = [piece for piece in reserve if piece == first_like(state, reserve, piece)]
        places = [line for line in box.lines[size] if has_room_for_piece(state, me, line)] if pieces else []
        for piece in pieces:
            for spaces in places:
                yield building.PlaceBonus(piece, spaces)


def chain_uses(state: State, seat: Seat) -> Iterator[UseChain]:
    """Each usable chain, each of its spaces without a priest, each fitting card, each set of spaces it can pay."""
    if at_chain_limit(state):
        return
    me = state.players[seat]
    reusing = can_reuse_a_chain(state, seat)
    for chain in me.chains:
        if chain.closed and not reusing:
            continue
        offers = [
            (target, spaces)
            for target, blessing in targets(state, seat, chain)
            for spaces in payable(state, blessing, chain.length, me.priests_reserve - 1)
        ]
        for space in chain.spaces:
            if not (chain.closed and space in me.board_priests):
                for target, spaces in offers:
                    yield UseChain(space, target, spaces)


def targets(state: State, seat: Seat, chain: Chain) -> Iterator[tuple[Target, Blessing]]:
    """The cards in play that a chain fits: its colour's, the supreme god's, one's own."""
    named: tuple[Target, ...] = (chain.colour, "supreme", "private")
    for target in named:
        blessing = state.card_in_play(seat, target)
        if blessing is not None and fits(chain, box_of(state).cards_by_id[blessing.card]):
            yield target, blessing


def payable(state: State, blessing: Blessing, length: int, priests: int) -> Iterator[tuple[int, ...]]:
    """The sets of free spaces of a card within a chain's length and a number of priests, smaller sets first."""
    values, free = box_of(state).cards_by_id[blessing.card].values, blessing.free
    for number in range(1, min(len(free), priests) + 1):
        for spaces in combinations(free, number):
            if sum(values[space] for space in spaces) <= length:
                yield spaces


def blessings(state: State, seat: Seat) -> Iterator[TakeBlessing]:
    """Each god whose deck has cards, while the effect `private_card` is unused."""
    if state.effect_of(seat) == "private_card" and not state.turn.effect_used:
        for god in GODS:
            if state.count(DECKS[god]):
                yield TakeBlessing(god)

"""Positions to start from (4.4): filling what they leave out, refusing what cannot be."""

from itertools import pairwise

from games.babel.box import NATIONS
from games.babel.end import standing, totals_of
from games.babel.state import Nations, Options, Pending, Player, Site, State, active_seat, box_of, total_of
from games.babel.version_2 import STATES
from games.babel.zones import ZONES
from games.begins import who_begins
from games.chance import Chance
from games.kernel import Position, Seat, replace
from games.positions import demand, demand_complete, demand_nothing_twice, gives, lay_over

DERIVED = {"phase", "to_act", "total"}


def read_position(options: Options, chance: Chance, position: Position | None) -> State:
    """The state that a position describes; one that says nothing describes an ordinary set-up."""
    state = lay_over(ZONES, _blank(options), position, DERIVED)
    demand_nothing_twice(ZONES, state)
    state = _with_temples(_with_start_cards(_with_turn(state, chance), position), chance)
    state = _ready(ZONES.counted(_with_nations(state, chance)))
    demand_complete(ZONES, state)
    return state


def _blank(options: Options) -> State:
    """An empty table: what is null here is dealt, unless a position says what it is."""
    player = Player(sites={nation: Site() for nation in NATIONS})
    return STATES[type(options)](options=options, players=(player, player))


# -- what a position leaves out -------------------------------------------------------------------------------------


def _with_start_cards(state: State, position: Position | None) -> State:
    """The start card lies there until the seat has had its first turn."""
    for seat in (0, 1):
        if not gives(position, "players", seat, "start_card"):
            state = state.with_player(seat, start_card=state.turn <= 1 + (seat != first_seat(state)))
    return state


def _with_temples(state: State, chance: Chance) -> State:
    """All temple cards that lie nowhere else are the pile; those that everybody knows are on top."""
    top, pile = state.temple_pile_known, state.temple_pile
    if pile is None:
        unplaced = ZONES.unplaced(replace(state, temple_pile=top), "temples")
        pile = top + chance.shuffle("temples/0", unplaced)
    demand(pile[: len(top)] == top, "`temple_pile_known` is not the beginning of `temple_pile`")
    return replace(state, temple_pile=pile)


def _with_nations(state: State, chance: Chance) -> State:
    """Missing hands are dealt, that of the first player first; a missing pile receives all the rest."""
    box = box_of(state)
    unplaced: Nations = tuple(ZONES.unplaced(state, "nations"))
    if state.nation_pile is None or any(player.hand is None for player in state.players):
        unplaced = chance.shuffle("nations/0", unplaced)
    first = first_seat(state)
    for seat, size in zip((first, 1 - first), box.starting_hands[state.options.edition], strict=True):
        hand = state.players[seat].hand
        if hand is None:
            demand(len(unplaced) >= size, f"{size} cards are to be dealt, and {len(unplaced)} are left")
            hand, unplaced = unplaced[:size], unplaced[size:]
        state = state.with_player(seat, hand=tuple(sorted(hand)))
    return replace(state, nation_pile=unplaced) if state.nation_pile is None else state


def _with_turn(state: State, chance: Chance) -> State:
    """Whose turn it is follows from its number; since version 2 a position may say otherwise (Q25)."""
    demand(state.turn >= 1, "turns are counted from 1")
    demand(state.reshuffles >= 0, "reshuffles are counted from 0")
    if state.active_seat is not None and state.options.rules > 1:
        demand(state.active_seat in (0, 1), f"there is no seat {state.active_seat}")
        return state
    active = (who_begins(state.options, 2, chance) + state.turn - 1) % 2
    demand(state.active_seat in (None, active), f"in turn {state.turn} the active seat is {active}")
    return replace(state, active_seat=active)


def first_seat(state: State) -> Seat:
    """Who had the first turn, by whose turn it is now."""
    return (active_seat(state) + state.turn - 1) % 2


# -- what must hold -------------------------------------------------------------------------------------------------


def _ready(state: State) -> State:
    """The state with its totals, and with whom it waits for; somebody must have something to decide."""
    for seat, player in enumerate(state.players):
        _check_temples(player)
        state = state.with_player(seat, total=total_of(player.sites))
    endgame, over = standing(totals_of(state), state.endgame, box_of(state).thresholds)
    demand(over is None, f"the game would be over already ({over})")
    active = active_seat(state)
    if state.pending:
        _check_pending(state, 1 - active)
        return replace(state, endgame=endgame, phase="discard", to_act=(1 - active,))
    return replace(state, endgame=endgame, to_act=(active,))


def _check_temples(player: Player) -> None:
    """A temple's levels rise; one may be left out (Q19)."""
    for name, site in player.sites.items():
        rises = all(below < above for below, above in pairwise(site.temple))
        demand(rises, f"a temple at {name} does not rise: {list(site.temple)}")


def _check_pending(state: State, seat: int) -> None:
    """Only half of a hand of two or more can be asked for (Q13)."""
    cards = state.players[seat].hand_count
    asks_half = state.pending == Pending("discard_half", seat, cards // 2) and cards >= 2
    demand(asks_half, f"`pending` can only ask seat {seat} for half of its {cards} cards")

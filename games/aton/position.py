"""Positions to start from (4.2): filling what they leave out, refusing what cannot be."""

from games.aton.box import BOARDS, CARTOUCHES
from games.aton.culling import cull_quota, leader
from games.aton.facts import at_cull
from games.aton.pieces import holds_all, pieces_by_temple
from games.aton.reveal import order_by_cartouches
from games.aton.state import SEATS, Options, Player, Quota, State, board_of, dead_is_full, laid, other
from games.aton.turn import placement_number, removal_number
from games.aton.zones import ZONES, own_cards
from games.chance import Chance
from games.kernel import Position, Seat, replace
from games.positions import demand, demand_complete, demand_nothing_twice, gives, lay_over

PHASES = ("allocate", "remove", "place", "cull")
DERIVED = {"to_act", "target_seat"}


def read_position(options: Options, chance: Chance, position: Position | None) -> State:
    """The state that a position describes, before any drawing or automatic step; in a turn, with its seat and pieces."""
    state = lay_over(ZONES, blank(options), position, DERIVED)
    check_numbers(state)
    for seat in SEATS:
        state = with_supply(state, seat, position)
    demand_nothing_twice(ZONES, state)
    for seat in SEATS:
        check_zones(state, seat, position)
        state = with_cards(state, seat, position, chance)
    state = ZONES.counted(state)
    demand_complete(ZONES, state)
    check_nobody_has_won(state)
    return ready(state, position)


def blank(options: Options) -> State:
    """An empty board; a deck that is null is what the other zones leave."""
    board = BOARDS[options.component_set]
    red, blue = (
        Player(seat=seat, colour=board.box.colours[seat], supply=board.box.pieces_per_player)
        for seat in SEATS
    )
    return State(options=options, players=(red, blue), board=dict.fromkeys(board.spaces))


def check_numbers(state: State) -> None:
    """Phase, seats and counts are such as occur in play; nobody has enough points to have won."""
    box = board_of(state).box
    demand(state.phase in PHASES, f"the phase is one of {', '.join(PHASES)}")
    demand(state.round >= 1, "rounds are counted from 1")
    for seat in (state.active_seat, state.first_seat):
        demand(seat in (None, *SEATS), f"there is no seat {seat}")
    unknown = sorted(set(state.board) - set(board_of(state).spaces))
    demand(not unknown, f"the board has no space {', '.join(unknown)}")
    demand(len(state.dead) <= box.dead_spaces, f"there are {len(state.dead)} dead")
    for seat, player in enumerate(state.players):
        demand(player.seat == seat, f"player {seat} cannot have seat {player.seat}")
        demand(player.colour == box.colours[seat], f"seat {seat} is {box.colours[seat]}")
        demand(player.rebuilds >= 0, "rebuilds are counted from 0")
        demand(
            0 <= player.score < box.winning_score, f"seat {seat} cannot have {player.score} points in play"
        )


def with_supply(state: State, seat: Seat, position: Position | None) -> State:
    """Every piece that is neither on the board nor among the dead is in the supply."""
    away = [*state.board.values(), *state.dead].count(seat)
    supply = board_of(state).box.pieces_per_player - away
    demand(supply >= 0, f"seat {seat} has more than {away + supply} pieces")
    if gives(position, "players", seat, "supply"):
        stated = state.players[seat].supply
        demand(stated == supply, f"seat {seat} has {supply} pieces in its supply, not {stated}")
    return state.with_player(seat, supply=supply)


# -- cards ----------------------------------------------------------------------------------------------------------


def check_zones(state: State, seat: Seat, position: Position | None) -> None:
    """How many cards may lie where, by what the seat has still to do."""
    player = state.players[seat]
    cartouches, exchanged, hand = player.cartouches or (), player.exchanged or (), player.hand or ()
    demand(len(cartouches) in (0, CARTOUCHES), f"seat {seat} has {len(cartouches)} cards at its cartouches")
    demand(len(exchanged) in (0, CARTOUCHES), f"seat {seat} has exchanged {len(exchanged)} cards")
    demand(
        not (exchanged and player.trade_token), f"seat {seat} has exchanged cards and still its trade token"
    )
    allocating = state.phase == "allocate"
    demand(allocating or bool(cartouches), f"seat {seat} has laid no cards, and the phase is {state.phase}")
    holds = CARTOUCHES if allocating and not cartouches else 0
    left_out = not gives(position, "players", seat, "hand")
    demand(left_out or len(hand) == holds, f"seat {seat} must hold {holds} cards")


def with_cards(state: State, seat: Seat, position: Position | None, chance: Chance) -> State:
    """The cards that no zone names are shuffled as the deck; if the deck is given, they are discards."""
    unplaced = ZONES.unplaced(state, own_cards(state, seat))
    if state.players[seat].deck is None:
        return state.with_player(seat, deck=chance.shuffle(f"deck/{seat}/0", unplaced))
    if not gives(position, "players", seat, "discard"):
        return state.with_player(seat, discard=tuple(unplaced))
    return state


def check_nobody_has_won(state: State) -> None:
    """No winning set is full."""
    for winning_set in board_of(state).winning_sets:
        for seat in SEATS:
            won = holds_all(state, seat, winning_set.spaces)
            demand(not won, f"seat {seat} has won ({winning_set.reason})")


# -- whose turn it is -----------------------------------------------------------------------------------------------


def ready(state: State, position: Position | None) -> State:
    """The state with what its phase needs: who is to lay, who goes first, who culls."""
    phase, quota = state.phase, state.cull_quota
    in_turn = phase in ("remove", "place")
    demand(quota is None or phase == "cull", f"there is no cull in the phase {phase}")
    demand(in_turn or not state.remaining, f"no pieces remain to be moved in the phase {phase}")
    if phase == "allocate":
        nobody = state.first_seat is None and state.active_seat is None
        demand(nobody, f"first_seat and active_seat must be null in the phase {phase}")
        return replace(state, to_act=tuple(p.seat for p in state.players if not p.cartouches_count))
    state = replace(state, first_seat=first_seat(state))
    if in_turn:
        check_turn(state, position)
        return state
    demand(dead_is_full(state), "a cull needs the realm of the dead to be full")
    return replace(state, active_seat=None) if quota is None else culling(state, quota)


def first_seat(state: State) -> Seat:
    """The seat that the cartouches put first; it must be named only where they do not tell."""
    by_cards = order_by_cartouches(laid(state, 0), laid(state, 1))
    if by_cards is None:
        demand(state.first_seat is not None, "the cartouches do not tell who goes first, name first_seat")
        return state.first_seat or 0
    first, by = by_cards
    demand(state.first_seat in (None, first), f"{by} puts seat {first} first")
    return first


def check_turn(state: State, position: Position | None) -> None:
    """Someone must be active, with no more pieces to move than the cards ask for."""
    seat = state.active_seat
    demand(seat is not None, f"the phase {state.phase} needs an active_seat")
    if gives(position, "remaining"):
        most = (removal_number if state.phase == "remove" else placement_number)(state, seat or 0)
        demand(1 <= state.remaining <= most, f"remaining must lie between 1 and {most}")


def culling(state: State, quota: tuple[Quota, Quota]) -> State:
    """A cull under way: the leader takes all his pieces before the other takes any."""
    first, most = leader(state), board_of(state).box.cull_pieces
    for seat in SEATS:
        pieces = pieces_by_temple(state, seat)
        there = all(0 <= due <= own for due, own in zip(quota[seat], pieces, strict=True))
        demand(there, f"seat {seat} has not as many pieces in the temples as its quota says")
        demand(sum(quota[seat]) <= most, f"the quota of seat {seat} is more than {most} pieces")
    demand(any(map(any, quota)), "no piece remains to be culled")
    untouched = not any(quota[first]) or quota[other(first)] == cull_quota(state, other(first))
    demand(untouched, f"seat {other(first)} culls after the leader and has its whole quota to take")
    return at_cull(state, quota, first)

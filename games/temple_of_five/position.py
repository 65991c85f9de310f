"""Setting a game up, from nothing or from a position (3, 4.3)."""

from collections.abc import Mapping
from typing import Any

from games.chance import Chance
from games.kernel import Course
from games.temple_of_five.box import BOXES, Box
from games.temple_of_five.filling import Filling
from games.temple_of_five.given import (
    GivenPlayer,
    GivenTurn,
    Position,
    Table,
    check_places,
    demand,
    given_zones,
    read_position,
    used_components,
)
from games.temple_of_five.rounds import chain_limit, deal
from games.temple_of_five.soundness import check_pieces, check_priests, check_sound, has_full_choice
from games.temple_of_five.state import (
    DEALT,
    LEVELS,
    Display,
    Options,
    Phase,
    Player,
    State,
    TurnState,
    replace,
)
from games.temple_of_five.surface import chains_of, seen_from_above


def set_up(options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None) -> State:
    """The state when the first decision is due; an ordinary setup is the empty position."""
    table = Table(options, seats, BOXES[options.component_set], chance)
    given = read_position({} if position is None else position)
    check_frame(table, given)
    phase: Phase = given.phase or ("choose_goal" if options.ultimate_goal else "exchange")
    number = given.round or 1
    players = given.players or (GivenPlayer(),) * seats
    used = used_components(given_zones(table, given, players, LEVELS[number]))
    check_places(table, players)
    filling = Filling(table, given, players, used)
    filling.fill(phase, number)
    state = deal_missing_hands(assembled(filling, phase, number), players)
    if phase == "place_priests":
        state = with_turn(state, given)
    state = replace(state, to_act=due_to_act(state))
    if position:  # an ordinary setup is sound by itself
        check_sound(state)
        check_without_luck(state, players)
    return state


def check_frame(table: Table, given: Position) -> None:
    """What must hold before anything can be filled (4.3)."""
    demand(given.options in (None, table.options), "The position's options are not those of the game.")
    demand(given.phase != "ended" and given.outcome is None, "A game cannot begin when it is over.")
    number = 1 if given.round is None else given.round
    demand(number in LEVELS, "There are the rounds 1 to 6.")
    demand(given.level in (None, LEVELS[number]), f"Round {number} builds level {LEVELS[number]}.")
    seats = range(table.seats)
    demand(given.players is None or len(given.players) == table.seats, "There is one player for each seat.")
    demand(given.first_player is None or given.first_player in seats, "The first player is no seat.")
    demand(given.active_seat is None or given.active_seat in seats, "The active seat is no seat.")
    if given.phase != "place_priests":
        idle = given.active_seat is None and given.turn_state is None
        demand(idle, "Only in the phase `place_priests` a seat has its turn.")
    if given.phase == "choose_goal":
        demand(table.options.ultimate_goal, "Goals are chosen with the option `ultimate_goal` only.")
        demand(number == 1, "Goals are chosen before the first round.")
    demand(given.phase != "exchange" or number < 6, "Nothing is exchanged in round 6.")
    scored = any(player.score is not None for player in given.players or ())
    demand(not scored, "Nobody has a score before the end.")


def check_without_luck(state: State, given: tuple[GivenPlayer, ...]) -> None:
    """No shuffle decides whether a position is sound: it is so with any board and hand that may be dealt."""
    named = {player.board for player in given}
    boards = [board for board in state.box.printed_by_id if board not in named]
    for seat, player in enumerate(state.players):
        chosen_from_luck = player.choice is not None and given[seat].waits_for_deal
        demand(not chosen_from_luck, f"Seat {seat} has chosen from a hand that is not given.")
        for board in boards if given[seat].board is None else ():
            dealt = at_board(state.box, player, board)
            check_priests(state, seat, dealt)
            check_pieces(state, seat, dealt)


def at_board(box: Box, player: Player, board: str) -> Player:
    """The same pyramid on another board."""
    surface, levels = seen_from_above(box, board, player.tiles, player.special, player.pieces)
    return replace(player, board=board, surface=surface, levels=levels)


def assembled(filling: Filling, phase: Phase, number: int) -> State:
    """The filled zones as a state, hands that are left out still empty."""
    piles = {name: ids for pile, ids in filling.piles.items() for name, ids in counted(pile, ids).items()}
    return State(
        options=filling.table.options,
        phase=phase,
        round=number,
        level=LEVELS[number],
        first_player=filling.given.first_player or 0,
        active_seat=None,
        to_act=(),
        turn_state=None,
        players=tuple(seated(filling, seat) for seat in range(filling.table.seats)),
        display=Display(**filling.display),
        outcome=None,
        **piles,
    )


def counted(zone: str, ids: tuple[str, ...] | None) -> dict[str, Any]:
    """A hidden zone and its count."""
    return {zone: ids or (), f"{zone}_count": len(ids or ())}


def seated(filling: Filling, seat: int) -> Player:
    """One player of the filled position; fields left out are empty (step 9)."""
    box, given = filling.table.box, filling.players[seat]
    board = given.board or ""
    tiles, pieces, priests = given.tiles or (), given.pieces or (), given.board_priests or ()
    surface, levels = seen_from_above(box, board, tiles, given.special, pieces)
    return Player(
        board=board,
        vacated=given.vacated,
        priests_reserve=filling.reserve_of(seat),
        choice=given.choice,
        tiles=tiles,
        special=given.special,
        pieces=pieces,
        board_priests=priests,
        completed=given.completed or (),
        private_card=filling.blessing(given.private_card),
        goal_side=given.goal_side,
        score=None,
        surface=surface,
        levels=levels,
        chains=chains_of(box, surface, priests),
        **counted("hand", given.hand),
        **counted("unseen", given.unseen),
        **counted("bonus_2", given.bonus_2),
        **counted("bonus_3", given.bonus_3),
    )


def deal_missing_hands(state: State, given: tuple[GivenPlayer, ...]) -> State:
    """Hands left out are dealt from the top, in order from the first player (step 8)."""
    if state.phase not in ("exchange", "build"):
        return state
    course = Course(state)
    for seat in state.turn_order:
        if given[seat].waits_for_deal:
            pile = "special_pile" if state.level == 3 else "tile_pile"
            enough = course.state.count(pile) >= DEALT[state.level]
            demand(enough, f"Too few tiles are left in {pile} to deal seat {seat} its hand.")
            deal(course, seat)
    return course.state


def with_turn(state: State, given: Position) -> State:
    """The turn of the active seat, as far as the position leaves it open (step 1)."""
    seat = state.first_player if given.active_seat is None else given.active_seat
    effect = state.effect_of(seat)
    turn = given.turn_state or GivenTurn()
    spent = effect == "two_bonus" or state.players[seat].private_card is not None
    filled = TurnState(
        chains_used=turn.chains_used or 0,
        chain_limit=chain_limit(effect) if turn.chain_limit is None else turn.chain_limit,
        effect_used=spent if turn.effect_used is None else turn.effect_used,
    )
    return replace(state, active_seat=seat, turn_state=filled)


def due_to_act(state: State) -> tuple[int, ...]:
    """Whose decision the position waits for (step 10)."""
    players = enumerate(state.players)
    match state.phase:
        case "choose_goal":
            return tuple(seat for seat, player in players if player.goal_side is None)
        case "exchange":
            return tuple(seat for seat, player in players if not has_full_choice(state, player))
        case "build":
            return tuple(seat for seat, player in players if player.hand_count)
        case _:
            return tuple(seat for seat, _ in players if seat == state.active_seat)

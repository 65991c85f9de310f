"""Whether a position is one that the rules can play on from (4.3, 12)."""

from collections import Counter

from games.kernel import Position, replace
from games.positions import demand, demand_complete, gives
from games.temple_of_five.box import ROTATIONS, Box
from games.temple_of_five.contents import GODS, Space
from games.temple_of_five.exchange import destinations_with_room, has_full_choice, in_hand_order
from games.temple_of_five.rounds import chain_limit
from games.temple_of_five.state import DEALT, LAST_ROUND, LEVELS, Blessing, Player, State, box_of
from games.temple_of_five.surface import seen_from_above
from games.temple_of_five.zones import ZONES

# -- before anything can be filled in -------------------------------------------------------------------------------


def check_frame(state: State, position: Position) -> None:
    """The moment is one that a game has."""
    demand(state.phase != "ended", "a game cannot begin when it is over")
    demand(state.round in LEVELS, "there are the rounds 1 to 6")
    level = LEVELS[state.round]
    demand(not gives(position, "level") or state.level == level, f"round {state.round} builds level {level}")
    demand(state.first_player in range(state.seats), "the first player is no seat")
    demand(state.active_seat in (None, *range(state.seats)), "the active seat is no seat")
    if state.phase != "place_priests":
        idle = state.active_seat is None and not gives(position, "turn_state")
        demand(idle, "only in the phase `place_priests` a seat has its turn")
    if state.phase == "choose_goal":
        demand(state.options.ultimate_goal, "goals are chosen with the option `ultimate_goal` only")
        demand(state.round == 1, "goals are chosen before the first round")
    demand(state.phase != "exchange" or level < 3, "nothing is exchanged in round 6")


def check_places(state: State, position: Position) -> None:
    """Whatever lies on a board lies where such a thing can lie."""
    box = box_of(state)
    boards = Counter(
        player.board for seat, player in enumerate(state.players) if gives(position, "players", seat, "board")
    )
    for board, times in boards.items():
        demand(board in box.printed_by_id, f"`{board}` is no board")
        demand(times == 1, f"`{board}` is in two places")
    for seat, player in enumerate(state.players):
        for tile in player.tiles:
            has_slot = tile.level in (1, 2) and 0 <= tile.slot < len(box.slots[tile.level])
            demand(has_slot, f"seat {seat}: level {tile.level} has no slot {tile.slot}")
            demand(tile.rotation in ROTATIONS, f"seat {seat}: {tile.tile} is not turned by a quarter")
        slots = {(tile.level, tile.slot) for tile in player.tiles}
        demand(len(slots) == len(player.tiles), f"seat {seat} has two tiles in one slot")
        named = player.special is None or player.special.tile is not None
        demand(named, f"the special tile of seat {seat} has no id")
        for piece in player.pieces:
            line = piece.spaces in box.lines[box.pieces_by_id[piece.bonus].size]
            demand(line, f"seat {seat}: {piece.bonus} does not lie in a straight line of its size, in order")
        for space in player.board_priests:
            demand(space in box.spaces, f"seat {seat} has a priest beyond the board")


# -- when everything is filled in -----------------------------------------------------------------------------------


def check_sound(state: State, position: Position) -> None:
    """Refuse a position that breaks a rule, naming the fault."""
    demand_complete(ZONES, state)
    check_withdrawals(state)
    for blessing in cards_in_play(state):
        check_blessing(state, blessing)
    for seat, player in enumerate(state.players):
        demand(player.score is None, "nobody has a score before the end")
        check_hand(state, seat, player)
        check_pyramid(state, seat, player)
        check_choice(state, seat, player)
        check_goal_side(state, seat, player)
        check_private_card(state, seat, player)
        check_without_luck(state, seat, player, position)
    if state.phase == "place_priests":
        check_turn(state)
    demand(bool(state.to_act), "nobody would be to act")


def check_withdrawals(state: State) -> None:
    """At least two seats play on; in a game of two a withdrawal ends it (8.3)."""
    demand(len(state.staying) >= 2, "fewer than two seats have not withdrawn")


def cards_in_play(state: State) -> list[Blessing]:
    """The cards on display, and those that lie before a seat for it alone."""
    cards = [state.display.of(god) for god in GODS] + [player.private_card for player in state.players]
    return [card for card in cards if card is not None]


def check_blessing(state: State, blessing: Blessing) -> None:
    """A card in play has a free space; seats of this game stand on the others."""
    card, priests = blessing.card, blessing.priests
    spaces = len(box_of(state).cards_by_id[card].values)
    demand(len(priests) == spaces, f"{card} has {spaces} spaces")
    demand({*priests} <= {None, *range(state.seats)}, f"a priest on {card} belongs to no seat")
    demand(bool(blessing.free), f"every space of {card} is occupied")


def check_hand(state: State, seat: int, player: Player) -> None:
    """As many tiles in hand, seen and unseen, as the phase and the variant allow."""
    hand, unseen, dealt = player.hand_count, player.unseen_count, DEALT[state.level]
    one_by_one = state.options.will_of_the_gods and state.level < 3
    demand(not unseen or one_by_one, f"seat {seat} has unseen tiles without will of the gods")
    allowed = {0}
    if state.phase == "exchange":
        allowed = {dealt}
    elif state.phase == "build":
        allowed = {0, dealt} if state.level == 3 else set(range(dealt + 1))
    demand(hand + unseen in allowed, f"seat {seat} has {hand + unseen} tiles in hand")
    if one_by_one and state.phase == "build":
        demand(hand <= 1, f"seat {seat} has more than one tile turned up")
        demand(hand == 1 or not unseen, f"seat {seat} has unseen tiles and none turned up")


def tiles_due(phase: str, number: int, left: int) -> dict[int, int]:
    """How many tiles lie on each level, when so many of this round are still to be placed (step 5)."""
    due = {1: min(3 * (number - 1), 9), 2: max(0, 2 * (number - 4))}
    level = LEVELS[number]
    if level < 3 and phase in ("build", "place_priests"):
        due[level] += DEALT[level] - (left if phase == "build" else 0)
    return due


def check_pyramid(state: State, seat: int, player: Player) -> None:
    """Exactly the tiles that are due lie there, and the top in its time."""
    left = len(player.tiles_in_hand)
    lying = Counter(tile.level for tile in player.tiles)
    for level, due in tiles_due(state.phase, state.round, left).items():
        demand(lying[level] == due, f"seat {seat} has {lying[level]} tiles on level {level}, not {due}")
    crowned = state.level == 3 and (state.phase == "place_priests" or (state.phase == "build" and not left))
    in_time = (player.special is not None) == crowned
    demand(in_time, f"seat {seat} has its special tile too early or too late")
    placed = sum(other.special is not None for other in state.players)
    demand(state.special_discard_count == placed, "one special tile is discarded for each one placed")


def check_choice(state: State, seat: int, player: Player) -> None:
    """A choice names tiles of the hand, in hand order, and is either full or waits for the last tile turned up."""
    hand, choice = player.hand or (), player.choice
    is_full = has_full_choice(state, player)
    if state.phase == "exchange" and state.options.will_of_the_gods and not is_full:
        allotted = () if choice is None else choice.tiles
        waiting = sorted(allotted) == sorted(hand[:-1]) and len(destinations_with_room(state, seat)) > 1
        demand(waiting, f"seat {seat} has not allotted every tile but the one turned up last")
        demand(bool(hand), f"seat {seat} has turned up no tile")
    if choice is None:
        return
    demand(state.phase == "exchange", f"seat {seat} has a choice outside the exchange")
    demand(bool(choice.tiles), f"seat {seat} has a choice before its first tile is allotted")
    demand(is_full or state.options.will_of_the_gods, f"the choice of seat {seat} is not full")
    for tiles in (choice.left, choice.right):
        in_order = in_hand_order(hand, tiles) == tiles
        demand(in_order, f"the choice of seat {seat} is not in the order of its hand")


def check_goal_side(state: State, seat: int, player: Player) -> None:
    """With ultimate goals every seat has a side once they are chosen; without them none has."""
    if not state.options.ultimate_goal:
        demand(player.goal_side is None, f"seat {seat} has a goal without the option `ultimate_goal`")
    elif state.phase != "choose_goal":
        demand(player.goal_side is not None, f"seat {seat} has chosen no side of the goal card")


def check_private_card(state: State, seat: int, player: Player) -> None:
    """A private card comes from the effect, on the seat's last turn, and bears its own priests only (Q26)."""
    card = player.private_card
    if card is None:
        return
    demand(state.effect_of(seat) == "private_card", f"seat {seat} has a private card without the effect")
    order = state.turn_order
    begun = state.active_seat is not None and order.index(seat) <= order.index(state.active_seat)
    demand(state.round == LAST_ROUND and begun, f"seat {seat} has a private card before its last turn")
    own = all(priest in (None, seat) for priest in card.priests)
    demand(own, f"another seat's priest stands on the private card of seat {seat}")


def check_without_luck(state: State, seat: int, player: Player, position: Position) -> None:
    """No shuffle decides whether a position is sound: it is so with any hand and board that may be dealt."""
    box = box_of(state)
    has_hand = gives(position, "players", seat, "hand") or gives(position, "players", seat, "unseen")
    demand(has_hand or player.choice is None, f"seat {seat} has chosen from a hand that is not given")
    boards = {player.board}
    if not gives(position, "players", seat, "board"):
        others = range(state.seats)
        boards = {*box.printed_by_id} - {
            state.players[other].board for other in others if gives(position, "players", other, "board")
        }
    for board in boards:
        there = seen_on_board(box, player, board)
        check_priests(state, seat, there)
        check_pieces(box, seat, there)


def seen_on_board(box: Box, player: Player, board: str) -> Player:
    """A player whose pyramid stands on this board."""
    surface, levels = seen_from_above(box, board, player.tiles, player.special, player.pieces)
    return replace(player, board=board, surface=surface, levels=levels)


def check_priests(state: State, seat: int, player: Player) -> None:
    """Each seat has all its priests; on its board they stand on decorations, one a space."""
    box, standing = box_of(state), player.board_priests
    demand(len(set(standing)) == len(standing), f"seat {seat} has two priests on one space")
    for space in standing:
        decorated = player.sign(space) in box.colour_of
        demand(decorated, f"seat {seat} has a priest on {list(space)}, which shows no decoration")
    total = player.priests_reserve + priests_away(state, seat)
    demand(player.priests_reserve >= 0, f"seat {seat} has fewer than no priests in reserve")
    demand(total == box.priests_per_player, f"seat {seat} has {total} priests, not {box.priests_per_player}")


def priests_away(state: State, seat: int) -> int:
    """How many priests of a seat stand on its board and on cards."""
    on_cards = sum(card.priests.count(seat) for card in cards_in_play(state))
    return len(state.players[seat].board_priests) + on_cards


def check_pieces(box: Box, seat: int, player: Player) -> None:
    """A piece lies on spaces of its level that the tile or board there leaves empty; no two share a space."""
    lying: set[tuple[int, Space]] = set()
    for piece in player.pieces:
        bare = dict(bare_level(box, player, piece.level))
        for space in piece.spaces:
            demand(space in bare, f"seat {seat}: {piece.bonus} lies beyond level {piece.level}")
            demand(bare[space] == box.empty, f"seat {seat}: {piece.bonus} does not lie on empty spaces")
            demand((piece.level, space) not in lying, f"seat {seat} has two pieces on one space")
            lying.add((piece.level, space))


def bare_level(box: Box, player: Player, level: int) -> list[tuple[Space, str]]:
    """The spaces that one level covers and what its tiles, or the board, show there without pieces."""
    if level == 0:
        return list(zip(box.spaces, "".join(box.printed_by_id[player.board]), strict=True))
    if level == 3 and player.special is not None:
        face = box.special_face(player.special.tile, player.special.face_up)
        return list(zip(box.slots[3][0], face, strict=True))
    return [
        shown
        for tile in player.tiles
        if tile.level == level
        for shown in zip(box.slots[level][tile.slot], box.faces[tile.tile][tile.rotation], strict=True)
    ]


def check_turn(state: State) -> None:
    """The turn is one that the active seat's special tile allows."""
    seat = 0 if state.active_seat is None else state.active_seat
    effect, turn = state.effect_of(seat), state.turn
    limit = chain_limit(effect)
    demand(turn.chain_limit == limit, f"seat {seat} may use {limit} chains, not {turn.chain_limit}")
    demand(0 <= turn.chains_used <= limit, f"seat {seat} cannot have used {turn.chains_used} chains")
    if turn.effect_used:
        demand(can_be_used_up(state, seat), f"seat {seat} has no effect that is used up")
    else:
        open_effect = effect != "two_bonus" and state.players[seat].private_card is None
        demand(open_effect, f"the effect of seat {seat} is used up")


def can_be_used_up(state: State, seat: int) -> bool:
    """Whether the effect of a seat's special tile can have been used in this turn."""
    me, turn = state.players[seat], state.turn
    match state.effect_of(seat):
        case "two_bonus":
            return True
        case "reuse_chain":
            return turn.chains_used > 0
        case "private_card":
            return me.private_card is not None or (turn.chains_used > 0 and bool(me.completed))
        case _:
            return False

"""Whether a filled position is one that the rules can play on from (4.3, 12)."""

from collections import Counter

from games.temple_of_five.box import Box
from games.temple_of_five.contents import GODS, SIZES, Space
from games.temple_of_five.exchange import DESTINATIONS, destinations_with_room, in_hand_order, split_due
from games.temple_of_five.filling import tiles_due
from games.temple_of_five.given import cards_of, demand, pieces_of
from games.temple_of_five.rounds import chain_limit
from games.temple_of_five.state import DEALT, DECKS, LAST_ROUND, Blessing, Ids, Player, State


def check_sound(state: State) -> None:
    """Refuse a position that breaks a rule, naming the fault."""
    check_nothing_missing(state)
    check_withdrawals(state)
    check_blessings(state)
    for seat, player in enumerate(state.players):
        check_hand(state, seat, player)
        check_pyramid(state, seat, player)
        check_choice(state, seat, player)
        check_priests(state, seat, player)
        check_pieces(state, seat, player)
        check_goal_side(state, seat, player)
        check_private_card(state, seat, player)
    if state.phase == "place_priests":
        check_turn(state)
    demand(bool(state.to_act), "Nobody would be to act.")


def check_nothing_missing(state: State) -> None:
    """Every component of the box is in some zone; that none is in two was seen before."""
    box = state.box
    players = state.players
    tiles = [tile.tile for player in players for tile in player.tiles]
    hands = [tile for player in players for tile in (player.hand or ()) + (player.unseen or ())]
    specials = [player.special.tile or "" for player in players if player.special is not None]
    decorations = {*(state.tile_pile or ()), *tiles, *hands}
    tops = {*(state.special_pile or ()), *(state.special_discard or ()), *specials, *hands}
    check_all_there(tuple(box.faces), decorations)
    check_all_there(tuple(tile.id for tile in box.selected_specials(state.options.special_tiles)), tops)
    for size in SIZES:
        placed = [piece.bonus for player in players for piece in player.pieces]
        reserves = [piece for player in players for piece in player.bonus_reserve]
        check_all_there(pieces_of(box, size), {*state.pile(f"bonus_{size}_pile"), *placed, *reserves})
    won = [card for player in players for card in player.completed]
    private = [player.private_card.card for player in players if player.private_card is not None]
    for god in GODS:
        shown = state.display.of(god)
        face_up = [] if shown is None else [shown.card]
        check_all_there(cards_of(box, god), {*state.pile(DECKS[god]), *face_up, *won, *private})


def check_all_there(expected: Ids, found: set[str]) -> None:
    """Name a component that the position has lost."""
    missing = [component for component in expected if component not in found]
    demand(not missing, f"`{''.join(missing[:1])}` is in no zone.")


def check_withdrawals(state: State) -> None:
    """At least two seats play on; in a game of two a withdrawal ends it (8.3)."""
    staying = sum(player.vacated is None for player in state.players)
    demand(staying >= 2, "Fewer than two seats have not withdrawn.")


def check_blessings(state: State) -> None:
    """A card in play always has a free space."""
    cards = [state.display.of(god) for god in GODS] + [player.private_card for player in state.players]
    for card in cards:
        demand(card is None or bool(card.free), f"Every space of {card and card.card} is occupied.")


def check_pyramid(state: State, seat: int, player: Player) -> None:
    """Exactly the tiles that are due lie there, and the top in its time."""
    left = player.hand_count + player.unseen_count
    lying = Counter(tile.level for tile in player.tiles)
    for level, due in tiles_due(state.phase, state.round, left).items():
        demand(lying[level] == due, f"Seat {seat} has {lying[level]} tiles on level {level}, not {due}.")
    crowned = state.level == 3 and (state.phase == "place_priests" or (state.phase == "build" and not left))
    demand(
        (player.special is not None) == crowned, f"Seat {seat} has its special tile too early or too late."
    )
    placed = sum(other.special is not None for other in state.players)
    demand(state.special_discard_count == placed, "One special tile is discarded for each one placed.")


def check_hand(state: State, seat: int, player: Player) -> None:
    """As many tiles in hand, seen and unseen, as the phase and the variant allow."""
    hand, unseen, dealt = player.hand_count, player.unseen_count, DEALT[state.level]
    one_by_one = state.options.will_of_the_gods and state.level < 3
    demand(not unseen or one_by_one, f"Seat {seat} has unseen tiles without will of the gods.")
    allowed = {0}
    if state.phase == "exchange":
        allowed = {dealt}
    elif state.phase == "build":
        allowed = {0, dealt} if state.level == 3 else set(range(dealt + 1))
    demand(hand + unseen in allowed, f"Seat {seat} has {hand + unseen} tiles in hand.")
    if one_by_one and state.phase == "build":
        demand(hand <= 1, f"Seat {seat} has more than one tile turned up.")
        demand(hand == 1 or not unseen, f"Seat {seat} has unseen tiles and none turned up.")


def check_choice(state: State, seat: int, player: Player) -> None:
    """A choice names tiles of the hand, in hand order, and is either full or waits for the last tile turned up."""
    hand, choice = player.hand or (), player.choice
    if state.phase == "exchange" and state.options.will_of_the_gods and not has_full_choice(state, player):
        allotted = () if choice is None else choice.tiles
        waiting = sorted(allotted) == sorted(hand[:-1]) and len(destinations_with_room(state, seat)) > 1
        demand(waiting, f"Seat {seat} has not allotted every tile but the one turned up last.")
        demand(bool(hand), f"Seat {seat} has turned up no tile.")
    if choice is None:
        return
    demand(state.phase == "exchange", f"Seat {seat} has a choice outside the exchange.")
    demand(bool(choice.tiles), f"Seat {seat} has a choice before its first tile is allotted.")
    if not state.options.will_of_the_gods:
        demand(has_full_choice(state, player), f"The choice of seat {seat} is not full.")
    for tiles in (choice.left, choice.right):
        demand(
            in_hand_order(hand, tiles) == tiles, f"The choice of seat {seat} is not in the order of its hand."
        )


def has_full_choice(state: State, player: Player) -> bool:
    """Whether every tile of a hand has its destination, as the table of exchanges asks (5)."""
    choice, due = player.choice, split_due(state.seats, state.level)
    if choice is None or player.unseen_count or sorted(choice.tiles) != sorted(player.hand or ()):
        return False
    return all(len(choice.going(to)) == due[to] for to in DESTINATIONS)


def check_priests(state: State, seat: int, player: Player) -> None:
    """Each seat has all its priests; on its board they stand on decorations, one a space."""
    box, standing = state.box, player.board_priests
    demand(len(set(standing)) == len(standing), f"Seat {seat} has two priests on one space.")
    for space in standing:
        decorated = player.sign(space) in box.colour_of
        demand(decorated, f"Seat {seat} has a priest on {list(space)}, which shows no decoration.")
    displayed = [state.display.of(god) for god in GODS]
    on_cards = sum(priests_of(seat, card) for card in [*displayed, player.private_card])
    total = player.priests_reserve + len(standing) + on_cards
    demand(player.priests_reserve >= 0, f"Seat {seat} has fewer than no priests in reserve.")
    demand(total == box.priests_per_player, f"Seat {seat} has {total} priests, not {box.priests_per_player}.")


def priests_of(seat: int, card: Blessing | None) -> int:
    """How many priests of a seat stand on a card."""
    return 0 if card is None else card.priests.count(seat)


def check_pieces(state: State, seat: int, player: Player) -> None:
    """A piece lies on spaces of its level that the tile or board there leaves empty; no two share a space."""
    lying: set[tuple[int, Space]] = set()
    for piece in player.pieces:
        bare = dict(bare_level(state.box, player, piece.level))
        for space in piece.spaces:
            demand(space in bare, f"Seat {seat}: {piece.bonus} lies beyond level {piece.level}.")
            demand(
                bare[space] == state.box.empty, f"Seat {seat}: {piece.bonus} does not lie on empty spaces."
            )
            demand((piece.level, space) not in lying, f"Seat {seat} has two pieces on one space.")
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


def check_goal_side(state: State, seat: int, player: Player) -> None:
    """With ultimate goals every seat has a side once they are chosen; without them none has."""
    if not state.options.ultimate_goal:
        demand(player.goal_side is None, f"Seat {seat} has a goal without the option `ultimate_goal`.")
    elif state.phase != "choose_goal":
        demand(player.goal_side is not None, f"Seat {seat} has chosen no side of the goal card.")


def check_private_card(state: State, seat: int, player: Player) -> None:
    """A private card comes from the effect, on the seat's last turn, and bears its own priests only (Q26)."""
    card = player.private_card
    if card is None:
        return
    demand(state.effect_of(seat) == "private_card", f"Seat {seat} has a private card without the effect.")
    order = state.turn_order
    begun = state.active_seat is not None and order.index(seat) <= order.index(state.active_seat)
    demand(state.round == LAST_ROUND and begun, f"Seat {seat} has a private card before its last turn.")
    own = all(priest in (None, seat) for priest in card.priests)
    demand(own, f"Another seat's priest stands on the private card of seat {seat}.")


def check_turn(state: State) -> None:
    """The turn is one that the active seat's special tile allows."""
    seat = 0 if state.active_seat is None else state.active_seat
    effect, turn = state.effect_of(seat), state.turn
    limit = chain_limit(effect)
    demand(turn.chain_limit == limit, f"Seat {seat} may use {limit} chains, not {turn.chain_limit}.")
    demand(0 <= turn.chains_used <= limit, f"Seat {seat} cannot have used {turn.chains_used} chains.")
    if turn.effect_used:
        demand(can_be_used_up(state, seat), f"Seat {seat} has no effect that is used up.")
    else:
        open_effect = effect != "two_bonus" and state.players[seat].private_card is None
        demand(open_effect, f"The effect of seat {seat} is used up.")


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

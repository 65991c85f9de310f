"""What a position leaves out, filled as set-up would (3, 4.3)."""

from collections.abc import Collection, Mapping
from typing import Any

from games.begins import who_begins
from games.chance import Chance
from games.kernel import Course, Position, replace
from games.positions import demand, demand_nothing_twice, gives, lay_over, read
from games.temple_of_five.box import Box
from games.temple_of_five.contents import GODS, SIZES, God
from games.temple_of_five.exchange import has_full_choice
from games.temple_of_five.position.soundness import (
    check_frame,
    check_places,
    check_sound,
    priests_away,
    seen_on_board,
    tiles_due,
)
from games.temple_of_five.rounds import chain_limit, deal
from games.temple_of_five.state import (
    COUNTS,
    DEALT,
    DECKS,
    LEVELS,
    Ids,
    Options,
    Phase,
    PlacedTile,
    Player,
    State,
    TurnState,
    box_of,
    fresh,
)
from games.temple_of_five.surface import chains_of
from games.temple_of_five.version_2 import STATES
from games.temple_of_five.zones import ZONES

DERIVED = {"to_act", "surface", "levels", "chains"}
"""What a position may hold and is worked out anew."""


def read_position(options: Options, seats: int, chance: Chance, position: Position | None) -> State:
    """The state that a position describes; an ordinary set-up is the empty position."""
    said = dict(position or {})
    tops = said.pop("tops", None)
    tops = read({} if tops is None else tops, dict[str, Ids])
    state = blank(options, seats)
    if not gives(said, "first_player"):
        state = replace(state, first_player=who_begins(options, seats, chance))
    state = lay_over(ZONES, state, with_free_spaces(box_of(state), said), DERIVED)
    check_frame(state, said)
    state = replace(state, level=LEVELS[state.round])
    demand_nothing_twice(ZONES, state)
    check_places(state, said)
    state = with_components(state, said, tops, chance)
    state = with_turn(with_hands(with_pyramids_seen(state, said), chance), said)
    state = replace(state, to_act=due_to_act(state))
    if position:  # an ordinary set-up is sound by itself
        check_sound(state, said)
    return state


def blank(options: Options, seats: int) -> State:
    """A table with nothing on it: what is null here is filled in, unless a position says what it is."""
    phase: Phase = "choose_goal" if options.ultimate_goal else "exchange"
    return STATES[type(options)](options, phase, turn_state=TurnState(), players=(Player(),) * seats)


def with_free_spaces(box: Box, position: Position) -> Position:
    """A card in play whose priests are left out bears none (step 3)."""

    def completed(blessing: Any) -> Any:
        match blessing:
            case {"card": str(card)} if card in box.cards_by_id and blessing.get("priests") is None:
                return {**blessing, "priests": fresh(box, card).priests}
        return blessing

    said = dict(position)
    if isinstance(display := said.get("display"), Mapping):
        said["display"] = {god: completed(card) for god, card in display.items()}
    if isinstance(players := said.get("players"), list | tuple):
        said["players"] = [
            {**player, "private_card": completed(player.get("private_card"))}
            if isinstance(player, Mapping)
            else player
            for player in players
        ]
    return said


# -- what a position leaves out, in the order of the specification --------------------------------------------------


def with_components(state: State, position: Position, tops: Mapping[str, Ids], chance: Chance) -> State:
    """Everything that lies nowhere yet (steps 2–7); what `tops` names is used for nothing else."""
    reserved = {component for ids in tops.values() for component in ids}
    state = with_boards(state, position, chance)
    for god in GODS:
        state = with_cards(state, god, reserved, chance)
    for size in SIZES:
        state = with_pile(state, f"bonus_{size}_pile", f"bonus_{size}", chance)
    state = with_tiles(state, position, reserved)
    state = with_pile(state, "tile_pile", "tiles", chance)
    state = with_specials(state, reserved, chance)
    for pile, ids in tops.items():
        state = with_top(state, pile, ids)
    return state


def with_boards(state: State, position: Position, chance: Chance) -> State:
    """Boards left out are the unused ones, shuffled, in seat order (step 2)."""
    missing = [seat for seat in range(state.seats) if not gives(position, "players", seat, "board")]
    if missing:
        used = {player.board for player in state.players}
        boards = chance.shuffle(
            "boards/0", [board for board in box_of(state).printed_by_id if board not in used]
        )
        for seat, board in zip(missing, boards, strict=False):
            state = state.with_player(seat, board=board)
    return state


def with_cards(state: State, god: God, reserved: Collection[str], chance: Chance) -> State:
    """A missing deck is what is left of the god's cards, shuffled; a missing card on display is the first (step 3)."""
    left: Collection[str] = ZONES.unplaced(state, god)
    shown, deck = state.display.of(god), state.pile(DECKS[god])
    if deck is None:
        deck = chance.shuffle(f"{DECKS[god]}/0", left)
        left = [card for card in deck if card not in reserved]
    if shown is None and left:
        shown = fresh(box_of(state), next(iter(left)))
        deck = tuple(card for card in deck if card != shown.card)
    demand(shown is not None or not deck, f"the god `{god}` has a deck but no card on display")
    return replace(state, display=replace(state.display, **{god: shown}), **{DECKS[god]: deck})


def with_pile(state: State, pile: str, kind: str, chance: Chance) -> State:
    """A missing pile is what is left, shuffled (steps 4 and 6)."""
    if state.pile(pile) is not None:
        return state
    return replace(state, **{pile: chance.shuffle(f"{kind}/0", ZONES.unplaced(state, kind))})


def with_tiles(state: State, position: Position, reserved: Collection[str]) -> State:
    """Tiles left out are the lowest-numbered unused ones, seat by seat, slot by slot (step 5)."""
    left = [tile for tile in ZONES.unplaced(state, "tiles") if tile not in reserved]
    for seat, player in enumerate(state.players):
        if not gives(position, "players", seat, "tiles"):
            in_hand = DEALT[state.level] if waits_for_deal(player) else len(player.tiles_in_hand)
            due = tiles_due(state.phase, state.round, in_hand)
            slots = [(level, slot) for level in (1, 2) for slot in range(due[level])]
            demand(len(left) >= len(slots), "too few tiles are left for the boards")
            tiles = tuple(PlacedTile(*place, left.pop(0), 0) for place in slots)
            state = state.with_player(seat, tiles=tiles)
    return state


def with_specials(state: State, reserved: Collection[str], chance: Chance) -> State:
    """As many special tiles are discarded as lie on boards; the others are the pile (step 6)."""
    discard, pile = state.special_discard, state.special_pile
    if discard is None or pile is None:
        shuffled = chance.shuffle("special/0", ZONES.unplaced(state, "specials"))
        if discard is None:
            placed = sum(player.special is not None for player in state.players)
            discard = tuple(tile for tile in shuffled if tile not in reserved)[:placed]
        if pile is None:
            pile = tuple(tile for tile in shuffled if tile not in discard)
    return replace(state, special_discard=discard, special_pile=pile)


def with_top(state: State, pile: str, ids: Ids) -> State:
    """The components that `tops` names lie on top, in that order (step 7)."""
    demand(pile in COUNTS, f"`tops` names no pile or deck with `{pile}`")
    demand(len(set(ids)) == len(ids), f"`tops` names a component of {pile} twice")
    lying = state.pile(pile) or ()
    for component in ids:
        demand(component in lying, f"`{component}` is not in {pile}")
    return replace(state, **{pile: ids + tuple(other for other in lying if other not in ids)})


def with_pyramids_seen(state: State, position: Position) -> State:
    """What is seen from above, and each seat's priests that are neither on its board nor on cards (step 9)."""
    box = box_of(state)
    for seat, player in enumerate(state.players):
        reserve = player.priests_reserve
        if not gives(position, "players", seat, "priests_reserve"):
            reserve = box.priests_per_player - priests_away(state, seat)
        seen = seen_on_board(box, player, player.board)
        chains = chains_of(box, seen.surface, seen.board_priests)
        state = state.seated(seat, replace(seen, priests_reserve=reserve, chains=chains))
    return state


def waits_for_deal(player: Player) -> bool:
    """Whether a hand is left out."""
    return player.hand is None and player.unseen is None


def with_hands(state: State, chance: Chance) -> State:
    """Hands left out are dealt from the top, in order from the first player (step 8)."""
    waiting = [seat for seat in state.turn_order if waits_for_deal(state.players[seat])]
    for seat, player in enumerate(state.players):
        state = state.with_player(seat, hand=player.hand or (), unseen=player.unseen or ())
    course = Course(ZONES.counted(state), chance)
    for seat in waiting if state.phase in ("exchange", "build") else ():
        pile = "special_pile" if state.level == 3 else "tile_pile"
        enough = course.state.count(pile) >= DEALT[state.level]
        demand(enough, f"too few tiles are left in {pile} to deal seat {seat} its hand")
        deal(course, seat)
    return course.state


def with_turn(state: State, position: Position) -> State:
    """The turn of the active seat, as far as the position leaves it open (step 1)."""
    if state.phase != "place_priests":
        return replace(state, turn_state=None)
    seat = state.first_player if state.active_seat is None else state.active_seat
    effect, turn = state.effect_of(seat), state.turn
    if not gives(position, "turn_state", "chain_limit"):
        turn = replace(turn, chain_limit=chain_limit(effect))
    if not gives(position, "turn_state", "effect_used"):
        spent = effect == "two_bonus" or state.players[seat].private_card is not None
        turn = replace(turn, effect_used=spent)
    return replace(state, active_seat=seat, turn_state=turn)


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

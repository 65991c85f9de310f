"""Where tiles, pieces and cards lie, and who sees them (4.2); what else players keep to themselves."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from games.chance import Stream
from games.kernel import Seat, Secret, Viewer, Zone, Zones
from games.kernel.zones import Components
from games.temple_of_five.contents import GODS, SIZES, God, Side, Size
from games.temple_of_five.exchange import DESTINATIONS, Split, split_due
from games.temple_of_five.state import DECKS, Choice, Destination, Ids, Player, Special, State, box_of

# -- what lies where ------------------------------------------------------------------------------------------------


def every_component(state: State) -> dict[str, Ids]:
    """All of the box but the boards, and the special tiles that the option leaves there (3)."""
    box = box_of(state)
    return {**box.components, "specials": box.specials_by_option[state.options.special_tiles]}


def kind_in_hand(state: State, seat: Seat) -> str:
    """Hands hold special tiles when level 3 is built."""
    return "specials" if state.level == 3 else "tiles"


def tiles_on_pyramid(player: Player) -> Ids:
    return tuple(tile.tile for tile in player.tiles)


def pieces_laid(state: State, size: Size) -> Iterator[str]:
    """The pieces of one size on all boards; an unknown one counts as of any size."""
    pieces, others = box_of(state).components[f"bonus_{size}"], box_of(state).pieces_by_id
    for player in state.players:
        for piece in player.pieces:
            if piece.bonus in pieces or piece.bonus not in others:
                yield piece.bonus


def cards_before_players(state: State, god: God) -> Iterator[str]:
    """The cards of one god that players have won or taken; an unknown one counts as of any god."""
    cards, others = box_of(state).components[god], box_of(state).cards_by_id
    for player in state.players:
        private = () if player.private_card is None else (player.private_card.card,)
        for card in (*player.completed, *private):
            if card in cards or card not in others:
                yield card


def card_on_display(state: State, god: God) -> Ids:
    blessing = state.display.of(god)
    return () if blessing is None else (blessing.card,)


class Top(Zone[State]):
    """The special tile on a pyramid: while it lies face down, its owner alone knows it (Q22)."""

    def lying(self, holder: Player) -> Components:
        special = holder.special
        return () if special is None or special.tile is None else (special.tile,)

    def size(self, holder: Player) -> int:
        return 1

    def hidden(self, holder: Player) -> dict[str, Any]:
        return {"special": Special(None, False)}

    def filled(self, holder: Player, components: Components) -> dict[str, Any]:
        (tile,) = components
        return {"special": Special(tile, False)}


def sees_top(state: State, owner: Seat, viewer: Viewer) -> bool:
    special = state.players[owner].special
    return special is None or special.face_up or viewer == owner


# -- what players have chosen in secret -----------------------------------------------------------------------------


def sees_goal(state: State, owner: Seat, viewer: Viewer) -> bool:
    """Sides are secret until all have chosen (Q31)."""
    return state.phase != "choose_goal" or viewer == owner


def some_goal(state: State, seat: Seat, dice: Stream) -> Side | None:
    """Whoever is not to act any more has chosen one of the sides."""
    sides: tuple[Side, ...] = ("a", "b")
    return None if seat in state.to_act else sides[dice.below(len(sides))]


def some_choice(state: State, seat: Seat, dice: Stream) -> Choice | None:
    """Who has done its part has allotted all its tiles; who allots them one by one, all but the one turned up last."""
    is_waited_for = seat in state.to_act
    if state.phase != "exchange" or (is_waited_for and not state.options.will_of_the_gods):
        return None
    hand = state.players[seat].hand or ()
    tiles = hand[:-1] if is_waited_for else hand
    if not tiles:
        return None
    due = split_due(state.seats, state.level)
    splits = product(DESTINATIONS, repeat=len(tiles))
    possible = [split for split in splits if leaves_room(due, split, 2 if is_waited_for else 0)]
    choice = Choice()
    for tile, to in zip(tiles, possible[dice.below(len(possible))], strict=True):
        choice = choice.joined_by(tile, to)
    return choice


def leaves_room(due: Split, split: tuple[Destination, ...], number: int) -> bool:
    """Whether so many destinations or more have room after this split, and none has too many tiles."""
    room = [due[to] - split.count(to) for to in DESTINATIONS]
    return min(room) >= 0 and sum(left > 0 for left in room) >= number


# -- the table ------------------------------------------------------------------------------------------------------

ZONES = Zones[State](
    Zone(member="tile_pile", kind="tiles", seen_by="nobody"),
    Zone(member="special_pile", kind="specials", seen_by="nobody"),
    Zone(member="special_discard", kind="specials", seen_by="nobody"),
    Zone(member="hand", kind=kind_in_hand, each_player=True, seen_by="owner"),
    Zone(member="unseen", kind=kind_in_hand, each_player=True, seen_by="nobody"),
    Zone(member="tiles", kind="tiles", each_player=True, contents=tiles_on_pyramid),
    Top(member="special", kind="specials", each_player=True, seen_by=sees_top),
    *[
        zone
        for size in SIZES
        for zone in (
            Zone[State](member=f"bonus_{size}_pile", kind=f"bonus_{size}", seen_by="nobody"),
            Zone[State](member=f"bonus_{size}", kind=f"bonus_{size}", each_player=True, seen_by="owner"),
            Zone[State](member="pieces", kind=f"bonus_{size}", contents=partial(pieces_laid, size=size)),
        )
    ],
    *[
        zone
        for god in GODS
        for zone in (
            Zone[State](member=DECKS[god], kind=god, seen_by="nobody"),
            Zone[State](member="display", kind=god, contents=partial(card_on_display, god=god)),
            Zone[State](member="completed", kind=god, contents=partial(cards_before_players, god=god)),
        )
    ],
    box=every_component,
    secrets=(
        Secret(member="choice", seen_by="owner", guess=some_choice),
        Secret(member="goal_side", seen_by=sees_goal, guess=some_goal),
    ),
)

"""What happens to tiles and bonus decorations on their way to a pyramid (7)."""

from typing import Literal

from games.kernel import Fact, SeatFact, Viewer, joined, replace, without
from games.temple_of_five.contents import Space
from games.temple_of_five.state import (
    Choice,
    Destination,
    Ids,
    PlacedPiece,
    PlacedTile,
    Special,
    State,
    box_of,
    without_top,
)
from games.temple_of_five.surface import after_covering, after_decorating


class TilesDealt(SeatFact[State], frozen=True):
    """A seat gets its tiles of the round from the top of the pile."""

    tiles: Ids | None
    to: Literal["hand", "unseen"]
    count: int

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        if self.to == "hand":
            me = replace(me, hand=joined(me.hand, self.tiles), hand_count=me.hand_count + self.count)
        else:
            unseen = joined(me.unseen, self.tiles)
            me = replace(me, unseen=unseen, unseen_count=me.unseen_count + self.count)
        pile = "special_pile" if state.level == 3 else "tile_pile"
        return state.seated(self.seat, me, **without_top(state, pile, self.count))

    def seen_by(self, viewer: Viewer) -> "TilesDealt":
        return self if viewer == self.seat and self.to == "hand" else replace(self, tiles=None)


class TileRevealed(SeatFact[State], frozen=True):
    """Will of the gods: a seat turns up its next tile, for itself alone."""

    for_the_seat = ("tile",)
    tile: str | None

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        me = replace(
            me,
            hand=joined(me.hand, None if self.tile is None else (self.tile,)),
            hand_count=me.hand_count + 1,
            unseen=None if me.unseen is None else me.unseen[1:],
            unseen_count=me.unseen_count - 1,
        )
        return state.seated(self.seat, me)


class TileAllotted(SeatFact[State], frozen=True):
    """Will of the gods: a tile has its destination; `auto` if only one was left."""

    for_the_seat = ("tile", "to")
    tile: str | None
    to: Destination | None
    auto: bool

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        to_act = state.to_act if me.unseen_count else state.waiting_without(self.seat)
        if self.tile is None or self.to is None:
            return replace(state, to_act=to_act)
        choice = (me.choice or Choice()).joined_by(self.tile, self.to)
        return state.seated(self.seat, replace(me, choice=choice), to_act=to_act)


class ExchangeChosen(SeatFact[State], frozen=True):
    """A seat has decided which tiles go where."""

    for_the_seat = ("keep", "left", "right")
    keep: str | None
    left: Ids | None
    right: Ids | None

    def apply(self, state: State) -> State:
        to_act = state.waiting_without(self.seat)
        if self.left is None or self.right is None:
            return replace(state, to_act=to_act)
        me = replace(state.players[self.seat], choice=Choice(self.keep, self.left, self.right))
        return state.seated(self.seat, me, to_act=to_act)


class TilesExchanged(Fact[State], frozen=True):
    """The tiles change hands at once, and construction begins."""

    hands: tuple[Ids | None, ...]
    unseen: tuple[Ids, ...] | None
    hand_count: int
    unseen_count: int

    def apply(self, state: State) -> State:
        players = tuple(
            replace(
                player,
                hand=hand,
                hand_count=self.hand_count,
                unseen=None if self.unseen is None else self.unseen[seat],
                unseen_count=self.unseen_count,
                choice=None,
            )
            for seat, (player, hand) in enumerate(zip(state.players, self.hands, strict=True))
        )
        return replace(state, phase="build", to_act=tuple(range(state.seats)), players=players)

    def seen_by(self, viewer: Viewer) -> "TilesExchanged":
        own = tuple(hand if seat == viewer else None for seat, hand in enumerate(self.hands))
        return replace(self, hands=own, unseen=None)


class TilePlaced(SeatFact[State], frozen=True):
    """A decoration tile lies; priests that it covers are back in reserve."""

    tile: str
    level: int
    slot: int
    rotation: int
    priests_returned: tuple[Space, ...]

    def apply(self, state: State) -> State:
        me, box = state.players[self.seat], box_of(state)
        level, slot, tile, rotation = self.level, self.slot, self.tile, self.rotation
        grown = replace(
            after_covering(box, me, level, slot, box.faces[tile][rotation]),
            hand=without(me.hand, tile),
            hand_count=me.hand_count - 1,
            tiles=(*me.tiles, PlacedTile(level, slot, tile, rotation)),
        )
        if me.hand_count == 1 and me.unseen_count == 0:
            return state.seated(self.seat, grown, to_act=state.waiting_without(self.seat))
        return state.seated(self.seat, grown)


class SpecialPlaced(SeatFact[State], frozen=True):
    """The pyramid has its top; the other special tile is discarded."""

    tile: str | None
    face_up: bool
    discarded: str | None
    priests_returned: tuple[Space, ...]

    def apply(self, state: State) -> State:
        me, box = state.players[self.seat], box_of(state)
        me = replace(
            after_covering(box, me, 3, 0, box.special_face(self.tile, self.face_up)),
            hand=None if me.hand is None else (),
            hand_count=0,
            special=Special(self.tile, self.face_up),
        )
        return state.seated(
            self.seat,
            me,
            special_discard=self._discard(state),
            special_discard_count=state.special_discard_count + 1,
            to_act=state.waiting_without(self.seat),
        )

    def _discard(self, state: State) -> Ids | None:
        """The discard lies in turn order, so that it does not tell whose call came first."""
        if state.special_discard is None or self.discarded is None:
            return None
        order = state.turn_order
        before = order[: order.index(self.seat)]
        place = len([seat for seat in before if state.players[seat].special is not None])
        return (*state.special_discard[:place], self.discarded, *state.special_discard[place:])

    def seen_by(self, viewer: Viewer) -> "SpecialPlaced":
        if viewer == self.seat:
            return self
        return replace(self, discarded=None, tile=self.tile if self.face_up else None)


class BonusPlaced(SeatFact[State], frozen=True):
    """A bonus decoration lies for good."""

    bonus: str
    level: int
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> State:
        bonus, spaces = self.bonus, self.spaces
        me = after_decorating(box_of(state), state.players[self.seat], bonus, spaces)
        pieces = (*me.pieces, PlacedPiece(bonus, self.level, spaces))
        if len(spaces) == 2:
            reserve, count = without(me.bonus_2, bonus), me.bonus_2_count - 1
            return state.seated(self.seat, replace(me, pieces=pieces, bonus_2=reserve, bonus_2_count=count))
        reserve, count = without(me.bonus_3, bonus), me.bonus_3_count - 1
        return state.seated(self.seat, replace(me, pieces=pieces, bonus_3=reserve, bonus_3_count=count))

"""What happens to tiles and bonus decorations on their way to a pyramid (7)."""

from typing import Literal

from games.kernel import Fact, Viewer
from games.temple_of_five.contents import Space
from games.temple_of_five.state import (
    Choice,
    Destination,
    Ids,
    PlacedPiece,
    PlacedTile,
    Special,
    State,
    extended,
    replace,
    waiting_without,
    with_player,
    without,
    without_top,
)
from games.temple_of_five.surface import after_covering, after_decorating


class TilesDealt(Fact[State], frozen=True):
    """A seat gets its tiles of the round from the top of the pile."""

    seat: int
    tiles: Ids | None
    to: Literal["hand", "unseen"]
    count: int

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        state = without_top(state, "special_pile" if state.level == 3 else "tile_pile", self.count)
        if self.to == "hand":
            hand = extended(me.hand, self.tiles)
            return with_player(state, self.seat, hand=hand, hand_count=me.hand_count + self.count)
        unseen = extended(me.unseen, self.tiles)
        return with_player(state, self.seat, unseen=unseen, unseen_count=me.unseen_count + self.count)

    def seen_by(self, viewer: Viewer) -> "TilesDealt":
        return self if viewer == self.seat and self.to == "hand" else replace(self, tiles=None)


class TileRevealed(Fact[State], frozen=True):
    """Will of the gods: a seat turns up its next tile, for itself alone."""

    seat: int
    tile: str | None

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        return with_player(
            state,
            self.seat,
            hand=extended(me.hand, None if self.tile is None else (self.tile,)),
            hand_count=me.hand_count + 1,
            unseen=None if me.unseen is None else me.unseen[1:],
            unseen_count=me.unseen_count - 1,
        )

    def seen_by(self, viewer: Viewer) -> "TileRevealed":
        return self if viewer == self.seat else replace(self, tile=None)


class TileAllotted(Fact[State], frozen=True):
    """Will of the gods: a tile has its destination; `auto` if only one was left."""

    seat: int
    tile: str | None
    to: Destination | None
    auto: bool

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        if me.unseen_count == 0:
            state = replace(state, to_act=waiting_without(state, self.seat))
        if self.tile is None or self.to is None:
            return state
        choice = (me.choice or Choice()).joined_by(self.tile, self.to)
        return with_player(state, self.seat, choice=choice)

    def seen_by(self, viewer: Viewer) -> "TileAllotted":
        return self if viewer == self.seat else replace(self, tile=None, to=None)


class ExchangeChosen(Fact[State], frozen=True):
    """A seat has decided which tiles go where."""

    seat: int
    keep: str | None
    left: Ids | None
    right: Ids | None

    def apply(self, state: State) -> State:
        state = replace(state, to_act=waiting_without(state, self.seat))
        if self.left is None or self.right is None:
            return state
        return with_player(state, self.seat, choice=Choice(self.keep, self.left, self.right))

    def seen_by(self, viewer: Viewer) -> "ExchangeChosen":
        return self if viewer == self.seat else replace(self, keep=None, left=None, right=None)


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


class TilePlaced(Fact[State], frozen=True):
    """A decoration tile lies; priests that it covers are back in reserve."""

    seat: int
    tile: str
    level: int
    slot: int
    rotation: int
    priests_returned: tuple[Space, ...]

    def apply(self, state: State) -> State:
        me, box = state.players[self.seat], state.box
        spaces, face = box.slots[self.level][self.slot], box.faces[self.tile][self.rotation]
        if me.hand_count == 1 and me.unseen_count == 0:
            state = replace(state, to_act=waiting_without(state, self.seat))
        me = replace(
            after_covering(box, me, self.level, spaces, face),
            hand=without(me.hand, self.tile),
            hand_count=me.hand_count - 1,
            tiles=(*me.tiles, PlacedTile(self.level, self.slot, self.tile, self.rotation)),
        )
        return state.with_seat(self.seat, me)


class SpecialPlaced(Fact[State], frozen=True):
    """The pyramid has its top; the other special tile is discarded."""

    seat: int
    tile: str | None
    face_up: bool
    discarded: str | None
    priests_returned: tuple[Space, ...]

    def apply(self, state: State) -> State:
        me, box = state.players[self.seat], state.box
        me = replace(
            after_covering(box, me, 3, box.slots[3][0], box.special_face(self.tile, self.face_up)),
            hand=None if me.hand is None else (),
            hand_count=0,
            special=Special(self.tile, self.face_up),
        )
        discard = self._discard(state)
        return replace(
            state.with_seat(self.seat, me),
            special_discard=discard,
            special_discard_count=state.special_discard_count + 1,
            to_act=waiting_without(state, self.seat),
        )

    def _discard(self, state: State) -> Ids | None:
        """The discard lies in turn order, so that it does not tell whose call came first."""
        if state.special_discard is None or self.discarded is None:
            return None
        before = state.turn_order[: state.turn_order.index(self.seat)]
        place = sum(state.players[seat].special is not None for seat in before)
        return (*state.special_discard[:place], self.discarded, *state.special_discard[place:])

    def seen_by(self, viewer: Viewer) -> "SpecialPlaced":
        if viewer == self.seat:
            return self
        return replace(self, discarded=None, tile=self.tile if self.face_up else None)


class BonusPlaced(Fact[State], frozen=True):
    """A bonus decoration lies for good."""

    seat: int
    bonus: str
    level: int
    spaces: tuple[Space, ...]

    def apply(self, state: State) -> State:
        me = after_decorating(state.box, state.players[self.seat], self.bonus, self.spaces)
        me = replace(me, pieces=(*me.pieces, PlacedPiece(self.bonus, self.level, self.spaces)))
        if len(self.spaces) == 2:
            me = replace(me, bonus_2=without(me.bonus_2, self.bonus), bonus_2_count=me.bonus_2_count - 1)
        else:
            me = replace(me, bonus_3=without(me.bonus_3, self.bonus), bonus_3_count=me.bonus_3_count - 1)
        return state.with_seat(self.seat, me)

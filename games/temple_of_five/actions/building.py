"""What comes before the priests: goals, then tiles and bonus decorations on their way to a pyramid (6.2–6.7)."""

from collections.abc import Mapping
from typing import Any

from games.kernel import Action, Course, Objection, Seat, replace
from games.temple_of_five.box import ROTATIONS
from games.temple_of_five.building import (
    are_empty,
    are_level,
    first_alike,
    first_like,
    priests_under,
    start_turns_if_all_have_built,
    taken_slots,
)
from games.temple_of_five.contents import Side, Space
from games.temple_of_five.exchange import (
    allot_last,
    destinations_with_room,
    hand_over_if_all_have_chosen,
    in_hand_order,
    split_due,
)
from games.temple_of_five.facts.building import BonusPlaced, ExchangeChosen, SpecialPlaced, TilePlaced
from games.temple_of_five.facts.course import GoalChosen, GoalsRevealed
from games.temple_of_five.rounds import reveal_next, start_round
from games.temple_of_five.state import Destination, Ids, State, box_of


def against_tile(state: State, seat: Seat, tile: str) -> Objection | None:
    """A seat gives away and builds with what it has in hand."""
    if tile in (state.players[seat].hand or ()):
        return None
    return Objection("tile_not_in_hand", f"You have no tile `{tile}` in hand.")


class ChooseGoal(Action[State], frozen=True):
    """Choose a side of the ultimate goal card, in secret (6.2)."""

    phases = frozenset({"choose_goal"})
    side: Side

    def happen(self, course: Course[State], seat: Seat) -> None:
        """Sides are shown together, before the first deal (Q31)."""
        course.happens(GoalChosen(seat, self.side))
        if not course.state.to_act:
            sides = tuple(player.goal_side for player in course.state.players if player.goal_side is not None)
            course.happens(GoalsRevealed(sides))
            start_round(course, 1)


class Exchange(Action[State], frozen=True):
    """Keep one tile and give the others to the neighbours, in secret (6.3)."""

    phases = frozenset({"exchange"})
    keep: str
    left: Ids = ()
    right: Ids = ()

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Every tile of the hand has one destination, in the numbers of the table (6.3)."""
        if state.options.will_of_the_gods:
            return Objection(
                "not_in_this_variant",
                "With the will of the gods, tiles are allotted one by one: send `allot`.",
            )
        named = (self.keep, *self.left, *self.right)
        for tile in named:
            if objection := against_tile(state, seat, tile):
                return objection
        if len(set(named)) < len(named):
            return Objection("duplicate_tile", "A tile can go to one place only.")
        due = split_due(state.seats, state.level)
        if (len(self.left), len(self.right)) != (due["left"], due["right"]):
            return Objection(
                "wrong_split", f"Keep 1 tile, give {due['left']} to the left and {due['right']} to the right."
            )
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The choice is secret and final (Q5)."""
        choice = self.canonical(course.state, seat)
        course.happens(ExchangeChosen(seat, choice.keep, choice.left, choice.right))
        hand_over_if_all_have_chosen(course)

    def canonical(self, state: State, seat: Seat) -> "Exchange":
        hand = state.players[seat].hand or ()
        return Exchange(self.keep, in_hand_order(hand, self.left), in_hand_order(hand, self.right))


class Allot(Action[State], frozen=True):
    """Will of the gods: say where the tile turned up last goes (6.4)."""

    phases = frozenset({"exchange"})
    to: Destination

    def against(self, state: State, seat: Seat) -> Objection | None:
        """It goes where there is room."""
        if not state.options.will_of_the_gods:
            return Objection(
                "not_in_this_variant",
                "Without the will of the gods, all tiles are given at once: send `exchange`.",
            )
        if self.to not in destinations_with_room(state, seat):
            return Objection("destination_full", f"There is no room for another tile at `{self.to}`.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The next tile is turned up; when one destination alone has room, tiles go there by themselves (5)."""
        allot_last(course, seat, self.to, auto=False)
        while course.state.players[seat].unseen_count:
            reveal_next(course, seat)
            open_to = destinations_with_room(course.state, seat)
            if len(open_to) > 1:
                return
            allot_last(course, seat, open_to[0], auto=True)
        hand_over_if_all_have_chosen(course)


class PlaceTile(Action[State], frozen=True):
    """Build with a decoration tile (6.5)."""

    phases = frozenset({"build"})
    in_the_open = True
    tile: str
    slot: int
    rotation: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Any free slot of the level will do, in any rotation; no contact is needed (6.5)."""
        if state.level == 3:
            return Objection("wrong_level", "Level 3 is crowned with a special tile: send `place_special`.")
        return against_tile(state, seat, self.tile) or self._against_place(state, seat)

    def _against_place(self, state: State, seat: Seat) -> Objection | None:
        """What is wrong with the slot, or with the way the tile is turned."""
        slots = box_of(state).slots[state.level]
        if not 0 <= self.slot < len(slots):
            return Objection("bad_slot", f"Level {state.level} has the slots 0 to {len(slots) - 1}.")
        if self.rotation not in ROTATIONS:
            return Objection("bad_rotation", "A tile is turned by 0, 90, 180 or 270 degrees.")
        if self.slot in taken_slots(state, state.players[seat]):
            return Objection("slot_occupied", f"A tile already lies on slot {self.slot}.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The tile covers what lies there; with will of the gods the next one is turned up (6.5, Q4)."""
        state, slot = course.state, self.slot
        under = priests_under(state.players[seat], box_of(state).slots[state.level][slot])
        course.happens(TilePlaced(seat, self.tile, state.level, slot, self.rotation, under))
        me = course.state.players[seat]
        if me.hand_count == 0 and me.unseen_count:
            reveal_next(course, seat)
        start_turns_if_all_have_built(course)

    def canonical(self, state: State, seat: Seat) -> "PlaceTile":
        """The smallest rotation that shows the same face."""
        faces = box_of(state).faces.get(self.tile)
        if faces is None or self.rotation not in ROTATIONS:
            return self
        alike = min(rotation for rotation in faces if faces[rotation] == faces[self.rotation])
        return PlaceTile(self.tile, self.slot, alike)


class PlaceSpecial(Action[State], frozen=True):
    """Crown the pyramid, face up or face down; the other tile is discarded (6.6)."""

    phases = frozenset({"build"})
    tile: str
    face_up: bool

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Level 3 is one of the two special tiles in hand; face down is always allowed (6.6, Q22)."""
        if state.level < 3:
            return Objection("wrong_level", "Special tiles are for level 3: send `place_tile`.")
        return against_tile(state, seat, self.tile)

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The pyramid is crowned; the other tile is discarded (6.6)."""
        me = course.state.players[seat]
        under = priests_under(me, box_of(course.state).slots[3][0])
        (discarded,) = (tile for tile in me.hand or () if tile != self.tile)
        course.happens(SpecialPlaced(seat, self.tile, self.face_up, discarded, under))
        start_turns_if_all_have_built(course)

    def canonical(self, state: State, seat: Seat) -> "PlaceSpecial":
        """Face up the first tile in hand with this face; face down all look alike."""
        hand = state.players[seat].hand or ()
        if state.level < 3 or self.tile not in hand:
            return self
        return replace(self, tile=first_alike(state, hand, self.tile) if self.face_up else hand[0])

    @classmethod
    def shown_to_others(cls, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """Which tile lies face down stays unknown (6.12)."""
        return sent if sent["face_up"] else {**sent, "tile": None}


class PlaceBonus(Action[State], frozen=True):
    """Lay a bonus decoration on empty spaces of one level (6.7)."""

    phases = frozenset({"build", "place_priests"})
    in_the_open = True
    bonus: str
    spaces: tuple[Space, ...]

    def against(self, state: State, seat: Seat) -> Objection | None:
        """A piece lies in a straight line on empty spaces of one level (Q16, Q17)."""
        me, box = state.players[seat], box_of(state)
        if self.bonus not in me.bonus_reserve:
            return Objection(
                "bonus_not_in_reserve", f"You have no bonus decoration `{self.bonus}` in reserve."
            )
        size = box.pieces_by_id[self.bonus].size
        spaces = tuple(sorted(self.spaces))
        if spaces not in box.straight[size]:
            return Objection(
                "bad_spaces",
                f"This bonus decoration covers {size} different spaces of the board in one unbroken row or column.",
            )
        if not are_empty(state, me, spaces):
            return Objection("space_not_empty", "A bonus decoration lies on empty spaces only.")
        if not are_level(me, spaces):
            return Objection("different_levels", "A bonus decoration lies on spaces of one level.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The piece lies there for good, and shows its colour until it is covered."""
        spaces = tuple(sorted(self.spaces))
        level = int(course.state.players[seat].top_level(spaces[0]))
        course.happens(BonusPlaced(seat, self.bonus, level, spaces))

    def canonical(self, state: State, seat: Seat) -> "PlaceBonus":
        """The first piece in reserve of this colour and size, its spaces in order."""
        reserve = state.players[seat].bonus_reserve
        if self.bonus not in reserve:
            return self
        return PlaceBonus(first_like(state, reserve, self.bonus), tuple(sorted(self.spaces)))

"""What a player may ask for (6): each action with the rules it may break, in order, and what follows."""

from games.aton.box import CARTOUCHES, Card
from games.aton.cards import draw
from games.aton.culling import quota_of
from games.aton.facts import CardsAllocated, HandExchanged, PieceCulled
from games.aton.pieces import against_owner, against_unknown_space
from games.aton.reveal import reveal
from games.aton.round_end import continue_cull
from games.aton.state import State, board_of
from games.aton.turn import against_closed_temple, begin_placement, end_turn, put_down, take_off
from games.kernel import Action, Course, Objection, Seat


class Exchange(Action[State], frozen=True):
    """Spend the trade token: give up the four cards of the hand and draw four others."""

    # The cards given up lie face down (Q4, Q5).
    phases = frozenset({"allocate"})

    def against(self, state: State, seat: Seat) -> Objection | None:
        if not state.players[seat].trade_token:
            return Objection("no_trade_token", "You have already used your trade token.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        player = course.state.players[seat]
        course.happens(HandExchanged(seat, player.hand, player.hand_count))
        draw(course, seat, CARTOUCHES)


class Allocate(Action[State], frozen=True):
    """Lay the hand at cartouches 1, 2, 3, 4, face down."""

    # When both seats have laid, all is turned up (5.1).
    phases = frozenset({"allocate"})
    cards: tuple[Card, Card, Card, Card]

    def against(self, state: State, seat: Seat) -> Objection | None:
        if sorted(self.cards) != sorted(state.players[seat].hand or ()):
            return Objection("cards_not_in_hand", "Lay exactly the four cards of your hand.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(CardsAllocated(seat, self.cards, len(self.cards)))
        if not course.state.to_act:
            reveal(course)


class Remove(Action[State], frozen=True):
    """Take a piece off the board, as the card at cartouche 2 asks."""

    # After the last one the placement begins (Q11).
    phases = frozenset({"remove"})
    in_the_open = True
    space: str

    def against(self, state: State, seat: Seat) -> Objection | None:
        return against_closed_temple(state, seat, self.space) or against_owner(
            state, state.target_seat, self.space
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        take_off(course, seat, self.space)
        if not course.state.remaining:
            begin_placement(course, seat)


class Place(Action[State], frozen=True):
    """Set a piece of the own supply on an empty space, as the card at cartouche 4 asks."""

    # After the last one the turn ends (Q14).
    phases = frozenset({"place"})
    in_the_open = True
    space: str

    def against(self, state: State, seat: Seat) -> Objection | None:
        objection = against_closed_temple(state, seat, self.space)
        if objection is None and state.board[self.space] is not None:
            return Objection("space_occupied", "There is already a piece on that space.")
        return objection

    def happen(self, course: Course[State], seat: Seat) -> None:
        put_down(course, seat, self.space)
        if not course.state.remaining and course.state.outcome is None:
            end_turn(course, seat)


class Cull(Action[State], frozen=True):
    """Take back an own piece after a scoring."""

    # It comes from any temple that the quota still asks for (5.6).
    phases = frozenset({"cull"})
    in_the_open = True
    space: str

    def against(self, state: State, seat: Seat) -> Objection | None:
        return (
            against_unknown_space(state, self.space)
            or against_owner(state, seat, self.space)
            or against_quota(state, seat, self.space)
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(PieceCulled(seat, self.space))
        continue_cull(course)


def against_quota(state: State, seat: Seat, space: str) -> Objection | None:
    """The quota must ask for another piece from this temple (Q25)."""
    temple = board_of(state).temple_of[space]
    if quota_of(state, seat)[temple]:
        return None
    return Objection("temple_quota_used", f"You have taken back all the pieces due from temple {temple}.")


AtonAction = Exchange | Allocate | Remove | Place | Cull

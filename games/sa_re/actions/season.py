"""Working in the season: drawing and resolving cards, reactions, Troubles (6.3)."""

from msgspec import UNSET

from games.kernel import Course, Objection, Seat
from games.sa_re.actions.action import AT_WORK, REACTING, SeasonAction
from games.sa_re.facts.season import CardTaken, ObeliskLaid, ReactionDeclined, TroubleDiscarded, TroublePassed
from games.sa_re.season import (
    against_card,
    against_debt,
    against_going_on,
    against_pending_cards,
    blow_wind,
    close_sequence,
    draw_card,
    next_in_order,
    settle_revolts,
)
from games.sa_re.state import State, box_of, sequence_of
from games.sa_re.troubles import (
    against_first_trouble,
    against_target,
    against_trouble,
    has_receiver,
    level_of,
)


class Stay(SeasonAction, frozen=True):
    """Remain in the season, as a reaction."""

    moments = REACTING

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(ReactionDeclined(seat))


class Stop(SeasonAction, frozen=True):
    """Lay the obelisk down: in one's own sequence, or as a reaction."""

    # In one's own sequence before a draw, and owing nothing.
    moments = AT_WORK | REACTING

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        return None if state.decision == "react" else against_going_on(state) or against_debt(state)

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The top card stays for the next player."""
        course.happens(ObeliskLaid(seat, reaction=course.state.decision == "react"))


class Draw(SeasonAction, frozen=True):
    """Draw from the deck: one card, or what Horus demands."""

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """A sequence draws until something is produced; of the cards that Horus demands, two together (Q8)."""
        return against_going_on(state)

    def happen(self, course: Course[State], seat: Seat) -> None:
        for _ in range(min(max(1, sequence_of(course.state).owed), 2)):
            draw_card(course, seat, "pending")


class EndSequence(SeasonAction, frozen=True):
    """End the sequence after its production."""

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """It ends after its production, or when the deck is empty."""
        if state.decision == "work":
            return Objection("sequence_not_over", "Your work sequence is not over: draw or stop.")
        return against_pending_cards(state)

    def happen(self, course: Course[State], seat: Seat) -> None:
        close_sequence(course)


class TakeCard(SeasonAction, frozen=True):
    """Resolve a drawn card."""

    # In any order while Troubles are pending (Q9).
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        sequence = sequence_of(state)
        card = sequence.card(self.card)
        if card is None:
            return against_card(state, self.card)
        if card.level is not UNSET:
            return self._against_trouble(state, seat, card.level)
        if len(sequence.pending) > 1 and not any(each.is_trouble for each in sequence.pending):
            first = next_in_order(state).id
            if first != self.card:
                return Objection(
                    "take_in_order", "Another card comes first: singles, then Horus, then doubles."
                )
        return None

    def _against_trouble(self, state: State, seat: Seat, level: int) -> Objection | None:
        """Further Troubles are taken only if they could be passed on (Q10)."""
        if sequence_of(state).troubles and not has_receiver(state, seat, level):
            return Objection("must_discard", "Nobody can be given this further Troubles card: discard it.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """Troubles raise the gauge, a double lets the wind blow."""
        level = level_of(course.state, self.card)
        course.happens(CardTaken(seat, self.card, level or UNSET))
        if level:
            settle_revolts(course)
        elif box_of(course.state).cards[self.card].kind == "double":
            blow_wind(course, seat)


class PassTrouble(SeasonAction, frozen=True):
    """Pass a further Troubles card on to an opponent."""

    # To one who can receive it: who rises by its level, and may react.
    card: str
    to: int

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        return (
            against_trouble(state, self.card)
            or against_first_trouble(state)
            or against_target(state, seat, self.to, level_of(state, self.card))
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(TroublePassed(seat, self.to, self.card, level_of(course.state, self.card)))


class DiscardTrouble(SeasonAction, frozen=True):
    """Throw a further Troubles card away when nobody can receive it."""

    # No gauge moves.
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        objection = against_trouble(state, self.card) or against_first_trouble(state)
        if objection is None and has_receiver(state, seat, level_of(state, self.card)):
            return Objection("target_available", "An opponent can be given this card: take it or pass it on.")
        return objection

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(TroubleDiscarded(seat, self.card))

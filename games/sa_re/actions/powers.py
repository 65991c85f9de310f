"""Using the powers of the six administrative buildings, each once a round (6.3, Q4, Q17 to Q22)."""

from msgspec import field

from games.kernel import Course, Objection, Seat
from games.sa_re.actions.action import AT_THE_TEMPLE, SeasonAction
from games.sa_re.facts.powers import (
    BarracksUsed,
    GardensUsed,
    LibraryUsed,
    MarketUsed,
    PalaceUsed,
    TempleChosen,
    TempleUsed,
)
from games.sa_re.powers import against_empty_gauge, against_giving_a_step, against_power, against_trading
from games.sa_re.season import against_card, against_debt, against_going_on, draw_card
from games.sa_re.state import State, sequence_of
from games.sa_re.troubles import against_opponent, against_trouble, level_of


class UseTemple(SeasonAction, frozen=True):
    """Draw two cards, to keep one."""

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """Only as the first draw, from two cards at least (Q17)."""
        objection = against_going_on(state) or against_debt(state) or against_power(state, seat, "temple")
        if objection:
            return objection
        if sequence_of(state).drawn:
            return Objection(
                "not_start_of_sequence", "The Temple can only be used as the first draw of a sequence."
            )
        if state.deck_count < 2:
            return Objection("not_enough_cards", "Fewer than two cards are left in the deck.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """Both are shown, in the dark to the player alone; Hoshekh between them acts (Q7)."""
        course.happens(TempleUsed(seat))
        draw_card(course, seat, "temple")
        draw_card(course, seat, "temple")


class ChooseCard(SeasonAction, frozen=True):
    """Keep one of the Temple's cards; the other goes back on top."""

    moments = AT_THE_TEMPLE
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if all(card.id != self.card for card in sequence_of(state).temple):
            return Objection("no_such_card", f"The Temple does not show you {self.card!r}.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        others = (card.id for card in sequence_of(course.state).temple if card.id != self.card)
        dark = not course.state.deck_face_up
        course.happens(TempleChosen(seat, self.card, next(others, None), dark=dark))


class UsePalace(SeasonAction, frozen=True):
    """Throw a drawn card away."""

    # It has no effect; an owed one will be replaced (Q18).
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        return against_card(state, self.card) or against_power(state, seat, "palace")

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(PalaceUsed(seat, self.card))


class UseGardens(SeasonAction, frozen=True):
    """Turn double Troubles into single."""

    # The card stays Troubles (Q4).
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        objection = against_trouble(state, self.card) or against_power(state, seat, "gardens")
        if objection is None and level_of(state, self.card) != 2:
            return Objection("not_a_double_trouble", "That is not a double Troubles card.")
        return objection

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(GardensUsed(seat, self.card))


class UseLibrary(SeasonAction, frozen=True):
    """Turn single Troubles into a joker."""

    # Single by nature or by the Gardens; no production (Q4, Q5).
    card: str

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        objection = against_trouble(state, self.card) or against_power(state, seat, "library")
        if objection is None and level_of(state, self.card) != 1:
            return Objection("not_a_single_trouble", "That is not a single Troubles card.")
        return objection

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(LibraryUsed(seat, self.card))


class UseBarracks(SeasonAction, frozen=True):
    """Lower one's gauge by one and raise another's."""

    # The other may react; both halves or nothing (Q21).
    target: int

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        return (
            against_power(state, seat, "barracks")
            or against_empty_gauge(state, seat)
            or against_giving_a_step(state, seat, self.target)
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(BarracksUsed(seat, self.target))


class UseMarket(SeasonAction, frozen=True):
    """Exchange a card with one of equal value in front of another player."""

    # That player may have stopped (Q20).
    give: str
    take: str
    from_: int = field(name="from")

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        objection = against_power(state, seat, "market") or against_opponent(state, seat, self.from_)
        if objection:
            return objection
        if state.players[self.from_].in_revolt:
            return Objection(
                "target_in_revolt", f"Seat {self.from_} is in revolt: its cards cannot be traded."
            )
        mine, theirs = state.players[seat].card(self.give), state.players[self.from_].card(self.take)
        if mine is None or theirs is None:
            missing = self.give if mine is None else self.take
            return Objection("no_such_card", f"{missing!r} does not lie in front of its player.")
        return against_trading(state, mine, theirs)

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(MarketUsed(seat, self.from_, self.give, self.take))

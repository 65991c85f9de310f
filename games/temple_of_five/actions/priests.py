"""A priest turn: chains are spent on spaces of blessing cards (6.8–6.10)."""

from games.kernel import Action, Course, Objection, Seat
from games.temple_of_five.contents import God, Space
from games.temple_of_five.facts.priests import BlessingTaken, ChainUsed
from games.temple_of_five.priests import (
    at_chain_limit,
    can_reuse_a_chain,
    complete_card,
    draw_for_symbol,
    fits,
)
from games.temple_of_five.rounds import end_turn
from games.temple_of_five.state import DECKS, Chain, State, Target, box_of


class UseChain(Action[State], frozen=True):
    """Put a priest on a chain and others on spaces of one card (6.8)."""

    phases = frozenset({"place_priests"})
    in_the_open = True
    space: Space
    target: Target
    card_spaces: tuple[int, ...]

    def against(self, state: State, seat: Seat) -> Objection | None:
        """The chain may be used, it serves a card in play, and it pays for free spaces of that."""
        chain = state.players[seat].chain_at(self.space)
        return against_chain(chain, state, seat, self.space) or self._against_target(chain, state, seat)

    def _against_target(self, chain: Chain | None, state: State, seat: Seat) -> Objection | None:
        """Why the chain cannot put priests on these spaces of this card."""
        blessing = state.card_in_play(seat, self.target)
        assert chain
        if blessing is None:
            return Objection("no_card", "There is no such card to put priests on.")
        card = box_of(state).cards_by_id[blessing.card]
        if not fits(chain, card):
            return Objection("wrong_colour", f"A {chain.colour} chain does not serve that god.")
        if objection := against_card_spaces(self.card_spaces, blessing.priests):
            return objection
        price = sum([card.values[space] for space in self.card_spaces])
        if price > chain.length:
            return Objection(
                "chain_too_weak", f"These spaces cost {price}, the chain is {chain.length} long."
            )
        priests = 1 + len(self.card_spaces)
        if priests > state.players[seat].priests_reserve:
            return Objection("not_enough_priests", f"This takes {priests} priests from the reserve.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """Priests are placed, the symbol is honoured, and a full card is won (6.8, effects 1–4)."""
        state, target, spaces = course.state, self.target, tuple(sorted(self.card_spaces))
        chain, blessing = state.players[seat].chain_at(self.space), state.card_in_play(seat, target)
        assert chain
        assert blessing
        card = box_of(state).cards_by_id[blessing.card]
        course.happens(
            ChainUsed(
                seat, chain.colour, chain.length, self.space, target, card.id, spaces, reused=chain.closed
            )
        )
        draw_for_symbol(course, seat, card, spaces)
        if None not in course.state.priests_on(seat, target):
            complete_card(course, seat, target, card)

    def canonical(self, state: State, seat: Seat) -> "UseChain":
        return UseChain(self.space, self.target, tuple(sorted(self.card_spaces)))


def against_chain(chain: Chain | None, state: State, seat: Seat, space: Space) -> Objection | None:
    """Why the seat may not use the chain that a space picks, now and with a priest on that space (6.8)."""
    me, box = state.players[seat], box_of(state)
    if at_chain_limit(state):
        return Objection("chain_limit_reached", "You have already used all your chains this turn.")
    if space not in box.place_of:
        return Objection("bad_space", "There is no such space on the board.")
    if me.sign(space) not in box.colour_of:
        return Objection("no_decoration", "This space shows no decoration.")
    if chain is None:
        return Objection("chain_too_short", "A lone decoration is not a chain.")
    if chain.closed and not can_reuse_a_chain(state, seat):
        return Objection("chain_has_priest", "A priest stands on this chain: it is closed.")
    if space in me.board_priests:
        return Objection("space_has_priest", "A priest stands on this space.")
    return None


def against_card_spaces(named: tuple[int, ...], priests: tuple[int | None, ...]) -> Objection | None:
    """At least one space of a card is named, each once, each free (Q10)."""
    if not named or len(set(named)) < len(named) or min(named) < 0 or max(named) >= len(priests):
        return Objection("bad_card_spaces", "Name one or more different spaces of the card, counted from 0.")
    if any(priests[space] is not None for space in named):
        return Objection("card_space_occupied", "A priest stands on one of these card spaces.")
    return None


class TakeBlessing(Action[State], frozen=True):
    """Effect `private_card`: take the top card of a deck for oneself (6.9)."""

    phases = frozenset({"place_priests"})
    in_the_open = True
    god: God

    def against(self, state: State, seat: Seat) -> Objection | None:
        """The effect is there, once, and the deck has cards (6.9)."""
        if state.effect_of(seat) != "private_card":
            return Objection(
                "no_such_effect", "Your pyramid is not crowned with the tile that allows a private card."
            )
        if state.turn.effect_used:
            return Objection("effect_already_used", "You have already taken your card.")
        if state.count(DECKS[self.god]) == 0:
            return Objection("deck_empty", "The deck of that god is empty.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The top card of that deck lies before the seat, for it alone (Q26)."""
        course.happens(BlessingTaken(seat, self.god, course.state.top(DECKS[self.god])[0]))


class EndTurn(Action[State], frozen=True):
    """End one's priest turn (6.10)."""

    phases = frozenset({"place_priests"})
    in_the_open = True

    def happen(self, course: Course[State], seat: Seat) -> None:
        end_turn(course, seat)

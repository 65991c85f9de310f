"""Placing priests: chains are spent on spaces of blessing cards (6.8, 6.9)."""

from games.kernel import Course, IllegalAction, Seat
from games.temple_of_five.actions import TakeBlessing, UseChain
from games.temple_of_five.bonus import draw
from games.temple_of_five.contents import Card
from games.temple_of_five.facts.priests import BlessingTaken, CardCompleted, CardRevealed, ChainUsed
from games.temple_of_five.scoring import majority
from games.temple_of_five.state import DECKS, Chain, State


def check_use_chain(state: State, seat: Seat, action: UseChain) -> tuple[Chain, Card]:
    """The chain, the card that it fits, if it can pay these spaces (6.8)."""
    chain = check_chain(state, seat, action)
    blessing = state.card_in_play(seat, action.target)
    if blessing is None:
        raise IllegalAction("no_card", f"There is no card `{action.target}`.")
    card = state.box.cards_by_id[blessing.card]
    if not fits(chain, card):
        raise IllegalAction("wrong_colour", f"A {chain.colour} chain does not serve the god `{card.god}`.")
    check_card_spaces(action.card_spaces, blessing.priests)
    price = sum([card.values[space] for space in action.card_spaces])
    if price > chain.length:
        raise IllegalAction("chain_too_weak", f"These spaces cost {price}, the chain is {chain.length} long.")
    priests = 1 + len(action.card_spaces)
    if priests > state.players[seat].priests_reserve:
        raise IllegalAction("not_enough_priests", f"This takes {priests} priests from the reserve.")
    return chain, card


def check_chain(state: State, seat: Seat, action: UseChain) -> Chain:
    """The chain that the space picks, if the seat may use it now."""
    me, box, space = state.players[seat], state.box, action.space
    if at_chain_limit(state):
        raise IllegalAction(
            "chain_limit_reached", f"You have used {state.turn.chains_used} chains this turn."
        )
    if space not in box.place_of:
        raise IllegalAction("bad_space", "There is no such space on the board.")
    if me.sign(space) not in box.colour_of:
        raise IllegalAction("no_decoration", "This space shows no decoration.")
    chain = me.chain_at(space)
    if chain is None:
        raise IllegalAction("chain_too_short", "A lone decoration is no chain.")
    if chain.closed and not can_reuse_a_chain(state, seat):
        raise IllegalAction("chain_has_priest", "A priest stands on this chain: it is closed.")
    if space in me.board_priests:
        raise IllegalAction("space_has_priest", "A priest stands on this space.")
    return chain


def check_card_spaces(named: tuple[int, ...], priests: tuple[int | None, ...]) -> None:
    """At least one space, each once, each free (Q10)."""
    if not named or len(set(named)) < len(named) or min(named) < 0 or max(named) >= len(priests):
        raise IllegalAction("bad_card_spaces", "Name one or more different spaces of the card, from 0.")
    for space in named:
        if priests[space] is not None:
            raise IllegalAction("card_space_occupied", "A priest stands on one of these card spaces.")


def at_chain_limit(state: State) -> bool:
    """Whether the turn's chains are used up."""
    turn = state.turn
    return turn.chains_used >= turn.chain_limit


def can_reuse_a_chain(state: State, seat: Seat) -> bool:
    """Effect `reuse_chain`: once, a closed chain may serve again (Q25)."""
    return state.effect_of(seat) == "reuse_chain" and not state.turn.effect_used


def fits(chain: Chain, card: Card) -> bool:
    """Any colour serves the supreme god, its own colour each of the others (Q21)."""
    return card.god in (chain.colour, "supreme")


def use_chain(course: Course[State], seat: Seat, action: UseChain) -> None:
    """Priests are placed, the symbol is honoured, and a full card is won (6.8, effects 1–4)."""
    state, target = course.state, action.target
    chain, card = check_use_chain(state, seat, action)
    spaces = tuple(sorted(action.card_spaces))
    course.happens(
        ChainUsed(
            seat, chain.colour, chain.length, action.space, target, card.id, spaces, reused=chain.closed
        )
    )
    draw_for_symbol(course, seat, card, spaces)
    if None not in course.state.priests_on(seat, target):
        complete_card(course, seat, action, card)


def draw_for_symbol(course: Course[State], seat: Seat, card: Card, spaces: tuple[int, ...]) -> None:
    """A piece for taking exactly one space, if that is marked (Q11)."""
    if len(spaces) == 1 and (size := card.bonus[spaces[0]]):
        draw(course, seat, size, "symbol")


def complete_card(course: Course[State], seat: Seat, action: UseChain, card: Card) -> None:
    """The winner takes a full card, its priests go home, and the loser who filled it has a piece (Q12, Q14)."""
    state, target = course.state, action.target
    priests = state.priests_on(seat, target)
    winner, tie_broken = majority(priests)
    returned = tuple([priests.count(each) for each in range(state.seats)])
    course.happens(CardCompleted(card.id, target, winner, returned, tie_broken))
    if target != "private":
        deck = course.state.top(DECKS[target])
        course.happens(CardRevealed(target, deck[0] if deck else None))
    if winner != seat:
        draw(course, seat, 2, "last_space")


def check_take_blessing(state: State, seat: Seat, action: TakeBlessing) -> None:
    """Effect `private_card`, once, from a deck that has cards (6.9)."""
    if state.effect_of(seat) != "private_card":
        raise IllegalAction("no_such_effect", "Your pyramid has no face-up `private_card` tile.")
    if state.turn.effect_used:
        raise IllegalAction("effect_already_used", "You have taken your card already.")
    if state.count(DECKS[action.god]) == 0:
        raise IllegalAction("deck_empty", f"The deck of the god `{action.god}` is empty.")


def take_blessing(course: Course[State], seat: Seat, action: TakeBlessing) -> None:
    """The top card of that deck lies before the seat, for it alone (Q26)."""
    check_take_blessing(course.state, seat, action)
    course.happens(BlessingTaken(seat, action.god, course.state.top(DECKS[action.god])[0]))

"""What the powers of the administrative buildings ask for, and whether one is at hand (6.3, Q4, Q17 to Q22)."""

from games.kernel import Objection, Seat
from games.sa_re.city import ready_powers, standing
from games.sa_re.state import Card, Pending, State, box_of, sequence_of
from games.sa_re.troubles import against_laid, against_opponent, against_toppling


def against_power(state: State, seat: Seat, building: str) -> Objection | None:
    """The building must stand, and its power must be unused this round."""
    tile = standing(state.players[seat], building)
    if tile is None:
        return Objection("building_missing", f"You have no {building.capitalize()}.")
    if tile.used:
        return Objection("power_used", "That building has already been used this round.")
    return None


def has_power_at_hand(state: State, seat: Seat) -> bool:
    """Some power could be used now in a sequence; not the Temple, which is another way to draw."""
    ready = ready_powers(state.players[seat])
    if not ready:
        return False
    return (
        can_change_a_card(ready, sequence_of(state).pending)
        or ("barracks" in ready and can_give_a_step(state, seat))
        or ("market" in ready and can_trade(state, seat))
    )


def can_change_a_card(ready: list[str], pending: tuple[Pending, ...]) -> bool:
    """The Palace throws away any drawn card; Gardens and Library change Troubles, each of its own level."""
    for card in pending:
        if (
            "palace" in ready
            or ("gardens" in ready and card.level == 2)
            or ("library" in ready and card.level == 1)
        ):
            return True
    return False


# -- Barracks: a step of revolt goes to another gauge (Q21) -----------------------------------------------------


def against_empty_gauge(state: State, seat: Seat) -> Objection | None:
    """There must be a step to give."""
    is_empty = state.players[seat].revolt == 0
    return Objection("gauge_empty", "Your revolt gauge is already at 0.") if is_empty else None


def against_giving_a_step(state: State, seat: Seat, target: Seat) -> Objection | None:
    """A standing opponent takes it, whom it does not topple."""
    return (
        against_opponent(state, seat, target)
        or against_laid(state, target)
        or against_toppling(state, target, 1)
    )


def can_give_a_step(state: State, seat: Seat) -> bool:
    """The Barracks would have something to give, and somebody to give it to."""
    if against_empty_gauge(state, seat):
        return False
    return any(against_giving_a_step(state, seat, other) is None for other in range(len(state.players)))


# -- Market: two cards of equal value change hands (Q20) --------------------------------------------------------


def against_trading(state: State, *traded: Card) -> Objection | None:
    """Cards of equal value are traded, each once a season, and never a Library joker."""
    for card in traded:
        if card.joker:
            return Objection("not_a_resource_card", "A Library joker cannot be traded.")
    for card in traded:
        if card.exchanged:
            return Objection("already_exchanged", "That card has already changed hands this season.")
    cards = box_of(state).cards
    if len({cards[card.id].kind for card in traded}) > 1:
        return Objection(
            "unequal_value", "A single card is exchanged for a single one, a double for a double."
        )
    return None


def can_trade(state: State, seat: Seat) -> bool:
    """The Market would find a card of equal value with a player who is not in revolt."""
    mine = tradable(state, seat)
    if mine:
        for other, player in enumerate(state.players):
            if other != seat and not player.in_revolt and mine & tradable(state, other):
                return True
    return False


def tradable(state: State, seat: Seat) -> set[str]:
    """The kinds of the cards that a player could trade."""
    cards = box_of(state).cards
    return {
        cards[card.id].kind for card in state.players[seat].cards if not card.joker and not card.exchanged
    }

"""The powers of the six administrative buildings, each once a round (6.3, Q4, Q17 to Q22)."""

from collections.abc import Mapping

from games.kernel import Action, Seat
from games.sa_re.actions import (
    ChooseCard,
    UseBarracks,
    UseGardens,
    UseLibrary,
    UseMarket,
    UsePalace,
    UseTemple,
)
from games.sa_re.box import box_of
from games.sa_re.city import ready_powers, standing
from games.sa_re.facts.powers import (
    BarracksUsed,
    GardensUsed,
    LibraryUsed,
    MarketUsed,
    PalaceUsed,
    TempleChosen,
    TempleUsed,
)
from games.sa_re.play import Objection, Play, Rule
from games.sa_re.season import draw_card
from games.sa_re.sequence import AT_THE_TEMPLE, against_card, against_debt, against_going_on, in_season
from games.sa_re.state import Card, Pending, State, sequence_of
from games.sa_re.troubles import (
    against_laid,
    against_opponent,
    against_toppling,
    against_trouble,
    level_of,
)


def against_power(state: State, seat: Seat, building: str) -> Objection:
    """The building must stand, and its power must be unused this round."""
    tile = standing(state.players[seat], building)
    if tile is None:
        return "building_missing", f"You have no {building}."
    if tile.used:
        return "power_used", f"Your {building} has been used this round."
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


# -- Temple: two cards as first draw, one of which is taken (Q17) -----------------------------------------------


def against_temple(state: State, seat: Seat, action: UseTemple) -> Objection:
    """Only as the first draw, from two cards at least."""
    objection = against_going_on(state) or against_debt(state) or against_power(state, seat, "temple")
    if objection:
        return objection
    if sequence_of(state).drawn:
        return "not_start_of_sequence", "The Temple is used as the first draw of a sequence."
    if state.deck_count < 2:
        return "not_enough_cards", "There are no two cards left."
    return None


def use_temple(play: Play, seat: Seat, action: UseTemple) -> None:
    """Two cards are shown, in the dark to the player alone; Hoshekh between them acts (Q7)."""
    play.happens(TempleUsed(seat))
    draw_card(play, seat, "temple")
    draw_card(play, seat, "temple")


def against_choosing(state: State, seat: Seat, action: ChooseCard) -> Objection:
    """One of the cards shown must be taken."""
    if all(card.id != action.card for card in sequence_of(state).temple):
        return "no_such_card", f"The Temple does not show you {action.card!r}."
    return None


def choose_card(play: Play, seat: Seat, action: ChooseCard) -> None:
    """The other one goes back on top."""
    others = (card.id for card in sequence_of(play.state).temple if card.id != action.card)
    play.happens(TempleChosen(seat, action.card, next(others, None), dark=not play.state.deck_face_up))


# -- Palace: a drawn card is thrown away (Q18) ------------------------------------------------------------------


def against_palace(state: State, seat: Seat, action: UsePalace) -> Objection:
    """Any drawn card that is not yet resolved."""
    return against_card(sequence_of(state), action.card) or against_power(state, seat, "palace")


def use_palace(play: Play, seat: Seat, action: UsePalace) -> None:
    """The card has no effect; an owed one will be replaced."""
    play.happens(PalaceUsed(seat, action.card))


# -- Gardens: double Troubles become single (Q4) ----------------------------------------------------------------


def against_gardens(state: State, seat: Seat, action: UseGardens) -> Objection:
    """Only drawn Troubles of level 2."""
    objection = against_trouble(state, action.card) or against_power(state, seat, "gardens")
    if objection is None and level_of(state, action.card) != 2:
        return "not_a_double_trouble", f"{action.card} is no double Troubles."
    return objection


def use_gardens(play: Play, seat: Seat, action: UseGardens) -> None:
    """Their level becomes 1."""
    play.happens(GardensUsed(seat, action.card))


# -- Library: single Troubles become a joker (Q4, Q5) -----------------------------------------------------------


def against_library(state: State, seat: Seat, action: UseLibrary) -> Objection:
    """Only drawn Troubles of level 1, by nature or by the Gardens."""
    objection = against_trouble(state, action.card) or against_power(state, seat, "library")
    if objection is None and level_of(state, action.card) != 1:
        return "not_a_single_trouble", f"{action.card} is no single Troubles."
    return objection


def use_library(play: Play, seat: Seat, action: UseLibrary) -> None:
    """They join the cards in front of the player, no production."""
    play.happens(LibraryUsed(seat, action.card))


# -- Barracks: a step of revolt goes to another gauge (Q21) -----------------------------------------------------


def against_barracks(state: State, seat: Seat, action: UseBarracks) -> Objection:
    """Both halves or nothing: a step to give, and a standing opponent whom it does not topple."""
    return (
        against_power(state, seat, "barracks")
        or against_empty_gauge(state, seat)
        or against_giving_a_step(state, seat, action.target)
    )


def against_empty_gauge(state: State, seat: Seat) -> Objection:
    """There must be a step to give."""
    return ("gauge_empty", "Your gauge is at 0 already.") if state.players[seat].revolt == 0 else None


def against_giving_a_step(state: State, seat: Seat, target: Seat) -> Objection:
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


def use_barracks(play: Play, seat: Seat, action: UseBarracks) -> None:
    """The target may react."""
    play.happens(BarracksUsed(seat, action.target))


# -- Market: two cards of equal value change hands (Q20) --------------------------------------------------------


def against_market(state: State, seat: Seat, action: UseMarket) -> Objection:
    """With any player who is not in revolt, also one who has stopped."""
    objection = against_power(state, seat, "market") or against_opponent(state, seat, action.from_)
    if objection:
        return objection
    if state.players[action.from_].in_revolt:
        return "target_in_revolt", f"Seat {action.from_} is in revolt: its cards cannot be traded."
    mine, theirs = state.players[seat].card(action.give), state.players[action.from_].card(action.take)
    if mine is None or theirs is None:
        missing = action.give if mine is None else action.take
        return "no_such_card", f"{missing!r} does not lie in front of its player."
    return against_trading(state, mine, theirs)


def against_trading(state: State, *traded: Card) -> Objection:
    """Cards of equal value are traded, each once a season, and never a Library joker."""
    for card in traded:
        if card.joker:
            return "not_a_resource_card", f"{card.id} is a joker of the Library."
    for card in traded:
        if card.exchanged:
            return "already_exchanged", f"{card.id} has changed hands this season."
    cards = box_of(state).cards
    if len({cards[card.id].kind for card in traded}) > 1:
        return "unequal_value", "A single card is exchanged for a single one, a double for a double."
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


def use_market(play: Play, seat: Seat, action: UseMarket) -> None:
    """The cards swap."""
    play.happens(MarketUsed(seat, action.from_, action.give, action.take))


RULES: Mapping[type[Action], Rule] = {
    UseTemple: Rule(in_season(against_temple), use_temple),
    ChooseCard: Rule(in_season(against_choosing, when=AT_THE_TEMPLE), choose_card),
    UsePalace: Rule(in_season(against_palace), use_palace),
    UseGardens: Rule(in_season(against_gardens), use_gardens),
    UseLibrary: Rule(in_season(against_library), use_library),
    UseBarracks: Rule(in_season(against_barracks), use_barracks),
    UseMarket: Rule(in_season(against_market), use_market),
}

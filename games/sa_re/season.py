"""The season of production: the deck, the work sequences, winds of revolt and reactions (5.3 to 5.6, 6.3)."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET

from games.kernel import Action, Seat
from games.sa_re.actions import Draw, EndSequence, Stay, Stop, TakeCard
from games.sa_re.box import box_of
from games.sa_re.construction import start_construction
from games.sa_re.facts.season import (
    CardDrawn,
    CardTaken,
    HoshekhAppeared,
    ObeliskLaid,
    ReactionDeclined,
    RevoltBrokeOut,
    SeasonEnded,
    SeasonStarted,
    SequenceEnded,
    SequenceStarted,
    TopRevealed,
    WindBlew,
    not_held,
)
from games.sa_re.play import Objection, Play, Rule
from games.sa_re.sequence import AT_WORK, REACTING, against_card, against_debt, against_going_on, in_season
from games.sa_re.state import (
    Pending,
    State,
    WorkSequence,
    sequence_of,
    standing_seats,
)
from games.sa_re.troubles import has_receiver

# -- the deck ---------------------------------------------------------------------------------------------------


def start_season(play: Play) -> None:
    """All cards that players do not hold are shuffled, one of them is set aside unseen (5.2, Q35)."""
    state = play.state
    aside, *deck = play.chance.shuffle(f"season/{state.round}", not_held(state))
    play.happens(SeasonStarted(len(deck), tuple(deck), (aside,)))
    uncover(play)
    start_sequence(play, state.first_seat)


def uncover(play: Play) -> None:
    """Hoshekh acts as soon as it lies on top of a face-up deck; any other card is shown (5.3, Q7)."""
    state = play.state
    if not state.deck or not state.deck_face_up:
        return
    if hoshekh_is_on_top(state):
        play.happens(HoshekhAppeared())
    else:
        play.happens(TopRevealed(state.deck[0]))


def hoshekh_is_on_top(state: State) -> bool:
    """Darkness is about to fall."""
    return bool(state.deck_face_up and state.deck and state.deck[0] == box_of(state).hoshekh)


def draw_card(play: Play, seat: Seat, zone: Literal["pending", "temple"]) -> None:
    """The top card, if there is one, and what lies beneath it."""
    if play.state.deck:
        play.happens(CardDrawn(seat, play.state.deck[0], zone, dark=not play.state.deck_face_up))
        uncover(play)


# -- drawing, stopping, ending ------------------------------------------------------------------------------------


def against_drawing(state: State, seat: Seat, action: Draw) -> Objection:
    """A player draws until something is produced."""
    return against_going_on(state)


def draw(play: Play, seat: Seat, action: Draw) -> None:
    """One card; of those that Horus demands, two together (Q8)."""
    for _ in range(min(max(1, sequence_of(play.state).owed), 2)):
        draw_card(play, seat, "pending")


def against_stopping(state: State, seat: Seat, action: Stop) -> Objection:
    """Out of a reaction, a player stops before a draw and owing nothing."""
    if state.decision == "react":
        return None
    return against_going_on(state) or against_debt(state)


def stop(play: Play, seat: Seat, action: Stop) -> None:
    """The obelisk is laid down; the top card stays for the next player."""
    play.happens(ObeliskLaid(seat, reaction=play.state.decision == "react"))


def against_staying(state: State, seat: Seat, action: Stay) -> Objection:
    """Whoever is asked may stay."""
    return None


def stay(play: Play, seat: Seat, action: Stay) -> None:
    """The player remains in the season, whatever comes."""
    play.happens(ReactionDeclined(seat))


def against_ending(state: State, seat: Seat, action: EndSequence) -> Objection:
    """A sequence ends after its production, or with the deck."""
    if state.decision == "resolve":
        return "cards_pending", "Resolve the cards you have drawn first."
    if state.decision != "wrap_up":
        return "sequence_not_over", "Your sequence is not over: draw or stop."
    return None


def end_sequence(play: Play, seat: Seat, action: EndSequence) -> None:
    """The next player works."""
    close_sequence(play)


# -- resolving a card -------------------------------------------------------------------------------------------


def next_in_order(state: State) -> Pending:
    """Without Troubles: singles, then Horus, then doubles, equal kinds as drawn (Q9)."""
    kinds = ("single", "horus", "double")
    cards = box_of(state).cards
    return min(sequence_of(state).pending, key=lambda card: kinds.index(cards[card.id].kind))


def against_taking(state: State, seat: Seat, action: TakeCard) -> Objection:
    """In any order while Troubles are pending; further Troubles only if they could be passed on (Q9, Q10)."""
    sequence = sequence_of(state)
    card = sequence.card(action.card)
    if card is None:
        return against_card(sequence, action.card)
    if card.level is not UNSET:
        if sequence.troubles and not has_receiver(state, seat, card.level):
            return "must_discard", "A further Troubles card that nobody can receive is thrown away."
    elif len(sequence.pending) > 1 and not any(each.is_trouble for each in sequence.pending):
        first = next_in_order(state).id
        if first != action.card:
            return "take_in_order", f"{first} comes first."
    return None


def take_card(play: Play, seat: Seat, action: TakeCard) -> None:
    """Troubles raise the gauge, a double lets the wind blow."""
    card = sequence_of(play.state).card(action.card)
    if card and card.level is not UNSET:
        play.happens(CardTaken(seat, action.card, card.level))
        settle_revolts(play)
        return
    play.happens(CardTaken(seat, action.card))
    if play.box.cards[action.card].kind == "double":
        blow_wind(play, seat)


def blow_wind(play: Play, seat: Seat) -> None:
    """A double card raises every gauge still in the season; then all others may react (Q12 to Q14)."""
    play.happens(WindBlew(seat, standing_seats(play.state)))
    settle_revolts(play)


def settle_revolts(play: Play) -> None:
    """A gauge at its limit is a general revolt at once; its player keeps the resources it has drawn (5.5, Q40)."""
    sequence, cards = sequence_of(play.state), play.box.cards
    for victim, player in enumerate(play.state.players):
        if player.obelisk == "standing" and player.revolt == player.revolt_limit:
            pending = [card.id for card in sequence.pending] if victim == sequence.seat else []
            taken = tuple(card for card in pending if cards[card].is_resource)
            discarded = tuple(card for card in pending if not cards[card].is_resource)
            play.happens(RevoltBrokeOut(sequence.seat, victim, taken, discarded))


# -- from sequence to sequence, and the end of the season (5.6) -----------------------------------------------------


def start_sequence(play: Play, seat: Seat, *, final: bool = False) -> None:
    """A player goes to work, perhaps for the last time."""
    play.happens(SequenceStarted(seat, final))


def close_sequence(play: Play) -> None:
    """The sequence ends; another follows, a lone player's last one (Q15), or the season is over."""
    sequence = sequence_of(play.state)
    play.happens(SequenceEnded(sequence.seat))
    standing = standing_seats(play.state)
    reason = end_of_season(play.state, sequence, standing)
    if reason:
        play.happens(SeasonEnded(reason))
        start_construction(play, play.state.first_seat)
    else:
        start_sequence(play, next_of(standing, sequence.seat), final=len(standing) == 1)


def end_of_season(
    state: State, sequence: WorkSequence, standing: tuple[Seat, ...]
) -> Literal["deck_exhausted", "all_down", "last_player"] | None:
    """No card, nobody, or the last player has just played (Q15, Q16)."""
    if state.deck_count == 0:
        return "deck_exhausted"
    if not standing:
        return "all_down"
    if sequence.final or standing == (sequence.seat,):
        return "last_player"
    return None


def next_of(standing: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next player clockwise who is still in the season."""
    return next((other for other in standing if other > seat), standing[0])


RULES: Mapping[type[Action], Rule] = {
    Stay: Rule(in_season(against_staying, when=REACTING), stay),
    Stop: Rule(in_season(against_stopping, when=AT_WORK | REACTING), stop),
    Draw: Rule(in_season(against_drawing), draw),
    EndSequence: Rule(in_season(against_ending), end_sequence),
    TakeCard: Rule(in_season(against_taking), take_card),
}

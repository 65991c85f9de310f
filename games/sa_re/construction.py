"""Construction: works paid source by source, stores, caravans, and what is kept (6.4)."""

from collections.abc import Mapping

from msgspec import UNSET

from games.kernel import Action, Seat
from games.sa_re.actions import CancelWork, EndConstruction, Pay, StartWork, Store
from games.sa_re.box import box_of
from games.sa_re.city import (
    administrative_standing,
    places_left,
    site_at,
)
from games.sa_re.end import end_round
from games.sa_re.facts.construction import (
    BuildingCompleted,
    CaravanChartered,
    ConstructionEnded,
    ConstructionStarted,
    GrowthReached,
    PyramidStepCompleted,
    ResourceStored,
    SourcePaid,
    WorkCancelled,
    WorkStarted,
)
from games.sa_re.payment import gives, uncovered, within_means
from games.sa_re.play import Objection, Play, Rule
from games.sa_re.state import Player, State, Work, next_seat, work_of


def start_construction(play: Play, seat: Seat) -> None:
    """A seat's turn; players build one after the other, and none concerns another (Q41)."""
    play.happens(ConstructionStarted(seat))


def against_open_work(state: State) -> Objection:
    """One work at a time."""
    if state.work is not None:
        return "work_open", "Pay for the work you have begun, or cancel it."
    return None


def against_revolt(player: Player) -> Objection:
    """A city in revolt builds nothing this round (Q33)."""
    if player.in_revolt:
        return "in_revolt", "Your people are in revolt: you can only end your construction."
    return None


# -- starting, paying, cancelling a work ------------------------------------------------------------------------


def against_starting(state: State, seat: Seat, action: StartWork) -> Objection:
    """A building or a caravan is begun with no other work open, and out of revolt."""
    objection = against_open_work(state) or against_revolt(state.players[seat])
    if objection:
        return objection
    if action.space is not UNSET:
        return against_building(state, seat, action.space)
    return against_caravan(state, seat)


def against_building(state: State, seat: Seat, space: int) -> Objection:
    """A site, or a pyramid's next step, one a round, that all sources together can pay."""
    box = box_of(state)
    if space not in box.spaces:
        return "bad_space", f"There is no space {space}: spaces are numbered 0 to {len(box.spaces) - 1}."
    site = site_at(state.players[seat], space)
    if site is None:
        return "no_site_there", f"There is no open site on space {space}."
    if site.step_done is True:
        return "step_already_done", "A pyramid grows by one step a round."
    if not within_means(state, Work(seat, "build", space)):
        return "cannot_afford", "All you have does not cover its cost."
    return None


def against_caravan(state: State, seat: Seat) -> Objection:
    """Two resources charter a caravan; other caravans do not pay for it (Q32)."""
    track = box_of(state).caravan_track
    if state.players[seat].caravans >= track.max:
        return "caravans_full", f"You have {track.max} caravans, as many as the track holds."
    if not within_means(state, Work(seat, "caravan", None)):
        return "cannot_afford", f"A caravan costs {track.exchange_in} resources."
    return None


def start_work(play: Play, seat: Seat, action: StartWork) -> None:
    """The site, or the caravan, is open for payment."""
    space = action.space if action.space is not UNSET else None
    play.happens(WorkStarted(seat, action.kind, space))


def against_paying(state: State, seat: Seat, action: Pay) -> Objection:
    """A source is paid whole; one that covers nothing is refused (Q31)."""
    work = state.work
    if work is None:
        return "no_work_open", "Start a work first."
    given = gives(box_of(state), state.players[seat], action.source)
    if given is None:
        return "no_such_source", "You have no such source."
    if work.kind == "caravan" and action.source.caravan is True:
        return "caravan_not_allowed", "A caravan does not pay for another."
    if uncovered(state, work, given) >= work.uncovered:
        return "useless_payment", "That would cover nothing that is still due."
    return None


def pay(play: Play, seat: Seat, action: Pay) -> None:
    """The source leaves the player at once."""
    given = gives(box_of(play.state), play.state.players[seat], action.source) or ()
    play.happens(SourcePaid(seat, action.source, given))


def against_cancelling(state: State, seat: Seat, action: CancelWork) -> Objection:
    """A slip is forgiven once per work and turn."""
    if state.work is None:
        return "no_work_open", "There is no work to cancel."
    if state.work.key in state.cancelled:
        return "already_cancelled", "You have called this work off once this turn."
    return None


def cancel_work(play: Play, seat: Seat, action: CancelWork) -> None:
    """All sources come back."""
    work = work_of(play.state)
    play.happens(WorkCancelled(seat, work.kind, work.space))


# -- completing a work ------------------------------------------------------------------------------------------


def work_is_paid(state: State) -> bool:
    """Nothing is lacking any more."""
    return state.work is not None and state.work.uncovered == 0


def complete_work(play: Play) -> None:
    """A work that lacks nothing completes by itself; any excess is lost."""
    work = work_of(play.state)
    seat = work.seat
    if work.space is None:
        play.happens(CaravanChartered(seat, play.state.players[seat].caravans + 1))
    else:
        complete_site(play, seat, work.space)


def complete_site(play: Play, seat: Seat, space: int) -> None:
    """A building stands at once, a pyramid only after its last step (Q34)."""
    tile = play.state.players[seat].spaces[space][0]
    if tile.number is not UNSET and tile.steps is not UNSET:
        play.happens(PyramidStepCompleted(seat, tile.number, tile.steps + 1))
        if not play.state.players[seat].spaces[space][0].built:
            return
    play.happens(BuildingCompleted(seat, tile.building, space))
    grow(play, seat, tile.building)


def grow(play: Play, seat: Seat, building: str) -> None:
    """The first main building ever, and two administrative buildings standing together, once each (Q36)."""
    box, me = play.box, play.state.players[seat]
    if "main" not in me.growth and box.is_main(building):
        play.happens(GrowthReached(seat, "main"))
    if "administrative" not in me.growth and administrative_standing(box, me) >= 2:
        play.happens(GrowthReached(seat, "administrative"))


# -- storing ----------------------------------------------------------------------------------------------------


def against_storing(state: State, seat: Seat, action: Store) -> Objection:
    """Everything a source gives is stored; of a double card, one of the two if one place is left."""
    box, me = box_of(state), state.players[seat]
    objection = against_open_work(state) or against_revolt(me)
    if objection:
        return objection
    if action.source.stock is not UNSET:
        return "source_not_storable", "What lies in the stock is stored already."
    given, places = gives(box, me, action.source), places_left(box, me)
    if given is None:
        return "no_such_source", "You have no such source."
    if places == 0:
        return "warehouse_full", "Your warehouses are full."
    if tuple(sorted(action.take)) not in storable(given, places):
        return "bad_take", "Store all that the source gives, or one resource if there is one place left."
    return None


def storable(given: tuple[str, ...], places: int) -> list[tuple[str, ...]]:
    """What can be stored of a source: all, or one at choice in the last place."""
    if places >= len(given):
        return [tuple(sorted(given))]
    return [(resource,) for resource in sorted(set(given))] if places else []


def store(play: Play, seat: Seat, action: Store) -> None:
    """The resources lie in the warehouses; a joker stays a joker (Q19)."""
    play.happens(ResourceStored(seat, action.source, tuple(sorted(action.take))))


# -- the end of a turn ------------------------------------------------------------------------------------------


def resource_cards(player: Player) -> list[str]:
    """The cards that may be kept: all but Library jokers."""
    return [card.id for card in player.cards if not card.joker]


def keep_counts(state: State, seat: Seat) -> range:
    """One card after a revolt, none after a building, else up to two (Q33, Q34)."""
    me, limits = state.players[seat], box_of(state).keep_limits
    if me.in_revolt:
        forced = min(limits.after_revolt, len(resource_cards(me)))
        return range(forced, forced + 1)
    return range(1) if me.built_this_round else range(limits.without_building + 1)


def against_ending(state: State, seat: Seat, action: EndConstruction) -> Objection:
    """As many resource cards are kept as the round allows."""
    objection = against_open_work(state)
    if objection:
        return objection
    kept = [state.players[seat].card(card) for card in action.keep]
    if None in kept:
        return "no_such_card", "You can only keep cards that lie in front of you."
    if any(card.joker for card in kept if card):
        return "not_a_resource_card", "A joker of the Library cannot be kept."
    counts = keep_counts(state, seat)
    if len(action.keep) not in counts:
        allowed = " or ".join(str(count) for count in counts)
        return "bad_keep_count", f"You keep {allowed} card(s) this round."
    return None


def end_construction(play: Play, seat: Seat, action: EndConstruction) -> None:
    """All other cards are lost; the next seat builds, or the round is over."""
    cards = play.state.players[seat].cards
    lost = tuple([card.id for card in cards if card.id not in action.keep])
    play.happens(ConstructionEnded(seat, tuple(sorted(action.keep)), lost))
    following = next_seat(play.state, seat)
    if following == play.state.first_seat:
        end_round(play)
    else:
        start_construction(play, following)


RULES: Mapping[type[Action], Rule] = {
    StartWork: Rule(against_starting, start_work),
    Pay: Rule(against_paying, pay),
    CancelWork: Rule(against_cancelling, cancel_work),
    Store: Rule(against_storing, store),
    EndConstruction: Rule(against_ending, end_construction),
}

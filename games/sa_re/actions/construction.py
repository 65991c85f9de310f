"""Construction: works paid source by source, stores, caravans, and what is kept (6.4)."""

from typing import Literal, Self

from msgspec import UNSET, UnsetType

from games.kernel import Course, Objection, Seat, replace
from games.sa_re.actions.action import SaReAction
from games.sa_re.city import places_left
from games.sa_re.construction import (
    against_building,
    against_caravan,
    against_open_work,
    against_revolt,
    keep_counts,
    stays_anyway,
    storable,
)
from games.sa_re.end import end_round
from games.sa_re.facts.construction import (
    ConstructionEnded,
    ConstructionStarted,
    ResourceStored,
    SourcePaid,
    WorkCancelled,
    WorkStarted,
)
from games.sa_re.payment import gives, uncovered
from games.sa_re.state import Source, State, box_of, next_seat, work_of


class ConstructionAction(SaReAction, frozen=True):
    """An action of the last part of a round."""

    phases = frozenset({"construction"})


class StartWork(ConstructionAction, frozen=True):
    """Begin to pay for a site or a caravan."""

    # With no other work open, and out of revolt.
    kind: Literal["build", "caravan"]
    space: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.kind == "build") != (self.space is not UNSET):
            raise ValueError("a building has a `space`, a caravan has none")

    def against(self, state: State, seat: Seat) -> Objection | None:
        objection = against_open_work(state) or against_revolt(state.players[seat])
        if objection:
            return objection
        if self.space is not UNSET:
            return against_building(state, seat, self.space)
        return against_caravan(state, seat)

    def happen(self, course: Course[State], seat: Seat) -> None:
        space = self.space if self.space is not UNSET else None
        course.happens(WorkStarted(seat, self.kind, space))


class Pay(ConstructionAction, frozen=True):
    """Pay one source for the work that is open."""

    # The whole source; one that covers nothing is refused (Q31).
    source: Source

    def against(self, state: State, seat: Seat) -> Objection | None:
        work = state.work
        if work is None:
            return Objection("no_work_open", "Start work on something first.")
        resources = gives(box_of(state), state.players[seat], self.source)
        if resources is None:
            return Objection("no_such_source", "You have no such source.")
        if work.kind == "caravan" and self.source.caravan is True:
            return Objection("caravan_not_allowed", "A caravan cannot pay for another.")
        if uncovered(state, work, resources) >= work.uncovered:
            return Objection("useless_payment", "That would cover nothing that is still due.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The source leaves the player at once."""
        state = course.state
        resources = gives(box_of(state), state.players[seat], self.source) or ()
        course.happens(SourcePaid(seat, self.source, resources))


class CancelWork(ConstructionAction, frozen=True):
    """Call the open work off, once; everything paid comes back."""

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Each work can be called off once a turn."""
        if state.work is None:
            return Objection("no_work_open", "There is no work to call off.")
        if state.work.key in state.cancelled:
            return Objection("already_cancelled", "You have already called this work off this turn.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        work = work_of(course.state)
        course.happens(WorkCancelled(seat, work.kind, work.space))


class Store(ConstructionAction, frozen=True):
    """Put what a source gives into the warehouses."""

    # All of it; of a double card one, if one place is left. A joker stays a joker (Q19).
    source: Source
    take: tuple[str, ...]

    def against(self, state: State, seat: Seat) -> Objection | None:
        box, me = box_of(state), state.players[seat]
        objection = against_open_work(state) or against_revolt(me)
        if objection:
            return objection
        if self.source.stock is not UNSET:
            return Objection("source_not_storable", "What lies in the stock is already stored.")
        resources, places = gives(box, me, self.source), places_left(box, me)
        if resources is None:
            return Objection("no_such_source", "You have no such source.")
        if places == 0:
            return Objection("warehouse_full", "Your Warehouses are full.")
        if tuple(sorted(self.take)) not in storable(resources, places):
            return Objection(
                "bad_take", "Store all that the source gives, or one resource if there is one place left."
            )
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(ResourceStored(seat, self.source, tuple(sorted(self.take))))

    def canonical(self, state: State, seat: Seat) -> Self:
        return replace(self, take=tuple(sorted(self.take)))


class EndConstruction(ConstructionAction, frozen=True):
    """Be done with construction, keeping some cards."""

    # As many resource cards as the round allows; after a revolt, one of those acquired in this season.
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.keep)) != len(self.keep):
            raise ValueError("a card can be kept once")

    def against(self, state: State, seat: Seat) -> Objection | None:
        if objection := against_open_work(state):
            return objection
        cards = [state.players[seat].card(card) for card in self.keep]
        if None in cards:
            return Objection("no_such_card", "You can only keep cards that lie in front of you.")
        if any(card.joker for card in cards if card):
            return Objection("not_a_resource_card", "A Library joker cannot be kept.")
        if any(stays_anyway(state.players[seat], card) for card in cards if card):
            return Objection(
                "carried_over", "Cards from earlier rounds stay with you: choose among those of this season."
            )
        counts = keep_counts(state, seat)
        if len(self.keep) not in counts:
            allowed = " or ".join(str(count) for count in counts)
            return Objection("bad_keep_count", f"The number of cards to keep this round is {allowed}.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """All other cards are lost; the next seat builds, or the round is over."""
        me = course.state.players[seat]
        kept = {*self.keep, *(card.id for card in me.cards if stays_anyway(me, card))}
        lost = tuple([card.id for card in me.cards if card.id not in kept])
        course.happens(ConstructionEnded(seat, tuple(sorted(kept)), lost))
        following = next_seat(course.state, seat)
        if following == course.state.first_seat:
            end_round(course)
        else:
            course.happens(ConstructionStarted(following))

    def canonical(self, state: State, seat: Seat) -> Self:
        return replace(self, keep=tuple(sorted(self.keep)))

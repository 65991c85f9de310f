"""What can be built, stored and kept in construction, and how works complete (6.4)."""

from msgspec import UNSET

from games.kernel import Course, Objection, Seat
from games.sa_re.city import administrative_standing
from games.sa_re.facts.construction import (
    BuildingCompleted,
    CaravanChartered,
    GrowthReached,
    PyramidStepCompleted,
)
from games.sa_re.payment import within_means
from games.sa_re.sites import against_lack_of_a_site
from games.sa_re.state import Card, Player, State, Work, box_of, work_of


def against_open_work(state: State) -> Objection | None:
    """One work at a time."""
    if state.work is not None:
        return Objection("work_open", "Pay for the work you have begun, or call it off.")
    return None


def against_revolt(player: Player) -> Objection | None:
    """A city in revolt builds nothing this round (Q33)."""
    if player.in_revolt:
        return Objection("in_revolt", "Your people are in revolt: you can only end your construction.")
    return None


def against_building(state: State, seat: Seat, space: int) -> Objection | None:
    """A site, or a pyramid's next step, one a round, that all sources together can pay."""
    if objection := against_lack_of_a_site(state, seat, space):
        return objection
    if state.players[seat].spaces[space][0].step_done is True:
        return Objection("step_already_done", "A pyramid grows by only one step a round.")
    if not within_means(state, Work(seat, "build", space)):
        return Objection("cannot_afford", "Everything you have would not cover the cost.")
    return None


def against_caravan(state: State, seat: Seat) -> Objection | None:
    """Two resources charter a caravan; other caravans do not pay for it (Q32)."""
    track = box_of(state).caravan_track
    if state.players[seat].caravans >= track.max:
        return Objection("caravans_full", f"You have {track.max} caravans, as many as the track holds.")
    if not within_means(state, Work(seat, "caravan", None)):
        return Objection("cannot_afford", f"A caravan costs {track.exchange_in} resources.")
    return None


# -- completing a work ------------------------------------------------------------------------------------------


def work_is_paid(state: State) -> bool:
    """Nothing is lacking any more."""
    return state.work is not None and state.work.uncovered == 0


def complete_work(course: Course[State]) -> None:
    """A work that lacks nothing completes by itself; any excess is lost."""
    work = work_of(course.state)
    if work.space is None:
        caravans = course.state.players[work.seat].caravans
        course.happens(CaravanChartered(work.seat, caravans + 1))
    else:
        complete_site(course, work.seat, work.space)


def complete_site(course: Course[State], seat: Seat, space: int) -> None:
    """A building stands at once, a pyramid only after its last step (Q34)."""
    tile = course.state.players[seat].spaces[space][0]
    if tile.number is not UNSET and tile.steps is not UNSET:
        course.happens(PyramidStepCompleted(seat, tile.number, tile.steps + 1))
        if not course.state.players[seat].spaces[space][0].built:
            return
    course.happens(BuildingCompleted(seat, tile.building, space))
    grow(course, seat, tile.building)


def grow(course: Course[State], seat: Seat, building: str) -> None:
    """The first main building ever, and the second administrative building, once each (Q36)."""
    box, me = box_of(course.state), course.state.players[seat]
    if "main" not in me.growth and box.is_main(building):
        course.happens(GrowthReached(seat, "main"))
    if "administrative" not in me.growth and administrative_counted(course.state, me) >= 2:
        course.happens(GrowthReached(seat, "administrative"))


def administrative_counted(state: State, player: Player) -> int:
    """The administrative buildings that count for growth: those ever built; in version 1 those that stand (Q36)."""
    box = box_of(state)
    if state.options.rules == 1:
        return administrative_standing(box, player)
    return len([building for building in player.ever_built if building in box.administrative])


# -- storing and keeping ----------------------------------------------------------------------------------------


def storable(resources: tuple[str, ...], places: int) -> list[tuple[str, ...]]:
    """What can be stored of a source: all, or one at choice in the last place."""
    if places >= len(resources):
        return [tuple(sorted(resources))]
    return [(resource,) for resource in sorted(set(resources))] if places else []


def stays_anyway(player: Player, card: Card) -> bool:
    """A revolt costs cards of this season alone: one kept from an earlier round stays (Q33)."""
    return player.in_revolt and card.kept is True


def cards_to_choose(player: Player) -> list[str]:
    """The cards of which some may be kept: no Library jokers, and none that stays anyway."""
    return [card.id for card in player.cards if not card.joker and not stays_anyway(player, card)]


def keep_counts(state: State, seat: Seat) -> range:
    """One card of this season after a revolt, none after a building, else up to two (Q33, Q34)."""
    me, limits = state.players[seat], box_of(state).keep_limits
    if me.in_revolt:
        forced = min(limits.after_revolt, len(cards_to_choose(me)))
        return range(forced, forced + 1)
    return range(1) if me.built_this_round else range(limits.without_building + 1)

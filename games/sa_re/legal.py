"""Every action a seat may take now, in canonical form: whatever nothing speaks against (13)."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, product

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction, construction, powers, season, sites
from games.sa_re.box import TOKENS
from games.sa_re.city import free_spaces, places_left, ready_powers, tiles_of
from games.sa_re.construction import cards_to_choose, keep_counts, storable
from games.sa_re.payment import gives, sources
from games.sa_re.sites import against_ground, against_type, surplus_without
from games.sa_re.state import Discard, State, Stock, box_of, sequence_of

Actions = Iterator[SaReAction]


def choices(state: State, seat: Seat) -> Actions:
    """The actions that are accepted from a seat that is to act, one by one."""
    return CHOICES[state.decision or ""](state, seat)


def _accepted(candidates: Callable[[State, Seat], Actions]) -> Callable[[State, Seat], Actions]:
    """Of these candidates, those that nothing speaks against."""

    def accepted(state: State, seat: Seat) -> Actions:
        for action in candidates(state, seat):
            if action.against(state, seat) is None:
                yield action

    return accepted


# -- setup and sites --------------------------------------------------------------------------------------------


@_accepted
def _placements(state: State, seat: Seat) -> Actions:
    for building in state.players[seat].to_place:
        for space in box_of(state).spaces:
            yield sites.PlaceBuilding(building, space)


def _site_choices(state: State, seat: Seat) -> Actions:
    yield from _launches(state, seat)
    yield from _changes(state, seat)
    yield sites.EndSites()


def _launches(state: State, seat: Seat) -> Actions:
    """Each type is judged once, then each free space for it."""
    free = free_spaces(state.players[seat])
    for building in box_of(state).buildings:
        if against_type(state, seat, building) is None:
            for space in free:
                if against_ground(state, seat, building, space) is None:
                    yield sites.LaunchSite(building, space)


@_accepted
def _changes(state: State, seat: Seat) -> Actions:
    me = state.players[seat]
    for space, tile in tiles_of(me):
        if tile.built:
            yield from _demolitions(state, seat, space, tile.building)
        else:
            yield sites.CancelSite(space)
            yield from (sites.MoveSite(space, to) for to in free_spaces(me))


def _demolitions(state: State, seat: Seat, space: int, building: str) -> Actions:
    due = surplus_without(state, seat, building)
    for discard in _ways_to_give_up(state.players[seat].stock, due):
        yield sites.Demolish(space, building, discard if due else UNSET)


def _ways_to_give_up(stock: Stock, due: int) -> Iterator[Discard]:
    """Every choice of so many tokens."""
    for amounts in product(*(range(min(due, stock.of(kind)) + 1) for kind in TOKENS)):
        if sum(amounts) == due:
            yield Discard(*amounts)


# -- season -----------------------------------------------------------------------------------------------------


@_accepted
def _reactions(state: State, seat: Seat) -> Actions:
    yield from (season.Stay(), season.Stop())


@_accepted
def _temple_choices(state: State, seat: Seat) -> Actions:
    yield from (powers.ChooseCard(card.id) for card in sequence_of(state).temple if card.id)


@_accepted
def _draws(state: State, seat: Seat) -> Actions:
    yield from (season.Draw(), season.Stop(), powers.UseTemple())
    yield from _free_powers(state, seat)


@_accepted
def _resolutions(state: State, seat: Seat) -> Actions:
    """What is done with each drawn card; only Troubles can be passed on, thrown away or changed."""
    ready = ready_powers(state.players[seat])
    for pending in sequence_of(state).pending:
        yield season.TakeCard(pending.id)
        if pending.is_trouble:
            yield season.DiscardTrouble(pending.id)
            for other in _opponents(state, seat):
                yield season.PassTrouble(pending.id, other)
        if "palace" in ready:
            yield powers.UsePalace(pending.id)
        if pending.is_trouble:
            yield from (power(pending.id) for power in (powers.UseGardens, powers.UseLibrary))
    yield from _free_powers(state, seat)


@_accepted
def _wrap_ups(state: State, seat: Seat) -> Actions:
    yield season.EndSequence()
    yield from _free_powers(state, seat)


def _free_powers(state: State, seat: Seat) -> Actions:
    """Barracks and Market are used at any time in a sequence."""
    ready = ready_powers(state.players[seat])
    if "barracks" in ready:
        yield from (powers.UseBarracks(other) for other in _opponents(state, seat))
    if "market" in ready:
        for other in _opponents(state, seat):
            yield from _exchanges(state, seat, other)


def _opponents(state: State, seat: Seat) -> list[Seat]:
    return [other for other in range(len(state.players)) if other != seat]


def _exchanges(state: State, seat: Seat, other: Seat) -> Actions:
    for mine, theirs in product(state.players[seat].cards, state.players[other].cards):
        yield powers.UseMarket(mine.id, theirs.id, other)


# -- construction -----------------------------------------------------------------------------------------------


def _construction_choices(state: State, seat: Seat) -> Actions:
    return chain(_works(state, seat), _stores(state, seat), _endings(state, seat))


@_accepted
def _works(state: State, seat: Seat) -> Actions:
    for space, tile in tiles_of(state.players[seat]):
        if not tile.built:
            yield construction.StartWork("build", space)
    yield construction.StartWork("caravan")


@_accepted
def _stores(state: State, seat: Seat) -> Actions:
    box, me = box_of(state), state.players[seat]
    places = places_left(box, me)
    for source in sources(box, me):
        for take in storable(gives(box, me, source) or (), places):
            yield construction.Store(source, take)


@_accepted
def _endings(state: State, seat: Seat) -> Actions:
    for count in keep_counts(state, seat):
        for keep in combinations(sorted(cards_to_choose(state.players[seat])), count):
            yield construction.EndConstruction(keep)


@_accepted
def _payments(state: State, seat: Seat) -> Actions:
    for source in sources(box_of(state), state.players[seat]):
        yield construction.Pay(source)
    yield construction.CancelWork()


CHOICES: Mapping[str, Callable[[State, Seat], Actions]] = {
    "place_start": _placements,
    "sites": _site_choices,
    "react": _reactions,
    "temple": _temple_choices,
    "work": _draws,
    "resolve": _resolutions,
    "wrap_up": _wrap_ups,
    "construction": _construction_choices,
    "pay": _payments,
}

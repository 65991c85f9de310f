"""Facts of construction: works and what is paid for them, stores, caravans, what is kept."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Seat, replace
from games.sa_re.city import (
    PYRAMID,
    cheapens_sites,
    exchanged,
    priced,
    put,
    revolt_limit,
    site_cost,
    space_of,
    with_city,
)
from games.sa_re.facts.happening import SeatHappening
from games.sa_re.payment import uncovered
from games.sa_re.state import Payment, Player, Source, Stage, State, Tile, Work, box_of, work_of


class ConstructionStarted(SeatHappening, frozen=True):
    """A seat's turn of construction begins."""

    def change(self, state: State) -> State:
        return replace(state, phase="construction", active_seat=self.seat, cancelled=())


class WorkStarted(SeatHappening, frozen=True):
    """A seat begins to pay for a site or a caravan."""

    kind: Literal["build", "caravan"]
    space: int | None

    def change(self, state: State) -> State:
        work = Work(self.seat, self.kind, self.space)
        return replace(state, work=replace(work, uncovered=uncovered(state, work)))


class SourcePaid(SeatHappening, frozen=True):
    """A source leaves the player for the open work."""

    source: Source
    gives: tuple[str, ...]

    def apply(self, state: State) -> State:
        work = work_of(state)
        me = state.players[self.seat]
        card = me.card(self.source.card) if self.source.card is not UNSET else None
        payment = Payment(self.source, self.gives, UNSET if card is None else card)
        due = uncovered(state, work, self.gives)
        work = replace(work, paid=(*work.paid, payment), uncovered=due)
        return state.seated(self.seat, _without(me, self.source), work=work)


class WorkCancelled(SeatHappening, frozen=True):
    """A work is called off; everything paid comes back."""

    kind: Literal["build", "caravan"]
    space: int | None

    def change(self, state: State) -> State:
        work = work_of(state)
        for payment in work.paid:
            state = _given_back(state, self.seat, payment)
        return replace(state, work=None, cancelled=(*state.cancelled, work.key))


class PyramidStepCompleted(SeatHappening, frozen=True):
    """One more step of a pyramid is done."""

    number: int
    step: int

    def change(self, state: State) -> State:
        box, me = box_of(state), state.players[self.seat]
        space = space_of(me, PYRAMID)
        pyramid = replace(me.spaces[space][0], steps=self.step, step_done=True)
        if self.step == len(box.pyramid(self.number).steps):
            pyramid = completed(pyramid)
        else:
            pyramid = replace(pyramid, cost=site_cost(box, me.spaces, space, pyramid))
        return _work_done(with_city(state, self.seat, put(me.spaces, space, (pyramid,))))


class BuildingCompleted(SeatHappening, frozen=True):
    """A building stands; what it gives works at once, its production from the next round (Q30)."""

    building: str
    space: int

    def change(self, state: State) -> State:
        me = state.players[self.seat]
        box, spaces = box_of(state), me.spaces
        if self.building != PYRAMID:
            spaces = put(spaces, self.space, (completed(spaces[self.space][0]),))
        if cheapens_sites(box, self.building):
            spaces = priced(box, spaces)
        state = with_city(
            state,
            self.seat,
            spaces,
            built_this_round=me.built_this_round + 1,
            ever_built=(*me.ever_built, self.building) if self.building in box.unique else me.ever_built,
        )
        return _work_done(state)


def completed(site: Tile) -> Tile:
    """A site that has become a building."""
    return replace(site, built=True, new=UNSET, moved=UNSET, cost=UNSET)


class GrowthReached(SeatHappening, frozen=True):
    """A black cube lowers the revolt space by one for good (Q36)."""

    stage: Stage

    def apply(self, state: State) -> State:
        growth = (*state.players[self.seat].growth, self.stage)
        limit = revolt_limit(box_of(state), growth)
        return state.with_player(self.seat, growth=growth, revolt_limit=limit)


class CaravanChartered(SeatHappening, frozen=True):
    """A caravan sets out; it can be used from the next round (Q32)."""

    caravans: int

    def change(self, state: State) -> State:
        me = state.players[self.seat]
        state = state.with_player(self.seat, caravans=self.caravans, caravans_new=me.caravans_new + 1)
        return _work_done(state)


class ResourceStored(SeatHappening, frozen=True):
    """What a source gives lies in the warehouses."""

    source: Source
    take: tuple[str, ...]

    def apply(self, state: State) -> State:
        me = _without(state.players[self.seat], self.source)
        card = (self.source.card,) if self.source.card is not UNSET else ()
        me = replace(me, stock=me.stock.plus(self.take))
        return state.seated(self.seat, me, discard=(*state.discard, *card))


class ConstructionEnded(SeatHappening, frozen=True):
    """A seat is done with construction; the cards it does not keep are lost."""

    kept: tuple[str, ...]
    lost: tuple[str, ...]

    def change(self, state: State) -> State:
        me = state.players[self.seat]
        me = replace(me, cards=tuple([card for card in me.cards if card.id in self.kept]))
        return state.seated(self.seat, me, cancelled=(), discard=(*state.discard, *self.lost))


def _without(player: Player, source: Source) -> Player:
    """A player who has used up a source."""
    if source.card is not UNSET:
        return replace(player, cards=tuple([card for card in player.cards if card.id != source.card]))
    if source.stock is not UNSET:
        return replace(player, stock=player.stock.minus((source.stock,)))
    if source.production is not UNSET:
        return replace(player, spaces=exchanged(player.spaces, source.production, token=False))
    return replace(player, caravans=player.caravans - 1)


def _given_back(state: State, seat: Seat, payment: Payment) -> State:
    me, source = state.players[seat], payment.source
    if payment.card is not UNSET:
        return state.with_player(seat, cards=(*me.cards, payment.card))
    if source.stock is not UNSET:
        return state.with_player(seat, stock=me.stock.plus((source.stock,)))
    if source.production is not UNSET:
        return state.with_player(seat, spaces=exchanged(me.spaces, source.production, token=True))
    return state.with_player(seat, caravans=me.caravans + 1)


def _work_done(state: State) -> State:
    """The state with the open work closed: paid cards to the discard, the slip it may have been forgotten."""
    if state.work is None:
        return state
    spent = [payment.card.id for payment in state.work.paid if payment.card is not UNSET]
    cancelled = state.cancelled and tuple(key for key in state.cancelled if key != state.work.key)
    return replace(state, work=None, cancelled=cancelled, discard=(*state.discard, *spent))

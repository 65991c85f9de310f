"""Starting from a position: what it leaves out is filled in, what breaks the rules is refused (4.3)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from games.chance import Chance
from games.sa_re.box import COMPONENT_SETS, JOKER, Box
from games.sa_re.opening import ordinary_setup
from games.sa_re.payment import card_gives, uncovered
from games.sa_re.position.cities import card_name, fill_card, fill_players, fill_supply, pyramids_left
from games.sa_re.position.filling import given_or, reject
from games.sa_re.position.piles import fill_piles, is_face_up
from games.sa_re.position.sketch import (
    PaymentSketch,
    PendingSketch,
    PositionSketch,
    SequenceSketch,
    TempleCardSketch,
    WorkSketch,
)
from games.sa_re.position.soundness import faults
from games.sa_re.state import (
    Options,
    Payment,
    Pending,
    Phase,
    Player,
    State,
    TempleCard,
    Work,
    WorkSequence,
    awaited,
    replace,
    standing_seats,
)


def opening_state(options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None) -> State:
    """The state a game begins with, before automatic steps; nothing given is an ordinary setup."""
    if position is None or position == {}:
        return ordinary_setup(options, seats, chance)
    try:
        sketch = msgspec.convert(position, PositionSketch)
    except msgspec.ValidationError as error:
        reject(f"{error}.")
    if sketch.options not in (None, options):
        reject("The position has other options than the game.")
    state = _filled(options, seats, chance, sketch)
    for fault in faults(state):
        reject(fault)
    return state


def _filled(options: Options, seats: int, chance: Chance, sketch: PositionSketch) -> State:
    """The whole state, not yet checked."""
    box = COMPONENT_SETS[options.component_set].box
    phase: Phase = sketch.phase or "sites"
    if phase == "ended":
        reject("A game cannot begin at its end.")
    players = fill_players(box, options, phase, seats, sketch)
    turn = given_or(sketch.round, 1)
    first = _seat(given_or(sketch.first_seat, (turn - 1) % seats), seats)
    placing = (seat for seat, player in enumerate(players) if player.to_place)
    active = next(placing, first) if phase == "setup" else first
    state = State(
        options,
        players,
        fill_supply(box, players, sketch.supply),
        given_or(sketch.pyramids, pyramids_left(box, players)),
        discard=(),
        deck_face_up=is_face_up(box, sketch),
        phase=phase,
        round=turn,
        first_seat=first,
        active_seat=_seat(given_or(sketch.active_seat, active), seats),
        reactions=tuple(sorted(given_or(sketch.reactions, ()))),
        cancelled=given_or(sketch.cancelled, ()),
        top_known_to=sketch.top_known_to,
    )
    state = replace(state, work=_work(box, state, sketch.work))
    state = replace(state, sequence=_sequence(box, state, sketch.sequence))
    return awaited(fill_piles(state, sketch, chance))


def _seat(seat: int, seats: int) -> int:
    return seat if 0 <= seat < seats else reject(f"There is no seat {seat}.")


# -- cards, the sequence, the work --------------------------------------------------------------------------------


def _pending(box: Box, short: str | PendingSketch) -> Pending:
    sketch = PendingSketch(short) if isinstance(short, str) else short
    level = box.cards[card_name(box, sketch.id)].level
    if sketch.level is not None and not 1 <= sketch.level <= level:
        reject(f"{sketch.id} cannot have level {sketch.level}.")
    return Pending(sketch.id, given_or(sketch.owed, False), given_or(sketch.level, level) or UNSET)


def _temple_card(box: Box, state: State, short: str | TempleCardSketch) -> TempleCard:
    sketch = TempleCardSketch(short) if isinstance(short, str) else short
    return TempleCard(card_name(box, sketch.id), given_or(sketch.dark, not state.deck_face_up))


def _sequence(box: Box, state: State, sketch: SequenceSketch | None) -> WorkSequence | None:
    """A fresh sequence of the active seat, in which what is given overrides (4.3)."""
    if sketch is None:
        if state.phase != "season":
            return None
        sketch = SequenceSketch()
    seat = given_or(sketch.seat, state.active_seat or 0)
    return WorkSequence(
        seat,
        drawn=given_or(sketch.drawn, 0),
        owed=given_or(sketch.owed, 0),
        pending=tuple(_pending(box, card) for card in given_or(sketch.pending, ())),
        temple=tuple(_temple_card(box, state, card) for card in given_or(sketch.temple, ())),
        troubles=given_or(sketch.troubles, 0),
        passed_to=given_or(sketch.passed_to, ()),
        produced=given_or(sketch.produced, False),
        final=given_or(sketch.final, standing_seats(state) == (seat,)),
    )


def _work(box: Box, state: State, sketch: WorkSketch | None) -> Work | None:
    """The open work with its payments."""
    if sketch is None:
        return None
    seat = _seat(given_or(sketch.seat, state.active_seat or 0), len(state.players))
    paid = tuple(_payment(box, state.players[seat], payment) for payment in given_or(sketch.paid, ()))
    work = Work(seat, sketch.kind, sketch.space, paid)
    is_building = sketch.kind == "build"
    if is_building != (sketch.space is not None):
        reject("A building that is being paid for has a space, a caravan has none.")
    if sketch.space is not None and sketch.space not in box.spaces:
        reject(f"There is no space {sketch.space}.")
    if sketch.space is not None and all(tile.built for tile in state.players[seat].spaces[sketch.space]):
        reject(f"There is no open site on space {sketch.space} to pay for.")
    return replace(work, uncovered=uncovered(state, work))


def _payment(box: Box, player: Player, sketch: PaymentSketch) -> Payment:
    """A payment; what its source gives follows from the source."""
    source = sketch.source
    card = None
    given: tuple[str, ...] = (JOKER,)
    if isinstance(source.card, str):
        card = fill_card(box, source.card if sketch.card is None else sketch.card)
        given = card_gives(box, card)
    elif isinstance(source.stock, str):
        given = (source.stock,)
    elif isinstance(source.production, int) and source.production in box.spaces:
        given = tuple(
            box.buildings[tile.building].produces or "" for tile in player.spaces[source.production]
        )
    return Payment(source, given_or(sketch.gives, given), UNSET if card is None else card)

"""Who is asked to act, by which entry, since when, and what is left of the clocks: brought up to date by each entry."""

from typing import Any

from msgspec.structs import replace

from events.entries import ActionTaken, Carved, Clock, GameResumed, TakenBack, TimeAdded
from events.game_state import Game
from events.times import milliseconds, time_at
from games.kernel import CLOCK_RESTARTS

TURN_MEMBERS = ("active_seat", "turn", "round")
"""What stays the same within a seat's turn, where a game's state has it."""


def turn_of(state: Any) -> tuple[Any, ...]:
    """Whose turn it is, and which: the same as long as the turn lasts."""
    return tuple(getattr(state, name, None) for name in TURN_MEMBERS)


def ask(before: Game, after: Game, carved: Carved) -> Game:
    """The game with which entry asked each seat to act, since when its clock runs, and what is left of it."""
    to_act = after.to_act
    if not to_act and not before.decisions:
        return after
    entry = carved.entry
    data = entry.data
    actor = entry.actor.get("seat") if isinstance(data, ActionTaken | TakenBack) else None
    stalled = _stalled(before, after, data)
    restarts = _moment(before) != _moment(after)
    now = before.paused.at if before.paused else entry.at
    decisions: dict[int, int] = {}
    hashes: dict[int, str] = {}
    asked_at: dict[int, str] = {}
    for seat in to_act:
        waiting = seat in before.decisions
        stays = waiting and seat != actor
        decisions[seat] = before.decisions[seat] if stays else entry.seq
        hashes[seat] = before.decision_hashes[seat] if stays else carved.hash
        asked_at[seat] = before.asked_at[seat] if waiting and (not restarts or seat in stalled) else now
    rewarded = actor if (actor not in to_act or restarts) and actor not in stalled else None
    left = _left(before, now, rewarded, asked_at)
    after = replace(
        after, decisions=decisions, decision_hashes=hashes, asked_at=asked_at, left=left, stalled=stalled
    )
    return _with_time(before, after, carved)


def _stalled(before: Game, after: Game, data: Any) -> tuple[int, ...]:
    """The seats that have taken something back in a turn that still lasts."""
    stalled = before.stalled
    if isinstance(data, TakenBack):
        return tuple(sorted({*stalled, data.seat}))
    if stalled and turn_of(before.state) != turn_of(after.state):
        return ()
    return tuple(seat for seat in stalled if seat in after.to_act) if stalled else stalled


def _left(before: Game, now: str, rewarded: int | None, asked_at: dict[int, str]) -> dict[int, int]:
    """What is left of a total clock or of a reserve. A pause takes nothing: `now` is when it began."""
    clock = before.created.clock
    if clock is None or (clock.total_seconds is None and clock.reserve_seconds is None):
        return before.left
    left = dict(before.left)
    for seat in before.on_clock:
        if clock.reserve_seconds is None:
            used = 0 if before.paused else milliseconds(now) - milliseconds(before.at)
            gained = (clock.increment_seconds or 0) * 1000 if seat == rewarded else 0
            left[seat] = first_left(before, clock, seat) - used + gained
        elif asked_at.get(seat) != (began := before.asked_at[seat]):  # its stint has ended
            over = milliseconds(now) - milliseconds(began) - (clock.turn_seconds or 0) * 1000
            left[seat] = first_left(before, clock, seat) - max(over, 0)
    return left


def first_left(game: Game, clock: Clock, seat: int) -> int:
    """What a seat has left of its total clock or reserve: all of it, as long as none was used."""
    all_of_it = clock.total_seconds if clock.reserve_seconds is None else clock.reserve_seconds
    return game.left.get(seat, (all_of_it or 0) * 1000)


def _with_time(before: Game, after: Game, carved: Carved) -> Game:
    """The game after time was added, or after a pause in which none has passed."""
    data, clock = carved.entry.data, after.created.clock
    if isinstance(data, GameResumed) and before.paused:
        span = milliseconds(carved.entry.at) - milliseconds(before.paused.at)
        moved = {seat: _later(began, span) for seat, began in after.asked_at.items()}
        return replace(after, asked_at=moved)
    if not isinstance(data, TimeAdded) or clock is None:
        return after
    seat, added = data.seat, data.seconds * 1000
    if clock.total_seconds is not None or clock.reserve_seconds is not None:
        return replace(after, left=after.left | {seat: first_left(after, clock, seat) + added})
    if seat not in after.asked_at:
        return after
    return replace(after, asked_at=after.asked_at | {seat: _later(after.asked_at[seat], added)})


def _later(time: str, span: int) -> str:
    return time_at(milliseconds(time) + span)


def _moment(game: Game) -> tuple[Any, ...]:
    """The values whose change begins a turn clock anew."""
    names = CLOCK_RESTARTS if game.first_terms or game.state is None else game.state.clock_restarts()
    return tuple(getattr(game.state, name, None) for name in names)

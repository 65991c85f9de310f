"""Check 11, clocks, with the rules at hand: who was to act, since when, and whose time was up."""

from events.clocks import due_times
from events.commands import late_seats
from events.entries import ActionTaken, Carved, GameAborted, SeatWithdrawn
from events.game import Game
from events.times import milliseconds
from replays.audit.verify import Fault


def check_clocks_by_rules(before: Game, carved: Carved) -> Fault | None:
    """What is wrong with an entry by the clocks of the game before it; games of the first terms are not asked."""
    if before.first_terms:
        return None
    at = carved.entry.at
    match carved.data:
        case ActionTaken() if before.created.clock:
            due = due_times(before).get(carved.entry.actor["seat"])
            if due is not None and milliseconds(at) > due:
                return Fault(carved.seq, "it came after the deadline")
        case SeatWithdrawn(seat=seat, cause="timed_out"):
            if seat not in late_seats(before, milliseconds(at)):
                return Fault(carved.seq, "that seat had not run out of time")
        case GameAborted(reason="all_timed_out"):
            remaining = [seat for seat, chair in enumerate(before.chairs) if not chair.withdrawn]
            if late_seats(before, milliseconds(at)) != remaining:
                return Fault(carved.seq, "not everyone had run out of time")
        case GameAborted(reason="abandoned"):
            if due_times(before):
                return Fault(carved.seq, "a deadline was still running")
    return None

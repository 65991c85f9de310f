"""The report of a review: the curve of chances, every decision, the turning points, and skill apart from luck."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.entries import Carved
from replays.review.choices import LEAST, Alternative
from replays.review.steps import Decision, Step

REVIEW_FORMAT = 1
"""Goes up when reviews come out differently: those of another format are made again."""
TURNING_POINTS = 6
"""How many are told at most."""
TURNING_POINT_LOSS = 50
"""Thousandths that a decision must have cost to be a turning point."""

ReviewReport = dict[str, Any]


def review_tag(head: str) -> str:
    """What a review must have been made of to be read: our format, and the log that ends with this hash."""
    return f"{REVIEW_FORMAT}:{head}"


class SeatReview(msgspec.Struct, frozen=True):
    """What became of a seat's chance, in thousandths."""

    seat: int
    decisions: int
    """How often it had a choice."""
    skill: int
    """What its own choices cost against the best that it could know of: 0 at most."""
    luck: int
    """What the deal and the shuffles gave it against other draws."""


def review(entries: Sequence[Carved], steps: Sequence[Step]) -> ReviewReport:
    """The review of a game, from all its steps."""
    decisions = judged(steps)
    body = {
        "game": entries[0].entry.game,
        "version": entries[-1].seq,
        "hash": entries[-1].hash,
        "format": REVIEW_FORMAT,
        "curve": [{"version": step.version, "chances": step.chances, "luck": step.luck} for step in steps],
        "decisions": decisions,
        "turning_points": turning_points(decisions),
        "seats": [_seat_review(seat, steps, decisions) for seat in range(len(steps[0].chances))],
    }
    read: ReviewReport = msgspec.json.decode(canonical(body))
    return read


class StillToCome(NamedTuple):
    """The most that a seat can come to with its next choice, by what it knows and with open cards."""

    seat: int
    chance: int
    open_chance: int

    def without(self, luck: Sequence[int]) -> "StillToCome":
        """The same as it was before a draw that nobody could count on."""
        gift = luck[self.seat]
        return self._replace(
            chance=_bounded(self.chance - gift), open_chance=_bounded(self.open_chance - gift)
        )


def judged(steps: Sequence[Step]) -> list[Decision]:
    """Every decision; what the same seat could still do with its very next choice was not lost by this one."""
    decisions: list[Decision] = []
    ahead: StillToCome | None = None
    for step in reversed(steps):
        decision = step.decision
        if decision is None or (ahead and ahead.seat != decision.seat):
            ahead = None
        if decision is None:
            continue
        if ahead and step.news:
            ahead = ahead.without(step.luck) if step.luck else None
        if decision.choices > 1:
            decision = in_the_light_of(ahead, decision) if ahead else decision
            ahead = still_to_come(decision)
        decisions.append(decision)
    return decisions[::-1]


def still_to_come(decision: Decision) -> StillToCome:
    """What a seat has before it makes this choice."""
    return StillToCome(
        decision.seat,
        _best([decision.chance, *(option.chance for option in decision.better)]),
        _best([decision.open_chance, *(option.chance for option in decision.open)]),
    )


def in_the_light_of(ahead: StillToCome, decision: Decision) -> Decision:
    """A decision after which the same seat could still come to so much."""
    chance, open_chance = (
        _best([decision.chance, ahead.chance]),
        _best([decision.open_chance, ahead.open_chance]),
    )
    better = _still_better(decision.better, chance)
    return msgspec.structs.replace(
        decision,
        chance=chance,
        better=better,
        lost=better[0].chance - chance if better else 0,
        open_chance=open_chance,
        open=_still_better(decision.open, open_chance),
    )


def _bounded(chance: int) -> int:
    return min(1000, max(0, chance))


def _best(chances: Iterable[int | None]) -> int:
    return max(chance for chance in chances if chance is not None)


def _still_better(options: Iterable[Alternative], than: int) -> tuple[Alternative, ...]:
    return tuple(option for option in options if option.chance - than >= 1000 * LEAST)


def turning_points(decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """The few decisions that cost most, in the order of the game: what was played, and what was best."""
    costly = [decision for decision in decisions if decision.lost >= TURNING_POINT_LOSS]
    dearest = sorted(costly, key=lambda decision: (-decision.lost, decision.version))[:TURNING_POINTS]
    return [
        {
            "version": decision.version,
            "seat": decision.seat,
            "lost": decision.lost,
            "played": {"action": decision.action, "chance": decision.chance, "fact": decision.fact},
            "better": decision.better[0],
        }
        for decision in sorted(dearest, key=lambda decision: decision.version)
    ]


def _seat_review(seat: int, steps: Sequence[Step], decisions: Sequence[Decision]) -> SeatReview:
    own = [decision for decision in decisions if decision.seat == seat]
    return SeatReview(
        seat,
        sum(decision.choices > 1 for decision in own),
        -sum(decision.lost for decision in own),
        sum(step.luck[seat] for step in steps if step.luck),
    )

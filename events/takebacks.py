"""Take-backs: how far a seat may go back within its own turn, so that it has learned nothing on the way."""

from functools import cached_property
from typing import Any

from events.asking import turn_of
from events.game import Game, ruleset_of
from events.game_state import Lineage, Point
from games.kernel import Refusal, Registry, Ruleset

MAX_TAKEBACKS = 100
"""How often each seat may take something back in one game."""


class Sight:
    """What a seat sees, and knows of what is hidden, in one state."""

    def __init__(self, ruleset: Ruleset[Any, Any], state: Any, seat: int) -> None:
        self._ruleset, self._state, self._seat = ruleset, state, seat
        self.hidden_parts = ruleset.zones.hidden_parts(state, seat)
        self._covered: dict[Sight, bool] = {}

    @cached_property
    def seen(self) -> dict[str, Any]:
        return self._ruleset.zones.seen(self._state, self._seat)

    def covers(self, other: "Sight") -> bool:
        """Is nothing in sight there that is not in sight here?"""
        if other is self:
            return True
        if other not in self._covered:
            here = self.seen
            self._covered[other] = all(there <= here[kind] for kind, there in other.seen.items())
        return self._covered[other]


def lowest_takeback(game: Game, seat: int | None, rulesets: Registry) -> int | None:
    """The lowest version that a seat may return to now, if it may take back anything."""
    lineage = game.lineage
    if seat is None or lineage is None or lineage.seat != seat or len(lineage.points) < 2:
        return None
    chair = game.chairs[seat]
    if game.paused or seat not in game.to_act or not chair.staying or chair.takebacks >= MAX_TAKEBACKS:
        return None
    turn = turn_of(game.state)
    for index in _reachable(lineage, seat, ruleset_of(game, rulesets)):
        point = lineage.points[index]
        versions = [version for version in point.versions if version >= chair.held_since]
        if versions and seat in point.state.to_act and turn_of(point.state) == turn:
            return versions[0]
    return None


def check_take_back(game: Game, seat: int, to: int | None, rulesets: Registry) -> tuple[int, Any]:
    """The entry to return to (before the seat's latest action, if none is named) and its state; or the refusal."""
    lineage, chair = game.lineage, game.chairs[seat]
    if lineage is None or lineage.seat != seat or len(lineage.points) < 2 or not chair.staying:
        raise _nothing("You have done nothing since anybody else did something.")
    to = lineage.points[-2].versions[-1] if to is None else to
    index = lineage.index_of(to)
    if index is None or index == len(lineage.points) - 1 or to < chair.held_since:
        raise _nothing(f"You cannot return to version {to}.")
    point = lineage.points[index]
    in_turn = seat in point.state.to_act and seat in game.to_act
    if not in_turn or turn_of(point.state) != turn_of(game.state):
        raise Refusal("turn_has_passed", "You can take back actions of your present turn only.")
    if index not in _reachable(lineage, seat, ruleset_of(game, rulesets)):
        raise Refusal("something_was_revealed", "Something was drawn or came into sight since then.")
    if chair.takebacks >= MAX_TAKEBACKS:
        raise Refusal("limit_reached", f"A seat takes back at most {MAX_TAKEBACKS} times in a game.")
    return to, point.state


def _nothing(message: str) -> Refusal:
    return Refusal("nothing_to_take_back", message)


def _reachable(lineage: Lineage, seat: int, ruleset: Ruleset[Any, Any]) -> list[int]:
    """The places of the states after which no chance was drawn on and nothing has come into the seat's sight, oldest first."""
    sights = _sights(lineage, seat, ruleset)
    since: list[Sight] = []
    reachable: list[int] = []
    for index in range(len(lineage.points) - 1, 0, -1):
        if lineage.points[index].drew:
            break
        since += [sight for sight in sights[index] if sight not in since]
        if all(map(sights[index - 1][-1].covers, since)):
            reachable.append(index - 1)
    return reachable[::-1]


def _sights(lineage: Lineage, seat: int, ruleset: Ruleset[Any, Any]) -> list[tuple[Sight, ...]]:
    """What the seat saw on the way to each point, fact by fact; worked out once for each point."""
    first, *others = lineage.points
    if seat not in first.sights:
        first.sights[seat] = (Sight(ruleset, first.state, seat),)
    before = first
    for point in others:
        if seat not in point.sights:
            point.sights[seat] = _sights_along(before, point, seat, ruleset)
        before = point
    return [point.sights[seat] for point in lineage.points]


def _sights_along(before: Point, point: Point, seat: int, ruleset: Ruleset[Any, Any]) -> tuple[Sight, ...]:
    state, sights = before.state, [before.sights[seat][-1]]
    for fact in ruleset.read_facts(point.facts):
        state = fact.apply(state)
        sight = Sight(ruleset, state, seat)
        if sight.hidden_parts != sights[-1].hidden_parts:
            sights.append(sight)
    return tuple(sights)

"""A win within reach: by a seat's own actions alone, before anybody else decides and whatever it cannot know.

Playouts go on as the greedy bot would, and it does not see every plan; a win that takes several actions is looked for here.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

import msgspec

from games.chance import Chance
from games.kernel import Ruleset, Seat
from replays.review.playouts import Playouts, Worlds

SURE_WIN_WORLDS = 6
"""Worlds in which a way must lead to the win."""

ActionSequence = tuple[Any, ...]
"""Actions in a row."""


def way_to_win(playouts: Playouts, seat: Seat, worlds: Worlds, tries: int) -> ActionSequence:
    """Actions that win for sure, none of them for nothing, if so many tries find any; else none."""

    def is_sure(way: ActionSequence) -> bool:
        return all(_wins(playouts, seat, worlds, way, number) for number in range(SURE_WIN_WORLDS))

    way = _search(playouts.ruleset, seat, worlds(playouts.dice("win")), tries)
    return _without_detours(way, is_sure) if is_sure(way) else ()


def _without_detours(way: ActionSequence, is_sure: Callable[[ActionSequence], bool]) -> ActionSequence:
    """What is left of a way without the actions that the win does not need."""
    for at in reversed(range(len(way))):
        shorter = (*way[:at], *way[at + 1 :])
        way = shorter if is_sure(shorter) else way
    return way


def _search(ruleset: Ruleset[Any, Any], seat: Seat, world: Any, tries: int) -> ActionSequence:
    """What looks best is followed first; the same position is not looked at twice."""
    prospects = ruleset.prospects
    moment, seen, waiting = prospects.moment(world), set(), [(0.0, 0, world, ActionSequence())]
    while waiting and tries > 0:
        _, _, state, way = heappop(waiting)
        legal = reversed(ruleset.legal_actions(state, seat))
        kinds = {prospects.alike(state, seat, action): action for action in legal}
        for action in kinds.values():
            tries -= 1
            after = ruleset.play(state, seat, action, Chance(b"win")).state
            if after.outcome and after.outcome.winners == (seat,):
                return (*way, action)
            is_on = after.to_act == (seat,) and prospects.moment(after) == moment
            if is_on and (look := msgspec.msgpack.encode(after)) not in seen:
                seen.add(look)
                heappush(waiting, (-prospects.chances(after)[seat], len(seen), after, (*way, action)))
    return ()


def _wins(playouts: Playouts, seat: Seat, worlds: Worlds, way: ActionSequence, number: int) -> bool:
    """Whether these actions can be done one after the other in another world, and win there too."""
    dice = playouts.dice(f"win/{number}")
    state, chance = worlds(dice), dice.word().to_bytes(8, "big")
    for action in way:
        if playouts.ruleset.against(state, seat, action):
            return False
        state = playouts.ruleset.play(state, seat, action, Chance(chance)).state
    return state.outcome is not None and state.outcome.winners == (seat,)

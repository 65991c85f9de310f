"""How a game stands: what everyone may know of it beside the view, and what a viewer may do now."""

from collections.abc import Mapping
from typing import Any

from events.clocks import Patience, deadlines, time_left
from events.game import Game, ruleset_of
from games.kernel import Registry, Viewer


def situation(game: Game, patience: Patience) -> dict[str, Any]:
    """Who is asked, how long they have, and how it ended: the same for everyone."""
    return {
        "status": game.status,
        "to_act": game.to_act,
        "decisions": by_seat(game.decisions),
        "deadlines": by_seat(deadlines(game, patience)),
        "left": by_seat(time_left(game)),
        "outcome": None if game.aborted else game.outcome,
    }


def by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    """Values by seat as JSON has them: its keys are text."""
    return {str(seat): value for seat, value in values.items()}


def choices(game: Game, viewer: Viewer, rulesets: Registry) -> list[Any]:
    """What a viewer may do now: nothing, unless it is a seat that is to act and that no bot plays."""
    if viewer is None or viewer not in game.to_act or not game.chairs[viewer].staying:
        return []
    return ruleset_of(game, rulesets).legal_actions(game.state, viewer)

"""What may be seen of an entry: the event that a viewer receives."""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.entries import (
    ActionTaken,
    Carved,
    GameAdjudicated,
    GameCreated,
    GameStarted,
    SeatWithdrawn,
)
from events.origins import without_position
from games.kernel import Ruleset, Viewer

SHOWN = ("actor", "at", "game", "prev", "seq", "type", "v")
"""What everyone sees of an entry at once; `salt`, `state` and `req` open when the game is settled."""


def show(carved: Carved, viewer: Viewer, ruleset: Ruleset[Any, Any], *, settled: bool) -> dict[str, Any]:
    """The event of an entry: everything once the game is settled, until then what this viewer may see."""
    if settled:
        return carved.laid_open()
    entry = carved.entry
    event = {name: getattr(entry, name) for name in SHOWN}
    event["data"] = _data(carved, viewer, ruleset)
    event["hash"] = carved.hash
    return event


def _data(carved: Carved, viewer: Viewer, ruleset: Ruleset[Any, Any]) -> Any:
    match carved.data:
        case GameCreated(origin=origin) as created:
            return msgspec.to_builtins(created) | {"origin": without_position(origin)}
        case ActionTaken(action=action, facts=facts):
            seat = carved.entry.actor["seat"]
            seen: Mapping[str, Any] = ruleset.redact_action(action, seat, viewer)
            return {"action": seen, "facts": _facts(facts, viewer, ruleset)}
        case GameStarted(facts=facts):
            return {"facts": _facts(facts, viewer, ruleset)}
        case SeatWithdrawn(seat=seat, cause=cause, facts=facts):
            return {"seat": seat, "cause": cause, "facts": _facts(facts, viewer, ruleset)}
        case GameAdjudicated(outcome=outcome, why=why, facts=facts):
            return {"outcome": outcome, "why": why, "facts": _facts(facts, viewer, ruleset)}
    return carved.data


def _facts(facts: list[Any], viewer: Viewer, ruleset: Ruleset[Any, Any]) -> list[Any]:
    return [ruleset.redact(fact, viewer) for fact in ruleset.read_facts(facts)]

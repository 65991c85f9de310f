"""What may be seen of an entry: the event that a viewer receives."""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.entries import ActionTaken, GameCreated, GameStarted, Sealed, SeatWithdrawn
from games.kernel import Fact, Ruleset, Viewer

SECRET_UNTIL_SETTLED = ("salt", "state", "req")


def show(sealed: Sealed, viewer: Viewer, ruleset: Ruleset[Any, Any], *, settled: bool) -> dict[str, Any]:
    """The event of an entry: everything once the game is settled, until then what this viewer may see."""
    event: dict[str, Any] = msgspec.json.decode(sealed.raw)
    event["hash"] = sealed.hash
    if settled:
        return event
    for member in SECRET_UNTIL_SETTLED:
        del event[member]
    event["data"] = _data(sealed, event["data"], viewer, ruleset)
    return event


def _data(sealed: Sealed, data: dict[str, Any], viewer: Viewer, ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    match sealed.data:
        case GameCreated(origin=origin):
            return data | {"origin": {member: origin[member] for member in origin if member != "position"}}
        case ActionTaken(action=action, facts=facts):
            seat = sealed.entry.actor["seat"]
            seen: Mapping[str, Any] = ruleset.redact_action(action, seat, viewer)
            return {"action": seen, "facts": _facts(facts, viewer, ruleset)}
        case GameStarted(facts=facts):
            return {"facts": _facts(facts, viewer, ruleset)}
        case SeatWithdrawn(seat=seat, cause=cause, facts=facts):
            return {"seat": seat, "cause": cause, "facts": _facts(facts, viewer, ruleset)}
    return data


def _facts(facts: list[Any], viewer: Viewer, ruleset: Ruleset[Any, Any]) -> list[Any]:
    typed = (fact if isinstance(fact, Fact) else ruleset.read_fact(fact) for fact in facts)
    return [ruleset.redact(fact, viewer) for fact in typed]

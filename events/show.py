"""Redaction of entries: the event that a viewer receives of an entry."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from events.entries import (
    ActionTaken,
    Carved,
    GameAdjudicated,
    GameCreated,
    GameStarted,
    SeatWithdrawn,
    TakenBack,
)
from events.origins import without_position
from games.kernel import Ruleset, Viewer

PUBLIC_MEMBERS = ("actor", "at", "game", "prev", "seq", "type", "v")
"""What everyone sees of an entry at once; `salt`, `state` and `req` open when the game is settled."""


def visible_event(
    carved: Carved, viewer: Viewer, ruleset: Ruleset[Any, Any], *, settled: bool
) -> dict[str, Any]:
    """The event of an entry: everything once the game is settled, until then what this viewer may see."""
    if settled:
        return carved.laid_open()
    entry = carved.entry
    event = {name: getattr(entry, name) for name in PUBLIC_MEMBERS}
    event["data"] = _data(carved, viewer, ruleset)
    event["hash"] = carved.hash
    return event


def _data(carved: Carved, viewer: Viewer, ruleset: Ruleset[Any, Any]) -> Any:
    match carved.entry.data:
        case GameCreated(origin=origin) as created:
            return msgspec.to_builtins(created) | {"origin": without_position(origin)}
        case ActionTaken(action=action, facts=facts):
            seat = carved.entry.actor["seat"]
            seen: Mapping[str, Any] = ruleset.redact_action(action, seat, viewer)
            return {"action": seen, "facts": _facts(facts, viewer, ruleset), **_signed(carved, viewer)}
        case GameStarted(facts=facts):
            return {"facts": _facts(facts, viewer, ruleset)}
        case SeatWithdrawn(seat=seat, cause=cause, facts=facts):
            shown = {"seat": seat, "cause": cause, "facts": _facts(facts, viewer, ruleset)}
            return shown | _signed(carved, viewer)
        case TakenBack(seat=seat, to=to):
            return {"seat": seat, "to": to, "facts": [], **_signed(carved, viewer)}
        case GameAdjudicated(outcome=outcome, why=why, facts=facts):
            return {"outcome": outcome, "why": why, "facts": _facts(facts, viewer, ruleset)}
    return carved.data


def _signed(carved: Carved, viewer: Viewer) -> dict[str, Any]:
    """A seat's signature, for itself alone: others could try every action that is hidden from them against it."""
    signed = carved.entry.data.signed
    mine = viewer is not None and carved.entry.actor == {"seat": viewer}
    return {"signed": signed} if mine and signed is not UNSET else {}


def _facts(facts: list[Any], viewer: Viewer, ruleset: Ruleset[Any, Any]) -> list[Any]:
    return [ruleset.redact(fact, viewer) for fact in ruleset.read_facts(facts)]

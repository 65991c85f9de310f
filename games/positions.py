"""Positions to start from: any part of a state. What one leaves out is filled in, what breaks a rule is refused.

A game lays what it says over a blank state (`lay_over`), fills the zones that are still empty from the components
that lie nowhere (`Zones.unplaced`), and checks what it got by its own rules of soundness, each a `demand`.
"""

from collections.abc import Collection, Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from games.kernel import InvalidSetup, Position
from games.kernel.complaints import complaint
from games.kernel.grammar import S
from games.kernel.zones import Zones

T = TypeVar("T")

LARGEST = 10**9
"""What play counts up must stay within the integers that the log can hold, however long a game goes on."""


def fail(fault: str) -> NoReturn:
    """Refuse the position, naming its fault."""
    raise InvalidSetup("invalid_position", f"No game can start from this position: {fault}.")


def demand(holds: bool, fault: str) -> None:
    """Refuse the position unless this holds."""
    if not holds:
        fail(fault)


def gives(position: Position | None, *path: str | int) -> bool:
    """Whether a position says something there: what is absent or null is left to be filled in."""
    value: Any = position
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
        else:
            value = value[step] if isinstance(value, list | tuple) and step < len(value) else None
    return value is not None


def lay_over(zones: Zones[S], blank: S, position: Position | None, derived: Collection[str] = ()) -> S:
    """The state that a position describes: what it leaves out, or gives as null, stands as in `blank`.

    Members that are `derived`, of the state or a player, are read past, and so is what counts a zone. Options must be
    those of the game.
    """
    derived = zones.counts.union(derived)
    if not isinstance(position, Mapping | None):
        fail("a position is a JSON object")
    said = dict(position or {})
    base: dict[str, Any] = msgspec.to_builtins(blank)
    if (options := said.pop("options", None)) is not None:
        same = read(options, type(blank.options)) == blank.options
        demand(same, "its options are not those of the game")
    demand(said.pop("outcome", None) is None, "a game that begins has no outcome")
    players = said.pop("players", None)
    merged = _merged(base, said, derived)
    if players is not None:
        fits = isinstance(players, list | tuple) and len(players) == len(base["players"])
        demand(fits, "it must have one player for each seat")
        merged["players"] = [
            _merged(seat, {} if player is None else player, derived)
            for seat, player in zip(base["players"], players, strict=True)
        ]
    return read(merged, type(blank))


def part(raw: Any, as_type: type[T], *, short: str = "", past: Collection[str] = (), **left_out: Any) -> T:
    """A part of a state, such as a tile: what it leaves out, or gives as null, stands as in `left_out`.

    A lone text is its `short` member. Members that are to be read `past` are those of `left_out` in any case.
    """
    if short and isinstance(raw, str):
        raw = {short: raw}
    if not isinstance(raw, Mapping):
        fail(f"a {as_type.__name__} is a JSON object")
    fields = as_type.__struct_fields__  # type: ignore[attr-defined]  # any part of a state is a struct
    unsaid = {*past, *(member for member in fields if raw.get(member) is None)}
    members = {member: value for member, value in raw.items() if member not in unsaid}
    _check_numbers(members)
    return read({**left_out, **members}, as_type)


def read(raw: Any, as_type: type[T]) -> T:
    """What a position says, in the type that it must have."""
    try:
        return msgspec.convert(raw, as_type)
    except msgspec.ValidationError as error:
        fail(complaint(error, as_type))


def _merged(base: Mapping[str, Any], said: Any, derived: Collection[str]) -> dict[str, Any]:
    if not isinstance(said, Mapping):
        fail("a state and each of its players are JSON objects")
    merged = dict(base)
    for member, value in said.items():
        if member in base and (value is None or member in derived):
            continue
        _check_numbers(value)
        inner = base.get(member)
        both_objects = isinstance(inner, Mapping) and isinstance(value, Mapping)
        merged[member] = _merged(inner, value, ()) if both_objects and inner else value
    return merged


def _check_numbers(value: Any) -> None:
    match value:
        case bool():
            return
        case int():
            demand(abs(value) <= LARGEST, f"{value} is a number beyond {LARGEST}")
        case Mapping():
            for inner in value.values():
                _check_numbers(inner)
        case list() | tuple():
            for inner in value:
                _check_numbers(inner)


def demand_nothing_twice(zones: Zones[S], state: S) -> None:
    """No component lies in more places than there are of it, and none that the box does not have."""
    box = zones.box(state)
    for kind, lying in zones.lying(state).items():
        for component, number in (lying - box[kind]).items():
            there_are = box[kind][component]
            fail(f"there are {there_are} of `{component}` ({kind}), not {there_are + number}")


def demand_complete(zones: Zones[S], state: S) -> None:
    """Every component of the box lies in exactly one place."""
    demand_nothing_twice(zones, state)
    box = zones.box(state)
    for kind, lying in zones.lying(state).items():
        for component in box[kind] - lying:
            fail(f"`{component}` ({kind}) lies nowhere")

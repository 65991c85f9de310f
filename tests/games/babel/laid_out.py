"""Positions of Babel in few words."""

from collections.abc import Mapping
from typing import Any

from games.babel import BABEL
from games.babel.box import COMPONENT_SETS
from tests.rulesets.story import Story, refuses_to_begin

BOX = COMPONENT_SETS["babel_standard"].box
LEVELS = [level for level, copies in enumerate(BOX.temple_cards, start=1) for _ in range(copies)]
MIXED = ["assyrians", "hittites", "medes", "persians", "sumerians", "assyrians"]
"""As many cards as any level needs."""


def laid_out(
    me: Mapping[str, Any] | None = None,
    other: Mapping[str, Any] | None = None,
    *,
    turn: int = 3,
    edition: str = "2013",
    **zones: Any,
) -> Story:
    """A game that goes on from here; in an odd turn the first player is to act."""
    players = [me or {}, other or {}] if turn % 2 else [other or {}, me or {}]
    position = {"turn": turn, "players": players, **zones}
    return Story(BABEL).given(position, seats=2, options={"edition": edition})


def action(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, **members}


def refused(position: Any, *, options: Mapping[str, Any] | None = None) -> str:
    """No game can begin from this position; gives the sentence that says why."""
    return refuses_to_begin(BABEL, "invalid_position", position, seats=2, options=options)


def side(name: str, *, temple: Any = (), column: Any = ()) -> dict[str, Any]:
    """One player's side of one site."""
    return {name: {"temple": list(temple), "column": list(column)}}


def pile_without(*used: int, top: tuple[int, ...] = ()) -> list[int]:
    """All temple cards but those that lie elsewhere, these on top."""
    rest = LEVELS.copy()
    for level in (*used, *top):
        rest.remove(level)
    return [*top, *rest]


def spare_temples(*, total: int, at: str = "hittites") -> dict[str, Any]:
    """Temples away from the given site whose heights add up to a total."""
    sites = [name for name in ("assyrians", "hittites", "medes", "persians", "sumerians") if name != at]
    laid: dict[str, Any] = {}
    for name in sites:
        height = min(6, total)
        if height:
            laid[name] = {"temple": [height]}
            total -= height
    assert total == 0
    return laid

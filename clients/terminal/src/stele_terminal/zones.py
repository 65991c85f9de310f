"""The zones of a game on the terminal: what lies where, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from replays.narration import Teller

WIDEST = 140
"""Characters of a value before it is cut off."""
UNTOLD = frozenset({"options", "players", "outcome", "seat"})
"""Members of a state that are no zones to be listed."""
NOTHING: tuple[Any, ...] = (None, [], {})
SEATS = frozenset(
    {"seat", "to_act", "active_seat", "first_seat", "first_player", "target_seat", "reactions", "passed_to"}
    | {"top_known_to", "board", "dead", "priests"}
)
"""Members of a state that name players."""
PLACES = frozenset({"board_priests"})
"""Members that hold spaces, each by its row and column from 0."""
PLACE = {"en": "row {row} column {column}", "fr": "ligne {row} colonne {column}"}
"""A space as people count: from 1."""
BY_SEAT = frozenset({"cull_quota"})
"""Members that hold a list for each player."""
GRIDS = frozenset({"levels", "surface"})
"""Members that hold the rows of a board."""
SELF_EVIDENT = frozenset({"card", "tile"})
"""Members whose value says by itself what it is."""


class Zones:
    """Shows views of one game, in the words of its teller."""

    def __init__(self, teller: Teller, widest: int = WIDEST) -> None:
        self.teller = teller
        self.widest = widest

    def of(self, view: Any) -> Iterator[RenderableType]:
        """What each player has, side by side, and below it what they share; nothing before the start."""
        if view is None:
            return
        players = Table("")
        for seat in range(len(view["players"])):
            players.add_column(Text(self.teller.player(seat)))
        rows = [dict(self._zones(player)) for player in view["players"]]
        for name in rows[0]:
            players.add_row(Text(name, "dim"), *(Text(row.get(name, "")) for row in rows))
        yield players
        shared = Table.grid(padding=(0, 2))
        for name, value in self._zones(view):
            shared.add_row(Text(name, "dim"), Text(value))
        yield shared

    def _zones(self, zones: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Each zone's label and what lies there, in short; of a hidden one how much it is."""
        for name, value in zones.items():
            counted = zones.get(f"{name}_count")
            if name in UNTOLD or (name.endswith("_count") and name.removesuffix("_count") in zones):
                continue
            label = self.teller.label(name)
            if value is None and counted is not None:
                yield label, f"({counted})"
            elif value not in NOTHING:
                yield label, self._short(value, name)

    def _short(self, value: Any, member: str) -> str:
        text = self.words(value, member)
        return text if len(text) <= self.widest else text[: self.widest - 1] + "…"

    def words(self, value: Any, member: str) -> str:
        """A value of a member of the state: members with their labels, the items of a list in a row."""
        teller = self.teller
        if isinstance(value, Mapping):
            worded = (
                (name, self.words(inner, member if member in SEATS else name))
                for name, inner in value.items()
                if inner not in NOTHING
            )
            return ", ".join(
                words if name in SELF_EVIDENT else f"{teller.label(name)} {words}"
                for name, words in worded
                if words
            )
        if isinstance(value, list):
            return self._row(value, member)
        if isinstance(value, bool):
            return "✓" if value else "–"
        if member in SEATS and isinstance(value, int):
            return teller.player(value)
        return teller.label(value, member) if isinstance(value, str) else str(value)

    def _row(self, values: list[Any], member: str) -> str:
        """The items of a list: figures close together, the rows of a board one below the other."""
        teller = self.teller
        items = [self._item(value, member) for value in values]
        if member in BY_SEAT:
            items = [f"{teller.player(seat)} {item}" for seat, item in enumerate(items)]
        if member in GRIDS:
            return "\n".join(items)
        return (" " if _all_figures(values) and member not in SEATS else ", ").join(items)

    def _item(self, value: Any, member: str) -> str:
        """Of a thing in a list its names alone, how long it is, and whether it is unfinished or closed."""
        teller = self.teller
        if isinstance(value, Mapping):
            names = [self.words(inner, name) for name, inner in value.items() if isinstance(inner, str)]
            length = [str(value["length"])] if "length" in value else []
            unfinished = [teller.label("unbuilt")] if value.get("built") is False else []
            closed = [f"({teller.label('closed').lower()})"] if value.get("closed") else []
            return " ".join(["/".join(names), *length, *unfinished, *closed]) or "·"
        if isinstance(value, list):
            return self._together(value, member) or "·"
        return "·" if value is None else self.words(value, member)

    def _together(self, values: list[Any], member: str) -> str:
        """A list in a list: a place, some figures, or things that lie on one space."""
        teller = self.teller
        if member in PLACES:
            row, column = values
            return PLACE[teller.language].format(row=row + 1, column=column + 1)
        items = [self._item(value, member) for value in values]
        return " ".join(items) if _all_figures(values) else teller.listed(items)


def _all_figures(values: list[Any]) -> bool:
    return all(type(value) is int for value in values)

"""Positions to tell stories from, and ways to play on from them."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.temple_of_five import TEMPLE_OF_FIVE
from tests.rulesets.story import Story

RULESET = TEMPLE_OF_FIVE
BOARDS = ("board_a", "board_b", "board_c", "board_d")
QUIET = ("exchange", "allot", "place_tile", "place_special", "choose_goal", "end_turn")
"""Actions that a game cannot do without."""

Laid = tuple[int, str] | tuple[int, str, int]


def given(
    position: Mapping[str, Any] | None = None,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Story:
    """A new game; for as many seats as the position has players, or two."""
    players = (position or {}).get("players") or [{}, {}]
    return Story(RULESET).given(position, seats=seats or len(players), options=options)


def placed(*tiles: Laid, level: int = 1) -> list[dict[str, Any]]:
    """Tiles as (slot, id) or (slot, id, rotation)."""
    return [
        {"level": level, "slot": slot, "tile": tile, "rotation": rotation[0] if rotation else 0}
        for slot, tile, *rotation in tiles
    ]


def whole_level_one(*tiles: Laid, spare: Sequence[str]) -> list[dict[str, Any]]:
    """Nine tiles: these, and spare ones where nothing is said."""
    rest = iter(spare)
    said = {slot for slot, *_ in tiles}
    return placed(*tiles, *((slot, next(rest)) for slot in range(9) if slot not in said))


def seats_at(seats: int, **own: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Players on the boards a, b, c, d; `seat_0={…}` says more of one."""
    return [{"board": BOARDS[seat], **own.get(f"seat_{seat}", {})} for seat in range(seats)]


def priest_turn(
    *tiles: Laid, seats: int = 2, seat: int = 0, me: Mapping[str, Any] | None = None, **zones: Any
) -> dict[str, Any]:
    """A priest turn in round 1 of a seat that has built with these three tiles."""
    own = {"board": "board_a", "tiles": placed(*tiles), **(me or {})}
    boards = [board for board in BOARDS if board != own["board"]]
    players = [own if each == seat else {"board": boards.pop(0)} for each in range(seats)]
    return {"phase": "place_priests", "round": 1, "active_seat": seat, "players": players, **zones}


def last_turn(
    special: str, *, face_up: bool = True, me: Mapping[str, Any] | None = None, **zones: Any
) -> dict[str, Any]:
    """Seat 0's priest turn in round 6 under this top, with two seats."""
    used = {"e_two_bonus_2", "e_extra_chain_2", "s_gold_2"}
    other = next(tile for tile in sorted(used) if tile[0] == special[0])
    players = seats_at(
        2,
        seat_0={"special": {"tile": special, "face_up": face_up}, **(me or {})},
        seat_1={"special": {"tile": other, "face_up": False}},
    )
    return {"phase": "place_priests", "round": 6, "players": players, **zones}


def place_quietly(story: Story, seat: int) -> Story:
    """A seat does the first thing that it must do anyway, and no more."""
    return story.when(seat, next(action for action in story.legal(seat) if action["type"] in QUIET))


def play_quietly(story: Story, *, until: Any = None) -> Story:
    """Everybody does what must be done, up to a phase and round or to the end."""
    while story.state.to_act and (story.state.phase, story.state.round) != until:
        place_quietly(story, story.state.to_act[0])
    return story


def use(space: Sequence[int], target: str, *card_spaces: int) -> dict[str, Any]:
    return {"type": "use_chain", "space": list(space), "target": target, "card_spaces": list(card_spaces)}


def lay(bonus: str, *spaces: Sequence[int]) -> dict[str, Any]:
    return {"type": "place_bonus", "bonus": bonus, "spaces": [list(space) for space in spaces]}


def build(tile: str, slot: int, rotation: int = 0) -> dict[str, Any]:
    return {"type": "place_tile", "tile": tile, "slot": slot, "rotation": rotation}


def crown(tile: str, *, face_up: bool) -> dict[str, Any]:
    return {"type": "place_special", "tile": tile, "face_up": face_up}


END_TURN = {"type": "end_turn"}

"""Drawings of Aton that come again and again: signs, spaces, cards."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from games.pictures import SMALLEST, TARGET, THEMES, card, centred, mixed, outlined
from games.svg import Element, Stamp, group, rect

SIGNS: Mapping[str, str] = {
    "yellow": "M12 7a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM11 0h2v5h-2zM11 19h2v5h-2zM0 11h5v2H0zM19 11h5v2h-5zM3 4.500l1.500-1.500l3 3l-1.500 1.500zM16.500 18l1.500-1.500l3 3l-1.500 1.500zM19.500 3l1.500 1.500l-3 3l-1.500-1.500zM6 16.500l1.500 1.500l-3 3l-1.500-1.500z",
    "green": "M11 24V9h2v15zM10 11c-6 0-8-4-8-9c6 0 8 4 8 9zM14 15c6 0 8-4 8-9c-6 0-8 4-8 9zM10 22c-5 0-7-3-7-7c5 0 7 3 7 7z",
    "black": "M4 23V13L3 1l4 6h5l9 4v3l-7 1v3l3 5zM9.500 9.500a1.200 1.200 0 1 0 0 2.400a1.200 1.200 0 1 0 0-2.400z",
    "blue": "M0 8l4-4l4 4l4-4l4 4l4-4l4 4v3l-4-4l-4 4l-4-4l-4 4l-4-4l-4 4zM0 16l4-4l4 4l4-4l4 4l4-4l4 4v3l-4-4l-4 4l-4-4l-4 4l-4-4l-4 4z",
    "bonus": "M9 1h6v8h8v6h-8v8H9v-8H1V9h8z",
    "lamp": "M1 13h16l5-4l1 2l-5 6c-2 3-4 4-6 4H8c-4 0-7-3-7-8zM7 22h6v2H7zM20 0c2 3 3 4 2 7h-3c-1-3 0-4 1-7z",
    "trade_token": "M4 8h10V3l8 7l-8 0H4zM20 16H10v5l-8-7l8 0h10z",
}
"""Sun, reed, jackal, water, more; the lamp of an open temple, the token that exchanges a hand."""
HUES = {"yellow": "yellow", "green": "green", "black": "black", "blue": "blue", "bonus": "purple"}


@cache
def space_face(theme_name: str, colour: str, bonus: int, side: float, taken: bool) -> Stamp:
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[colour]]
    x, y, size = (11.0, 11.0, 15.0) if taken else (side / 2, side / 2, side * 0.45)
    small = SMALLEST if side < TARGET else 19
    inside: Element
    if bonus:
        inside = centred(theme, x + (3 if taken else 0), y, f"+{bonus}", small if taken else 24, bold=True)
    else:
        inside = outlined(SIGNS[colour], x, y, size, mixed(hue, theme.text, 0.25))
    return Stamp(
        group(
            rect(0, 0, side, side, rx=6, fill=mixed(theme.raised, hue, 0.24), stroke=hue, stroke_width=1.5),
            inside,
        )
    )


@cache
def card_face(theme_name: str, value: int, width: float, height: float, latest: bool, down: bool) -> Stamp:
    """A card of a value: its number, and as many strokes below; `down` lies face down before the others."""
    theme = THEMES[theme_name]
    middle, foot = width / 2, height * 0.84
    gap = width * 0.14
    strokes = [
        rect(middle + (at - (value - 1) / 2) * gap - 2, foot - height * 0.1, 4, height * 0.14, fill=theme.gold,
             stroke=theme.edge, stroke_width=0.7)
        for at in range(value)
    ]  # fmt: skip
    frame: dict[str, Any] = {"rx": width * 0.08, "fill": "none"}
    edge = rect(
        3.5,
        3.5,
        width - 7,
        height - 7,
        stroke=theme.back if down else theme.line,
        stroke_width=5 if down else 1,
        **frame,
    )
    number = centred(theme, middle, height * 0.4, value, max(19, round(height * 0.46)), serif=True, bold=True)
    return Stamp(card(theme, width, height, edge, number, *strokes, latest=latest))

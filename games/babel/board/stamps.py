"""Drawings of Babel that come again and again: signs and cards."""

from collections.abc import Mapping
from functools import cache

from games.babel.box import Nation
from games.pictures import THEMES, Theme, card, centred, outlined
from games.svg import Element, Stamp, rect

SIGNS: Mapping[str, str] = {
    "assyrians": "M12 8a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM0 7c4-1 6 0 7 2a6 6 0 0 0 0 6c-4 0-6-3-7-8zM24 7c-4-1-6 0-7 2a6 6 0 0 1 0 6c4 0 6-3 7-8zM10 17h4l2 5H8z",
    "hittites": "M11 7c-2 1-4 0-6-4c-4 4-4 10 0 14c2-4 4-5 6-4v10h2V13c2-1 4 0 6 4c4-4 4-10 0-14c-2 4-4 5-6 4V2h-2z",
    "medes": "M12 1c5 4 7 8 6 13c-1 3-3 4-5 4v5h-2v-5c-2 0-4-1-5-4c-1-5 1-9 6-13z",
    "persians": "M13 1c1 4 6 6 6 12c0 4-3 6-5 6h-4c-2 0-5-2-5-6c0-3 2-4 3-7c1 1 2 2 2 4c2-2 3-5 3-9zM6 21h12v2H6z",
    "sumerians": "M12 0l2 8l7-5l-5 7l8 2l-8 2l5 7l-7-5l-2 8l-2-8l-7 5l5-7l-8-2l8-2l-5-7l7 5z",
}
"""Winged disc, double axe, cypress, flame, star."""
CARD_WIDTH, LAID_HEIGHT = 46, 34


@cache
def nation_card(
    theme_name: str, nation: Nation, hue: str, width: float, height: float, latest: bool
) -> Stamp:
    """A nation card in full."""
    size = min(width, height) * 0.62
    return Stamp(
        card(
            THEMES[theme_name], width, height,
            rect(0, 0, width, height * 0.14, rx=min(4, width * 0.1), fill=hue),
            outlined(SIGNS[nation], width / 2, height * 0.53, size, hue),
            latest=latest,
        )
    )  # fmt: skip


@cache
def laid_card(theme_name: str, nation: Nation, hue: str, seen: float, near: bool, latest: bool) -> Stamp:
    """A nation card in a column; the next one leaves `seen` units of it to be seen, on the side of the plinth."""
    middle = seen / 2 if near else LAID_HEIGHT - seen / 2
    return Stamp(
        card(
            THEMES[theme_name], CARD_WIDTH, LAID_HEIGHT,
            rect(0, 0, 9, LAID_HEIGHT, rx=4, fill=hue),
            outlined(SIGNS[nation], 27, middle, min(22, seen), hue),
            latest=latest,
        )
    )  # fmt: skip


def _steps(
    theme: Theme, level: int, x: float, foot: float, width: float, step: float, ink: str
) -> list[Element]:
    """A temple of six steps, filled up to a level."""
    return [
        rect(x - wide / 2, foot - at * step, wide, step - 1, fill=ink if at < level else theme.line)
        for at, wide in enumerate(width * (1 - share * 0.145) for share in range(6))
    ]


@cache
def temple_card(theme_name: str, level: int, seen: float, near: bool, top: bool, latest: bool) -> Stamp:
    """A temple card, 62 by 40: its level where `seen` units of it stay to be seen, and steps as high as it is."""
    theme = THEMES[theme_name]
    ink = theme.text if top else theme.quiet
    middle = seen / 2 if near else 40 - seen / 2
    steps = _steps(theme, level, 44, 31, 22, 5, ink)
    size = 20 if seen > 22 else 16
    number = centred(theme, 18, middle, level, size, bold=top, fill=ink)
    return Stamp(card(theme, 62, 40, number, *(steps if seen == 40 else ()), latest=latest))


@cache
def run_card(theme_name: str, nation: Nation, hue: str, height: float, number: str, latest: bool) -> Stamp:
    """Equal cards side by side in a column of a tall board, as one card with their number."""
    theme = THEMES[theme_name]
    return Stamp(
        card(
            theme, 62, height,
            rect(0, 0, 8, height, rx=4, fill=hue),
            outlined(SIGNS[nation], 24 if number else 35, height / 2, min(24, height - 4), hue),
            centred(theme, 49, height / 2, number, 19, bold=True) if number else None,
            latest=latest,
        )
    )  # fmt: skip


@cache
def last_temple_card(theme_name: str, level: int, latest: bool) -> Stamp:
    """The temple card that can be taken, on a tall board: 68 by 68."""
    theme = THEMES[theme_name]
    steps = _steps(theme, level, 46, 55, 34, 8, theme.text)
    return Stamp(card(theme, 68, 68, centred(theme, 18, 24, level, 30, bold=True), *steps, latest=latest))

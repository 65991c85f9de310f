"""What the boards of Temple of Five are made of, drawn once: gods' signs, stones, pieces, blessing cards."""

from collections.abc import Iterable, Mapping
from functools import cache

from games.pictures import THEMES, Theme, Zone, card, centred, gilt, mixed, outlined, sign, words
from games.svg import Element, Print, Stamp, circle, group, line, path, rect
from games.temple_of_five.contents import Space

SIGNS: Mapping[str, str] = {
    "red": "M13 0c1 5 7 8 7 15c0 5-4 9-8 9s-8-4-8-9c0-4 3-6 4-9c1 1 2 2 2 4c2-2 3-6 3-10zM12 14c-2 2-3 3-3 5s1 3 3 3s3-1 3-3s-1-3-3-5z",
    "gold": "M5 1c11 1 17 7 18 18h-3l-7-7l-9 9l3 0v2H1v-6h2v3l9-9l-7-7zM8 4l5.5 5.5l3-3C14 5 11 4 8 4zM18 8l-3 3l5.5 5.5C20.5 13 19.5 10 18 8z",
    "blue": "M0 8l4-5l4 5l4-5l4 5l4-5l4 5v4l-4-5l-4 5l-4-5l-4 5l-4-5l-4 5zM0 18l4-5l4 5l4-5l4 5l4-5l4 5v4l-4-5l-4 5l-4-5l-4 5l-4-5l-4 5z",
    "green": "M12 1c3 4 3 9 0 14c-3-5-3-10 0-14zM2 7c5 1 8 4 9 10C5 16 2 13 2 7zM22 7c-5 1-8 4-9 10c6-1 9-4 9-10zM4 19h16v3H4z",
    "supreme": "M12 0c4 0 6 3 6 6c0 2-1 4-3 5h8v4h-8.5l1.5 9H8l1.5-9H1v-4h8C7 10 6 8 6 6c0-3 2-6 6-6zM12 3c-2 0-3 1.5-3 3c0 2 1 3 3 5c2-2 3-3 3-5c0-1.5-1-3-3-3z",
    "reuse_chain": "M12 3a9 9 0 1 1-8.5 6h3.2a6 6 0 1 0 5.3-3v4L5 5l7-5z",
    "two_bonus": "M1 3h14v7H1zM9 14h14v7H9zM18 1h2v4h4v2h-4v4h-2V7h-4V5h4z",
    "extra_chain": "M7 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM7 9a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM17 6a6 6 0 1 1-4 10.5l1.5-2.7a3 3 0 1 0 0-3.6L13 7.5A6 6 0 0 1 17 6z",
    "private_card": "M4 1h16v22H4zM12 5l2 5h5l-4 3l1.5 5L12 15l-4.5 3L9 13l-4-3h5z",
    "closed": "M5 10V7a7 7 0 0 1 14 0v3h2v13H3V10zM8 10h8V7a4 4 0 0 0-8 0z",
}
"""Flame, bow, water, lotus, ankh; the four effects; the lock of a closed chain."""
HUES = {"red": "red", "gold": "gold", "blue": "blue", "green": "green", "supreme": "stone"}
CELL = 57
"""A space of a pyramid; whole pyramids are scaled."""
SIDE = CELL * 2
WALL, SHADOW = 4.0, 9.0
"""How far the side of a stone and its shadow reach to the lower right."""
DARK, THREAD = "#1b150e", "#f0c75a"


def stone(theme: Theme, level: int) -> str:
    """The colour of an empty space: the higher, the lighter."""
    if theme.name == "light":
        return mixed("#dccba3", "#fffdf4", level / 3)
    return mixed("#2c261d", "#7a6c55", level / 3)


@cache
def glyph(theme_name: str, colour: str) -> Stamp:
    """A god's sign as it stands on his colour, in the middle of a space."""
    theme = THEMES[theme_name]
    return Stamp(group(sign(SIGNS[colour], CELL / 2, CELL / 2, 34, theme.on(theme.hues[HUES[colour]]))))


@cache
def space(theme_name: str, colour: str) -> Stamp:
    """A decorated space: its god's colour, and the sign that it always wears."""
    hue = THEMES[theme_name].hues[HUES[colour]]
    return Stamp(group(rect(3, 3, CELL - 6, CELL - 6, rx=7, fill=hue), Print(glyph(theme_name, colour))))


def spaces(theme: Theme, shown: Iterable[tuple[int, int, str]]) -> list[Element]:
    """Decorated spaces, by column, row and colour."""
    return [
        Print(space(theme.name, colour), x=column * CELL or None, y=row * CELL or None)
        for column, row, colour in shown
    ]


@cache
def bare(theme_name: str, size: int) -> Stamp:
    """A board without decorations: its spaces, the frames of the three levels as golden lines, the paths to them."""
    theme = THEMES[theme_name]
    hair = mixed(stone(theme, 0), theme.quiet, 0.28)
    grid = "".join(f"M{at * CELL} 0v{size * CELL}M0 {at * CELL}h{size * CELL}" for at in range(2, size - 1))
    paths = "".join(
        f"M{column * CELL} {row * CELL}h{CELL}v{CELL}h-{CELL}z"
        for at in (2, size - 3)
        for column, row in ((at, 0), (at, size - 1), (0, at), (size - 1, at))
    )
    frames = [
        rect(at * CELL, at * CELL, (size - 2 * at) * CELL, (size - 2 * at) * CELL, fill="none", stroke=theme.gold,
             stroke_width=2, stroke_opacity=1 if at == 1 else 0.6, stroke_dasharray=None if at == 1 else "6 6")
        for at in (1, 2, 3)
    ]  # fmt: skip
    return Stamp(
        group(
            rect(-4, -4, size * CELL + 8, size * CELL + 8, rx=8, fill=stone(theme, 0), stroke=theme.line),
            path(paths, fill=theme.gold, fill_opacity=0.16),
            path(grid, stroke=hair),
            *frames,
        )
    )


@cache
def ground(theme_name: str, printed: tuple[tuple[str | None, ...], ...]) -> Stamp:
    """A board as it is printed."""
    shown = [
        (column, row, colour)
        for row, colours in enumerate(printed)
        for column, colour in enumerate(colours)
        if colour
    ]
    return Stamp(group(Print(bare(theme_name, len(printed))), *spaces(THEMES[theme_name], shown)))


@cache
def slab(theme_name: str, level: int) -> Stamp:
    """A tile without its decorations, its upper left corner at 0, 0: the stone, its sides, its shadow."""
    theme = THEMES[theme_name]
    body = stone(theme, level)
    seam = mixed(body, theme.quiet, 0.3)
    return Stamp(
        group(
            rect(SHADOW - 3, SHADOW, SIDE, SIDE, rx=6, fill=DARK, fill_opacity=0.25),
            rect(WALL - 1, WALL, SIDE, SIDE, rx=5, fill=mixed(body, DARK, 0.45)),
            rect(0.5, 0.5, SIDE - 1, SIDE - 1, rx=5, fill=body, stroke=mixed(body, theme.quiet, 0.55)),
            path(f"M{CELL} 3V{SIDE - 3}M3 {CELL}H{SIDE - 3}", stroke=seam),
        )
    )


@cache
def effect(theme_name: str, name: str) -> Stamp:
    """What an effect tile shows."""
    theme = THEMES[theme_name]
    return Stamp(
        group(
            rect(6, 6, SIDE - 12, SIDE - 12, rx=8, fill=theme.back),
            outlined(SIGNS[name], CELL, CELL, CELL * 1.15, theme.on(theme.back)),
        )
    )


@cache
def blank(theme_name: str) -> Stamp:
    """What a tile that crowns a pyramid face down shows."""
    theme = THEMES[theme_name]
    return Stamp(
        rect(14, 14, SIDE - 28, SIDE - 28, rx=8, fill=stone(theme, 3), stroke=theme.line, stroke_width=3)
    )


@cache
def bar(theme_name: str, size: int, upright: bool) -> Stamp:
    """The body of a bonus decoration, in the colour of whoever uses it."""
    long = CELL * size - 8
    width, height = (CELL - 8, long) if upright else (long, CELL - 8)
    return Stamp(
        group(
            rect(7, 8, width, height, rx=20, fill=DARK, fill_opacity=0.35),
            rect(4, 4, width, height, rx=20, stroke=THEMES[theme_name].raised, stroke_width=3),
        )
    )


@cache
def piece(theme_name: str, colour: str, size: int, upright: bool) -> Stamp:
    """A bonus decoration: one bar over its two or three spaces."""
    return Stamp(
        group(
            Print(bar(theme_name, size, upright), fill=THEMES[theme_name].hues[HUES[colour]]),
            *(
                Print(glyph(theme_name, colour), **{"y" if upright else "x": at * CELL or None})
                for at in range(size)
            ),
        )
    )


@cache
def bars(size: int, unit: float) -> Stamp:
    """The sign of a bonus decoration of unknown colour: as many squares as it has spaces, around 0, 0."""
    left = -size * unit / 2
    return Stamp(
        group(
            rect(left - 1.5, -unit / 2 - 1.5, size * unit + 3, unit + 3, rx=unit * 0.4, fill=DARK),
            *(rect(left + at * unit + 1, -unit / 2 + 1, unit - 2, unit - 2, rx=unit * 0.25, fill=THREAD)
              for at in range(size)),
        )
    )  # fmt: skip


@cache
def tile_back(theme_name: str, side: float, latest: bool) -> Stamp:
    """A tile that is not seen."""
    theme = THEMES[theme_name]
    ink = theme.on(theme.back)
    return Stamp(
        group(
            gilt(theme, 0, 0, side, side, side * 0.1) if latest else None,
            rect(0, 0, side, side, rx=side * 0.1, fill=theme.back, stroke=theme.line),
            line(side / 2, side * 0.14, side / 2, side * 0.86, stroke=ink, stroke_opacity=0.5),
            line(side * 0.14, side / 2, side * 0.86, side / 2, stroke=ink, stroke_opacity=0.5),
        )
    )


@cache
def medal(theme_name: str, god: str) -> Stamp:
    """The ground of a card that was won, small: 44 by 30, its god at the left."""
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[god]]
    return Stamp(group(rect(0, 0, 44, 30, rx=5, fill=hue), sign(SIGNS[god], 13, 15, 18, theme.on(hue))))


@cache
def thread_end(theme_name: str, colour: str) -> Stamp:
    """The ground of an open chain in a list, 72 by 30."""
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[colour]]
    return Stamp(group(rect(0, 0, 72, 30, rx=6, fill=hue), sign(SIGNS[colour], 18, 15, 20, theme.on(hue))))


@cache
def length(theme_name: str, number: int, size: float = 14) -> Stamp:
    """How long a chain is, around 0, 0."""
    return Stamp(
        group(
            circle(0, 0, size * 0.68, fill=DARK),
            centred(THEMES[theme_name], 0, 0, number, size, bold=True, fill=THREAD),
        )
    )


def stitches(chain: tuple[Space, ...]) -> str:
    """A thread through the spaces of a chain, as path data: a stitch across every side that two of them share."""
    there, reach = set(chain), 12
    d = []
    for row, column in chain:
        if (row, column + 1) in there:
            d.append(f"M{(column + 1) * CELL - reach} {row * CELL + CELL // 2}h{reach * 2}")
        if (row + 1, column) in there:
            d.append(f"M{column * CELL + CELL // 2} {(row + 1) * CELL - reach}v{reach * 2}")
    return "".join(d)


# -- blessing cards ---------------------------------------------------------------------------------------------------

CARD = Zone(0, 0, 184, 140)


@cache
def card_face(theme_name: str, god: str, points: int, latest: bool) -> Stamp:
    """What is printed on a blessing card besides its spaces: its god, and what it is worth in full."""
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[god]]
    return Stamp(
        card(
            theme,
            CARD.width,
            CARD.height,
            path(f"M0 28V12q0-12 12-12h{CARD.width - 24}q12 0 12 12v16z", fill=hue),
            sign(SIGNS[god], 16, 14, 20, theme.on(hue)),
            words(theme, 14, 62, points, size=32, serif=True, bold=True),
            latest=latest,
        )
    )


def card_space(number: int, at: int) -> Zone:
    """Where a space lies on a card of so many."""
    width = min(40, 172 // number)
    return Zone(6 + (172 - width * number) / 2 + at * width, 74, width, 60)


@cache
def price(theme_name: str, width: float, value: int, symbol: int | None) -> Stamp:
    """A space of a card: what it costs, and the bonus decoration that is marked there."""
    theme = THEMES[theme_name]
    return Stamp(
        group(
            rect(1.5, 1.5, width - 3, 57, rx=5, fill=theme.panel, stroke=theme.quiet, stroke_width=1.5),
            centred(theme, width / 2, 16, value, 19, bold=True),
            Print(bars(symbol, 9), x=width / 2, y=42) if symbol else None,
        )
    )

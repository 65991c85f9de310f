"""What lies on boards: surfaces, gold, signs, cards, piles, gauges, ornaments."""

from collections.abc import Sequence
from functools import cache

from games.pictures.canvas import SMALLEST, centred, words
from games.pictures.light import THEMES, Theme
from games.pictures.scene import Zone
from games.svg import Element, Print, Stamp, Value, circle, group, line, path, rect, width_of

# -- surfaces and gold ------------------------------------------------------------------------------------------------


def panel(theme: Theme, zone: Zone, *, accent: str | None = None, radius: float = 8) -> Element:
    """A quiet surface; an accent makes its edge."""
    return rect(
        zone.x, zone.y, zone.width, zone.height,
        rx=radius, fill=theme.panel, stroke=accent or theme.line, stroke_width=3 if accent else 1,
    )  # fmt: skip


def gilt(theme: Theme, x: float, y: float, width: float, height: float, radius: float = 8) -> Element:
    """Gold around a place of the latest entry."""
    frame: dict[str, Value] = {"rx": radius, "fill": "none"}
    return group(
        rect(x - 3, y - 3, width + 6, height + 6, stroke=theme.edge, stroke_width=7, **frame),
        rect(x - 3, y - 3, width + 6, height + 6, stroke=theme.gold, stroke_width=4, **frame),
        data_latest="true",
    )


def sign(outline: str, x: float, y: float, size: float, fill: str, **attributes: Value) -> Element:
    """An outline (path data in a square of 24) around a point."""
    return Print(_sign(outline), transform=_scaled(x, y, size), fill=fill, **attributes)


def outlined(outline: str, x: float, y: float, size: float, fill: str, **attributes: Value) -> Element:
    """A sign that is part of a stamp itself."""
    return path(outline, transform=_scaled(x, y, size), fill=fill, fill_rule="evenodd", **attributes)


@cache
def _sign(outline: str) -> Stamp:
    return Stamp(path(outline, fill_rule="evenodd"))


def _scaled(x: float, y: float, size: float) -> str:
    return f"translate({round(x - size / 2, 1):g} {round(y - size / 2, 1):g}) scale({round(size / 24, 3):g})"


# -- cards, piles, gauges ---------------------------------------------------------------------------------------------


def card(theme: Theme, width: float, height: float, *inside: Element | None, fill: str | None = None, latest: bool = False) -> Element:  # fmt: skip
    """A card that lies face up, its upper left corner at 0, 0."""
    radius = min(width, height) * 0.11
    return group(
        rect(2, 3, width, height, rx=radius, fill=theme.shadow),
        gilt(theme, 0, 0, width, height, radius) if latest else None,
        rect(0, 0, width, height, rx=radius, fill=fill or theme.raised, stroke=theme.line),
        *inside,
    )


def card_back(theme: Theme, width: float, height: float, *, latest: bool = False) -> Element:
    """A face-down card: a ziggurat, the same for all."""
    return Print(_back(theme.name, width, height, latest))


@cache
def _back(theme_name: str, width: float, height: float, latest: bool) -> Stamp:
    theme = THEMES[theme_name]
    ink = theme.on(theme.back)
    radius = min(width, height) * 0.11
    return Stamp(
        card(
            theme,
            width,
            height,
            rect(4, 4, width - 8, height - 8, rx=radius * 0.6, fill="none", stroke=ink, stroke_opacity=0.5),
            outlined(ZIGGURAT, width / 2, height / 2, min(width, height) * 0.5, ink, fill_opacity=0.75),
            fill=theme.back,
            latest=latest,
        )
    )


def pile(
    theme: Theme,
    width: float,
    height: float,
    count: int,
    top: Element | None,
    *,
    latest: bool = False,
    size: float = 16,
) -> Element:
    """A pile with its number in this size; `top` is drawn as its uppermost card, an empty pile is a hollow."""
    if not count or top is None:
        hollow = rect(
            0, 0, width, height, rx=8, fill="none", stroke=theme.line, stroke_width=2, stroke_dasharray="5 5"
        )
        return group(
            gilt(theme, 0, 0, width, height) if latest else None,
            hollow,
            badge(theme, width / 2, height, count, size=size),
        )
    under = [
        rect(depth * 2.5, depth * 2.5, width, height, rx=7, fill=theme.panel, stroke=theme.line)
        for depth in range(min(3, (count + 3) // 6), 0, -1)
    ]
    return group(*under, top, badge(theme, width / 2, height, count, size=size))


def badge(
    theme: Theme, x: float, y: float, content: object, *, fill: str | None = None, size: float = 16
) -> Element:
    """A number on a small plate, around a point."""
    content = str(content)
    width = max(size * 1.6, width_of(content) * size + 12)
    ground = fill or theme.text
    return group(
        rect(
            x - width / 2, y - size * 0.75, width, size * 1.5, rx=size * 0.75, fill=ground, stroke=theme.panel
        ),
        centred(theme, x, y, content, size, bold=True, fill=theme.on(ground)),
    )


def gauge(theme: Theme, zone: Zone, value: int, most: int, marks: Sequence[int], fill: str) -> Element:
    """An upright gauge that fills from below, with marks that have their number beside them."""
    step = zone.height / most
    reached = min(value, most) * step
    foot = zone.y + zone.height
    scale = [
        group(
            line(zone.x, foot - mark * step, zone.x + zone.width + 5, foot - mark * step, stroke=theme.text, stroke_width=1.5),
            words(theme, zone.x + zone.width + 8, foot - mark * step + 5, mark, size=SMALLEST, quiet=True),
        )
        for mark in marks
    ]  # fmt: skip
    return group(
        rect(zone.x, zone.y, zone.width, zone.height, rx=zone.width / 4, fill=theme.panel, stroke=theme.line),
        rect(zone.x + 2, foot - reached, zone.width - 4, reached, rx=zone.width / 5, fill=fill)
        if reached
        else None,
        *scale,
    )


# -- ornaments --------------------------------------------------------------------------------------------------------

ZIGGURAT = "M9 4h6v4h3v4h3v4h3v4H0v-4h3v-4h3V8h3z"


def sun(theme: Theme, x: float, y: float, radius: float) -> Element:
    """The gold disc of who is to act."""
    return group(
        circle(x, y, radius, fill=theme.gold, stroke=theme.edge, stroke_width=1.5),
        circle(x, y, radius * 0.45, fill="none", stroke=theme.edge, stroke_width=1.2),
    )


def band(theme: Theme, x: float, y: float, width: float, height: float = 8, teeth: int = 50) -> Element:
    """A band of triangles."""
    step = width / teeth
    d = f"M{x:g} {y + height:g}" + f"l{step / 2:g} {-height:g}l{step / 2:g} {height:g}" * teeth + "z"
    return path(d, fill=theme.line)

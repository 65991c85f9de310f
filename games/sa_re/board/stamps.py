"""What the boards of Sa-Ré are made of, drawn once: signs, buildings and their sites, season cards, resources."""

from collections.abc import Mapping
from functools import cache

from games.pictures import THEMES, Theme, card, centred, mixed, sign
from games.svg import Element, Print, Stamp, circle, group, line, path, rect

SIGNS: Mapping[str, str] = {
    "wood": "M6 5h14a4 7 0 0 1 0 14H6a4 7 0 0 1 0-14zM6 8a2 4 0 1 0 0 8a2 4 0 1 0 0-8z",
    "gold": "M8 3h8l2 8H6zM2 13h8l2 8H0zM14 13h8l2 8H12z",
    "stone": "M12 1l10 5v12l-10 5L2 18V6zM12 3.5L5 7l7 3.5L19 7zM4 8.7v8.1l7 3.5v-8.1z",
    "joker": "M12 0l3 8l9 1l-7 5l2 10l-7-6l-7 6l2-10l-7-5l9-1z",
    "horus": "M0 10c5-7 17-8 24-1c-3 4-7 6-11 6l2 8h-3l-3-8C6 15 2 13 0 10zM12 6a4 4 0 1 0 0 8a4 4 0 1 0 0-8z",
    "trouble": "M12 0c5 4 7 7 5 11c-1 2-3 2-5 2s-4 0-5-2c-1-3 1-5 2-7c1 1 2 2 2 4c1-2 2-4 1-8zM8 14h8l-2 10h-4z",
    "hoshekh": "M15 1a11 11 0 1 0 0 22a9 11 0 1 1 0-22z",
    "wind": "M0 8h14a3 3 0 1 0-3-3H8.5a5.5 5.5 0 1 1 5.5 6H0zM0 13h18a4.5 4.5 0 1 1-4.5 4.5h2.5a2 2 0 1 0 2-2H0z",
    "obelisk": "M12 0l2.5 4l1.5 15H8L9.5 4zM6 20h12v4H6z",
    "caravan": "M1 12c0-3 1-4 3-4c1-4 4-4 5 0h2c1-4 4-4 5 0c2 0 2-1 2-3c0-3 1-4 3-4l3 3l-1 2h-2c0 6-1 8-3 9v8h-2v-7l-1-1H8l-1 1v7H5v-8l-1-2c-1 1-1 2-1 5H1z",
    "warehouse": "M8 1h8v3l-2 2c5 2 6 6 5 10c-1 4-3 6-4 7H9c-1-1-3-3-4-7c-1-4 0-8 5-10L8 4z",
    "master_builder": "M3 1l20 20v2H3zM8 12v6h6z",
    "carpenter": "M4 2c5-2 10 0 12 4l5 5l-4 4l-5-5c-3 0-6 1-8 4c-2-4-2-8 0-12zM11 12l3 3L6 24l-4-3z",
    "goldsmith": "M12 8a8 8 0 1 0 0 16a8 8 0 1 0 0-16zM12 11a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM8 0h8l3 3l-7 6l-7-6z",
    "stonecutter": "M2 3h14v7h-5v13H7V10H2zM17 4h5v5h-5z",
    "temple": "M12 0l12 7v3H0V7zM2 11h4v9H2zM10 11h4v9h-4zM18 11h4v9h-4zM0 21h24v3H0z",
    "barracks": "M3 2c6 1 12 1 18 0c1 10-2 18-9 22C5 20 2 12 3 2zM12 5v15c-4-3-6-8-6-14z",
    "gardens": "M11 10c-3-4-7-4-10-1c4-1 6 0 8 2c-4 0-6 3-6 6c2-3 5-4 7-4l-1 11h5l-1-11c2 0 5 1 7 4c0-3-2-6-6-6c2-2 4-3 8-2c-3-3-7-3-10 1c0-4-2-6-5-7c2 2 3 4 4 7z",
    "palace": "M1 6l6 6l5-10l5 10l6-6l-3 13H4zM4 20h16v3H4z",
    "market": "M11 1h2v3h8v2l3 8c0 3-8 3-8 0l3-7h-6v13h5v3H6v-3h5V7H5l3 7c0 3-8 3-8 0l3-8V4h8z",
    "library": "M4 2h16a3 3 0 0 1 0 6v8a3 3 0 0 1 0 6H4a3 3 0 0 1 0-6V8a3 3 0 0 1 0-6zM7 9h10v2H7zM7 13h10v2H7z",
    "port": "M11 1h2v4l7 8h-7v3h10c-1 4-3 7-7 7H8c-4 0-6-3-7-7h10z",
    "pyramid": "M12 1l12 21H0zM12 6v14h8.5z",
    "new": "M4 1h3v22H4zM8 2h14l-4 5l4 5H8z",
    "exchanged": "M3 3h12l-3-3h5l5 5l-5 5h-5l3-3H3zM21 15H9l3-3H7l-5 5l5 5h5l-3-3h12z",
    "kept": "M5 1h14v22l-7-6l-7 6z",
}
"""Resources, season cards, what a city has, the buildings; the pennant of a new site, the arrows of an exchange, the ribbon of a kept card."""
HUES = {
    "wood": "wood", "gold": "gold", "stone": "stone", "joker": "purple", "horus": "blue", "trouble": "red",
    "hoshekh": "black", "production": "wood", "administrative": "blue", "main": "gold",
}  # fmt: skip
NIGHT = "#171a2b"


def resource_ground(resource: str, side: float, fill: str, **how: str) -> Element:
    """The shape that a resource always has, around 0, 0: wood is long, gold round, stone square, a joker pointed."""
    half = side / 2
    match resource:
        case "wood":
            return rect(-half * 1.12, -half * 0.8, side * 1.12, side * 0.8, rx=half * 0.8, fill=fill, **how)
        case "gold":
            return circle(0, 0, half, fill=fill, **how)
        case "stone":
            return rect(-half * 0.92, -half * 0.92, side * 0.92, side * 0.92, rx=2, fill=fill, **how)
    return path(
        f"M0 {-half * 1.25:g}L{half * 1.25:g} 0L0 {half * 1.25:g}L{-half * 1.25:g} 0z", fill=fill, **how
    )


@cache
def _body(theme_name: str, resource: str, side: float) -> Stamp:
    theme = THEMES[theme_name]
    return Stamp(group(resource_ground(resource, side, theme.hues[HUES[resource]], stroke=theme.raised)))


@cache
def chip(theme_name: str, resource: str, number: str, side: float) -> Stamp:
    """So many of a resource, around 0, 0."""
    theme = THEMES[theme_name]
    ink = theme.on(theme.hues[HUES[resource]])
    size = max(14, round(side * 0.72))
    return Stamp(
        group(
            Print(_body(theme_name, resource, side)),
            centred(theme, 0, 0, number, size, bold=True, fill=ink),
        )
    )


@cache
def resource(theme_name: str, name: str, side: float) -> Stamp:
    """A token of a resource, around 0, 0."""
    theme = THEMES[theme_name]
    ink = theme.on(theme.hues[HUES[name]])
    return Stamp(group(Print(_body(theme_name, name, side)), sign(SIGNS[name], 0, 0, side * 0.58, ink)))


# -- buildings --------------------------------------------------------------------------------------------------------


@cache
def roof(theme_name: str, hue_name: str, width: float, height: float, used: bool) -> Stamp:
    """A building from above: its ridge, the side in the light and the side in the shade; a used one lies in the night."""
    theme = THEMES[theme_name]
    hue = mixed(theme.hues[hue_name], NIGHT, 0.66) if used else theme.hues[hue_name]
    ridge = height / 2
    moon = sign(SIGNS["hoshekh"], width - 13, 14, 17, "#f0e3bd") if used else None
    return Stamp(
        group(
            rect(3, 4, width - 4, height - 4, rx=4, fill="#1b150e", fill_opacity=0.3),
            rect(1, 1, width - 4, height - 4, rx=4, fill=hue),
            rect(1, 1, width - 4, ridge - 1, rx=4, fill="#ffffff", fill_opacity=0.14),
            line(1, ridge, width - 3, ridge, stroke=theme.on(hue), stroke_opacity=0.35),
            moon,
        )
    )


@cache
def house(
    theme_name: str, building: str, hue_name: str, size: tuple[float, float], used: bool, rows: int
) -> Stamp:
    """A building with its sign, which leaves room for the rows of its name."""
    width, height = size
    side = min(height * (0.42, 0.42, 0.34)[rows], width * 0.5) if rows else min(height, width) * 0.56
    ink = roof_ink(THEMES[theme_name], hue_name, used)
    return Stamp(
        group(
            Print(roof(theme_name, hue_name, width, height, used)),
            sign(SIGNS[building], width / 2 - 1, height * (0.48, 0.36, 0.25)[rows], side, ink),
        )
    )


def roof_ink(theme: Theme, hue_name: str, used: bool) -> str:
    """The colour of what stands on a roof."""
    return "#f4ead2" if used else theme.on(theme.hues[hue_name])


@cache
def scaffold(theme_name: str, hue_name: str, width: float, height: float) -> Stamp:
    """A site from above: poles and planks."""
    theme = THEMES[theme_name]
    hue = theme.hues[hue_name]
    poles = "".join(f"M{x:g} 1v{height - 2:g}" for x in (7, width - 7)) + "".join(
        f"M1 {y:g}h{width - 2:g}" for y in (7, height - 7)
    )
    return Stamp(
        group(
            rect(
                2,
                2,
                width - 4,
                height - 4,
                fill=theme.raised,
                stroke=hue,
                stroke_width=2,
                stroke_dasharray="7 4",
            ),
            path(poles, stroke=hue, stroke_width=1.5, stroke_opacity=0.5),
        )
    )


@cache
def plot(theme_name: str, width: float, height: float, bank: bool) -> Stamp:
    """A free space; on the bank the ground is green."""
    theme = THEMES[theme_name]
    sand = mixed(theme.ground, theme.line, 0.35)
    fill = mixed(sand, theme.hues["green"], 0.22) if bank else sand
    return Stamp(rect(1.5, 1.5, width - 3, height - 3, rx=4, fill=fill))


@cache
def nile(theme_name: str, width: float, height: float) -> Stamp:
    """The river along the right of a city."""
    theme = THEMES[theme_name]
    water = theme.hues["water"]
    step = 16
    waves = "".join(
        f"M{width * 0.15:g} {y:g}q{width * 0.18:g} -6 {width * 0.35:g} 0t{width * 0.35:g} 0"
        for y in range(12, int(height) - 4, step)
    )
    return Stamp(
        group(
            rect(0, 0, width, height, rx=4, fill=water),
            path(waves, stroke=theme.on(water), stroke_opacity=0.55, stroke_width=1.5, fill="none"),
        )
    )


@cache
def degree(theme_name: str, width: float, height: float, how: str) -> Stamp:
    """A step of the gauge: reached, free, or walled up by growth."""
    theme = THEMES[theme_name]
    fill = {"reached": theme.danger, "free": theme.raised, "walled": NIGHT}[how]
    edge = theme.line if how == "free" else fill
    return Stamp(rect(0.5, 1, width - 1, height - 2, rx=4, fill=fill, stroke=edge))


@cache
def camel(theme_name: str, size: float, how: str) -> Stamp:
    """A place for a caravan, around 0, 0: ready, on its way (hollow), or empty."""
    theme = THEMES[theme_name]
    if how == "new":
        return Stamp(
            group(sign(SIGNS["caravan"], 0, 0, size, theme.panel, stroke=theme.text, stroke_width=2))
        )
    return Stamp(group(sign(SIGNS["caravan"], 0, 0, size, theme.text if how == "ready" else theme.line)))


@cache
def stripe(theme_name: str) -> Stamp:
    """The tint behind every other row of the supply."""
    return Stamp(rect(-14, -14, 300, 29, fill=THEMES[theme_name].line, fill_opacity=0.22))


# -- season cards -----------------------------------------------------------------------------------------------------


@cache
def season_card(
    theme_name: str, kind: str, gives: tuple[str, ...], level: int, width: float, height: float, latest: bool
) -> Stamp:
    """A card of the season in full."""
    theme = THEMES[theme_name]
    if kind == "hoshekh":
        moon = sign(SIGNS["hoshekh"], width / 2, height / 2, width * 0.6, "#f0e3bd")
        return Stamp(card(theme, width, height, moon, fill=NIGHT, latest=latest))
    return Stamp(
        card(theme, width, height, *_printed(theme, kind, gives, level, width, height), latest=latest)
    )


def _number_size(height: float) -> float:
    """The size of the number on a season card."""
    return max(19 if height >= 60 else 14, height * 0.22)


def _printed(
    theme: Theme, kind: str, gives: tuple[str, ...], level: int, width: float, height: float
) -> list[Element]:
    middle = width / 2
    if kind == "horus":
        blue = theme.hues["blue"]
        return [
            sign(SIGNS["horus"], middle, height * 0.34, width * 0.7, blue),
            centred(theme, middle, height * 0.7, "+2", _number_size(height), bold=True, fill=blue),
        ]
    if kind == "trouble":
        return [
            rect(0, 0, width, height, rx=min(width, height) * 0.11, fill=theme.danger, fill_opacity=0.14),
            *(
                sign(SIGNS["trouble"], middle + (at - (level - 1) / 2) * width * 0.36, height * 0.34, width * 0.5, theme.danger)
                for at in range(level)
            ),
            centred(theme, middle, height * 0.7, f"+{level}", _number_size(height), bold=True, fill=theme.danger),
        ]  # fmt: skip
    side = width * 0.62 if len(gives) == 1 else width * 0.5
    drawn: list[Element] = [
        Print(resource(theme.name, name, round(side)), x=middle - (0 if len(gives) == 1 else width * 0.08),
              y=height * (0.46 if len(gives) == 1 else 0.3 + at * 0.36))
        for at, name in enumerate(gives)
    ]  # fmt: skip
    if len(gives) > 1:
        drawn.append(sign(SIGNS["wind"], width * 0.82, height * 0.14, width * 0.26, theme.danger))
    return drawn

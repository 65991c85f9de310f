"""Light and colours: the two themes that every board is drawn in."""

from collections.abc import Mapping
from functools import cache

import msgspec


class Theme(msgspec.Struct, frozen=True):
    """The colours of one light. `hues` are the colours of kinds (nations, gods, spaces), by plain names."""

    name: str
    ground: str
    panel: str
    raised: str
    line: str
    text: str
    quiet: str
    seats: tuple[str, str, str, str]
    gold: str
    edge: str
    """Drawn around gold, so that it stands out from any ground."""
    danger: str
    shadow: str
    back: str
    """Of face-down cards."""
    hues: Mapping[str, str]

    def on(self, colour: str) -> str:
        """The colour of signs and text on this colour: whichever of dark and light is told apart better."""
        return _ink_on(colour)


@cache
def _ink_on(colour: str) -> str:
    return max(("#1b150e", "#fffaf0"), key=lambda ink: contrast(ink, colour))


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(first: str, second: str) -> float:
    """How well two colours (#rrggbb) can be told apart, 1 to 21 (WCAG)."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def mixed(first: str, second: str, share: float) -> str:
    """A colour between two: `share` of the second."""
    parts = (
        round(int(first[at : at + 2], 16) * (1 - share) + int(second[at : at + 2], 16) * share)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def lighter(colour: str) -> str:
    """A colour as it is seen in the dark theme."""
    return mixed(colour, "#ffffff", 0.36)


_SEATS = ("#b2472b", "#1f558f", "#2f7d5b", "#6b4c8f")
_HUES = {
    "red": "#b03a2e",
    "blue": "#1f5f9f",
    "green": "#3c7a3a",
    "yellow": "#a87a0a",
    "purple": "#74468e",
    "gold": "#a87a0a",
    "black": "#33302c",
    "sand": "#7d683f",
    "water": "#1d7a86",
    "wood": "#7d5230",
    "stone": "#6d6a66",
}

LIGHT = Theme(
    name="light",
    ground="#f3ead7",
    panel="#fbf6ea",
    raised="#fffdf6",
    line="#cdb98f",
    text="#2a2118",
    quiet="#6a5a42",
    seats=_SEATS,
    gold="#c9972b",
    edge="#2a2118",
    danger="#9c2f2f",
    shadow="#d9c9a4",
    back="#2b4a72",
    hues=_HUES,
)
DARK = Theme(
    name="dark",
    ground="#17140f",
    panel="#241f18",
    raised="#332c22",
    line="#4a4030",
    text="#f1e7d2",
    quiet="#b5a588",
    seats=(lighter(_SEATS[0]), lighter(_SEATS[1]), lighter(_SEATS[2]), lighter(_SEATS[3])),
    gold="#e0b452",
    edge="#17140f",
    danger="#d0605c",
    shadow="#0c0a07",
    back="#35598a",
    hues={name: lighter(hue) for name, hue in _HUES.items()} | {"black": "#a39c90", "yellow": "#d9ad3c"},
)
THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK}

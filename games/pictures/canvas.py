"""The ground of a picture: the board as a whole, its parts, and text."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from games.kernel import Seat
from games.pictures.light import Theme
from games.pictures.scene import SMALLEST as SMALLEST_TEXT
from games.pictures.scene import Scene, Shape
from games.svg import Element, Value, document, fitted, group, rect, text, wrapped

WIDTH, TALL_WIDTH = 1000, 600
WIDTHS: Mapping[Shape, int] = {"wide": WIDTH, "tall": TALL_WIDTH}
TALLEST = 1150
"""The height of the highest tall board."""
TARGET = 68
"""The least width and height of what is clicked on a tall board: 44 pixels on a screen of 390."""
SMALLEST = SMALLEST_TEXT["wide"]
HEADING = 46
"""The height of the band at the top of a board."""
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Source Sans Pro', 'DejaVu Sans', sans-serif"
SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif Pro', Georgia, 'DejaVu Serif', serif"


def board(scene: Scene, height: float, title: str, description: str, parts: Iterable[Element]) -> str:
    """The whole picture: its title and description for those who do not see it, the ground, the parts."""
    root = Element(
        "svg",
        (
            Element("title", (title,), id="board-title"),
            Element("desc", (description,), id="board-desc"),
            rect(0, 0, WIDTHS[scene.shape], height, fill=scene.theme.ground),
            *parts,
        ),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTHS[scene.shape],
        height=round(height),
        viewBox=f"0 0 {WIDTHS[scene.shape]} {round(height)}",
        role="img",
        aria_labelledby="board-title board-desc",
        lang=scene.language,
        font_family=SANS,
        fill=scene.theme.text,
        data_theme=scene.theme.name,
        data_shape=scene.shape if scene.shape != "wide" else None,
    )
    return document(root)


def part(  # noqa: PLR0913  # each is one thing that a part may say of itself
    *children: Element | None,
    id: str | None = None,  # noqa: A002  # the attribute's name
    at: tuple[float, float] | None = None,
    label: str | None = None,
    names: Mapping[str, Any] | None = None,
    actions: Iterable[str] = (),
    explain: str | None = None,
    context: Mapping[str, Any] | None = None,
    seat: Seat | None = None,
    latest: bool = False,
    **attributes: Value,
) -> Element:
    """A part of the board that players speak of. `at` is where it lies (its children are drawn around 0, 0), `label`
    what it is called, `names` the values it stands for by the parameters of actions, `actions` the types of the
    actions that begin here, `explain` the thing of the player's guide that explains it and `context` what else the
    explanation may speak of, `seat` whose it is, `latest` whether it wears the gold of the latest entry."""
    for name, value in {**(names or {}), **(context or {})}.items():
        attributes[f"data-{name}"] = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    drawn = [child for child in children if child is not None]
    if label is not None:
        drawn.insert(0, Element("title", (label,)))
    return Element(
        "g",
        drawn,
        id=id,
        transform=f"translate({round(at[0], 1):g} {round(at[1], 1):g})" if at else None,
        data_actions=" ".join(actions) or ("none" if context else None),
        data_explain=explain,
        data_seat=seat,
        data_latest="true" if latest else None,
        **attributes,
    )


# -- text --------------------------------------------------------------------------------------------------------------


def words(  # noqa: PLR0913  # each is one thing that text may have
    theme: Theme,
    x: float,
    y: float,
    content: object,
    *,
    size: float = 16,
    width: float | None = None,
    anchor: str | None = None,
    bold: bool = False,
    quiet: bool = False,
    serif: bool = False,
    fill: str | None = None,
    smallest: float = SMALLEST,
) -> Element:
    """Text on its base line, made to fit a width down to the smallest size; `anchor` is `middle` or `end`."""
    content = str(content)
    if width is not None:
        content, size = fitted(content, width / 1.06 if bold else width, size, smallest)
    return text(
        x,
        y,
        content,
        font_size=size,
        text_anchor=anchor,
        font_weight=700 if bold else None,
        font_family=SERIF if serif else None,
        fill=fill or (theme.quiet if quiet else None),
    )


def lines(
    theme: Theme,
    x: float,
    y: float,
    content: str,
    width: float,
    *,
    size: float = SMALLEST,
    most: int = 2,
    **how: Any,
) -> Element:
    """Text in a few lines; `y` is the first one's base line."""
    rows = wrapped(content, width, size, most)
    return group(
        *(words(theme, x, y + at * size * 1.2, row, size=size, **how) for at, row in enumerate(rows))
    )


def centred(theme: Theme, x: float, y: float, content: object, size: float = 16, **how: Any) -> Element:
    """Text whose middle lies at a point."""
    return words(theme, x, y + size * 0.35, content, size=size, anchor="middle", **how)

"""The kit that boards are drawn with: light and colours, cards, tokens, piles, gauges, plates, ornaments.

Every game has `draw(view, scene)`: a pure function from what a viewer sees to an SVG, 1000 units wide. It is given a
view and nothing else of the game, so that a picture tells what the view tells.
- A part that an action's parameter can name carries `data-<parameter>` with the value as the action has it (what is
  not a string as JSON; of a list one item), and, where the parameter alone does not say it, the types of the actions
  it is for in `data-actions`.
- What stays the same thing from one version to the next keeps its `id`; face-down cards have none.
- The places of the latest entry wear gold.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from games.kernel import Seat, Viewer
from games.svg import (
    Element,
    Print,
    Stamp,
    Value,
    circle,
    document,
    fitted,
    group,
    line,
    path,
    polygon,
    rect,
    text,
    width_of,
    wrapped,
)

WIDTH = 1000
SMALLEST = 14
"""The smallest text: 11 pixels on a screen of 800."""
HEADING = 46
"""The height of the band at the top of a board."""
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Source Sans Pro', 'DejaVu Sans', sans-serif"
SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif Pro', Georgia, 'DejaVu Serif', serif"

# -- light and colours ----------------------------------------------------------------------------------------------


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


def contrast(one: str, other: str) -> float:
    """How well two colours (#rrggbb) can be told apart, 1 to 21 (WCAG)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def mixed(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the second."""
    parts = (
        round(int(one[at : at + 2], 16) * (1 - share) + int(other[at : at + 2], 16) * share)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def _lighter(colour: str) -> str:
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
    seats=(_lighter(_SEATS[0]), _lighter(_SEATS[1]), _lighter(_SEATS[2]), _lighter(_SEATS[3])),
    gold="#e0b452",
    edge="#17140f",
    danger="#d0605c",
    shadow="#0c0a07",
    back="#35598a",
    hues={name: _lighter(hue) for name, hue in _HUES.items()} | {"black": "#a39c90", "yellow": "#d9ad3c"},
)
THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK}

# -- what is drawn, and for whom ------------------------------------------------------------------------------------

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"seat": "Seat {seat}", "to_act": "{who}: {what}", "and": "and", ";": "; ", "won": "{who} won", "nobody": "nobody won",
           "you": "you"},
    "fr": {"seat": "Joueur {seat}", "to_act": "{who} : {what}", "and": "et", ";": " ; ", "won": "victoire : {who}",
           "nobody": "personne ne gagne", "you": "vous"},
}  # fmt: skip
"""The words that pictures of all games need besides each game's `names`."""


class Scene(msgspec.Struct, frozen=True):
    """All that a board is drawn from besides the view."""

    viewer: Viewer = None
    """Whose view it is: that seat's things lie near."""
    players: Sequence[str | None] = ()
    """The name of each seat."""
    latest: Sequence[Mapping[str, Any]] = ()
    """The facts of the latest entry, as on the wire, as this viewer may see them."""
    words: Mapping[str, str] = {}
    """The game's `names` in the language of the picture."""
    language: str = "en"
    theme: Theme = LIGHT

    def word(self, key: object) -> str:
        """What a thing is called; a thing without a name goes by its id."""
        return self.words.get(str(key), str(key))

    def value(self, member: str, value: object) -> str:
        """What a value of a member is called, where that is not simply the word for it."""
        return self.words.get(f"{member}.{value}") or self.word(value)

    def say(self, key: str, own: Mapping[str, Mapping[str, str]] = WORDS, /, **parts: object) -> str:
        """Words of pictures, with their blanks filled."""
        return own[self.language][key].format(**parts)

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        name = self.players[seat] if seat < len(self.players) else None
        return name or self.say("seat", seat=seat)

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row: a, b and c."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self.say('and')} {words[-1]}"

    def moment(self, to_act: Sequence[Seat], what: str) -> str:
        """Who is to do what."""
        return self.say("to_act", who=self.listed([self.player(seat) for seat in to_act]), what=what)

    def end(self, winners: Sequence[Seat], reason: str) -> str:
        """Who won, and why."""
        who = self.listed([self.player(seat) for seat in winners])
        return (
            self.say("won", who=who) if winners else self.say("nobody")
        ) + f" ({self.value('reason', reason)})"

    def touched(self, places: Mapping[str, Sequence[str]]) -> frozenset[str]:
        """The places of the latest entry: by the type of a fact, how they are called, its members in braces."""
        return frozenset(
            place.format_map(fact) for fact in self.latest for place in places.get(fact["type"], ())
        )


class Zone(msgspec.Struct, frozen=True):
    """Where something lies on a board."""

    x: float
    y: float
    width: float
    height: float


class Layout(msgspec.Struct, frozen=True):
    """What a front-end that draws by itself wants to know: where things lie, their signs and colours."""

    width: int
    height: int
    zones: Mapping[str, Zone]
    """Parts of the board, by the ids that `board.svg` gives them."""
    signs: Mapping[str, str]
    """Outlines to fill, in a square of 24: path data by the id of what they stand for."""
    colours: Mapping[str, Mapping[str, str]]
    """By the name of the theme, then by the id of what wears the colour."""


def colours(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The colours of kinds, given by the names of their hues, in every theme."""
    return {name: {kind: theme.hues[hue] for kind, hue in kinds.items()} for name, theme in THEMES.items()}


def board(scene: Scene, height: float, title: str, description: str, parts: Iterable[Element]) -> str:
    """The whole picture: its title and description for those who do not see it, the ground, the parts."""
    root = Element(
        "svg",
        (
            Element("title", (title,), id="board-title"),
            Element("desc", (description,), id="board-desc"),
            rect(0, 0, WIDTH, height, fill=scene.theme.ground),
            *parts,
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {round(height)}",
        role="img",
        aria_labelledby="board-title board-desc",
        lang=scene.language,
        font_family=SANS,
        fill=scene.theme.text,
        data_theme=scene.theme.name,
    )
    return document(root)


def part(
    *children: Element | None,
    id: str | None = None,  # noqa: A002  # the attribute's name
    at: tuple[float, float] | None = None,
    label: str | None = None,
    names: Mapping[str, Any] | None = None,
    actions: Iterable[str] = (),
    latest: bool = False,
    **attributes: Value,
) -> Element:
    """A part of the board that players speak of. `at` is where it lies (its children are drawn around 0, 0), `label`
    what it is called, `names` the values it stands for by the parameters of actions, `actions` the types of the
    actions that begin here, `latest` whether it wears the gold of the latest entry."""
    for name, value in (names or {}).items():
        attributes[f"data-{name}"] = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    drawn = [child for child in children if child is not None]
    if label is not None:
        drawn.insert(0, Element("title", (label,)))
    return Element(
        "g",
        drawn,
        id=id,
        transform=f"translate({round(at[0], 1):g} {round(at[1], 1):g})" if at else None,
        data_actions=" ".join(actions) or None,
        data_latest="true" if latest else None,
        **attributes,
    )


# -- words ------------------------------------------------------------------------------------------------------------


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
) -> Element:
    """Text on its base line, made to fit a width; `anchor` is `middle` or `end`."""
    content = str(content)
    if width is not None:
        content, size = fitted(content, width / 1.06 if bold else width, size, SMALLEST)
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


def heading(scene: Scene, title: str, moment: str) -> Element:
    """The band at the top: the game in letters of stone, the moment beside it."""
    theme = scene.theme
    left = 24 + width_of(title) * 30 * 1.1 + 24
    return group(
        words(theme, 24, 34, title, size=30, serif=True, bold=True),
        words(theme, WIDTH - 24, 32, moment, size=19, anchor="end", width=WIDTH - 24 - left),
        band(theme, 0, HEADING - 4, WIDTH),
        id="heading",
    )


# -- seats ------------------------------------------------------------------------------------------------------------


def seat_mark(theme: Theme, seat: Seat, x: float, y: float, size: float, **attributes: Value) -> Element:
    """The mark that a seat always wears, around a point: circle, diamond, triangle, square."""
    half = size / 2
    fill: dict[str, Value] = {"fill": theme.seats[seat], **attributes}
    match seat:
        case 0:
            return circle(x, y, half * 0.94, **fill)
        case 1:
            return polygon(
                [(x, y - half * 1.12), (x + half * 1.12, y), (x, y + half * 1.12), (x - half * 1.12, y)],
                **fill,
            )
        case 2:
            return polygon(
                [
                    (x, y - half * 1.08),
                    (x + half * 1.12, y + half * 0.86),
                    (x - half * 1.12, y + half * 0.86),
                ],
                **fill,
            )
    return rect(x - half * 0.88, y - half * 0.88, half * 1.76, half * 1.76, **fill)


def token(theme: Theme, seat: Seat, size: float, *, latest: bool = False) -> Element:
    """A seat's piece around 0, 0, lit from the upper left."""
    return Print(_token(theme.name, seat, size, latest))


@cache
def _token(theme_name: str, seat: Seat, size: float, latest: bool) -> Stamp:
    theme = THEMES[theme_name]
    gold = (
        seat_mark(theme, seat, 0, 0, size + 9, fill=theme.gold, stroke=theme.edge, stroke_width=1.5)
        if latest
        else None
    )
    return Stamp(
        group(
            seat_mark(theme, seat, 1.5, 2, size, fill=theme.shadow),
            gold,
            seat_mark(theme, seat, 0, 0, size, stroke=theme.raised, stroke_width=1.5),
            seat_mark(theme, seat, -size * 0.07, -size * 0.07, size * 0.5, fill=_lighter(theme.seats[seat])),
        )
    )


def plate(scene: Scene, seat: Seat, zone: Zone, *, to_act: bool, note: str = "") -> Element:
    """A player's name plate: mark, name, a note at its end; a gold edge and a sun for who is to act."""
    theme = scene.theme
    middle = zone.y + zone.height / 2
    room = zone.width - zone.height - 12 - (34 if to_act else 0)
    beside = min(width_of(note) * 17 + 16, room / 2) if note else 0
    end = zone.x + zone.width - 12
    return part(
        panel(theme, zone, accent=theme.gold if to_act else None),
        seat_mark(theme, seat, zone.x + zone.height / 2, middle, zone.height * 0.5),
        words(theme, zone.x + zone.height, middle + 6, scene.player(seat), size=18, bold=True, width=room - beside),
        words(theme, end - (34 if to_act else 0), middle + 6, note, size=17, anchor="end", width=beside) if note else None,
        sun(theme, end - 10, middle, 10) if to_act else None,
        id=f"plate-{seat}",
        label=scene.player(seat),
        data_seat=seat,
        data_to_act="true" if to_act else None,
    )  # fmt: skip


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
    theme: Theme, width: float, height: float, count: int, top: Element | None, *, latest: bool = False
) -> Element:
    """A pile with its number; `top` is drawn as its uppermost card, an empty pile is a hollow."""
    if not count or top is None:
        hollow = rect(
            0, 0, width, height, rx=8, fill="none", stroke=theme.line, stroke_width=2, stroke_dasharray="5 5"
        )
        return group(
            gilt(theme, 0, 0, width, height) if latest else None,
            hollow,
            badge(theme, width / 2, height, count),
        )
    under = [
        rect(depth * 2.5, depth * 2.5, width, height, rx=7, fill=theme.panel, stroke=theme.line)
        for depth in range(min(3, (count + 3) // 6), 0, -1)
    ]
    return group(*under, top, badge(theme, width / 2, height, count))


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
LOTUS = "M12 3c2 4 2 8 0 13c-2-5-2-9 0-13zM3 8c4 1 7 4 8 9C6 16 3 13 3 8zM21 8c-4 1-7 4-8 9c5-1 8-4 8-9zM5 19h14v2H5z"


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

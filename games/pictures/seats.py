"""Whose things are whose: the heading, marks, pieces and name plates."""

from functools import cache

from games.kernel import Seat
from games.pictures.canvas import HEADING, WIDTH, part, words
from games.pictures.light import THEMES, Theme, lighter
from games.pictures.scene import Scene, Zone
from games.pictures.shapes import band, panel, sun
from games.svg import Element, Print, Stamp, Value, circle, group, polygon, rect, width_of


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
            seat_mark(theme, seat, -size * 0.07, -size * 0.07, size * 0.5, fill=lighter(theme.seats[seat])),
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

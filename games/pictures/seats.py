"""Whose things are whose: the heading, marks, pieces and name plates."""

from functools import cache

from games.kernel import Seat
from games.pictures.canvas import HEADING, TALL_WIDTH, WIDTH, part, words
from games.pictures.light import THEMES, Theme, lighter
from games.pictures.scene import Scene, Zone
from games.pictures.shapes import band, panel, sun
from games.svg import Element, Print, Stamp, Value, circle, group, polygon, rect, width_of


def heading(scene: Scene, title: str, moment: str, phase: str | None = None) -> Element:
    """The band at the top: the game in letters of stone, the moment beside it, which the guide explains by its phase."""
    theme = scene.theme
    left = 24 + width_of(title) * 30 * 1.1 + 24
    return group(
        words(theme, 24, 34, title, size=30, serif=True, bold=True),
        part(
            words(theme, WIDTH - 24, 32, moment, size=19, anchor="end", width=WIDTH - 24 - left),
            explain=f"phases.{phase}" if phase else None,
        ),
        band(theme, 0, HEADING - 4, WIDTH),
        id="heading",
    )


def tall_heading(
    scene: Scene, title: str, moment: str, phase: str | None = None, explain: str | None = None
) -> Element:
    """The top of a tall board, 56 high: who is to do what, and the game with what counts its rounds below."""
    theme, smallest = scene.theme, scene.smallest
    room = TALL_WIDTH - 24
    return group(
        part(
            words(theme, 12, 25, moment, size=22, bold=True, width=room, smallest=smallest),
            explain=f"phases.{phase}" if phase else None,
        ),
        part(
            words(theme, 12, 49, title, size=19, serif=True, quiet=True, width=room, smallest=smallest),
            explain=explain,
        ),
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


def plate(
    scene: Scene, seat: Seat, zone: Zone, *, to_act: bool, note: str = "", explain: str | None = None
) -> Element:
    """A player's name plate: mark, name, a note at its end (the guide explains it); a gold edge and a sun for who is to
    act."""
    theme, smallest = scene.theme, scene.smallest
    large, small = max(18, smallest + 2), max(17, smallest)
    middle = zone.y + zone.height / 2
    room = zone.width - zone.height - 12 - (34 if to_act else 0)
    beside = min(width_of(note) * small + 16, room * 0.6) if note else 0
    end = zone.x + zone.width - 12
    return part(
        panel(theme, zone, accent=theme.gold if to_act else None),
        seat_mark(theme, seat, zone.x + zone.height / 2, middle, zone.height * 0.5),
        words(theme, zone.x + zone.height, middle + 6, scene.player(seat), size=large, bold=True,
              width=room - beside, smallest=smallest),
        words(theme, end - (34 if to_act else 0), middle + 6, note, size=small, anchor="end", width=beside,
              smallest=smallest) if note else None,
        sun(theme, end - 10, middle, 10) if to_act else None,
        id=f"plate-{seat}",
        label=scene.player(seat),
        explain=explain if note else None,
        seat=seat,
        data_to_act="true" if to_act else None,
    )  # fmt: skip


def strip(
    scene: Scene,
    seat: Seat,
    zone: Zone,
    *inside: Element | None,
    to_act: bool,
    room: float,
    note: str = "",
    explain: str | None = None,
) -> Element:
    """A player's name plate on a tall board: mark and name take so much room, with a note below; the rest follows inside."""
    theme, smallest = scene.theme, scene.smallest
    middle = zone.y + zone.height / 2
    name, words_room = zone.x + 44, room - 48
    return part(
        panel(theme, zone, accent=theme.gold if to_act else None),
        seat_mark(theme, seat, zone.x + 24, middle, 24),
        words(theme, name, middle + (-5 if note else 7), scene.player(seat), size=21, bold=True,
              width=words_room, smallest=smallest),
        part(
            words(theme, name, middle + 19, note, size=19, width=words_room, quiet=True, smallest=smallest),
            explain=explain,
            seat=seat,
        ) if note else None,
        *inside,
        sun(theme, zone.x + zone.width - 20, middle, 11) if to_act else None,
        id=f"plate-{seat}",
        label=scene.player(seat),
        seat=seat,
        data_to_act="true" if to_act else None,
    )  # fmt: skip

"""Where the things of a city lie: the near one's, and the others' by how many they are."""

from functools import cache
from typing import NamedTuple

from games.pictures import Zone
from games.sa_re.board.table import CITY, COLUMNS, OTHERS, ROWS


class Plan(NamedTuple):
    """Where the things of one city lie."""

    plate: Zone
    gauge: Zone
    grid: Zone
    river: Zone
    obelisk: tuple[float, float, float]
    """Its middle, and how large it is."""
    caravans: Zone
    stock: Zone
    cards: Zone
    card: tuple[float, float]

    @property
    def cell(self) -> tuple[float, float]:
        return self.grid.width / COLUMNS, self.grid.height / ROWS


@cache
def near_plan() -> Plan:
    x, y = CITY.x, CITY.y
    return Plan(
        plate=Zone(x, y, CITY.width, 42),
        gauge=Zone(x + 6, y + 52, 34, 252),
        grid=Zone(x + 48, y + 52, 424, 252),
        river=Zone(x + 476, y + 52, 26, 252),
        obelisk=(x + 540, y + 96, 88),
        caravans=Zone(x + 586, y + 56, 50, 84),
        stock=Zone(x + 514, y + 152, 122, 150),
        cards=Zone(x + 6, y + 316, 628, 110),
        card=(74, 104),
    )


@cache
def far_plan(at: int, others: int) -> Plan:
    """Columns of equal width; the only opponent has the whole width."""
    gap = 12
    width = (OTHERS.width - (others - 1) * gap) / others
    x, y = OTHERS.x + at * (width + gap), OTHERS.y
    top = y + 44
    if others == 1:
        return Plan(
            plate=Zone(x, y, width, 36),
            gauge=Zone(x + 4, top, 30, 240),
            grid=Zone(x + 42, top, 424, 240),
            river=Zone(x + 470, top, 24, 240),
            obelisk=(x + 530, top + 44, 80),
            caravans=Zone(x + 578, top + 4, 50, 84),
            stock=Zone(x + 650, top, 300, 64),
            cards=Zone(x + 510, top + 104, 444, 132),
            card=(66, 94),
        )
    cell = (width - 76) / COLUMNS
    grid = Zone(x + 30, top, cell * COLUMNS, 150)
    right = grid.x + grid.width
    return Plan(
        plate=Zone(x, y, width, 36),
        gauge=Zone(x + 2, top, 24, 150),
        grid=grid,
        river=Zone(right + 2, top, 14, 150),
        obelisk=(right + 32, top + 28, 54),
        caravans=Zone(right + 20, top + 62, 24, 84),
        stock=Zone(x + 2, top + 154, width - 4, 34),
        cards=Zone(x + 2, top + 190, width - 4, 54),
        card=(38, 52),
    )

"""Where things lie on a board of Aton, and what every part of a drawing knows."""

from functools import cache
from typing import NamedTuple

from games.aton.board.captions import PLACES, buried
from games.aton.box import BOARDS
from games.aton.state import State, board_of
from games.kernel import Seat
from games.pictures import Picture, Scene, Zone

HEIGHT = 838
CARTOUCHES = Zone(20, 108, 208, 486)
BESIDE = Zone(776, 108, 204, 486)
DEAD = Zone(776, 292, 204, 118)
TRACK = Zone(20, 606, 960, 56)
FAR_PLATE, NEAR_PLATE = Zone(20, 55, 722, 46), Zone(20, 674, 960, 42)
FAR_HAND = Zone(754, 53, 226, 50)
HAND = Zone(20, 722, 960, 106)


class Grid(NamedTuple):
    """Where the temples lie: the corner of the first space, a space with the gap after it, and the lanes between."""

    x: float
    y: float
    cell: float
    gap: float
    lane_across: float
    lane_down: float


WIDE_GRID = Grid(244, 144, 62, 5, 26, 58)
TALL_GRID = Grid(11, 332, 71, 3, 14, 42)


@cache
def space_zones(component_set: str, grid: Grid = WIDE_GRID) -> dict[str, Zone]:
    """Where the spaces lie: in the grid of the component set, an empty row or column being a narrow lane."""
    spaces = BOARDS[component_set].box.spaces
    columns, rows = {space.x for space in spaces}, {space.y for space in spaces}
    across = {
        x: sum(grid.cell if each in columns else grid.lane_across for each in range(x)) for x in columns
    }
    down = {y: sum(grid.cell if each in rows else grid.lane_down for each in range(y)) for y in rows}
    side = grid.cell - grid.gap
    return {space.id: Zone(grid.x + across[space.x], grid.y + down[space.y], side, side) for space in spaces}


class Table(Picture[State]):
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene, scene.touched(PLACES) | buried(scene))
        self.far: Seat = 1 - self.near
        self.board = board_of(view)
        grid = TALL_GRID if scene.shape == "tall" else WIDE_GRID
        self.zones = space_zones(view.options.component_set, grid)

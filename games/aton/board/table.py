"""Where things lie on a board of Aton, and what every part of a drawing knows."""

from functools import cache

from games.aton.board.captions import PLACES, buried
from games.aton.box import BOARDS
from games.aton.state import State, board_of
from games.kernel import Seat
from games.pictures import Picture, Scene, Zone

HEIGHT = 838
CELL, GAP_ACROSS, GAP_DOWN = 62, 26, 58
BOARD_X, BOARD_Y = 244, 144
CARTOUCHES = Zone(20, 108, 208, 486)
BESIDE = Zone(776, 108, 204, 486)
DEAD = Zone(776, 292, 204, 118)
TRACK = Zone(20, 606, 960, 56)
FAR_PLATE, NEAR_PLATE = Zone(20, 56, 960, 44), Zone(20, 674, 960, 42)
HAND = Zone(20, 722, 960, 106)


@cache
def space_zones(component_set: str) -> dict[str, Zone]:
    """Where the spaces lie: in the grid of the component set, an empty row or column being a narrow lane."""
    spaces = BOARDS[component_set].box.spaces
    columns, rows = {space.x for space in spaces}, {space.y for space in spaces}
    across = {x: sum(CELL if each in columns else GAP_ACROSS for each in range(x)) for x in columns}
    down = {y: sum(CELL if each in rows else GAP_DOWN for each in range(y)) for y in rows}
    return {
        space.id: Zone(BOARD_X + across[space.x], BOARD_Y + down[space.y], CELL - 5, CELL - 5)
        for space in spaces
    }


class Table(Picture[State]):
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene, scene.touched(PLACES) | buried(scene))
        self.far: Seat = 1 - self.near
        self.board = board_of(view)
        self.zones = space_zones(view.options.component_set)

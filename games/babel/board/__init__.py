"""The board of Babel: five sites in a row, the far player's side above them, the near player's below."""

from collections.abc import Iterator

from games.babel.board.beside import Beside
from games.babel.board.captions import description, moment, title
from games.babel.board.hands import Hands
from games.babel.board.sites import Sites
from games.babel.board.stamps import SIGNS
from games.babel.board.table import (
    FAR_HAND,
    FAR_PLATE,
    GAUGES,
    HEIGHT,
    NATIONS_ZONE,
    NEAR_HAND,
    NEAR_PLATE,
    TEMPLES,
    plinth,
)
from games.babel.board.tall import Tall
from games.babel.board.temples import Temples
from games.babel.box import COMPONENT_SETS, NATIONS
from games.babel.state import State
from games.pictures import WIDTH, Layout, Scene, board, colours, heading
from games.svg import Element


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    drawing = (Tall if scene.shape == "tall" else _Wide)(view, scene)
    return board(scene, drawing.height, title(view, scene), description(view, scene), drawing.parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    box = COMPONENT_SETS[component_set].box
    zones = {f"site-{nation}": plinth(nation) for nation in NATIONS} | {
        "temples": TEMPLES, "gauges": GAUGES, "nations": NATIONS_ZONE,
        "far-hand": FAR_HAND, "near-hand": NEAR_HAND, "far-plate": FAR_PLATE, "near-plate": NEAR_PLATE,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours({n: box.nations[n].colour for n in NATIONS}))


class _Wide(Sites, Temples, Beside, Hands):
    """The whole board."""

    height = HEIGHT

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("babel"), moment(view, scene), view.phase)
        for nation in NATIONS:
            yield self.side(self.far, nation)
            yield self.plinth(nation)
            yield self.side(self.near, nation)
        yield self.temple_zone()
        yield self.gauges()
        yield self.nation_zone()
        yield self.plate(self.far, FAR_PLATE)
        yield self.far_hand()
        yield self.plate(self.near, NEAR_PLATE)
        yield self.near_hand()
        for seat in (self.far, self.near):
            yield self.pawn(seat)

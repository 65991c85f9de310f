"""Where things lie on a board of Babel, and what every part of a drawing knows."""

from games.babel.board.captions import PLACES, WORDS
from games.babel.board.stamps import nation_card
from games.babel.box import NATIONS, Nation
from games.babel.state import State, box_of
from games.kernel import Seat
from games.pictures import Picture, Scene, Zone, plate
from games.svg import Element, Print

HEIGHT = 850
SITES_X, SITE_WIDTH = 190, 126
FAR_SIDE, PLINTH, NEAR_SIDE = Zone(0, 112, 0, 238), Zone(0, 358, 0, 64), Zone(0, 430, 0, 238)
TEMPLES = Zone(20, 112, 152, 556)
GAUGES = Zone(836, 112, 144, 330)
NATIONS_ZONE = Zone(836, 458, 144, 210)
FAR_HAND, NEAR_HAND = Zone(420, 54, 560, 48), Zone(20, 724, 960, 116)
FAR_PLATE, NEAR_PLATE = Zone(20, 56, 380, 44), Zone(20, 676, 960, 42)


def plinth(nation: Nation) -> Zone:
    return Zone(SITES_X + NATIONS.index(nation) * SITE_WIDTH + 4, PLINTH.y, SITE_WIDTH - 8, PLINTH.height)


class Table(Picture[State]):
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene, scene.touched(PLACES))
        self.far: Seat = 1 - self.near
        self.box = box_of(view)

    def hue(self, nation: Nation) -> str:
        return self.theme.hues[self.box.nations[nation].colour]

    def plate(self, seat: Seat, zone: Zone) -> Element:
        migrated = self.view.migrated and seat == self.view.active_seat
        note = self.scene.say("migrated", WORDS) if migrated else ""
        return plate(self.scene, seat, zone, to_act=seat in self.view.to_act, note=note, explain="migrated")

    def nation_card(self, nation: Nation, width: float, height: float, *, latest: bool = False) -> Element:
        return Print(nation_card(self.theme.name, nation, self.hue(nation), width, height, latest))

"""Where things lie on a board of Sa-Ré, and what every part of a drawing knows."""

from games.kernel import Seat
from games.pictures import Picture, Scene, Zone
from games.sa_re.board.captions import PLACES, raised
from games.sa_re.board.stamps import HUES, season_card
from games.sa_re.state import State, box_of
from games.svg import Element, Print

HEIGHT = 936
OTHERS = Zone(20, 56, 960, 288)
SEASON = Zone(20, 354, 960, 130)
CITY = Zone(20, 494, 640, 432)
SUPPLY = Zone(672, 494, 308, 432)
ROWS, COLUMNS = 3, 4
PILE = (60, 84)


class Table(Picture[State]):
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene, scene.touched(PLACES) | raised(scene))
        self.box = box_of(view)

    def hue_name(self, building: str) -> str:
        return HUES[self.box.buildings[building].class_]

    def card_key(self, name: str) -> str:
        """The thing of the guide that explains a season card."""
        shown = self.box.cards[name]
        return "double_trouble" if shown.kind == "trouble" and shown.level > 1 else shown.kind

    def paying(self, seat: Seat) -> bool:
        """It is the viewer's city, in the phase in which resources are spent."""
        return seat == self.scene.viewer and self.view.phase == "construction"

    def face(self, name: str, size: tuple[float, float], *, latest: bool, joker: bool = False) -> Element:
        shown = self.box.cards[name]
        kind, gives, level = ("single", ("joker",), 0) if joker else (shown.kind, shown.gives, shown.level)
        return Print(season_card(self.theme.name, kind, gives, level, *size, latest))

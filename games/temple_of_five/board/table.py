"""Where things lie on a board of Temple of Five, and what every part of a drawing knows."""

from games.kernel import Seat
from games.pictures import ZIGGURAT, Picture, Scene, Zone, gilt, part, plate, sign
from games.svg import Element, group, rect
from games.temple_of_five.board.captions import PLACES, WORDS, taken
from games.temple_of_five.board.stamps import HUES
from games.temple_of_five.state import State, box_of

HEIGHT = 946
CARDS = Zone(20, 56, 960, 140)
NEAR_PLATE = Zone(20, 206, 476, 42)
PYRAMID = Zone(20, 254, 476, 476)
RESERVE = Zone(20, 736, 476, 40)
OTHERS = Zone(508, 206, 472, 570)
GOALS = Zone(508, 602, 472, 174)
HAND = Zone(20, 786, 960, 150)
DESTINATIONS, BONUS, PILES = Zone(362, 796, 150, 130), Zone(524, 786, 330, 150), Zone(862, 786, 118, 150)
SPACES = 8
NEAR_SPACES = Zone(PYRAMID.x + 27, PYRAMID.y + 27, 440, 440)
LARGEST_FAR = 46
"""The largest space of another player's pyramid."""


class Table(Picture[State]):
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene, scene.touched(PLACES) | taken(scene))
        self.box = box_of(view)
        self.goals = view.options.ultimate_goal

    def hue(self, god: str) -> str:
        return self.theme.hues[HUES[god]]

    def plate(self, seat: Seat, zone: Zone) -> Element:
        player, to_act = self.view.players[seat], seat in self.view.to_act
        note = self.scene.word(player.vacated).lower() if player.vacated else ""
        if player.score:
            note = self.scene.say("points", WORDS, points=player.score.total)
        drawn = [plate(self.scene, seat, zone, to_act=to_act, note=note, explain="score")]
        if f"turn-{seat}" in self.latest:
            drawn.append(rect(zone.x - 3, zone.y - 3, zone.width + 6, zone.height + 6, rx=10, fill="none",
                              stroke=self.theme.edge, stroke_width=1.5, data_latest="true"))  # fmt: skip
        if seat == self.view.first_player and not player.score:
            drawn.append(
                self.first_token(zone.x + zone.width - (58 if to_act else 24), zone.y + zone.height / 2)
            )
        return group(*drawn)

    def first_token(self, x: float, y: float) -> Element:
        """The token of who is first to place priests."""
        latest = "first-player" in self.latest
        return part(
            gilt(self.theme, -13, -13, 26, 26) if latest else None,
            sign(ZIGGURAT, 0, 0, 22, self.theme.gold, stroke=self.theme.edge, stroke_width=1.2),
            id="first-player",
            at=(x, y),
            label=self.scene.word("first_player"),
            explain="first_player",
            latest=latest,
        )

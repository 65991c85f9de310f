"""The board of Aton: four temples two by two, the cartouches of both seats beside them, the way to forty below."""

from collections.abc import Iterator

from games.aton.board.beside import Beside
from games.aton.board.captions import WORDS, description, moment, title
from games.aton.board.cards import Cards
from games.aton.board.stamps import HUES, SIGNS
from games.aton.board.table import (
    BESIDE,
    CARTOUCHES,
    DEAD,
    FAR_HAND,
    FAR_PLATE,
    HAND,
    HEIGHT,
    NEAR_PLATE,
    TRACK,
    space_zones,
)
from games.aton.board.tall import TALL_HEIGHT, Tall
from games.aton.board.temples import Temples
from games.aton.box import TEMPLES
from games.aton.state import State
from games.pictures import WIDTH, Layout, Scene, board, colours, heading, plate
from games.svg import Element


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    tall = scene.shape == "tall"
    parts = (Tall if tall else _Wide)(view, scene).parts()
    return board(scene, TALL_HEIGHT if tall else HEIGHT, title(view, scene), description(view, scene), parts)


def layout(component_set: str) -> Layout:
    """Where things lie; spaces by their ids."""
    zones = space_zones(component_set) | {
        "cartouches": CARTOUCHES, "beside": BESIDE, "dead": DEAD, "track": TRACK, "hand": HAND, "far-hand": FAR_HAND,
        "far-plate": FAR_PLATE, "near-plate": NEAR_PLATE,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


class _Wide(Temples, Cards, Beside):
    """The whole board."""

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("aton"), moment(view, scene), view.phase)
        yield self.cartouches()
        for temple in TEMPLES:
            yield self.temple(temple)
        yield self.beside()
        yield self.track()
        for seat, zone in ((self.far, FAR_PLATE), (self.near, NEAR_PLATE)):
            note = scene.say("points", WORDS, score=view.players[seat].score)
            if view.first_seat == seat:
                note = f"{scene.say('first', WORDS)} · {note}"
            yield plate(scene, seat, zone, to_act=seat in view.to_act, note=note, explain="score")
        yield self.hand()
        yield self.far_hand()

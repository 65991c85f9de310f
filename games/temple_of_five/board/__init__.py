"""The board of Temple of Five: the gods' cards in a row, the near player's pyramid large, the others' small and equal."""

from collections.abc import Iterator

from games.pictures import WIDTH, Layout, Scene, board, colours, heading
from games.svg import Element
from games.temple_of_five.board.captions import WORDS, description, moment, title
from games.temple_of_five.board.cards import card_zone
from games.temple_of_five.board.hand import Hand
from games.temple_of_five.board.seats import Seats
from games.temple_of_five.board.stamps import HUES, SIGNS
from games.temple_of_five.board.table import (
    BONUS,
    DESTINATIONS,
    GOALS,
    HAND,
    HEIGHT,
    NEAR_PLATE,
    NEAR_SPACES,
    OTHERS,
    PILES,
    PYRAMID,
    RESERVE,
)
from games.temple_of_five.board.tall import Tall
from games.temple_of_five.contents import GODS
from games.temple_of_five.state import State


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    drawing = (Tall if scene.shape == "tall" else _Wide)(view, scene)
    return board(scene, drawing.height, title(view, scene), description(view, scene), drawing.parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    zones = {f"god-{god}": card_zone(at) for at, god in enumerate(GODS)} | {
        "near-plate": NEAR_PLATE, "near-pyramid": PYRAMID, "near-spaces": NEAR_SPACES, "near-reserve": RESERVE, "others": OTHERS, "goals": GOALS,
        "hand": HAND, "destinations": DESTINATIONS, "bonus": BONUS, "piles": PILES,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


class _Wide(Seats, Hand):
    """The whole board."""

    height = HEIGHT

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        level, round_ = (
            scene.say("level", WORDS, level=view.level),
            scene.say("round", WORDS, round=view.round),
        )
        yield heading(
            scene, scene.word("temple_of_five"), f"{moment(view, scene)} · {round_}, {level}", view.phase
        )
        for at, god in enumerate(GODS):
            yield self.god(god, card_zone(at))
        yield self.plate(self.near, NEAR_PLATE)
        yield self.near_pyramid()
        yield self.near_reserve()
        yield from self.others()
        if self.goals:
            yield self.goal_card()
        yield self.hand()

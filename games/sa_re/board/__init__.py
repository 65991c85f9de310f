"""The board of Sa-Ré: the others' cities above, the season in the middle, the near city and the supply below."""

from collections.abc import Iterator

from games.pictures import WIDTH, Layout, Scene, board, colours, heading
from games.sa_re.board.captions import description, moment, title
from games.sa_re.board.cities import Cities
from games.sa_re.board.middle import Middle
from games.sa_re.board.plans import far_plan, near_plan
from games.sa_re.board.stamps import HUES, SIGNS
from games.sa_re.board.table import CITY, HEIGHT, OTHERS, SEASON, SUPPLY
from games.sa_re.board.tall import Tall
from games.sa_re.state import State
from games.svg import Element


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    drawing = (Tall if scene.shape == "tall" else _Wide)(view, scene)
    return board(scene, drawing.height, title(view, scene), description(view, scene), drawing.parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    zones = {
        "others": OTHERS,
        "season": SEASON,
        "near-city": CITY,
        "supply": SUPPLY,
        "near-spaces": near_plan().grid,
    }
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


class _Wide(Cities, Middle):
    """The whole board."""

    height = HEIGHT

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("sa_re"), moment(view, scene), view.phase)
        seats = [(self.near + step) % len(view.players) for step in range(1, len(view.players))]
        for at, seat in enumerate(seats):
            yield self.city(seat, far_plan(at, len(seats)))
        yield self.season()
        yield self.city(self.near, near_plan())
        yield self.supply()

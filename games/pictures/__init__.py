"""The kit that boards are drawn with: light and colours, cards, tokens, piles, gauges, plates, ornaments.

Every game has `draw(view, scene)`: a pure function from what a viewer sees to an SVG, 1000 units wide. It is given a
view and nothing else of the game, so that a picture tells what the view tells.
- A part that an action's parameter can name carries `data-<parameter>` with the value as the action has it (what is
  not a string as JSON; of a list one item), and, where the parameter alone does not say it, the types of the actions
  it is for in `data-actions`.
- What stays the same thing from one version to the next keeps its `id`; face-down cards have none.
- The places of the latest entry wear gold.
"""

from games.pictures.canvas import HEADING, SMALLEST, WIDTH, board, centred, lines, part, words
from games.pictures.light import DARK, LIGHT, THEMES, Theme, contrast, mixed
from games.pictures.scene import Layout, Picture, Scene, Zone, colours
from games.pictures.seats import heading, plate, seat_mark, token
from games.pictures.shapes import (
    ZIGGURAT,
    badge,
    card,
    card_back,
    gauge,
    gilt,
    outlined,
    panel,
    pile,
    sign,
)

__all__ = [
    "DARK",
    "HEADING",
    "LIGHT",
    "SMALLEST",
    "THEMES",
    "WIDTH",
    "ZIGGURAT",
    "Layout",
    "Picture",
    "Scene",
    "Theme",
    "Zone",
    "badge",
    "board",
    "card",
    "card_back",
    "centred",
    "colours",
    "contrast",
    "gauge",
    "gilt",
    "heading",
    "lines",
    "mixed",
    "outlined",
    "panel",
    "part",
    "pile",
    "plate",
    "seat_mark",
    "sign",
    "token",
    "words",
]

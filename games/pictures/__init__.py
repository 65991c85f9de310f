"""The kit that boards are drawn with: light and colours, cards, tokens, piles, gauges, plates, ornaments.

Every game has `draw(view, scene)`: a pure function from what a viewer sees to an SVG, 1000 units wide. It is given a
view and nothing else of the game, so that a picture tells what the view tells.
- A part that an action's parameter can name carries `data-<parameter>` with the value as the action has it (what is
  not a string as JSON; of a list one item), and, where the parameter alone does not say it, the types of the actions
  it is for in `data-actions`.
- Of a list whose order matters (`x-ordered` in its schema) the part also carries `data-<parameter>-<index>` for each place
  of the list that it can fill.
- What stays the same thing from one version to the next keeps its `id`; face-down cards have none.
- A part that the player's guide explains names the thing in `data-explain` (docs/guides.md); whose it is says `data-seat`.
- The places of the latest entry wear gold.
Each board has two shapes, with the same parts, ids and attributes: wide, and tall for a phone (600 units wide, at most
1,150 high, what is clicked at least 68 units wide and high).
"""

from games.pictures.canvas import (
    HEADING,
    SMALLEST,
    TALL_WIDTH,
    TALLEST,
    TARGET,
    WIDTH,
    board,
    centred,
    lines,
    part,
    words,
)
from games.pictures.light import DARK, LIGHT, THEMES, Theme, contrast, mixed
from games.pictures.scene import SHAPES, Layout, Picture, Scene, Shape, Zone, colours
from games.pictures.seats import heading, plate, seat_mark, strip, tall_heading, token
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
    "SHAPES",
    "SMALLEST",
    "TALLEST",
    "TALL_WIDTH",
    "TARGET",
    "THEMES",
    "WIDTH",
    "ZIGGURAT",
    "Layout",
    "Picture",
    "Scene",
    "Shape",
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
    "strip",
    "tall_heading",
    "token",
    "words",
]

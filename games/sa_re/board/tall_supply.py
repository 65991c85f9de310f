"""The supply on a tall board: places to launch sites from, and a sheet with what each building costs and does."""

from games.kernel.guide import read_guide
from games.pictures import Zone, gilt, lines, panel, part, sign, words
from games.sa_re.board.captions import WORDS
from games.sa_re.board.middle import Middle
from games.sa_re.board.stamps import SIGNS, chip
from games.sa_re.box import RESOURCES, Price
from games.svg import Element, Print, group, polygon, rect

ACROSS, CELL = 7, (84, 73)


class TallSupply(Middle):
    """What can be built."""

    def offers(self) -> list[tuple[str, Price | None, int]]:
        """Every building with its cost and how many are left; of the pyramids the next one's first step."""
        offers: list[tuple[str, Price | None, int]] = [
            (name, self.box.buildings[name].cost, self.view.supply[name])
            for name in self.box.buildings
            if name != "pyramid"
        ]
        pyramids = self.view.pyramids
        first = self.box.pyramid(pyramids[0]).steps[0] if pyramids else None
        return [*offers, ("pyramid", first, len(pyramids))]

    def price(self, cost: Price | None, step: float) -> list[Element]:
        """Chips side by side from 0, 0 on."""
        due = [name for name in RESOURCES if cost and getattr(cost, name)]
        return [
            Print(chip(self.theme.name, name, str(getattr(cost, name)), 27), x=at * step)
            for at, name in enumerate(due)
        ]

    def supply_cells(self, zone: Zone) -> Element:
        """While sites are chosen: a place to click for each building."""
        cells = [self.cell(at, *offer, zone) for at, offer in enumerate(self.offers())]
        return part(panel(self.theme, zone), *cells, id="supply", explain="supply")

    def cell(self, at: int, building: str, cost: Price | None, left: int, zone: Zone) -> Element:
        theme, (width, height) = self.theme, CELL
        latest = f"supply-{building}" in self.latest
        hue = theme.hues[self.hue_name(building)] if left else theme.line
        chips = group(*self.price(cost, 26), transform="translate(16 55)", opacity=None if left else 0.4)
        return part(
            gilt(theme, 3, 3, width - 6, height - 6, 5) if latest else None,
            rect(1, 1, width - 2, height - 2, rx=6, fill=theme.raised, stroke=theme.line),
            sign(SIGNS[building], 22, 22, 30, hue),
            words(theme, width - 8, 29, f"×{left}", size=20, anchor="end", bold=bool(left), quiet=not left),
            chips,
            id=f"supply-{building}",
            at=(zone.x + at % ACROSS * width, zone.y + 1 + at // ACROSS * height),
            label=self.scene.about(self.scene.word(building), f"×{left}"),
            names={"building": building} if left else None,
            actions=("launch_site",) if left else (),
            explain=self.supply_key(building),
            latest=latest,
        )

    def supply_button(self, zone: Zone) -> Element:
        """What opens the sheet."""
        middle, end = zone.y + zone.height / 2, zone.x + zone.width - 14
        title = self.scene.say("sheet", WORDS)
        return part(
            panel(self.theme, zone),
            words(self.theme, zone.x + 16, middle + 7, title, size=20, bold=True, width=520, smallest=19),
            polygon(
                [(end - 16, middle - 5), (end, middle - 5), (end - 8, middle + 7)], fill=self.theme.quiet
            ),
            id="supply-button",
            label=title,
            explain="supply",
            data_opens="supply-sheet",
        )

    def supply_sheet(self, zone: Zone) -> Element:
        """Every building: how many are left, its cost and what it does."""
        offers = self.offers()
        height = min(72, (zone.height - 8) / len(offers))
        rows = [
            self.row(building, cost, left, Zone(zone.x, zone.y + 4 + at * height, zone.width, height))
            for at, (building, cost, left) in enumerate(offers)
        ]
        return part(
            panel(self.theme, zone, accent=self.theme.quiet),
            *rows,
            id="supply-sheet",
            display="none",
            data_opens="supply-sheet",
        )

    def row(self, building: str, cost: Price | None, left: int, zone: Zone) -> Element:
        theme = self.theme
        guide = read_guide("sa_re", self.scene.language, (2, 4))
        effect = guide.things[building].effect if guide else ""
        hue = theme.hues[self.hue_name(building)] if left else theme.quiet
        return part(
            sign(SIGNS[building], 28, 24, 32, hue),
            words(
                theme,
                56,
                20,
                self.scene.word(building),
                size=20,
                bold=True,
                width=270,
                smallest=19,
                quiet=not left,
            ),
            group(*self.price(cost, 40), transform="translate(370 15)"),
            words(theme, zone.width - 16, 21, f"×{left}", size=20, anchor="end", bold=True),
            lines(theme, 56, 41, effect, zone.width - 70, size=19, quiet=True),
            at=(zone.x, zone.y),
            explain=self.supply_key(building),
        )

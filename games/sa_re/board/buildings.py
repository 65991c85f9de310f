"""The spaces of a city: roofs, scaffolds, and what they cost."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from games.kernel import Seat
from games.pictures import badge, gilt, lines, part, sign, words
from games.sa_re.board.captions import WORDS
from games.sa_re.board.plans import Plan
from games.sa_re.board.stamps import HUES, SIGNS, chip, house, plot, resource, roof_ink, scaffold
from games.sa_re.board.table import COLUMNS, Table
from games.sa_re.box import RESOURCES
from games.sa_re.state import Cost, Tile
from games.svg import Element, Print, rect, width_of


class Buildings(Table):
    """The drawing of spaces and what stands there."""

    def space(self, seat: Seat, at: int, tiles: tuple[Tile, ...], plan: Plan) -> Element:
        """A space of a city with what stands or is being built there."""
        width, height = plan.cell
        latest = f"space-{seat}-{at}" in self.latest
        share = width / max(1, len(tiles))
        if not tiles:
            drawn: list[Element] = [Print(plot(self.theme.name, width, height, at in self.box.bank))]
        elif len(tiles) == 1:
            drawn = list(self.tile(seat, at, tiles[0], plan.cell))
        else:
            drawn = [
                part(*self.tile(seat, at, tile, (share, height)), at=(place * share, 0), label=self.tile_label(at, tile),
                     explain=self.tile_key(tile), seat=seat, **self.own_building(seat, tile))
                for place, tile in enumerate(tiles)
            ]  # fmt: skip
        if len(tiles) == 1 and (named := self.own_building(seat, tiles[0])):
            label = self.tile_label(at, tiles[0])
            drawn = [part(*drawn, label=label, explain=self.tile_key(tiles[0]), seat=seat, **named)]
        number = words(self.theme, 7, height - 8, at + 1, size=self.scene.smallest, quiet=True)
        if not tiles and self.scene.shape == "tall" and seat != self.near:  # the sheet explains it
            return part(*drawn, number, id=f"space-{seat}-{at}", at=self.corner(at, plan), latest=latest)
        return part(
            gilt(self.theme, 2, 2, width - 4, height - 4, 5) if latest else None,
            *drawn,
            None if tiles else number,
            id=f"space-{seat}-{at}",
            at=self.corner(at, plan),
            label=self.tile_label(at, tiles[0]) if len(tiles) == 1 else self.space_label(at),
            explain=self.tile_key(tiles[0])
            if len(tiles) == 1
            else "nile"
            if at in self.box.bank
            else "spaces",
            seat=seat,
            latest=latest,
            **(self.own_space(at, tiles) if seat == self.scene.viewer else {}),
        )

    def corner(self, at: int, plan: Plan) -> tuple[float, float]:
        width, height = plan.cell
        return plan.grid.x + at % COLUMNS * width, plan.grid.y + at // COLUMNS * height

    def own_building(self, seat: Seat, tile: Tile) -> dict[str, Any]:
        """What stands in the viewer's city may be pulled down when sites are chosen."""
        if seat == self.scene.viewer and tile.built and self.view.phase == "sites":
            return {"names": {"building": tile.building}, "actions": ("demolish",)}
        return {}

    def own_space(self, at: int, tiles: tuple[Tile, ...]) -> dict[str, Any]:
        """What the phase lets the viewer do with a space of his."""
        match self.view.phase:
            case "setup":
                return {"names": {"space": at}, "actions": ("place_building",)}
            case "sites":
                actions = ("launch_site", "cancel_site", "demolish", "move_site")
                return {"names": {"space": at, "from": at, "to": at}, "actions": actions}
            case "construction" if any(not tile.built for tile in tiles):
                return {"names": {"space": at, "kind": "build"}, "actions": ("start_work",)}
        return {}

    def tile(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Iterator[Element]:
        """A building or its site; large ones wear their name."""
        yield from self.building(seat, at, tile, size) if tile.built else self.site(seat, at, tile, size)
        if tile.number is not UNSET and tile.steps is not UNSET:
            yield self.steps(tile, tile.number, tile.steps, size)

    def space_label(self, at: int) -> str:
        return self.scene.say("on_bank" if at in self.box.bank else "space", WORDS, space=at + 1)

    def tile_label(self, at: int, tile: Tile) -> str:
        """The number of the space, from 1 on, and what is there."""
        what = self.scene.word(tile.building)
        if not tile.built:
            what = f"{what} ({self.scene.word('site').lower()})"
        elif tile.used is True:
            what = f"{what} ({self.scene.word('used').lower()})"
        return self.scene.say("in_space", WORDS, space=at + 1, what=what)

    def tile_key(self, tile: Tile) -> str:
        """The thing of the guide that explains a building or its site."""
        return tile.building if tile.number is UNSET else f"pyramid_{tile.number}"

    def building(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Iterator[Element]:
        width, height = size
        theme, hue, used = self.theme, self.hue_name(tile.building), tile.used is True
        ink = roof_ink(theme, hue, used)
        named = width > 90 or (height > 70 and width > 70 and self.scene.shape == "wide")
        rows = self.rows(tile, size) if named else 0
        yield Print(house(theme.name, tile.building, hue, size, used, rows))
        if f"power-{seat}-{tile.building}" in self.latest:
            yield gilt(theme, 3, 3, width - 7, height - 7, 4)
        if named:
            yield self.named(tile, size, ink)
        if tile.token is True:
            yield self.product(seat, at, tile, size)

    def rows(self, tile: Tile, size: tuple[float, float]) -> int:
        """How many rows the name of a building takes."""
        width, height = size
        fits = width_of(self.scene.word(tile.building)) * self.scene.smallest <= width - 8
        return 1 if fits or height <= 70 else 2

    def named(self, tile: Tile, cell: tuple[float, float], ink: str) -> Element:
        """The name in one line, or in two where that would be too long."""
        width, height = cell
        name = self.scene.word(tile.building)
        if height > 70:
            size = self.scene.smallest
            rows = self.rows(tile, cell)
            return lines(self.theme, width / 2, height - (8 + size * 1.2 if rows == 2 else 14), name, width - 8,
                         most=rows, size=size, anchor="middle", fill=ink)  # fmt: skip
        return words(
            self.theme, width / 2, height - 8, name, size=14, anchor="middle", width=width - 8, fill=ink
        )

    def product(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Element:
        """What a craft or the Port has ready."""
        made = self.box.buildings[tile.building].produces or "joker"
        side = 26 if size[1] > 70 else 18
        mark = Print(resource(self.theme.name, made, side), x=size[0] - side * 0.62 - 2, y=side * 0.62)
        if not self.paying(seat):
            return mark
        label = self.scene.about(self.scene.word("token"), self.scene.word(made))
        area = rect(0, 0, *size, fill="#000", fill_opacity=0) if self.scene.shape == "tall" else None
        names = {"source": {"production": at}}
        return part(
            area, mark, label=label, names=names, actions=("pay", "store"), explain="token", seat=seat
        )

    def site(self, seat: Seat, at: int, tile: Tile, cell: tuple[float, float]) -> Iterator[Element]:
        """A scaffold with its sign and what is still to be paid."""
        width, height = cell
        theme, hue = self.theme, self.hue_name(tile.building)
        large = height > 70
        yield Print(scaffold(theme.name, hue, width, height))
        pyramid = tile.number is not UNSET
        x = 21 if large else 15 if pyramid else width / 2
        yield sign(SIGNS[tile.building], x, 20 if large else 15, 26 if large else 19, theme.hues[hue])
        size = self.scene.smallest
        if large and width > 90:
            name = self.scene.word(tile.building)
            yield words(theme, width / 2, 54 if size > 14 else 49, name, size=size, anchor="middle", width=width - 10,
                        smallest=size)  # fmt: skip
        elif large and size <= 14:
            yield words(
                theme,
                width / 2,
                49,
                self.scene.word(tile.building),
                size=14,
                anchor="middle",
                width=width - 10,
            )
        if tile.new is True and (large or width > 70 or not pyramid):
            yield sign(SIGNS["new"], width - 12, 13, 14, theme.gold, stroke=theme.edge, stroke_width=1.2)
        if tile.cost is not UNSET:
            side = 27 if size > 14 else 20 if large else 15
            chips = self.costs(tile.cost, width, height - (19 if large else 13), side)
            yield part(*chips, explain="site", context={"space": at}, seat=seat)

    def costs(self, cost: Cost, width: float, y: float, side: float) -> Iterator[Element]:
        """A chip for each resource that is due; what the Port waives last. In a narrow site of a tall board they lie one
        below the other."""
        due = [(name, str(getattr(cost, name))) for name in RESOURCES if getattr(cost, name)]
        if cost.wild:
            due.append(("joker", "−1"))
        if side > 20 and width < 90:
            for at, (name, number) in enumerate(due):
                yield Print(chip(self.theme.name, name, number, side), x=width - 19, y=y + 2 - at * 26)
            return
        step = min(side * 1.35, (width - 4) / max(1, len(due)))
        left = width / 2 - step * (len(due) - 1) / 2
        for at, (name, number) in enumerate(due):
            yield Print(chip(self.theme.name, name, number, side), x=left + at * step, y=y)

    def steps(self, tile: Tile, number: int, steps: int, size: tuple[float, float]) -> Element:
        """How far a pyramid has come; in gold if a step was done this round."""
        progress = f"{steps}/{len(self.box.pyramid(number).steps)}"
        width, height = size
        if tile.built:
            x, y = 24.0, 14
        elif height > 70:
            x, y = 62.0, 18
        else:
            x, y = (43.0 if width < 70 else width - 44), 13
        fill = self.theme.hues[HUES["main"]] if tile.step_done is True and not tile.built else None
        return part(badge(self.theme, x, y, progress, size=self.scene.smallest, fill=fill), explain="steps")

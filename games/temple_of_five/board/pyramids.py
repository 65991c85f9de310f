"""Pyramids from above: stones, threads through chains, priests, and what can be pointed at."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from games.kernel import Seat
from games.pictures import THEMES, Zone, panel, part, token, words
from games.svg import Element, Print, Written, group, path, rect
from games.temple_of_five.board.captions import COLUMNS, SLOTS, space_name
from games.temple_of_five.board.stamps import (
    CELL,
    DARK,
    THREAD,
    blank,
    effect,
    ground,
    length,
    piece,
    slab,
    spaces,
    stitches,
)
from games.temple_of_five.board.table import NEAR_SPACES, PYRAMID, SPACES, Table
from games.temple_of_five.contents import Space
from games.temple_of_five.state import PlacedPiece, PlacedTile, Player, Special


class Pyramids(Table):
    """The drawing of pyramids and their stones."""

    def near_pyramid(self, ground: Zone = PYRAMID, spaces: Zone = NEAR_SPACES) -> Element:
        """The near player's pyramid with the names of its columns and rows."""
        seat = self.near
        player, cell = self.view.players[seat], spaces.width / SPACES
        scale = f"scale({cell / CELL:.4g})"
        return part(
            panel(self.theme, ground),
            part(
                *self.coordinates(cell),
                group(*self.pyramid(seat), self.next_frame(player), transform=scale),
                part(*self.lengths(player, cell), id=f"lengths-{seat}"),
                group(self.own_spaces(player), transform=scale) if seat == self.scene.viewer else None,
                at=(spaces.x, spaces.y),
            ),
            id=f"pyramid-{seat}",
            label=self.scene.about(self.scene.word("pyramid"), self.scene.player(seat)),
            explain="tiles",
            seat=seat,
        )

    def coordinates(self, cell: float) -> Iterator[Element]:
        """A to H above the columns, 1 to 8 beside the rows."""
        size = self.scene.smallest
        for at in range(SPACES):
            middle = (at + 0.5) * cell
            yield words(self.theme, middle, -8, COLUMNS[at], size=size, anchor="middle", quiet=True)
            yield words(self.theme, -14, middle + size * 0.35, at + 1, size=size, anchor="middle", quiet=True)

    def pyramid(self, seat: Seat) -> Iterator[Element]:
        """From below to above: the board, tiles and bonus decorations; then threads and priests."""
        player = self.view.players[seat]
        yield Print(ground(self.theme.name, self.printed(player)))
        tiles = sorted(player.tiles, key=lambda each: each.slot)
        for level in (0, 1, 2, 3):
            for placed in tiles:
                if placed.level == level:
                    yield self.placed(player, placed)
            if level == 3 and player.special:
                yield self.crown(seat, player.special)
            for laid in player.pieces:
                if laid.level == level:
                    yield self.laid(laid)
        yield from self.rings(seat, player)
        yield from self.threads(seat, player)
        yield from self.priests(seat)

    def printed(self, player: Player) -> tuple[tuple[str | None, ...], ...]:
        """The colours that a board is printed with, row by row."""
        rows = self.box.printed_by_id[player.board]
        return tuple([tuple([self.box.colour_of.get(letter) for letter in row]) for row in rows])

    def placed(self, player: Player, placed: PlacedTile) -> Element:
        """A tile with the decorations that are not covered."""
        at = self.box.slots[placed.level][placed.slot]
        level = str(placed.level)
        seen = tuple([
            (x, y, colour)
            for (x, y, colour), space in zip(self.face(placed.tile, placed.rotation), at, strict=True)
            if colour and player.top_level(space) == level
        ])  # fmt: skip
        return _placed(self.theme.name, placed.tile, placed.level, at[0], seen, placed.tile in self.latest)

    def face(self, name: str, rotation: int = 0) -> list[tuple[int, int, Any]]:
        """What a tile shows, by column and row: a colour or nothing."""
        letters = self.box.faces[name][rotation]
        return [(at % 2, at // 2, self.box.colour_of.get(letter)) for at, letter in enumerate(letters)]

    def laid(self, laid: PlacedPiece) -> Element:
        (row, column), (last, _) = laid.spaces[0], laid.spaces[-1]
        bonus, latest = self.box.pieces_by_id[laid.bonus], laid.bonus in self.latest
        return part(
            Print(piece(self.theme.name, bonus.colour, bonus.size, last > row)),
            id=f"piece-{laid.bonus}",
            at=(column * CELL, row * CELL),
            explain=f"bonus_{bonus.size}",
            latest=latest,
        )

    def crown(self, seat: Seat, special: Special) -> Element:
        """The top of a pyramid; one that lies face down is blank, to its owner too."""
        latest = f"special-{seat}" in self.latest
        row, column = self.box.slots[3][0][0]
        name = special.tile if special.face_up else None
        return part(
            Print(slab(self.theme.name, 3)),
            *self.special_face(name),
            id=f"special-{seat}",
            at=(column * CELL, row * CELL),
            label=self.tile_label(name) if name else self.scene.word("face_down"),
            explain="special",
            seat=seat,
            latest=latest,
        )

    def special_face(self, name: str | None) -> list[Element]:
        if name is None:
            return [Print(blank(self.theme.name))]
        tile = self.box.specials_by_id[name]
        if tile.effect:
            return [Print(effect(self.theme.name, tile.effect))]
        return spaces(self.theme, [(x, y, str(tile.colour)) for y in (0, 1) for x in (0, 1)])

    def rings(self, seat: Seat, player: Player) -> Iterator[Element]:
        """Gold around the stones of the latest entry, above their neighbours."""
        slots = [self.box.slots[each.level][each.slot] for each in player.tiles if each.tile in self.latest]
        slots += [self.box.slots[3][0]] if f"special-{seat}" in self.latest else []
        laid = [each.spaces for each in player.pieces if each.bonus in self.latest]
        wide = 1 if seat == self.near else 2
        for spaces_ in (*slots, *laid):
            (top, left), (bottom, right) = spaces_[0], spaces_[-1]
            ring: dict[str, Any] = {"rx": 8, "fill": "none"}
            zone = (
                left * CELL - 1,
                top * CELL - 1,
                (right - left + 1) * CELL + 2,
                (bottom - top + 1) * CELL + 2,
            )
            yield rect(*zone, stroke=self.theme.edge, stroke_width=8 * wide, **ring)
            yield rect(*zone, stroke=self.theme.gold, stroke_width=4.5 * wide, **ring)

    def next_frame(self, player: Player) -> Element | None:
        """Where the next level will lie."""
        at = self.view.level + 1 if self.view.phase != "build" else self.view.level
        if at > 3 or at == 1 or player.special or self.view.phase in ("choose_goal", "exchange"):
            return None
        side = (SPACES - 2 * at) * CELL
        frame: dict[str, Any] = {"rx": 4, "fill": "none", "stroke_dasharray": "9 6"}
        return group(
            rect(at * CELL, at * CELL, side, side, stroke=DARK, stroke_width=4, **frame),
            rect(at * CELL, at * CELL, side, side, stroke=THREAD, stroke_width=2.2, **frame),
        )

    def threads(self, seat: Seat, player: Player) -> Iterator[Element]:
        """Gold through open chains; a closed one is sewn with dark thread."""
        opened = "".join([stitches(chain.spaces) for chain in player.chains if not chain.closed])
        closed = "".join([stitches(chain.spaces) for chain in player.chains if chain.closed])
        if closed:
            yield path(closed, stroke=DARK, stroke_width=4, stroke_linecap="round")
        if opened:
            if seat == self.near:
                yield path(opened, stroke=DARK, stroke_width=8, stroke_linecap="round")
            yield path(opened, stroke=THREAD, stroke_width=4.5 if seat == self.near else 7)

    def lengths(self, player: Player, cell: float) -> Iterator[Element]:
        """The length of every open chain, on its first space."""
        size = self.scene.smallest
        for chain in player.chains:
            if not chain.closed:
                row, column = chain.spaces[0]
                at = (column * cell + size * 0.7, row * cell + size * 0.7)
                yield part(
                    Print(length(self.theme.name, chain.length, size)),
                    at=at,
                    explain="chains",
                    seat=self.near,
                )

    def priests(self, seat: Seat) -> Iterator[Element]:
        for row, column in self.view.players[seat].board_priests:
            latest = f"priest-{seat}-{[row, column]}" in self.latest
            yield part(
                token(self.theme, seat, 30, latest=latest),
                id=f"priest-{seat}-{row}-{column}",
                at=(column * CELL + 35, row * CELL + 35),
                explain="board_priests",
                seat=seat,
                latest=latest,
            )

    def own_spaces(self, player: Player) -> Element:
        """What the viewer can point at: slots to build on, chains to use, spaces to decorate."""
        phase, bonus = self.view.phase, bool(player.bonus_reserve)
        building = phase == "build" and self.view.level < 3
        slots = self.box.slots[self.view.level] if building else ()
        names = SLOTS[self.scene.language].get(self.view.level, ())
        areas = [
            self.area(slot[0], 2, "data-slot", str(at), names[at] if at < len(names) else f"{at + 1}")
            for at, slot in enumerate(slots)
        ]
        if phase == "place_priests":
            again = self.view.effect_of(self.near) == "reuse_chain"
            usable = [chain for chain in player.chains if again or not chain.closed]
            linked = [space for chain in usable for space in chain.spaces]
            areas += [self.area(space, 1, "data-space", _pair(space), space_name(space)) for space in linked]
        if bonus and phase in ("build", "place_priests"):
            empty = [space for space in self.box.spaces if player.sign(space) == self.box.empty]
            areas += [self.area(space, 1, "data-spaces", _pair(space), space_name(space)) for space in empty]
        return group(*areas, fill=DARK, fill_opacity=0)

    def area(self, space: Space, size: int, name: str, value: str, label: str) -> Element:
        side = size * CELL
        named: dict[str, Any] = {name: value, "data_explain": "chains" if name == "data-space" else "tiles"}
        title = Element("title", (label,))
        return Element(
            "rect", (title,), x=space[1] * CELL, y=space[0] * CELL, width=side, height=side, **named
        )

    def tile_label(self, name: str) -> str:
        special = self.box.specials_by_id.get(name)
        if special:
            key = f"{special.colour}_decoration" if special.colour else str(special.effect)
            return self.scene.word(key)
        return f"{self.scene.word('tile')} {name}"


@lru_cache(4096)
def _placed(
    theme_name: str,
    tile: str,
    level: int,
    corner: Space,
    seen: tuple[tuple[int, int, str], ...],
    latest: bool,
) -> Element:
    """Tiles lie still: each is written once for as long as nothing covers more of it."""
    return Written(
        part(
            Print(slab(theme_name, level)),
            *spaces(THEMES[theme_name], seen),
            id=f"tile-{tile}",
            at=(corner[1] * CELL, corner[0] * CELL),
            explain="tile",
            latest=latest,
        )
    )


def _pair(space: Space) -> str:
    """A space as actions write it."""
    return f"[{space[0]},{space[1]}]"

"""The temples of Aton: their spaces, who stands there, and the lamps of those that are open."""

from collections.abc import Iterator

from games.aton.board.captions import WORDS
from games.aton.board.stamps import SIGNS, space_face
from games.aton.board.table import Table
from games.aton.box import Space
from games.aton.state import laid
from games.kernel import Seat
from games.pictures import Zone, badge, gilt, panel, part, seat_mark, sign, token, words
from games.svg import Element, Print


class Temples(Table):
    """Four temples two by two."""

    def temple(self, temple: int) -> Element:
        """A temple's spaces in their frame, its title and lamps above."""
        spaces = [space for space in self.board.box.spaces if space.temple == temple]
        zones = [self.zones[space.id] for space in spaces]
        left, top = min(zone.x for zone in zones) - 8, min(zone.y for zone in zones) - 8
        width = max(zone.x + zone.width for zone in zones) + 8 - left
        height = max(zone.y + zone.height for zone in zones) + 8 - top
        return part(
            panel(self.theme, Zone(left, top, width, height)),
            words(self.theme, left + 4, top - 8, self.scene.word(f"temple_{temple}").capitalize(),
                  size=max(17, self.scene.smallest), serif=True, bold=True, width=120, smallest=self.scene.smallest),
            *self.lamps(temple, left + width, top - 13),
            *(self.space(space, zone) for space, zone in zip(spaces, zones, strict=True)),
            id=f"temple-{temple}",
            explain=f"temple_{temple}",
        )  # fmt: skip

    def lamps(self, temple: int, right: float, y: float) -> Iterator[Element]:
        """For each seat whether its card at cartouche 3 opens this temple, and how many pieces it must take back."""
        for at, seat in enumerate((self.far, self.near)):
            owes = self.view.cull_quota and self.view.cull_quota[seat][temple - 1]
            yield part(
                *self.lamp(temple, seat, right - 56 * (2 - at) + 10, y),
                id=f"lamp-{temple}-{seat}",
                explain="cull_quota" if owes else "lamp",
                seat=seat,
            )

    def lamp(self, temple: int, seat: Seat, x: float, y: float) -> Iterator[Element]:
        """The mark of a seat, and beside it its lamp or what it owes."""
        cards = laid(self.view, seat)
        opened = len(cards) > 2 and cards[2] >= temple
        yield seat_mark(self.theme, seat, x, y, 13, fill_opacity=None if opened else 0.45)
        if self.view.cull_quota and self.view.cull_quota[seat][temple - 1]:
            quota = self.scene.say("quota", WORDS, number=self.view.cull_quota[seat][temple - 1])
            yield badge(self.theme, x + 24, y, quota, fill=self.theme.seats[seat], size=self.scene.smallest)
        elif opened:
            yield sign(
                SIGNS["lamp"],
                x + 20,
                y - 2,
                22,
                self.theme.gold,
                stroke=self.theme.edge,
                stroke_width=1.2,
            )
        else:
            yield sign(SIGNS["lamp"], x + 20, y - 2, 22, "none", stroke=self.theme.line, stroke_width=1.5)

    def space(self, space: Space, zone: Zone) -> Element:
        """A space wears its colour and sign; a piece leaves the sign to be seen in a corner."""
        holder = self.view.board[space.id]
        latest = space.id in self.latest
        side, number = zone.width, self.board.temples[space.temple].index(space.id) + 1
        return part(
            gilt(self.theme, 0, 0, side, side, 6) if latest else None,
            Print(space_face(self.theme.name, space.colour, space.bonus, side, holder is not None)),
            words(self.theme, 4, side - 5, number, size=self.scene.smallest),
            part(
                token(self.theme, holder, side * 0.54),
                id=f"piece-{space.id}",
                at=(side / 2 + 6, side / 2 + 4),
            )
            if holder is not None
            else None,
            id=space.id,
            at=(zone.x, zone.y),
            label=self.space_label(space, holder),
            latest=latest,
            names={"space": space.id},
            explain=f"{space.colour}_space",
        )

    def space_label(self, space: Space, holder: Seat | None) -> str:
        temple = self.scene.word(f"temple_{space.temple}")
        number = self.board.temples[space.temple].index(space.id) + 1
        kind = self.scene.word(f"{space.colour}_space") + (f" +{space.bonus}" if space.bonus else "")
        name = f"{temple}, {number}, {kind}".capitalize()
        return name if holder is None else self.scene.about(name, self.scene.player(holder))

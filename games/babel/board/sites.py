"""The sites of Babel: on each side a temple and a column of nations, and the pawns between."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from games.babel.board.captions import WORDS
from games.babel.board.stamps import CARD_WIDTH, LAID_HEIGHT, SIGNS, laid_card
from games.babel.board.table import FAR_SIDE, NEAR_SIDE, PLINTH, SITE_WIDTH, SITES_X, Table, plinth
from games.babel.box import NATIONS, Nation
from games.babel.state import Levels, Nations
from games.kernel import Seat
from games.pictures import centred, gilt, part, sign, token, words
from games.svg import Element, Print, group, polygon, rect


class Sites(Table):
    """The five sites in a row."""

    def plinth(self, nation: Nation) -> Element:
        """The stone that both sides of a site share."""
        zone, hue = plinth(nation), self.hue(nation)
        x, y, middle = zone.x, zone.y, zone.x + zone.width / 2
        return part(
            polygon(
                [(x - 3, y + 12), (x + 8, y), (x + zone.width - 8, y), (x + zone.width + 3, y + 12),
                 (x + zone.width + 3, y + 52), (x + zone.width - 8, y + 64), (x + 8, y + 64), (x - 3, y + 52)],
                fill=self.theme.panel, stroke=hue, stroke_width=2,
            ),
            sign(SIGNS[nation], middle, y + 20, 30, hue),
            words(self.theme, middle, y + 52, self.scene.word(nation), size=16, anchor="middle", bold=True,
                  width=zone.width - 8),
            id=f"site-{nation}",
            label=self.scene.word(nation),
            names={"site": nation},
            explain="site",
        )  # fmt: skip

    def side(self, seat: Seat, nation: Nation) -> Element:
        """One player's temple and column at a site; the viewer's own is where migrations begin and end."""
        near = seat == self.near
        zone = NEAR_SIDE if near else FAR_SIDE
        left = SITES_X + NATIONS.index(nation) * SITE_WIDTH
        site = self.view.players[seat].sites[nation]
        return part(
            rect(
                left + 2, zone.y, SITE_WIDTH - 4, zone.height, rx=6, fill=self.theme.panel, fill_opacity=0.55
            ),
            self.temple(seat, nation, site.temple, left + 38, near),
            self.column(seat, nation, site.column, left + 74, near),
            self.size(site.column, left + SITE_WIDTH / 2, near) if site.column else None,
            id=f"side-{seat}-{nation}",
            label=f"{self.scene.player(seat)}, "
            + self.scene.say(
                "site", WORDS, site=self.scene.word(nation), level=site.top, cards=len(site.column)
            ),
            **self.named_side(seat, nation),
        )

    def named_side(self, seat: Seat, nation: Nation) -> dict[str, Any]:
        """The viewer's own side of a site is where migrations begin and end."""
        own = seat == self.scene.viewer
        return {
            "names": {"from": nation, "to": nation} if own else None,
            "actions": ("migrate",) if own else (),
            "explain": "columns",
            "context": {"site": nation},
            "seat": seat,
        }

    def temple(self, seat: Seat, nation: Nation, levels: Levels, x: float, near: bool) -> Element:
        """A stepped tower with the level on each step; it rises away from the plinth."""
        step = 34
        steps = []
        for height, level in enumerate(levels):
            half = 34 - height * 3.5
            top = (
                NEAR_SIDE.y + 4 + height * step
                if near
                else FAR_SIDE.y + FAR_SIDE.height - 4 - (height + 1) * step
            )
            last = height == len(levels) - 1
            latest = last and f"temple-{seat}-{nation}" in self.latest
            steps.append(
                part(
                    gilt(self.theme, -half, 0, half * 2, step - 3, 3) if latest else None,
                    rect(-half, 0, half * 2, step - 3, rx=3, fill=self.theme.seats[seat] if last else self.theme.raised,
                         stroke=self.theme.seats[seat], stroke_width=1.5),
                    centred(self.theme, 0, step / 2 - 1, level, 19, bold=True,
                            fill=self.theme.on(self.theme.seats[seat]) if last else None),
                    id=f"temple-{seat}-{nation}-{level}",
                    at=(x, top),
                    explain="temples",
                    context={"site": nation},
                    seat=seat,
                    latest=latest,
                )
            )  # fmt: skip
        return group(
            *steps, self.bare_ground(f"temple-{seat}-{nation}", x - 34, near) if not levels else None
        )

    def bare_ground(self, place: str, x: float, near: bool) -> Element | None:
        """Where the latest entry has left nothing."""
        y = NEAR_SIDE.y + 6 if near else FAR_SIDE.y + FAR_SIDE.height - 34
        return gilt(self.theme, x, y, CARD_WIDTH, 28) if place in self.latest else None

    def column(self, seat: Seat, nation: Nation, column: Nations, x: float, near: bool) -> Element:
        """Nation cards, the last one in full; each lies on the one before it, away from the plinth."""
        height = LAID_HEIGHT
        step = min(25, (FAR_SIDE.height - 8 - height) / max(1, len(column) - 1))
        cards = []
        seen: Counter[Nation] = Counter()
        for at, kind in enumerate(column):
            seen[kind] += 1
            last = at == len(column) - 1
            latest = last and f"column-{seat}-{nation}" in self.latest
            shown = height if last else round(step)
            y = NEAR_SIDE.y + 4 + at * step if near else FAR_SIDE.y + FAR_SIDE.height - 4 - height - at * step
            cards.append(
                part(
                    Print(laid_card(self.theme.name, kind, self.hue(kind), shown, near, latest)),
                    id=f"column-{seat}-{nation}-{kind}-{seen[kind]}",
                    at=(x, y),
                    label=self.scene.word(kind),
                    explain=kind,
                    latest=latest,
                    **self.named_in_column(seat, nation, kind, at),
                )
            )  # fmt: skip
        bare = self.bare_ground(f"column-{seat}-{nation}", x, near) if not column else None
        return group(*cards, *self.runs(column, x, step, near), bare)

    def size(self, column: Nations, x: float, near: bool) -> Element:
        """How many cards a column has, which is the level that it can carry."""
        y = NEAR_SIDE.y + NEAR_SIDE.height - 10 if near else FAR_SIDE.y + 20
        return words(self.theme, x, y, self.number_of_cards(column), size=15, quiet=True, anchor="middle")

    def number_of_cards(self, column: Nations) -> str:
        return self.scene.say("card" if len(column) == 1 else "cards", WORDS, number=len(column))

    def runs(self, column: Nations, x: float, step: float, near: bool) -> Iterator[Element]:
        """A bar beside as many equal cards in a row as an ability needs, or more."""
        at = 0
        for kind, cards in groupby(column):
            length = len(tuple(cards))
            if length >= self.box.run_length:
                first, last = at * step + 3, (at + length - 1) * step + LAID_HEIGHT - 3
                begin = NEAR_SIDE.y + 4 + first if near else FAR_SIDE.y + FAR_SIDE.height - 4 - last
                yield rect(x + CARD_WIDTH + 2, begin, 4, last - first, rx=2, fill=self.hue(kind))
            at += length

    def named_in_column(self, seat: Seat, nation: Nation, kind: Nation, at: int) -> dict[str, Any]:
        """Under the viewer's pawn the own cards name runs, the opposite ones nations to expel."""
        viewer = self.scene.viewer
        if viewer is None or self.view.players[viewer].pawn != nation:
            return {}
        if seat == viewer:
            return {"names": {"run": at}}
        return {"names": {"nation": kind}, "actions": ("expel_nation",)}

    def pawn_place(self, seat: Seat) -> tuple[float, float]:
        """On the edge of the plinth that is the seat's own; before the first travel in the quarry."""
        place = self.view.players[seat].pawn
        near = seat == self.near
        if place is None:
            return SITES_X - 22, PLINTH.y + (48 if near else 16)
        return plinth(place).x + SITE_WIDTH - 18, PLINTH.y + (PLINTH.height - 2 if near else 2)

    def pawn(self, seat: Seat) -> Element:
        return part(
            token(self.theme, seat, 30, latest=f"pawn-{seat}" in self.latest),
            id=f"pawn-{seat}",
            at=self.pawn_place(seat),
            latest=f"pawn-{seat}" in self.latest,
            explain="pawn",
            seat=seat,
            label=self.scene.about(self.scene.word("pawn"), self.scene.player(seat)),
        )

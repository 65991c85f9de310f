"""Beside the sites of Babel: the totals of both players, the nation pile and its discard."""

from collections import Counter
from collections.abc import Iterator

from games.babel.board.stamps import SIGNS
from games.babel.board.table import GAUGES, NATIONS_ZONE, Table
from games.babel.box import NATIONS
from games.pictures import Zone, card_back, centred, gauge, lines, panel, part, pile, seat_mark, sign, words
from games.svg import Element


class Beside(Table):
    """What both players share."""

    def gauges(self) -> Element:
        """Both totals on one scale, with the marks that decide the game."""
        theme, limits = self.theme, self.box.thresholds
        marks = (limits.too_low, limits.too_low + 1, limits.endgame, limits.win)
        upright = []
        for seat, x in ((self.near, GAUGES.x + 14), (self.far, GAUGES.x + 84)):
            total = self.view.players[seat].total
            zone = Zone(x, GAUGES.y + 52, 28, GAUGES.height - 64)
            upright.append(
                part(
                    gauge(theme, zone, total, limits.win + 2, marks, theme.seats[seat]),
                    seat_mark(theme, seat, x + 4, GAUGES.y + 26, 20),
                    words(theme, x + 20, GAUGES.y + 34, total, size=24, bold=True),
                    id=f"total-{seat}",
                    label=self.scene.about(f"{self.scene.word('total')}, {self.scene.player(seat)}", total),
                    explain="total",
                    seat=seat,
                )
            )
        return part(panel(theme, GAUGES), *upright, id="gauges")

    def nation_zone(self) -> Element:
        """The nation pile and the discard, its last card on top."""
        view, theme, zone = self.view, self.theme, NATIONS_ZONE
        discard = view.nation_discard
        top = self.nation_card(discard[-1], 58, 82, latest="discard" in self.latest) if discard else None
        back = card_back(theme, 58, 82, latest="nation-pile" in self.latest)
        return part(
            panel(theme, zone),
            part(pile(theme, 58, 82, view.nation_pile_count, back), id="nation-pile", at=(zone.x + 10, zone.y + 48),
                 label=self.scene.word("nation_pile"), explain="nation_pile", latest="nation-pile" in self.latest),
            part(pile(theme, 58, 82, len(discard), top, latest="discard" in self.latest), id="discard",
                 at=(zone.x + 76, zone.y + 48), label=self.scene.word("nation_discard"), explain="nation_discard",
                 latest="discard" in self.latest),
            lines(theme, zone.x + 39, zone.y + 20, self.scene.word("nation_pile"), 68, anchor="middle", quiet=True),
            *self.discarded(),
            lines(theme, zone.x + 106, zone.y + 20, self.scene.word("nation_discard"), 68, anchor="middle", quiet=True),
            id="nations",
        )  # fmt: skip

    def discarded(self) -> Iterator[Element]:
        """How many cards of each nation lie in the discard."""
        lying = Counter(self.view.nation_discard)
        for at, nation in enumerate(NATIONS):
            x = NATIONS_ZONE.x + 17 + at * 27.5
            yield part(
                sign(SIGNS[nation], x, NATIONS_ZONE.y + 168, 18, self.hue(nation)),
                centred(self.theme, x, NATIONS_ZONE.y + 191, lying[nation], 15),
                explain="nation_discard",
            )

"""The hands of Babel: the near one large, the far one small."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.babel.board.stamps import SIGNS
from games.babel.board.table import FAR_HAND, NEAR_HAND, Table
from games.babel.box import NATIONS, Nation
from games.kernel import Seat
from games.pictures import Zone, badge, card_back, gilt, panel, part, sign
from games.svg import Element, group


class Hands(Table):
    """What the players hold."""

    def near_hand(self, zone: Zone = NEAR_HAND, margin: float = 14) -> Element:
        """Large, fanned by nation, each with its count."""
        seat = self.near
        hand = self.view.players[seat].hand
        if hand is None:
            drawn = [self.backs(seat, zone, 68, 92)]
        else:
            held, fresh = Counter(hand), self.drawn_by(seat)
            slot = zone.width / len(NATIONS)
            drawn = [
                self.fan(Zone(zone.x + at * slot + margin, zone.y, slot - 2 * margin, zone.height), nation, held[nation], fresh[nation])
                for at, nation in enumerate(NATIONS)
            ]  # fmt: skip
        return self.hand(seat, zone, drawn)

    def hand(self, seat: Seat, zone: Zone, drawn: Iterable[Element]) -> Element:
        """A hand in its panel; gold around it if it was robbed of its half."""
        latest = f"hand-{seat}" in self.latest
        return part(
            panel(self.theme, zone),
            gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
            *drawn,
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            explain="hand",
            seat=seat,
            latest=latest,
        )

    def drawn_by(self, seat: Seat) -> Counter[str | None]:
        """The cards that the latest entry has brought to a hand, as far as they are seen."""
        drawn: Counter[str | None] = Counter()
        for fact in self.scene.latest:
            if fact["type"] == "nations_drawn" and fact["seat"] == seat:
                drawn.update(fact["nations"] or [None] * fact["count"])
        return drawn

    def fan(self, zone: Zone, nation: Nation, number: int, fresh: int) -> Element:
        """The cards of one nation in the near hand, in a place of their own."""
        seat, width = self.near, 68
        if not number:
            return sign(SIGNS[nation], zone.x + width / 2, zone.y + 58, 40, self.theme.line, fill_opacity=0.6)
        step = min(26, (zone.width - width - 8) / max(1, number - 1))
        own = seat == self.scene.viewer
        cards = [
            part(
                self.nation_card(nation, width, 92, latest=at >= number - fresh),
                id=f"hand-{seat}-{nation}-{at + 1}",
                at=(zone.x + at * step, zone.y + 10),
                label=self.scene.word(nation),
                names={"nation": nation, "nations": nation} if own else None,
                actions=("deploy", "discard") if own else (),
                explain=nation,
                latest=at >= number - fresh,
            )
            for at in range(number)
        ]
        x, size = zone.x + (number - 1) * step + width - 10, max(16, self.scene.smallest)
        return group(
            *cards, badge(self.theme, x, zone.y + zone.height - 20, number, fill=self.hue(nation), size=size)
        )

    def far_hand(self) -> Element:
        """Small: backs with a number, or what the viewer may see of it."""
        seat = self.far
        hand = self.view.players[seat].hand
        if hand is None:
            return self.hand(seat, FAR_HAND, [self.backs(seat, FAR_HAND, 32, 40)])
        fresh = self.drawn_by(seat)
        drawn = [
            part(
                self.nation_card(nation, 32, 40, latest=bool(fresh[nation])),
                badge(self.theme, 46, 24, number, fill=self.hue(nation), size=15),
                at=(FAR_HAND.x + 10 + place * 84, FAR_HAND.y + 4),
                explain=nation,
                latest=bool(fresh[nation]),
            )
            for place, (nation, number) in enumerate(_by_nation(hand))
        ]
        return self.hand(seat, FAR_HAND, drawn)

    def backs(self, seat: Seat, zone: Zone, width: float, height: float) -> Element:
        """A hand that is not seen; which cards are new may be."""
        number = self.view.players[seat].hand_count
        fresh = self.drawn_by(seat).total()
        step = min(width * 0.6, (zone.width - width - 70) / max(1, number - 1))
        y = zone.y + (zone.height - height) / 2
        cards = [
            part(
                card_back(self.theme, width, height, latest=at >= number - fresh),
                at=(zone.x + 10 + at * step, y),
                latest=at >= number - fresh,
            )
            for at in range(number)
        ]
        x, size = zone.x + zone.width - 30, max(16, self.scene.smallest)
        return group(*cards, badge(self.theme, x, zone.y + zone.height / 2, number, size=size))


def _by_nation(hand: Sequence[Nation]) -> Iterator[tuple[Nation, int]]:
    held = Counter(hand)
    return ((nation, held[nation]) for nation in NATIONS if held[nation])

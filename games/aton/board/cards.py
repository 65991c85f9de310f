"""The cards of Aton: at the cartouches of both seats, and in their hands."""

from games.aton.board.captions import WORDS
from games.aton.board.stamps import card_face
from games.aton.board.table import CARTOUCHES, FAR_HAND, HAND, Table
from games.kernel import Seat
from games.pictures import Zone, card_back, centred, lines, panel, part, seat_mark
from games.svg import Element, Print, rect


class Cards(Table):
    """What is laid, and what is held."""

    def cartouches(self) -> Element:
        """Four rows, the near seat's card at the left, the other's at the right, what they are for between them."""
        zone = CARTOUCHES
        rows = []
        for number in range(1, 5):
            y = zone.y + 42 + (number - 1) * 110
            rows.append(
                part(
                    centred(self.theme, zone.x + zone.width / 2, y + 26, number, 30, serif=True, bold=True),
                    lines(self.theme, zone.x + zone.width / 2, y + 62, self.scene.say(str(number), WORDS), 70,
                          anchor="middle", quiet=True),
                    explain=f"cartouche_{number}",
                )
            )  # fmt: skip
            rows += [
                self.cartouche(self.near, number, zone.x + 10, y),
                self.cartouche(self.far, number, zone.x + 138, y),
            ]
        return part(
            panel(self.theme, zone),
            seat_mark(self.theme, self.near, zone.x + 38, zone.y + 22, 20),
            seat_mark(self.theme, self.far, zone.x + 170, zone.y + 22, 20),
            *rows,
            id="cartouches",
        )

    def cartouche(
        self, seat: Seat, number: int, x: float, y: float, width: float = 60, height: float = 84
    ) -> Element:
        player = self.view.players[seat]
        latest = f"cartouches-{seat}" in self.latest
        drawn: Element
        if player.cartouches:
            down = self.view.phase == "allocate"
            drawn = Print(
                card_face(self.theme.name, player.cartouches[number - 1], width, height, latest, down)
            )
        elif player.cartouches_count:
            drawn = card_back(self.theme, width, height, latest=latest)
        else:
            drawn = rect(0, 0, width, height, rx=26, fill="none", stroke=self.theme.line, stroke_width=2)
        return part(
            drawn,
            at=(x, y),
            id=f"cartouche-{seat}-{number}",
            label=f"{self.scene.player(seat)}, {self.scene.word(f'cartouche_{number}')}",
            latest=latest and bool(player.cartouches_count),
            explain=f"cartouche_{number}",
            seat=seat,
            data_cartouche=number if seat == self.scene.viewer else None,
        )

    def hand(self) -> Element:
        """The near seat's cards, large."""
        zone, seat = HAND, self.near
        cards = [
            self.held(seat, at, 66, 88, (zone.x + 16 + at * 84, zone.y + 9))
            for at in range(self.view.players[seat].hand_count)
        ]
        none = None if cards else self.no_cards(zone)
        return part(panel(self.theme, zone), *cards, none, id=f"hand-{seat}", label=self.scene.word("hand"),
                    explain="hand", seat=seat)  # fmt: skip

    def far_hand(self) -> Element:
        """The other's cards, small, beside his name."""
        zone, seat = FAR_HAND, self.far
        cards = [
            self.held(seat, at, 32, 40, (zone.x + 12 + at * 38, zone.y + 5))
            for at in range(self.view.players[seat].hand_count)
        ]
        return part(
            panel(self.theme, zone),
            *cards,
            None if cards else self.no_cards(zone),
            seat_mark(self.theme, seat, zone.x + zone.width - 24, zone.y + zone.height / 2, 18),
            id=f"hand-{seat}",
            label=self.scene.about(self.scene.word("hand"), self.scene.player(seat)),
            explain="hand",
            seat=seat,
        )

    def no_cards(self, zone: Zone) -> Element:
        size = max(16, self.scene.smallest)
        content = self.scene.say("no_cards", WORDS)
        return centred(
            self.theme, zone.x + zone.width / 2, zone.y + zone.height / 2, content, size, quiet=True
        )

    def held(self, seat: Seat, at: int, width: float, height: float, place: tuple[float, float]) -> Element:
        """A card in a hand, as far as it is seen; new cards come to the end."""
        player = self.view.players[seat]
        latest = at >= player.hand_count - self.drawn_by(seat)
        if player.hand is None:
            back = card_back(self.theme, width, height, latest=latest)
            return part(back, at=place, latest=latest, explain="card", seat=seat)
        value = player.hand[at]
        return part(
            Print(card_face(self.theme.name, value, width, height, latest, False)),
            id=f"hand-{seat}-{at}",
            at=place,
            label=f"{self.scene.word('card')} {value}",
            names=names_in_hand(value) if seat == self.scene.viewer else None,
            explain="card",
            seat=seat,
            latest=latest,
        )

    def drawn_by(self, seat: Seat) -> int:
        """How many cards the latest entry has brought to a hand."""
        drawn = (fact for fact in self.scene.latest if fact["type"] == "cards_drawn" and fact["seat"] == seat)
        return sum(fact["cards_count"] for fact in drawn)


def names_in_hand(value: int) -> dict[str, int]:
    """What a card in hand can be named by: it can be laid at each cartouche, whose place in the list is its order."""
    return {f"cards-{at}": value for at in range(4)} | {"cards": value}

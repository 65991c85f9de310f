"""Blessing cards: the gods in a row, and the card that a player has for himself."""

from games.kernel import Seat
from games.pictures import Zone, badge, card_back, centred, gilt, lines, part, seat_mark, sign, token, words
from games.svg import Element, Print, rect, width_of
from games.temple_of_five.board.captions import WORDS
from games.temple_of_five.board.stamps import CARD, SIGNS, card_face, card_space, price
from games.temple_of_five.board.table import CARDS, Table
from games.temple_of_five.contents import Card as Printed
from games.temple_of_five.contents import God
from games.temple_of_five.state import DECKS, Blessing


def card_zone(at: int) -> Zone:
    return Zone(CARDS.x + at * 194, CARDS.y, CARD.width, CARD.height)


class Cards(Table):
    """The drawing of blessing cards."""

    def god(self, god: God, zone: Zone) -> Element:
        """The god's card in play, and his deck."""
        blessing = self.view.display.of(god)
        count = self.view.count(DECKS[god])
        latest = f"god-{god}" in self.latest
        deck = part(
            card_back(self.theme, 24, 32) if count else None,
            badge(self.theme, 12, 32, count, size=14),
            id=f"deck-{god}",
            at=(zone.x + 150, zone.y + 34),
            label=self.scene.word(DECKS[god]),
            names={"god": god} if count else None,
            actions=("take_blessing",),
            explain=DECKS[god],
        )
        if blessing is None:
            hollow = rect(zone.x, zone.y, zone.width, zone.height, rx=8, fill="none", stroke=self.theme.line,
                          stroke_width=2, stroke_dasharray="5 5")  # fmt: skip
            outline = sign(SIGNS[god], zone.x + zone.width / 2, zone.y + 70, 48, self.theme.line)
            return part(
                gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
                hollow,
                outline,
                id=f"god-{god}",
                label=self.scene.say("no_card", WORDS, god=self.scene.word(god)),
                explain=god,
                latest=latest,
            )
        return part(self.blessing(blessing, god, zone, latest=latest), deck, id=f"god-{god}")

    def blessing(self, blessing: Blessing, target: str, zone: Zone, *, latest: bool) -> Element:
        """A card in play: what is printed on it, and the priests on its spaces."""
        printed = self.box.cards_by_id[blessing.card]
        latest = latest or f"card-{target}" in self.latest
        face = card_face(self.theme.name, printed.god, printed.points, latest)
        incomplete = self.scene.say("if_incomplete", WORDS, points=printed.points_incomplete)
        ink, name = self.theme.on(self.hue(printed.god)), self.scene.word(printed.god)
        return part(
            Print(face),
            words(self.theme, 30, 20, name, size=16, bold=width_of(name) < 8, width=152, fill=ink),
            part(lines(self.theme, 56, 46, incomplete, 84, quiet=True), explain="points_incomplete"),
            *(self.card_space(printed, target, at, seat) for at, seat in enumerate(blessing.priests)),
            id=f"card-{blessing.card}",
            at=(zone.x, zone.y),
            label=self.scene.word(printed.god),
            names={"target": target},
            explain=printed.god,
            latest=latest,
        )  # fmt: skip

    def card_space(self, printed: Printed, target: str, at: int, seat: Seat | None) -> Element:
        zone = card_space(len(printed.values), at)
        value = printed.values[at]
        latest = f"{printed.id}-{at}" in self.latest
        label = self.scene.say("card_space", WORDS, number=at + 1, value=value)
        return part(
            gilt(self.theme, 3, 3, zone.width - 6, zone.height - 6, 5) if latest else None,
            Print(price(self.theme.name, zone.width, value, printed.bonus[at] if seat is None else None)),
            part(token(self.theme, seat, 24), at=(zone.width / 2, 42)) if seat is not None else None,
            id=f"{target}-space-{at}",
            at=(zone.x, zone.y),
            label=label if seat is None else f"{label}, {self.scene.player(seat)}",
            names={"card_spaces": at},
            explain="symbol" if seat is None and printed.bonus[at] else "card_space",
            latest=latest,
        )

    def private_of_another(self, seat: Seat, private: Blessing, x: float, y: float) -> Element:
        """A small row: the god, and each space with its price or the priest on it."""
        printed = self.box.cards_by_id[private.card]
        latest = f"private-{seat}" in self.latest
        spaces = []
        for at, (value, holder) in enumerate(zip(printed.values, private.priests, strict=True)):
            left = x + 32 + at * 24
            mark = (
                centred(self.theme, left + 10, y + 14, value, max(15, self.scene.smallest))
                if holder is None
                else seat_mark(self.theme, holder, left + 10, y + 14, 14)
            )
            spaces += [rect(left, y + 3, 21, 22, rx=3, fill=self.theme.raised, stroke=self.theme.line), mark]
        return part(
            gilt(self.theme, x, y, 34 + len(printed.values) * 24, 28) if latest else None,
            sign(SIGNS[printed.god], x + 15, y + 14, 22, self.hue(printed.god)),
            *spaces,
            id=f"private-{seat}",
            label=self.scene.about(self.scene.word("private_card"), self.scene.word(printed.god)),
            explain="private_card",
            seat=seat,
            latest=latest,
        )

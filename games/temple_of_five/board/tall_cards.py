"""Blessing cards on a tall board: columns side by side, their spaces one below the other."""

from games.kernel import Seat
from games.pictures import TARGET, Zone, card_back, centred, gilt, part, sign, token, words
from games.svg import Element, Print, group, rect
from games.temple_of_five.board.captions import WORDS
from games.temple_of_five.board.cards import Cards
from games.temple_of_five.board.stamps import SIGNS, bars
from games.temple_of_five.contents import GODS, God
from games.temple_of_five.contents import Card as Printed
from games.temple_of_five.state import DECKS, Blessing

HEADER = 62
LOW = 33
"""The height of a space that nobody is to click now."""


class TallCards(Cards):
    """The gods in a row, and beside them the card that the near player has for himself."""

    @property
    def space_height(self) -> float:
        return TARGET if self.view.phase == "place_priests" else LOW

    @property
    def cards_height(self) -> float:
        shown = [self.view.display.of(god) for god in GODS]
        shown.append(self.view.players[self.near].private_card)
        most = max((len(each.priests) for each in shown if each), default=3)
        return HEADER + most * self.space_height + 4

    def columns(self, zone: Zone) -> list[Element]:
        private = self.view.players[self.near].private_card
        width = zone.width / (len(GODS) + bool(private))
        drawn = [
            self.god_column(god, Zone(zone.x + at * width + 2, zone.y, width - 4, zone.height))
            for at, god in enumerate(GODS)
        ]
        if private:
            place = Zone(zone.x + len(GODS) * width + 2, zone.y, width - 4, zone.height)
            latest = f"private-{self.near}" in self.latest
            drawn.append(
                part(
                    self.column(private, "private", place, latest=latest),
                    id=f"private-{self.near}",
                    label=self.scene.word("private_card"),
                    explain="private_card",
                    seat=self.near,
                )
            )
        return drawn

    def god_column(self, god: God, zone: Zone) -> Element:
        """The god's card in play, and his deck."""
        blessing, latest = self.view.display.of(god), f"god-{god}" in self.latest
        count = self.view.count(DECKS[god])
        if blessing is None:
            return part(
                gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
                rect(zone.x, zone.y, zone.width, zone.height, rx=8, fill="none", stroke=self.theme.line,
                     stroke_width=2, stroke_dasharray="5 5"),
                sign(SIGNS[god], zone.x + zone.width / 2, zone.y + 40, 44, self.theme.line),
                id=f"god-{god}",
                label=self.scene.say("no_card", WORDS, god=self.scene.word(god)),
                explain=god,
                latest=latest,
            )  # fmt: skip
        ink = self.theme.on(self.hue(god))
        deck = part(
            rect(0, 0, zone.width, TARGET, fill="#000", fill_opacity=0),
            group(card_back(self.theme, 16, 22), transform=f"translate({zone.width - 42:g} 8)") if count else None,
            words(self.theme, zone.width - 5, 26, count, size=19, anchor="end", fill=ink),
            id=f"deck-{god}",
            at=(zone.x, zone.y),
            label=self.scene.about(self.scene.word(DECKS[god]), count),
            names={"god": god} if count else None,
            actions=("take_blessing",),
            explain=DECKS[god],
        )  # fmt: skip
        return part(self.column(blessing, god, zone, latest=latest), deck, id=f"god-{god}")

    def column(self, blessing: Blessing, target: str, zone: Zone, *, latest: bool) -> Element:
        """A card in play: god and points in the head, the spaces below."""
        printed, theme = self.box.cards_by_id[blessing.card], self.theme
        latest = latest or f"card-{target}" in self.latest
        hue, height = self.hue(printed.god), HEADER + len(printed.values) * self.space_height + 4
        incomplete = self.scene.say("part", WORDS, points=printed.points_incomplete)
        return part(
            rect(2, 3, zone.width, height, rx=8, fill=theme.shadow),
            gilt(theme, 0, 0, zone.width, height) if latest else None,
            rect(0, 0, zone.width, height, rx=8, fill=theme.raised, stroke=theme.line),
            rect(0, 0, zone.width, 36, rx=8, fill=hue),
            sign(SIGNS[printed.god], 19, 18, 28, theme.on(hue)),
            part(
                words(theme, 39, 29, printed.points, size=28, bold=True, serif=True, fill=theme.on(hue)),
                explain="points",
            ),
            part(
                words(theme, zone.width / 2, 56, incomplete, size=19, anchor="middle", quiet=True, width=zone.width - 4,
                      smallest=19),
                explain="points_incomplete",
            ),
            *(self.row(printed, target, at, seat, zone.width) for at, seat in enumerate(blessing.priests)),
            id=f"card-{blessing.card}",
            at=(zone.x, zone.y),
            label=self.scene.word(printed.god),
            names={"target": target},
            explain=printed.god,
            latest=latest,
        )  # fmt: skip

    def row(self, printed: Printed, target: str, at: int, seat: Seat | None, width: float) -> Element:
        """A space: its price, and the priest on it or the bonus decoration that is marked there."""
        height, value = self.space_height, printed.values[at]
        latest = f"{printed.id}-{at}" in self.latest
        symbol = printed.bonus[at] if seat is None else None
        middle = height / 2
        label = self.scene.say("card_space", WORDS, number=at + 1, value=value)
        return part(
            gilt(self.theme, 3, 3, width - 6, height - 6, 5) if latest else None,
            rect(0, 0, width, height, rx=5, fill=self.theme.panel, stroke=self.theme.quiet, stroke_width=1.2),
            centred(self.theme, 24, middle, value, 22, bold=True),
            Print(bars(symbol, 14), x=width * 0.62, y=middle) if symbol else None,
            part(token(self.theme, seat, min(34, height - 8)), at=(width * 0.62, middle)) if seat is not None else None,
            id=f"{target}-space-{at}",
            at=(0, HEADER + at * height),
            label=label if seat is None else f"{label}, {self.scene.player(seat)}",
            names={"card_spaces": at},
            explain="symbol" if symbol else "card_space",
            latest=latest,
        )  # fmt: skip

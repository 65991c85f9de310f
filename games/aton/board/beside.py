"""Beside the temples of Aton: the dead, the piles of both seats, and the way to the points that win."""

from collections.abc import Sequence

from games.aton.board.captions import WORDS
from games.aton.board.stamps import SIGNS, card_face
from games.aton.board.table import BESIDE, DEAD, TRACK, Table
from games.kernel import Seat
from games.pictures import SMALLEST, Zone, card_back, centred, gilt, panel, part, pile, sign, token, words
from games.svg import Element, Print, circle, group, line


class Beside(Table):
    """What lies around the temples."""

    def beside(self) -> Element:
        """The dead in the middle; each player's piles towards him."""
        return part(
            panel(self.theme, BESIDE),
            self.piles(self.far, BESIDE.y + 8),
            self.dead(),
            self.piles(self.near, DEAD.y + DEAD.height + 10),
            id="beside",
        )

    def piles(self, seat: Seat, y: float) -> Element:
        """Draw pile, discards and exchanged cards; supply and trade token above them."""
        player, theme, x = self.view.players[seat], self.theme, BESIDE.x + 10
        discard = player.discard
        top = (
            Print(card_face(theme.name, discard[-1], 46, 62, f"discard-{seat}" in self.latest, False))
            if discard
            else None
        )
        piles = [
            self.pile(
                seat,
                "deck",
                player.deck_count,
                card_back(theme, 46, 62, latest=f"deck-{seat}" in self.latest),
                x,
            ),
            self.pile(seat, "discard", len(discard), top, x + 66),
        ]
        if player.exchanged_count:
            back = card_back(theme, 46, 62, latest=f"exchanged-{seat}" in self.latest)
            piles.append(self.pile(seat, "exchanged", player.exchanged_count, back, x + 132))
        return part(
            part(
                token(theme, seat, 26),
                words(theme, 22, 7, player.supply, size=20, bold=True),
                words(theme, 52, 6, self.scene.say("supply", WORDS), size=SMALLEST, quiet=True),
                id=f"supply-{seat}",
                at=(x + 16, y + 20),
                label=self.scene.about(self.scene.word("supply"), self.scene.player(seat)),
                explain="supply",
                seat=seat,
            ),
            self.trade_token(seat, x + 158, y + 22) if player.trade_token else None,
            *(group(each, transform=f"translate(0 {y + 56:g})") for each in piles),
            id=f"piles-{seat}",
        )

    def pile(self, seat: Seat, zone: str, count: int, top: Element | None, x: float) -> Element:
        return part(
            pile(self.theme, 46, 62, count, top),
            words(
                self.theme,
                23,
                88,
                self.scene.say(zone, WORDS),
                size=SMALLEST,
                anchor="middle",
                quiet=True,
                width=66,
            ),
            id=f"{zone}-{seat}",
            at=(x, 0),
            label=self.scene.about(self.scene.word(zone), self.scene.player(seat)),
            explain=zone,
            seat=seat,
            latest=f"{zone}-{seat}" in self.latest and count > 0,
        )

    def trade_token(self, seat: Seat, x: float, y: float, radius: float = 19) -> Element:
        own = seat == self.scene.viewer
        return part(
            circle(0, 0, radius, fill=self.theme.raised, stroke=self.theme.seats[seat], stroke_width=3),
            sign(SIGNS["trade_token"], 0, 0, radius * 1.16, self.theme.seats[seat]),
            id=f"trade-token-{seat}",
            at=(x, y),
            label=self.scene.about(self.scene.word("trade_token"), self.scene.player(seat)),
            actions=("exchange",) if own else (),
            explain="trade_token",
            seat=seat,
        )

    def dead(self) -> Element:
        """The realm of the dead, a track of eight."""
        most = self.board.box.dead_spaces
        across = (most + 1) // 2
        step = min(46, (DEAD.width - 20) / across)
        places = [(DEAD.x + 32 + at % across * step, DEAD.y + 46 + at // across * 44) for at in range(most)]
        return self.graves(
            DEAD,
            places,
            17,
            line(DEAD.x, DEAD.y, DEAD.x + DEAD.width, DEAD.y, stroke=self.theme.line),
            line(DEAD.x, DEAD.y + DEAD.height, DEAD.x + DEAD.width, DEAD.y + DEAD.height, stroke=self.theme.line),
        )  # fmt: skip

    def graves(
        self, zone: Zone, places: Sequence[tuple[float, float]], radius: float, *ground: Element
    ) -> Element:
        """The realm of the dead with its title, and who lies at each place."""
        dead, theme, latest = self.view.dead, self.theme, "dead" in self.latest
        title = self.scene.say("dead", WORDS, count=len(dead), most=len(places)).rstrip(".")
        size = max(15, self.scene.smallest)
        return part(
            gilt(theme, zone.x + 4, zone.y + 2, zone.width - 8, zone.height - 4) if latest else None,
            *ground,
            words(theme, zone.x + zone.width / 2, zone.y + size + 3, title, size=size, anchor="middle",
                  width=zone.width - 10, smallest=self.scene.smallest),
            *(circle(x, y, radius, fill=theme.ground, stroke=theme.line, stroke_width=1.5) for x, y in places),
            *(
                part(token(theme, seat, radius * 1.4), at=place, id=f"dead-{at}")
                for at, (seat, place) in enumerate(zip(dead, places, strict=False))
            ),
            id="dead",
            label=title,
            explain="dead",
            latest=latest,
        )  # fmt: skip

    def track(self, zone: Zone = TRACK) -> Element:
        """The way to the points that win: the near seat's marker below the line, the other's above."""
        theme, size = self.theme, self.scene.smallest
        winning = self.board.box.winning_score
        step = (zone.width - 40) / winning
        every = 5 if step > 15 else 10
        tall = self.scene.shape == "tall"
        middle = zone.y + zone.height * (0.64 if tall else 0.5)
        marks = [
            group(
                line(zone.x + 20 + at * step, middle - (8 if at % 5 == 0 else 4), zone.x + 20 + at * step,
                     middle + (8 if at % 5 == 0 else 4), stroke=theme.quiet, stroke_width=2 if at % 5 == 0 else 1),
                centred(theme, zone.x + 20 + at * step, middle + (-36 if tall else -17 if at % 10 == 0 else 17), at, size, quiet=True)
                if at % every == 0 else None,
            )
            for at in range(winning + 1)
        ]  # fmt: skip
        markers = []
        for seat, y in ((self.far, middle - 12), (self.near, middle + 12)):
            score = self.view.players[seat].score
            markers.append(
                part(
                    token(theme, seat, 20, latest=f"score-{seat}" in self.latest),
                    id=f"score-{seat}",
                    at=(zone.x + 20 + min(score, winning) * step, y),
                    label=self.scene.about(f"{self.scene.word('score')}, {self.scene.player(seat)}", score),
                    explain="score",
                    seat=seat,
                    latest=f"score-{seat}" in self.latest,
                )
            )
        way = line(zone.x + 20, middle, zone.x + zone.width - 20, middle, stroke=theme.line, stroke_width=3)
        return part(panel(theme, zone), way, *marks, *markers, id="track", explain="score")

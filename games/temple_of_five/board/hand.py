"""The hand of the near player: tiles, where they may go, bonus decorations; the piles; at the end the scores."""

from collections import Counter
from collections.abc import Iterable, Iterator

from games.kernel import Seat
from games.pictures import Zone, badge, gilt, panel, part, seat_mark, words
from games.svg import Element, Print, group, rect
from games.temple_of_five.board.captions import WORDS, open_chains
from games.temple_of_five.board.cards import Cards
from games.temple_of_five.board.pyramids import Pyramids
from games.temple_of_five.board.stamps import (
    CELL,
    bars,
    blank,
    length,
    piece,
    slab,
    spaces,
    thread_end,
    tile_back,
)
from games.temple_of_five.board.table import BONUS, DESTINATIONS, HAND, PILES
from games.temple_of_five.state import Player


class Hand(Cards, Pyramids):
    """The drawing of the lowest zone."""

    def hand(self) -> Element:
        """The tiles to come, where they may go, bonus decorations, and the piles; at the end the scores."""
        seat = self.near
        player = self.view.players[seat]
        private = player.private_card
        latest = f"hand-{seat}" in self.latest
        if player.score:
            shown: Iterable[Element] = self.scores()
        elif private:
            zone = Zone(HAND.x + 12, HAND.y + 5, 0, 0)
            shown = [self.blessing(private, "private", zone, latest=f"private-{seat}" in self.latest)]
        else:
            shown = (
                *self.tiles(seat, latest),
                *(self.destinations(seat) if self.view.phase == "exchange" else ()),
                *(self.chains(player) if self.view.phase == "place_priests" else ()),
            )
        return part(
            panel(self.theme, HAND),
            *shown,
            self.bonus(seat),
            self.piles(),
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            explain="score" if player.score else "hand",
            seat=seat,
            latest=latest,
        )

    def chains(self, player: Player) -> Iterator[Element]:
        """The open chains, longest first: what a turn may be played with."""
        opened = open_chains(player)
        yield words(self.theme, HAND.x + 14, HAND.y + 26, self.scene.word("chains"), size=15, quiet=True)
        for at, chain in enumerate(opened[:18]):
            x, y = HAND.x + 14 + at % 6 * 80, HAND.y + 38 + at // 6 * 36
            yield part(
                Print(thread_end(self.theme.name, chain.colour), x=x, y=y),
                Print(length(self.theme.name, chain.length), x=x + 52, y=y + 15),
                explain="chains",
                seat=self.near,
            )

    def tiles(
        self, seat: Seat, latest: bool, corner: tuple[float, float] = (HAND.x + 14, HAND.y + 14)
    ) -> Iterator[Element]:
        """Those in hand, then those that are not yet turned up."""
        player, own = self.view.players[seat], seat == self.scene.viewer
        x, y = corner
        for name in player.hand or ():
            yield part(
                gilt(self.theme, 0, 0, 92, 92) if latest else None,
                group(*self.tile_in_hand(name), transform="scale(0.81)"),
                self.promise(player, name),
                id=f"tile-{name}",
                at=(x, y),
                label=self.tile_label(name),
                names={"tile": name, "keep": name, "left": name, "right": name} if own else None,
                explain=self.tile_key(name),
                latest=latest,
            )
            x += 108
        backs = player.unseen_count + (player.hand_count if player.hand is None else 0)
        for at in range(backs):
            gold = latest and player.hand is None
            back = Print(tile_back(self.theme.name, 92, gold))
            yield part(back, at=(x + at * 108, y), explain="unseen", seat=seat, latest=gold)

    def tile_key(self, name: str) -> str:
        """The thing of the guide that explains a tile."""
        special = self.box.specials_by_id.get(name)
        return "tile" if special is None else special.effect or "single_colour"

    def tile_in_hand(self, name: str) -> list[Element]:
        if name in self.box.specials_by_id:
            return [Print(slab(self.theme.name, 3)), *self.special_face(name)]
        shown = [(x, y, colour) for x, y, colour in self.face(name) if colour]
        return [Print(slab(self.theme.name, self.view.level)), *spaces(self.theme, shown)]

    def promise(self, player: Player, name: str) -> Element | None:
        """Where a tile of the exchange will go."""
        choice = player.choice
        if choice is None:
            return None
        for to in ("keep", "left", "right"):
            if name in choice.going(to):
                return words(
                    self.theme, 46, 116, self.destination(to), size=max(15, self.scene.smallest), anchor="middle",
                    bold=True, width=104, smallest=self.scene.smallest,
                )  # fmt: skip
        return None

    def destination(self, to: str) -> str:
        if to == "keep":
            return self.scene.say("keep", WORDS)
        step = 1 if to == "left" else -1
        return self.scene.say("to", WORDS, who=self.scene.player((self.near + step) % self.view.seats))

    def ways_to_give(self) -> tuple[str, ...]:
        both = self.view.seats > 2 and self.view.level == 1
        return ("keep", "left", "right") if both else ("keep", "left")

    def destinations(self, seat: Seat) -> Iterator[Element]:
        """Keep, to the left, to the right: where a tile may be allotted."""
        allotting = self.view.options.will_of_the_gods and seat == self.scene.viewer
        for at, to in enumerate(self.ways_to_give()):
            zone = Zone(DESTINATIONS.x, DESTINATIONS.y + at * 44, DESTINATIONS.width, 38)
            giver = (seat + (1 if to == "left" else -1)) % self.view.seats if to != "keep" else seat
            yield part(
                rect(zone.x, zone.y, zone.width, zone.height, rx=6, fill=self.theme.raised, stroke=self.theme.line),
                seat_mark(self.theme, giver, zone.x + 20, zone.y + 19, 18),
                words(self.theme, zone.x + 38, zone.y + 25, self.destination(to), size=16, width=108),
                id=f"destination-{to}",
                explain="choice",
                seat=seat,
                names={"to": to} if allotting else None,
                actions=("allot",) if allotting else (),
            )  # fmt: skip

    def bonus(self, seat: Seat) -> Element:
        """Bonus decorations in reserve: those of two spaces above, of three below, equal ones counted."""
        player, own = self.view.players[seat], seat == self.scene.viewer
        drawn: list[Element] = []
        for row, (size, reserve, number) in enumerate(
            ((2, player.bonus_2, player.bonus_2_count), (3, player.bonus_3, player.bonus_3_count))
        ):
            y = BONUS.y + 22 + row * 62
            latest = f"bonus-{seat}-{size}" in self.latest
            if not number:
                drawn.append(self.no_bonus(size, y))
            elif reserve is None:
                drawn += [
                    Print(bars(size, 22), transform=f"translate({BONUS.x + 44} {y + 20})"),
                    words(self.theme, BONUS.x + 90, y + 26, number, size=20, bold=True),
                ]
            else:
                drawn += self.pieces_in_reserve(size, reserve, y, own=own, latest=latest)
        return part(*drawn, id=f"bonus-{seat}", label=self.scene.word("bonus"), explain="pieces", seat=seat)

    def no_bonus(self, size: int, y: float) -> Element:
        return rect(BONUS.x + 6, y + 4, size * 25, 27, rx=10, fill="none", stroke=self.theme.line,
                    stroke_width=1.5, stroke_dasharray="4 4")  # fmt: skip

    def pieces_in_reserve(
        self, size: int, reserve: tuple[str, ...], y: float, *, own: bool, latest: bool
    ) -> Iterator[Element]:
        """Equal pieces lie on one another; the first of them is the one that is named."""
        kinds: dict[str, str] = {}
        for name in reserve:
            kinds.setdefault(self.box.pieces_by_id[name].colour, name)
        numbers = Counter(self.box.pieces_by_id[name].colour for name in reserve)
        newest = self.box.pieces_by_id[reserve[-1]].colour if latest else None
        cell, x = 26, BONUS.x + 4
        for colour, name in kinds.items():
            gold = colour == newest
            yield part(
                group(
                    gilt(self.theme, 4, 4, size * CELL - 8, CELL - 8, 20) if gold else None,
                    Print(piece(self.theme.name, colour, size, False)),
                    transform=f"scale({cell / CELL:.3f})",
                ),
                badge(self.theme, size * cell - 4, cell + 2, numbers[colour], size=14)
                if numbers[colour] > 1
                else None,
                id=f"piece-{name}",
                at=(x, y + 4),
                label=f"{self.scene.word(f'{colour}_decoration')} ({size})",
                names={"bonus": name} if own else None,
                explain=f"bonus_{size}",
                latest=gold,
            )
            x += size * cell + 4

    def piles(self) -> Element:
        """How many tiles and bonus decorations are left to be drawn."""
        name, view, zone = self.theme.name, self.view, PILES
        counted = (
            (Print(tile_back(name, 24, False), transform="translate(-12 -12)"), view.tile_pile_count, "tile_pile"),
            (Print(blank(name), transform="translate(-15 -15) scale(0.26)"), view.special_pile_count,
             "special_pile"),
            (Print(bars(2, 12)), view.bonus_2_pile_count, "bonus_2_pile"),
            (Print(bars(3, 12)), view.bonus_3_pile_count, "bonus_3_pile"),
        )  # fmt: skip
        return part(
            *(
                part(
                    mark,
                    words(self.theme, 32, 6, number, size=17),
                    at=(zone.x + 34, zone.y + 24 + at * 34),
                    id=key.replace("_", "-"),
                    label=self.scene.about(self.scene.word(key), number),
                    explain=key,
                )
                for at, (mark, number, key) in enumerate(counted)
            ),
            id="piles",
        )

    def scores(self) -> Iterator[Element]:
        """A row for every player, in the order of the seats."""
        columns = ("completed", "incomplete", "bonus", *(("goals",) if self.goals else ()), "total")
        theme, best = self.theme, self.view.outcome.winners if self.view.outcome else ()
        for at, column in enumerate(columns):
            x = HAND.x + 196 + at * 68
            yield words(theme, x, HAND.y + 26, self.scene.say(f"score_{column}", WORDS), size=14, anchor="end",
                        quiet=True, width=66)  # fmt: skip
        for row, player in enumerate(self.view.players):
            y = HAND.y + 52 + row * 27
            if player.score is None:
                continue
            yield seat_mark(theme, row, HAND.x + 22, y - 6, 16)
            yield words(theme, HAND.x + 38, y, self.scene.player(row), size=16, bold=row in best, width=104)
            for at, column in enumerate(columns):
                yield words(theme, HAND.x + 196 + at * 68, y, getattr(player.score, column), size=17, anchor="end",
                            bold=column == "total" or row in best)  # fmt: skip

"""The board of Aton for a phone: cartouches as a row of pairs, temples two by two, the dead and the score, the hand."""

from collections.abc import Iterator

from games.aton.board.beside import Beside
from games.aton.board.captions import WORDS, moment
from games.aton.board.cards import Cards
from games.aton.board.stamps import card_face
from games.aton.board.table import TALL_GRID
from games.aton.board.temples import Temples
from games.aton.box import TEMPLES
from games.kernel import Seat
from games.pictures import (
    Zone,
    card_back,
    lines,
    panel,
    part,
    strip,
    tall_heading,
    token,
    words,
)
from games.svg import Element, Print, group, rect, width_of

FAR_STRIP = Zone(6, 58, 588, 72)
PAIRS = Zone(6, 136, 588, 156)
DEAD = Zone(6, TALL_GRID.y + 6 * TALL_GRID.cell + TALL_GRID.lane_down + 10, 306, 78)
TRACK = Zone(318, DEAD.y, 276, DEAD.height)
NEAR_STRIP = Zone(6, DEAD.y + DEAD.height + 6, 588, 76)
HAND = Zone(6, NEAR_STRIP.y + NEAR_STRIP.height + 6, 588, 122)
TALL_HEIGHT = HAND.y + HAND.height + 6
PAIR_WIDTH = PAIRS.width / 4


class Tall(Temples, Cards, Beside):
    """The whole board, 600 wide."""

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        title = f"{scene.word('aton')} · {scene.say('round', WORDS, round=view.round)}"
        yield tall_heading(scene, title, moment(view, scene), view.phase, "round")
        yield self.player(self.far, FAR_STRIP)
        yield part(panel(self.theme, PAIRS), *map(self.pair, range(1, 5)), id="cartouches")
        for temple in TEMPLES:
            yield self.temple(temple)
        across = DEAD.width / self.board.box.dead_spaces
        places = [(DEAD.x + (at + 0.5) * across, DEAD.y + 47.0) for at in range(self.board.box.dead_spaces)]
        yield self.graves(DEAD, places, across * 0.44, panel(self.theme, DEAD))
        yield self.track(TRACK)
        yield self.player(self.near, NEAR_STRIP)
        yield self.near_hand()

    def pair(self, number: int) -> Element:
        """What a cartouche is for, and below it the near seat's card and the other's."""
        x, width = PAIRS.x + (number - 1) * PAIR_WIDTH, PAIR_WIDTH
        return part(
            words(self.theme, x + 12, PAIRS.y + 36, number, size=36, serif=True, bold=True),
            self.caption(self.scene.say(str(number), WORDS), x + 40, width - 44),
            self.cartouche(self.near, number, x + 7, PAIRS.y + 54, 64, 86),
            self.cartouche(self.far, number, x + 76, PAIRS.y + 54, 64, 86),
            *(
                rect(x + left, PAIRS.y + 145, 64, 6, rx=3, fill=self.theme.seats[seat])
                for seat, left in ((self.near, 7), (self.far, 76))
            ),
            explain=f"cartouche_{number}",
        )  # fmt: skip

    def caption(self, content: str, x: float, width: float) -> Element:
        """One line in the middle, or two."""
        size = self.scene.smallest
        first = PAIRS.y + (21 if width_of(content) * size > width else 31)
        return lines(self.theme, x, first, content, width, size=size)

    def player(self, seat: Seat, zone: Zone) -> Element:
        """Name and points, then supply, piles and the trade token."""
        view, player, scene = self.view, self.view.players[seat], self.scene
        note = scene.say("points", WORDS, score=player.score)
        if view.first_seat == seat:
            note += f" · {scene.say('first', WORDS)}"
        middle = zone.y + zone.height / 2
        discard = player.discard[-1] if player.discard else None
        top = (
            card_face(self.theme.name, discard, 26, 36, f"discard-{seat}" in self.latest, False)
            if discard
            else None
        )
        piles = [
            ("supply", token(self.theme, seat, 26), player.supply),
            (
                "deck",
                _corner(card_back(self.theme, 26, 36, latest=f"deck-{seat}" in self.latest)),
                player.deck_count,
            ),
            ("discard", _corner(Print(top)) if top else None, len(player.discard)),
        ]
        if player.exchanged_count:
            latest = f"exchanged-{seat}" in self.latest
            piles.append(
                ("exchanged", _corner(card_back(self.theme, 26, 36, latest=latest)), player.exchanged_count)
            )
        inside = [
            self.counted(seat, key, mark, number, (zone.x + 216 + at * 84, middle - 12))
            for at, (key, mark, number) in enumerate(piles)
        ]
        if player.trade_token:
            inside.append(self.trade_token(seat, zone.x + 508, middle, 35 if seat == scene.viewer else 24))
        return strip(
            scene, seat, zone, *inside, to_act=seat in view.to_act, room=200, note=note, explain="score"
        )

    def counted(
        self, seat: Seat, key: str, mark: Element | None, number: int, at: tuple[float, float]
    ) -> Element:
        """A pile as its sign and its number."""
        hollow = rect(
            -13,
            -18,
            26,
            36,
            rx=4,
            fill="none",
            stroke=self.theme.line,
            stroke_width=2,
            stroke_dasharray="5 5",
        )
        return part(
            mark or hollow,
            words(self.theme, 20, 8, number, size=22, bold=True),
            words(self.theme, 10, 40, self.scene.say(key, WORDS), size=19, quiet=True, anchor="middle", width=88,
                  smallest=self.scene.smallest),
            id=f"{key}-{seat}",
            at=at,
            label=self.scene.about(f"{self.scene.word(key)}, {self.scene.player(seat)}", number),
            explain=key,
            seat=seat,
            latest=f"{key}-{seat}" in self.latest and number > 0,
        )  # fmt: skip

    def near_hand(self) -> Element:
        """The near seat's cards, large; of the other's hand the number stands with its player's name."""
        zone, seat = HAND, self.near
        count = self.view.players[seat].hand_count
        cards = [self.held(seat, at, 78, 104, (zone.x + 96 + at * 116, zone.y + 9)) for at in range(count)]
        return part(
            panel(self.theme, zone),
            words(self.theme, zone.x + 12, zone.y + 30, self.scene.word("hand"), size=20, quiet=True, width=80,
                  smallest=self.scene.smallest),
            *cards,
            self.no_cards(zone) if not count else None,
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            explain="hand",
            seat=seat,
        )  # fmt: skip


def _corner(card: Element) -> Element:
    """A small card around 0, 0."""
    return group(card, transform="translate(-13 -18)")

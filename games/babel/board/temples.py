"""The temple cards of Babel: the pile in the middle, the column of each player towards him."""

from games.babel.board.captions import WORDS
from games.babel.board.stamps import temple_card
from games.babel.board.table import PLINTH, TEMPLES, Table
from games.kernel import Seat
from games.pictures import SMALLEST, card_back, lines, panel, part, pile, seat_mark, words
from games.svg import Element, Print

LANE = 8
"""Temple cards in one lane of a temple column."""


class Temples(Table):
    """What there is to build with."""

    def temple_zone(self) -> Element:
        """The temple pile in the middle, the column of each player towards him."""
        view, theme = self.view, self.theme
        x, middle = TEMPLES.x, PLINTH.y
        top = card_back(theme, 50, 64, latest="temple-pile" in self.latest)
        top_levels = self.scene.say("known", WORDS, levels=" ".join(map(str, view.temple_pile_known[:6])))
        return part(
            panel(theme, TEMPLES),
            part(pile(theme, 50, 64, view.temple_pile_count, top), id="temple-pile", at=(x + 12, middle - 6),
                 label=self.scene.word("temple_pile"), explain="temple_pile", latest="temple-pile" in self.latest),
            lines(theme, x + 74, middle + 8, self.scene.word("temple_pile"), 74, quiet=True),
            part(lines(theme, x + 74, middle + 44, top_levels, 74), explain="temple_pile_known")
            if view.temple_pile_known else None,
            self.temple_column(self.far, near=False),
            self.temple_column(self.near, near=True),
            id="temples",
        )  # fmt: skip

    def temple_column(self, seat: Seat, near: bool) -> Element:
        """Every level is seen, the last one can be taken; a long column has two lanes. A start card lies beside."""
        player = self.view.players[seat]
        levels = player.temple_column
        foot, room = (PLINTH.y + 84, 178) if near else (PLINTH.y - 60, 178)
        lane = len(levels) if len(levels) <= LANE else (len(levels) + 1) // 2
        step = min(28, room / max(1, lane - 1))
        fresh = self.revealed(seat)
        cards = []
        for at, level in enumerate(levels):
            last = at == len(levels) - 1
            whole = last or at == lane - 1
            away = at % lane * step
            face = temple_card(
                self.theme.name, level, 40 if whole else round(step), near, last, at >= len(levels) - fresh
            )
            cards.append(
                part(
                    Print(face),
                    id=f"temple-column-{seat}-{at}",
                    at=(TEMPLES.x + 10 + at // lane * 70, foot + away if near else foot - away),
                    label=self.scene.say("level", WORDS, level=level),
                    names=self.source(seat) if last else None,
                    actions=("build", "skip_level") if last else (),
                    explain="temple_card",
                    context={"level": level},
                    latest=at >= len(levels) - fresh,
                )
            )
        return part(
            *cards,
            self.start_card(seat, near) if player.start_card else None,
            seat_mark(self.theme, seat, TEMPLES.x + 136, PLINTH.y + (74 if near else -10), 18),
            words(self.theme, TEMPLES.x + TEMPLES.width / 2, TEMPLES.y + (TEMPLES.height - 12 if near else 22),
                  self.scene.say("build", WORDS), size=SMALLEST, anchor="middle", quiet=True),
            id=f"temple-column-{seat}",
            explain="temple_column",
            seat=seat,
            label=self.scene.about(self.scene.word("temple_column"), self.scene.player(seat)),
        )  # fmt: skip

    def revealed(self, seat: Seat) -> int:
        """How many cards the latest entry has laid at the end of a temple column."""
        return sum(
            len(fact["levels"])
            for fact in self.scene.latest
            if fact["type"] == "temples_revealed" and fact["seat"] == seat
        )

    def start_card(self, seat: Seat, near: bool) -> Element:
        return part(
            Print(temple_card(self.theme.name, 1, 40, near, top=True, latest=False)),
            lines(self.theme, 31, 58, self.scene.word("start_card"), 68, anchor="middle", quiet=True),
            id=f"start-card-{seat}",
            at=(TEMPLES.x + 12, PLINTH.y + (84 if near else -86)),
            label=self.scene.word("start_card"),
            names={"source": "start"} if seat == self.scene.viewer else None,
            explain="start_card",
            seat=seat,
        )

    def source(self, seat: Seat) -> dict[str, str] | None:
        """What a builder calls this seat's temple column."""
        if self.scene.viewer is None:
            return None
        return {"source": "own" if seat == self.scene.viewer else "opponent"}

"""The board of Babel for a phone: totals as bars on top, five sites as columns across, piles in one strip, the hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from games.babel.board.beside import Beside
from games.babel.board.captions import WORDS, moment
from games.babel.board.hands import Hands
from games.babel.board.sites import Sites
from games.babel.board.stamps import SIGNS, last_temple_card, run_card
from games.babel.board.table import Table
from games.babel.board.temples import Temples
from games.babel.box import NATIONS, Nation
from games.babel.state import Levels, Nations, State
from games.kernel import Seat
from games.pictures import (
    TARGET,
    Scene,
    Zone,
    card_back,
    centred,
    gilt,
    panel,
    part,
    pile,
    seat_mark,
    sign,
    strip,
    tall_heading,
    words,
)
from games.svg import Element, Print, group, line, polygon, rect

FAR_STRIP, NEAR_STRIP = Zone(6, 58, 588, 62), Zone(6, 124, 588, 62)
QUARRY = (540, 38)
SITES, SITE = Zone(5, 192, 590, 0), 118
SIDE, PLINTH, PILES, HAND, OPEN_HAND = 256, 74, 140, 118, 44
"""How high things are; a side grows where each nation of a long column must be large enough to be clicked."""


class Group(NamedTuple):
    """Equal cards side by side in a column."""

    at: int
    """The index of the first."""
    nation: Nation
    number: int


def groups_of(column: Nations) -> list[Group]:
    """A column as its groups, oldest first."""
    found: list[Group] = []
    at = 0
    for nation, cards in groupby(column):
        found.append(Group(at, nation, len(tuple(cards))))
        at += found[-1].number
    return found


def spread(middles: Sequence[float], room: float) -> list[float]:
    """Where areas of a thumb's height begin that lie around these points (ascending), none over another."""
    tops: list[float] = []
    for middle in middles:
        tops.append(max(middle - TARGET / 2, tops[-1] + TARGET if tops else 0))
    for at in range(len(tops) - 1, -1, -1):
        tops[at] = min(tops[at], (tops[at + 1] if at + 1 < len(tops) else room) - TARGET)
    return tops


class Places(Table):
    """Where the sites lie."""

    def __init__(self, view: State, scene: Scene) -> None:
        super().__init__(view, scene)
        self.far_height = max(SIDE, self.nations_to_expel() * TARGET + 10)
        self.plinth_y = SITES.y + self.far_height + 3
        self.near_y = self.plinth_y + PLINTH + 3
        self.piles_y = self.near_y + SIDE + 6
        self.hand_y = self.piles_y + PILES + 6

    def nations_to_expel(self) -> int:
        """How many nations of the column before the viewer's pawn may be clicked."""
        viewer, players = self.scene.viewer, self.view.players
        pawn = None if viewer is None or players[self.far].hand else players[viewer].pawn
        return len(set(players[self.far].sites[pawn].column)) if pawn else 0

    @property
    def height(self) -> float:
        known = OPEN_HAND if self.view.players[self.far].hand else 0
        return self.hand_y + HAND + known + 6

    def side_height(self, seat: Seat) -> float:
        return SIDE if seat == self.near else self.far_height

    def left(self, nation: Nation) -> float:
        return SITES.x + NATIONS.index(nation) * SITE


class TallSites(Places, Sites):
    """Five sites across; what lies on a side is told from the plinth on, away from it."""

    def plinth(self, nation: Nation) -> Element:
        hue, x, y, width = self.hue(nation), self.left(nation) + 3, self.plinth_y, SITE - 6
        return part(
            polygon(
                [(x, y + 10), (x + 9, y), (x + width - 9, y), (x + width, y + 10), (x + width, y + PLINTH - 10),
                 (x + width - 9, y + PLINTH), (x + 9, y + PLINTH), (x, y + PLINTH - 10)],
                fill=self.theme.panel, stroke=hue, stroke_width=2,
            ),
            sign(SIGNS[nation], x + width / 2, y + 25, 34, hue),
            words(self.theme, x + width / 2, y + 62, self.scene.word(nation), size=20, anchor="middle", width=width - 4,
                  smallest=self.scene.smallest),
            id=f"site-{nation}",
            label=self.scene.word(nation),
            names={"site": nation},
            explain="site",
        )  # fmt: skip

    def side(self, seat: Seat, nation: Nation) -> Element:
        near = seat == self.near
        left, top = self.left(nation), self.near_y if near else SITES.y
        site = self.view.players[seat].sites[nation]
        middle = left + SITE / 2
        count = self.number_of_cards(site.column)
        height = self.side_height(seat)
        y = top + height - 8 if near else top + 20
        return part(
            rect(left + 1, top, SITE - 2, height, rx=6, fill=self.theme.panel, fill_opacity=0.55),
            self.tower(seat, nation, site.temple, left + 27),
            self.groups(seat, nation, site.column, left + 52),
            words(self.theme, middle, y, count, size=19, quiet=True, anchor="middle") if site.column else None,
            id=f"side-{seat}-{nation}",
            label=f"{self.scene.player(seat)}, "
            + self.scene.say("site", WORDS, site=self.scene.word(nation), level=site.top, cards=len(site.column)),
            **self.named_side(seat, nation),
        )  # fmt: skip

    def away(self, seat: Seat, begin: float, height: float) -> float:
        """The top of what lies so far from the plinth and is so high."""
        if seat == self.near:
            return self.near_y + 3 + begin
        return SITES.y + self.far_height - 3 - begin - height

    def tower(self, seat: Seat, nation: Nation, levels: Levels, x: float) -> Element:
        """A stepped tower with the level on each step."""
        steps, colour = [], self.theme.seats[seat]
        for height, level in enumerate(levels):
            half, last = 23 - height * 1.6, height == len(levels) - 1
            latest = last and f"temple-{seat}-{nation}" in self.latest
            steps.append(
                part(
                    gilt(self.theme, -half, 0, half * 2, 33, 3) if latest else None,
                    rect(-half, 0, half * 2, 33, rx=3, fill=colour if last else self.theme.raised, stroke=colour,
                         stroke_width=1.5),
                    centred(self.theme, 0, 16, level, 22, bold=True, fill=self.theme.on(colour) if last else None),
                    id=f"temple-{seat}-{nation}-{level}",
                    at=(x, self.away(seat, height * 36, 33)),
                    explain="temples",
                    context={"site": nation},
                    seat=seat,
                    latest=latest,
                )
            )  # fmt: skip
        bare = not levels and f"temple-{seat}-{nation}" in self.latest
        return group(*steps, self.bare(seat, x - 23, 46) if bare else None)

    def bare(self, seat: Seat, x: float, width: float) -> Element:
        """Where the latest entry has left nothing."""
        return gilt(self.theme, x, self.away(seat, 3, 28), width, 28)

    def groups(self, seat: Seat, nation: Nation, column: Nations, x: float) -> Element:
        """Equal cards as one card with their number, each group beyond the one before."""
        found, room = groups_of(column), self.side_height(seat) - 34
        step = min(46, room / max(1, len(found)))
        touched = f"column-{seat}-{nation}" in self.latest
        clicked = self.clicked(seat, nation, found, step, room)
        drawn = []
        seen: Counter[Nation] = Counter()
        for place, each in enumerate(found):
            seen[each.nation] += each.number
            latest = touched and place == len(found) - 1
            number = f"×{each.number}" if each.number > 1 else ""
            top = self.away(seat, place * step, step - 3)
            area, named = clicked.get(place, (None, {}))
            face = run_card(self.theme.name, each.nation, self.hue(each.nation), step - 3, number, latest)
            drawn.append(
                part(
                    rect(self.left(nation) - x, area - top, SITE, TARGET, fill="#000", fill_opacity=0)
                    if area is not None else None,
                    Print(face),
                    self.run_bar(each, step - 3),
                    id=f"column-{seat}-{nation}-{each.nation}-{seen[each.nation]}",
                    at=(x, top),
                    label=self.run_label(each),
                    explain="run" if each.number >= self.box.run_length else each.nation,
                    latest=latest,
                    **named,
                )
            )  # fmt: skip
        return group(*drawn, self.bare(seat, x, 62) if touched and not column else None)

    def run_bar(self, each: Group, height: float) -> Element | None:
        """As many equal cards in a row as an ability needs, or more, wear a frame of their colour."""
        if each.number < self.box.run_length:
            return None
        return rect(1, 1, 60, height - 2, rx=4, fill="none", stroke=self.hue(each.nation), stroke_width=3)

    def run_label(self, each: Group) -> str:
        name = self.scene.word(each.nation)
        return (
            self.scene.about(name, self.scene.say("run", WORDS, number=each.number))
            if each.number > 1
            else name
        )

    def clicked(
        self, seat: Seat, nation: Nation, found: Sequence[Group], step: float, room: float
    ) -> dict[int, tuple[float, dict[str, Any]]]:
        """By place in the column: the top of the area to click and what it names. Under the viewer's pawn the own
        groups name runs, the opposite ones nations to expel, each once."""
        viewer = self.scene.viewer
        if viewer is None or self.view.players[viewer].pawn != nation:
            return {}
        if seat == viewer:
            places = [place for place, each in enumerate(found) if each.number >= self.box.run_length]
        else:
            latest = {each.nation: place for place, each in enumerate(found)}
            places = sorted(latest.values())
        begins = spread([(place + 0.5) * step for place in places], room + 24)
        return {
            place: (self.away(seat, begin, TARGET), self.named_in_column(seat, nation, found[place].nation, found[place].at))
            for place, begin in zip(places, begins, strict=True)
        }  # fmt: skip

    def pawn_place(self, seat: Seat) -> tuple[float, float]:
        """Beside the sign of a site, the near seat's at the left; before the first travel in the quarry."""
        place, near = self.view.players[seat].pawn, seat == self.near
        if place is None:
            return (QUARRY[0] if near else QUARRY[0] + 36), QUARRY[1]
        return self.left(place) + (23 if near else SITE - 23), self.plinth_y + 25

    def quarry(self) -> Element | None:
        """Where pawns wait that have not travelled yet."""
        if all(player.pawn for player in self.view.players):
            return None
        x, y = QUARRY
        caption = self.scene.word("quarry").capitalize()
        return part(
            words(self.theme, x - 24, y + 6, caption, size=19, anchor="end", quiet=True),
            id="quarry",
            label=caption,
            explain="quarry",
        )


class Tall(TallSites, Temples, Beside, Hands):
    """The whole board, 600 wide."""

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        title = f"{scene.word('babel')} · {scene.say('turn', WORDS, turn=view.turn)}"
        yield tall_heading(scene, title, moment(view, scene), view.phase, "turn")
        if quarry := self.quarry():
            yield quarry
        yield self.player(self.far, FAR_STRIP)
        yield self.player(self.near, NEAR_STRIP)
        for nation in NATIONS:
            yield self.side(self.far, nation)
            yield self.plinth(nation)
            yield self.side(self.near, nation)
        yield self.piles()
        yield self.near_hand(Zone(6, self.hand_y, 588, HAND), 8)
        yield self.known_hand() if view.players[self.far].hand else self.hidden_hand()
        for seat in (self.far, self.near):
            yield self.pawn(seat)

    def player(self, seat: Seat, zone: Zone) -> Element:
        """Name and total: a bar with the marks that decide the game."""
        view, scene, theme = self.view, self.scene, self.theme
        used = view.migrated and seat == view.active_seat
        note = scene.say("migrated", WORDS) if used else ""
        limits, total = self.box.thresholds, view.players[seat].total
        x, y, unit = zone.x + 248, zone.y + 9, 9.6
        marks = []
        for mark, anchor in (
            (limits.too_low, "end"),
            (limits.too_low + 1, "start"),
            (limits.endgame, "middle"),
            (limits.win, "middle"),
        ):
            at = x + mark * unit
            marks.append(line(at, y - 3, at, y + 27, stroke=theme.text, stroke_width=1.5))
            marks.append(words(theme, at, y + 46, mark, size=19, anchor=anchor, quiet=True))
        bar = part(
            rect(x, y, (limits.win + 2) * unit, 24, rx=6, fill=theme.panel, stroke=theme.line),
            rect(x + 1, y + 1, min(total, limits.win + 2) * unit, 22, rx=5, fill=theme.seats[seat])
            if total
            else None,
            *marks,
            words(theme, x - 10, y + 23, total, size=30, bold=True, anchor="end"),
            id=f"total-{seat}",
            label=scene.about(f"{scene.word('total')}, {scene.player(seat)}", total),
            explain="total",
            seat=seat,
        )
        return strip(scene, seat, zone, bar, to_act=seat in view.to_act, room=206, note=note, explain="migrated")  # fmt: skip

    # -- piles and hands ------------------------------------------------------------------------------------------------

    def piles(self) -> Element:
        """The temple pile, what each player can build from, the nation pile and the discard."""
        view, theme, y = self.view, self.theme, self.piles_y
        gold = {name: name in self.latest for name in ("temple-pile", "nation-pile", "discard")}
        known = " ".join(map(str, view.temple_pile_known[:3]))
        discard = view.nation_discard
        top = self.nation_card(discard[-1], 50, 64, latest=gold["discard"]) if discard else None
        backs = {name: card_back(theme, 50, 64, latest=gold[name]) for name in ("temple-pile", "nation-pile")}
        return part(
            panel(theme, Zone(6, y, 588, PILES)),
            self.pile("temple-pile", "temple_pile", "temples", view.temple_pile_count, backs["temple-pile"], 22),
            part(words(theme, 47, y + PILES - 8, known, size=19, anchor="middle"), explain="temple_pile_known") if known else None,
            self.to_build(self.near, 102),
            self.to_build(self.far, 256),
            self.pile("nation-pile", "nation_pile", "nations", view.nation_pile_count, backs["nation-pile"], 424),
            self.pile("discard", "nation_discard", "discard", len(discard), top, 514),
            id="piles",
        )  # fmt: skip

    def pile(self, name: str, key: str, caption: str, count: int, top: Element | None, x: float) -> Element:
        """A pile under its caption."""
        latest = name in self.latest
        return part(
            words(self.theme, 25, -13, self.scene.say(caption, WORDS), size=19, anchor="middle", quiet=True, width=94,
                  smallest=self.scene.smallest),
            pile(self.theme, 50, 64, count, top, latest=latest, size=19),
            id=name,
            at=(x, self.piles_y + 36),
            label=self.scene.about(self.scene.word(key), count),
            explain=key,
            latest=latest,
        )  # fmt: skip

    def to_build(self, seat: Seat, x: float) -> Element:
        """The temple card that can be taken, the start card beside it, the earlier cards as a row of levels."""
        player, theme, y = self.view.players[seat], self.theme, self.piles_y
        levels, fresh = player.temple_column, self.revealed(seat)
        own = seat == self.scene.viewer
        drawn: list[Element] = []
        if levels:
            drawn.append(
                part(
                    Print(last_temple_card(theme.name, levels[-1], fresh > 0)),
                    id=f"temple-column-{seat}-{len(levels) - 1}",
                    at=(x, y + 34),
                    label=self.scene.say("level", WORDS, level=levels[-1]),
                    names=self.source(seat),
                    actions=("build", "skip_level"),
                    explain="temple_card",
                    context={"level": levels[-1]},
                    latest=fresh > 0,
                )
            )
        if player.start_card:
            drawn.append(
                part(
                    Print(last_temple_card(theme.name, 1, False)),
                    words(
                        theme, 34, 88, self.scene.say("start", WORDS), size=19, anchor="middle", quiet=True
                    ),
                    id=f"start-card-{seat}",
                    at=(x + 74, y + 34),
                    label=self.scene.word("start_card"),
                    names={"source": "start"} if own else None,
                    explain="start_card",
                    seat=seat,
                )
            )
        earlier = " ".join(map(str, levels[:-1][-(4 if player.start_card else 8) :]))
        return part(
            seat_mark(theme, seat, x + 10, y + 16, 16),
            words(
                theme,
                x + 26,
                y + 23,
                self.scene.say("build", WORDS),
                size=19,
                quiet=True,
                width=110,
                smallest=19,
            ),
            *drawn,
            words(theme, x + 2, y + PILES - 10, earlier, size=19, quiet=True) if earlier else None,
            id=f"temple-column-{seat}",
            label=self.scene.about(self.scene.word("temple_column"), self.scene.player(seat)),
            explain="temple_column",
            seat=seat,
        )

    def hidden_hand(self) -> Element:
        """Of a hand that is not seen the number, at the end of its player's strip."""
        player, fresh = self.view.players[self.far], bool(self.drawn_by(self.far))
        latest = f"hand-{self.far}" in self.latest or (fresh and player.hand_count > 0)
        return part(
            card_back(self.theme, 28, 38, latest=latest),
            words(self.theme, 34, 28, player.hand_count, size=24, bold=True),
            id=f"hand-{self.far}",
            at=(FAR_STRIP.x + 484, FAR_STRIP.y + 12),
            label=self.scene.about(self.scene.word("hand"), self.scene.player(self.far)),
            explain="hand",
            seat=self.far,
            latest=latest,
        )

    def known_hand(self) -> Element:
        """The other hand where it lies open: how many cards of each nation."""
        held, seat, y = Counter(self.view.players[self.far].hand), self.far, self.hand_y + HAND + 4
        slot = 556 / len(NATIONS)
        return part(
            panel(self.theme, Zone(6, y, 588, OPEN_HAND - 4)),
            seat_mark(self.theme, seat, 24, y + 20, 20),
            *(
                part(
                    sign(SIGNS[nation], 0, 0, 26, self.hue(nation)),
                    words(self.theme, 20, 7, held[nation], size=21, bold=True),
                    at=(66 + at * slot, y + 20),
                    explain=nation,
                )
                for at, nation in enumerate(NATIONS)
            ),
            id=f"hand-{seat}",
            label=self.scene.about(self.scene.word("hand"), self.scene.player(seat)),
            explain="hand",
            seat=seat,
        )

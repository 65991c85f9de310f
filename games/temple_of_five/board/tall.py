"""The board of Temple of Five for a phone: gods' cards, one's own pyramid across, the hand, the others as strips that open."""

from collections.abc import Iterator
from math import ceil

from games.kernel import Seat
from games.pictures import (
    TARGET,
    Zone,
    badge,
    gilt,
    lines,
    panel,
    part,
    seat_mark,
    tall_heading,
    words,
)
from games.svg import Element, Print, group, polygon, rect
from games.temple_of_five.board.captions import WORDS, moment
from games.temple_of_five.board.hand import Hand
from games.temple_of_five.board.seats import Seats
from games.temple_of_five.board.stamps import CELL, bars, piece, tile_back
from games.temple_of_five.board.table import SPACES
from games.temple_of_five.board.tall_cards import TallCards

TOP, LANE, SIDE = 56, 22, SPACES * TARGET
"""Where cards begin; the lane of the letters above a pyramid; the side of a pyramid."""
OWN, HAND, OTHERS = 72, 128, 38
"""How high the zones below the pyramid are."""


class Tall(TallCards, Seats, Hand):
    """The whole board, 600 wide."""

    @property
    def spaces(self) -> Zone:
        return Zone(40, TOP + self.cards_height + LANE, SIDE, SIDE)

    @property
    def own_y(self) -> float:
        return self.spaces.y + SIDE + 6

    @property
    def has_hand(self) -> bool:
        """While priests are placed there is nothing in hand, and cards need the room."""
        return self.view.phase != "place_priests"

    @property
    def others_y(self) -> float:
        return self.own_y + OWN + 4 + (HAND + 4 if self.has_hand else 0)

    @property
    def height(self) -> float:
        return self.others_y + OTHERS + 2

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        counts = (scene.say("round", WORDS, round=view.round), scene.say("level", WORDS, level=view.level))
        turn = view.turn_state
        rest = (
            scene.say("chains_used", WORDS, used=turn.chains_used, limit=turn.chain_limit)
            if turn
            else scene.word("temple_of_five")
        )
        yield tall_heading(scene, " · ".join((*counts, rest)), moment(view, scene), view.phase, "round")
        yield from self.columns(Zone(4, TOP, 592, self.cards_height))
        spaces = self.spaces
        yield self.near_pyramid(Zone(4, spaces.y - LANE, 592, SIDE + LANE + 6), spaces)
        yield self.own_strip()
        if self.has_hand:
            yield self.near_hand()
        seats = [(self.near + step) % view.seats for step in range(1, view.seats)]
        width = 592 / len(seats)
        for at, seat in enumerate(seats):
            yield self.other_strip(seat, Zone(4 + at * width + 1, self.others_y, width - 2, OTHERS))
        for seat in seats:
            yield self.sheet(seat)

    # -- one's own ------------------------------------------------------------------------------------------------------

    def own_strip(self) -> Element:
        """Mark, priests in reserve and cards won at the left; bonus decorations at the right."""
        seat, y = self.near, self.own_y
        player, theme, to_act = self.view.players[seat], self.theme, seat in self.view.to_act
        priests = part(
            seat_mark(theme, seat, 0, 0, 24),
            words(theme, 20, 8, player.priests_reserve, size=24, bold=True),
            words(theme, 54, 7, self.scene.say("priests", WORDS), size=19, quiet=True, width=78, smallest=19),
            id=f"reserve-{seat}",
            at=(22, y + 22),
            label=self.scene.about(self.scene.word("priests_reserve"), player.priests_reserve),
            explain="priests_reserve",
            seat=seat,
        )
        return part(
            panel(theme, Zone(4, y, 592, OWN), accent=theme.gold if to_act else None),
            priests,
            self.first_mark(seat, 168, y + 22),
            self.medals(seat, 10, y + 39, 140),
            self.pieces_row(seat, Zone(184, y + 2, 408, OWN - 4)),
            id=f"plate-{seat}",
            label=self.scene.player(seat),
            seat=seat,
            data_to_act="true" if to_act else None,
        )

    def pieces_row(self, seat: Seat, zone: Zone) -> Element:
        """Bonus decorations in reserve, equal ones counted."""
        player, own = self.view.players[seat], seat == self.scene.viewer
        kinds: dict[tuple[int, str], list[str]] = {}
        for name in (*(player.bonus_2 or ()), *(player.bonus_3 or ())):
            bonus = self.box.pieces_by_id[name]
            kinds.setdefault((bonus.size, bonus.colour), []).append(name)
        room = max(TARGET, zone.width / max(5, len(kinds)))
        drawn = []
        newest = {
            size: reserve[-1]
            for size, reserve in ((2, player.bonus_2), (3, player.bonus_3))
            if reserve and f"bonus-{seat}-{size}" in self.latest
        }
        for at, ((size, colour), names) in enumerate(kinds.items()):
            gold = newest.get(size) in names
            cell = min(30, (room - 6) / size)
            x = zone.x + at % ceil(zone.width / room) * min(
                room, (zone.width - room) / max(1, len(kinds) - 1)
            )
            drawn.append(
                part(
                    rect(0, 0, room - 2, zone.height, rx=6, fill=self.theme.raised, stroke=self.theme.line),
                    group(
                        gilt(self.theme, 4, 4, size * CELL - 8, CELL - 8, 20) if gold else None,
                        Print(piece(self.theme.name, colour, size, False)),
                        transform=f"translate({(room - size * cell) / 2 - 1:.1f} 8) scale({cell / CELL:.3f})",
                    ),
                    words(self.theme, room / 2, zone.height - 7, f"×{len(names)}", size=19, anchor="middle"),
                    id=f"piece-{names[0]}",
                    at=(x, zone.y),
                    label=f"{self.scene.word(f'{colour}_decoration')} ({size})",
                    names={"bonus": names[0]} if own else None,
                    explain=f"bonus_{size}",
                    latest=gold,
                )
            )
        hidden = [
            self.counted(seat, f"bonus_{size}", (zone.x + 40 + at * 110, zone.y + zone.height / 2))
            for at, size in enumerate((2, 3))
            if not kinds
        ]
        return part(
            *drawn, *hidden, id=f"bonus-{seat}", label=self.scene.word("bonus"), explain="pieces", seat=seat
        )

    def first_mark(self, seat: Seat, x: float, y: float) -> Element | None:
        player = self.view.players[seat]
        return self.first_token(x, y) if seat == self.view.first_player and not player.score else None

    def near_hand(self) -> Element:
        """The tiles to come and where they may go; the goals while they are chosen; at the end the scores."""
        seat, y = self.near, self.own_y + OWN + 4
        player, zone = self.view.players[seat], Zone(4, y, 592, HAND)
        latest = f"hand-{seat}" in self.latest
        if player.score:
            shown = [*self.score_table(zone)]
        elif self.goals and self.view.phase == "choose_goal":
            shown = [self.goal_button(side, zone, at) for at, side in enumerate(("a", "b"))]
        else:
            shown = [*self.tiles(seat, latest, (zone.x + 8, zone.y + 6))]
            shown += self.tall_destinations(seat, zone) if self.view.phase == "exchange" else []
        return part(
            panel(self.theme, zone),
            *shown,
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            explain="score" if player.score else "hand",
            seat=seat,
            latest=latest,
        )

    def tall_destinations(self, seat: Seat, zone: Zone) -> Iterator[Element]:
        """Keep, to the left, to the right, as buttons side by side."""
        ways = self.ways_to_give()
        wide = 96 if len(ways) < 3 else 84
        allotting = self.view.options.will_of_the_gods and seat == self.scene.viewer
        for at, to in enumerate(ways):
            step = {"keep": 0, "left": 1, "right": -1}[to]
            yield part(
                rect(0, 0, wide - 4, 92, rx=6, fill=self.theme.raised, stroke=self.theme.line),
                seat_mark(self.theme, (seat + step) % self.view.seats, wide / 2 - 2, 24, 22),
                lines(
                    self.theme, wide / 2 - 2, 58, self.destination(to), wide - 14, size=19, anchor="middle"
                ),
                id=f"destination-{to}",
                at=(zone.x + zone.width - (len(ways) - at) * wide - 4, zone.y + 8),
                explain="choice",
                seat=seat,
                names={"to": to} if allotting else None,
                actions=("allot",) if allotting else (),
            )

    def goal_button(self, side: str, zone: Zone, at: int) -> Element:
        """One side of the goal card with its goals."""
        theme, width = self.theme, zone.width / 2 - 6
        goals = self.box.ultimate_goal_card["a" if side == "a" else "b"]
        chosen = [seat for seat, player in enumerate(self.view.players) if player.goal_side == side]
        return part(
            rect(0, 0, width, zone.height - 8, rx=6, fill=theme.raised, stroke=theme.line),
            words(
                theme, 10, 24, self.scene.word(side), size=20, serif=True, bold=True, width=180, smallest=19
            ),
            *(seat_mark(theme, seat, width - 16 - place * 22, 16, 16) for place, seat in enumerate(chosen)),
            *(
                part(
                    badge(theme, 20, 46 + row * 30, goal.points, size=19),
                    words(
                        theme,
                        40,
                        52 + row * 30,
                        self.scene.word(goal.id),
                        size=19,
                        width=width - 46,
                        smallest=19,
                    ),
                    explain=goal.id,
                )
                for row, goal in enumerate(goals)
            ),
            id=f"goal-{side}",
            at=(zone.x + 4 + at * (width + 4), zone.y + 4),
            names={"side": side},
            explain="goal_side",
        )

    def score_table(self, zone: Zone) -> Iterator[Element]:
        """A row for every player, in the order of the seats."""
        columns = ("completed", "incomplete", "bonus", *(("goals",) if self.goals else ()), "total")
        theme, best = self.theme, self.view.outcome.winners if self.view.outcome else ()
        step = 84
        for at, column in enumerate(columns):
            x = zone.x + zone.width - 12 - (len(columns) - 1 - at) * step
            yield words(theme, x, zone.y + 24, self.scene.say(f"score_{column}", WORDS), size=19, anchor="end", quiet=True,
                        width=step - 4, smallest=19)  # fmt: skip
        for row, player in enumerate(self.view.players):
            y = zone.y + 48 + row * 24
            if player.score is None:
                continue
            yield seat_mark(theme, row, zone.x + 18, y - 6, 16)
            room = zone.width - 44 - len(columns) * step
            yield words(
                theme,
                zone.x + 34,
                y,
                self.scene.player(row),
                size=19,
                bold=row in best,
                width=room + 30,
                smallest=19,
            )
            for at, column in enumerate(columns):
                x = zone.x + zone.width - 12 - (len(columns) - 1 - at) * step
                yield words(theme, x, y, getattr(player.score, column), size=20, anchor="end", bold=column == "total")  # fmt: skip

    # -- the others -----------------------------------------------------------------------------------------------------

    def other_strip(self, seat: Seat, zone: Zone) -> Element:
        """A player in one line, which opens the sheet with the pyramid: priests in reserve, the points of cards won."""
        theme, player, to_act = self.theme, self.view.players[seat], seat in self.view.to_act
        middle, end = zone.y + zone.height / 2, zone.x + zone.width - 8
        won = sum(self.box.cards_by_id[card].points for card in player.completed)
        roomy = zone.width > 250
        return part(
            panel(theme, zone, accent=theme.gold if to_act else None),
            words(theme, zone.x + 66, middle + 7, self.scene.player(seat), size=20, bold=True, width=zone.width - (162 if roomy else 92),
                  smallest=19),
            part(
                seat_mark(theme, seat, zone.x + 18, middle, 20),
                words(theme, zone.x + 34, middle + 7, player.priests_reserve, size=20),
                explain="priests_reserve",
                seat=seat,
            ),
            part(
                words(theme, end - 22, middle + 7, self.scene.say("won", WORDS, points=won), size=19, anchor="end"),
                explain="completed",
                seat=seat,
            ) if roomy else None,
            polygon([(end - 15, middle - 5), (end, middle - 5), (end - 7.5, middle + 6)], fill=theme.quiet),
            id=f"plate-{seat}",
            label=self.scene.player(seat),
            seat=seat,
            latest=any(f"{key}-{seat}" in self.latest for key in ("turn", "hand", "bonus-2", "private")),
            data_opens=f"sheet-{seat}",
            data_to_act="true" if to_act else None,
        )  # fmt: skip

    def sheet(self, seat: Seat) -> Element:
        """Another player's pyramid, over the near one's until it is closed again."""
        zone = Zone(4, self.spaces.y - LANE, 592, SIDE + LANE + 6)
        cell, player = 52.0, self.view.players[seat]
        y = zone.y + 8 + 40 + cell * SPACES + 26
        return part(
            panel(self.theme, zone, accent=self.theme.seats[seat]),
            seat_mark(self.theme, seat, zone.x + 24, zone.y + 24, 24),
            words(self.theme, zone.x + 46, zone.y + 32, self.scene.player(seat), size=22, bold=True, width=430, smallest=19),
            self.first_mark(seat, zone.x + zone.width - 40, zone.y + 24),
            part(
                group(*self.pyramid(seat), transform=f"scale({cell / CELL:.3f})"),
                id=f"pyramid-{seat}",
                at=(zone.x + (zone.width - cell * SPACES) / 2, zone.y + 48),
                label=self.scene.about(self.scene.word("pyramid"), self.scene.player(seat)),
                explain="tiles",
                seat=seat,
            ),
            *(
                self.counted(seat, key, (zone.x + 40 + at * 100, y))
                for at, key in enumerate(("bonus_2", "bonus_3", "hand"))
            ),
            self.medals(seat, zone.x + 320, y - 15, 260),
            self.private_of_another(seat, player.private_card, zone.x + 20, y + 24) if player.private_card else None,
            id=f"sheet-{seat}",
            display="none",
            data_opens=f"sheet-{seat}",
        )  # fmt: skip

    def counted(self, seat: Seat, key: str, at: tuple[float, float]) -> Element:
        """How many bonus decorations or tiles a player has."""
        player = self.view.players[seat]
        mark, number = {
            "bonus_2": (Print(bars(2, 16)), player.bonus_2_count),
            "bonus_3": (Print(bars(3, 16)), player.bonus_3_count),
            "hand": (
                group(Print(tile_back(self.theme.name, 28, False)), transform="translate(-14 -14)"),
                player.hand_count + player.unseen_count,
            ),
        }[key]
        latest = f"{key.replace('_', '-').replace('bonus-', f'bonus-{seat}-')}" in self.latest
        return part(
            mark,
            words(self.theme, 32, 7, number, size=21, bold=True),
            id=f"{key.replace('_', '-')}-{seat}",
            at=at,
            label=self.scene.about(self.scene.word(key), number),
            explain=key,
            seat=seat,
            latest=latest,
        )

"""What players have beside their pyramids; the others with theirs; the goal card."""

from collections.abc import Iterator
from functools import cache
from math import ceil
from typing import NamedTuple

from games.kernel import Seat
from games.pictures import Zone, badge, centred, gilt, lines, panel, part, seat_mark, token, words
from games.svg import Element, Print, group, rect
from games.temple_of_five.board.cards import Cards
from games.temple_of_five.board.pyramids import Pyramids
from games.temple_of_five.board.stamps import CELL, bars, medal, tile_back
from games.temple_of_five.board.table import GOALS, LARGEST_FAR, OTHERS, RESERVE, SPACES


class Place(NamedTuple):
    """Where another player's things lie: the plate, the pyramid's corner and space, and what is told of him."""

    plate: Zone
    corner: tuple[float, float]
    cell: float
    notes: Zone

    @property
    def block(self) -> Zone:
        """Around all of it."""
        plate, bottom = (
            self.plate,
            max(self.notes.y + self.notes.height, self.corner[1] + self.cell * SPACES + 4),
        )
        return Zone(plate.x, plate.y, plate.width, bottom - plate.y)


@cache
def places(others: int, height: float, notes: float) -> tuple[Place, ...]:
    """The others side by side, or one below the other: whichever gives them the larger pyramids."""
    gap, plate_height = 10, 36
    ways = []
    for rows in range(1, others + 1):
        columns = ceil(others / rows)
        width = (OTHERS.width - (columns - 1) * gap) / columns
        tall = (height - (rows - 1) * gap) / rows
        under = min(width - 6, tall - plate_height - 12 - notes)
        beside = min(width - 156, tall - plate_height - 12)
        ways.append((max(under, beside), beside > under, columns, width, tall))
    side, aside, columns, width, tall = max(ways)
    cell = min(LARGEST_FAR, side // SPACES)
    side = cell * SPACES
    places = []
    for at in range(others):
        x, y = (
            OTHERS.x + at % columns * (width + gap),
            OTHERS.y
            + at // columns * ((tall if others > columns else side + plate_height + notes + 12) + gap),
        )
        left = x + 3 if aside or width - side < 8 else x + (width - side) / 2
        top_ = y + plate_height + 9
        note = (
            Zone(left + side + 12, top_, width - side - 18, side)
            if aside
            else Zone(x + 3, top_ + side + 6, width - 6, notes)
        )
        places.append(Place(Zone(x, y, width, plate_height), (left, top_), cell, note))
    return tuple(places)


class Seats(Cards, Pyramids):
    """The drawing of what belongs to players."""

    def near_reserve(self) -> Element:
        """Priests in reserve, and the cards won."""
        seat, zone = self.near, RESERVE
        player = self.view.players[seat]
        middle = zone.y + zone.height / 2
        step = 17
        tokens = [
            part(token(self.theme, seat, 20), at=(zone.x + 20 + at * step, middle))
            for at in range(player.priests_reserve)
        ]
        return part(
            panel(self.theme, zone),
            *tokens,
            words(self.theme, zone.x + 18 + max(1, player.priests_reserve) * step, middle + 6, player.priests_reserve,
                  size=18, bold=True),
            self.medals(seat, zone.x + 222, middle - 15, 248),
            id=f"reserve-{seat}",
            label=self.scene.about(self.scene.word("priests_reserve"), player.priests_reserve),
            explain="priests_reserve",
            seat=seat,
        )  # fmt: skip

    def medals(self, seat: Seat, x: float, y: float, width: float) -> Element:
        """The cards that a player has won, with their points."""
        won = self.view.players[seat].completed
        step = min(49, (width - 44) / max(1, len(won) - 1))
        drawn = []
        for at, name in enumerate(won):
            printed = self.box.cards_by_id[name]
            latest = name in self.latest
            drawn.append(
                part(
                    gilt(self.theme, 0, 0, 44, 30, 5) if latest else None,
                    Print(medal(self.theme.name, printed.god)),
                    centred(
                        self.theme,
                        32,
                        15,
                        printed.points,
                        max(16, self.scene.smallest),
                        bold=True,
                        fill=self.theme.on(self.hue(printed.god)),
                    ),
                    id=f"card-{name}",
                    at=(x + at * step, y),
                    label=self.scene.about(self.scene.word(printed.god), printed.points),
                    explain=printed.god,
                    latest=latest,
                )
            )
        label = self.scene.word("completed")
        return part(*drawn, id=f"completed-{seat}", label=label, explain="completed", seat=seat)

    def others(self) -> Iterator[Element]:
        """The other players' pyramids, in turn order from the near seat on."""
        height = GOALS.y - 10 - OTHERS.y if self.goals else OTHERS.height
        notes = 62 if self.view.options.special_tiles == "single_colour" else 98
        seats = [(self.near + step) % self.view.seats for step in range(1, self.view.seats)]
        for seat, place in zip(seats, places(len(seats), height, notes), strict=True):
            yield part(panel(self.theme, place.block), id=f"block-{seat}")
            yield self.plate(seat, place.plate)
            yield part(
                group(*self.pyramid(seat), transform=f"scale({place.cell / CELL:.3f})"),
                id=f"pyramid-{seat}",
                at=place.corner,
                label=self.scene.about(self.scene.word("pyramid"), self.scene.player(seat)),
                explain="tiles",
                seat=seat,
            )
            yield self.notes(seat, place.notes)

    def notes(self, seat: Seat, zone: Zone) -> Element:
        """What another player has, in numbers; the cards he has won; the card that is his alone."""
        player, name = self.view.players[seat], self.theme.name
        pieces = (player.bonus_2_count, player.bonus_3_count)
        held = player.hand_count + player.unseen_count
        counted: list[tuple[Element, object, str, bool]] = [
            (seat_mark(self.theme, seat, 0, 0, 20), player.priests_reserve, "priests_reserve", False),
            *(
                (Print(bars(size, 12)), number, f"bonus_{size}", f"bonus-{seat}-{size}" in self.latest)
                for size, number in zip((2, 3), pieces, strict=True)
            ),
            (
                Print(tile_back(name, 20, False), transform="translate(-10 -10)"),
                held,
                "hand",
                f"hand-{seat}" in self.latest,
            ),
        ]
        across = max(1, int(zone.width // 54))
        across = min(4, across)
        room = zone.width / across
        drawn = []
        for at, (mark, number, key, latest) in enumerate(counted):
            x, y = zone.x + at % across * room + 16, zone.y + 14 + at // across * 28
            drawn.append(
                part(
                    gilt(self.theme, -16, -12, min(52, room - 6), 24) if latest else None,
                    mark,
                    words(self.theme, 20 if key == "bonus_3" else 16, 6, number, size=17, bold=True),
                    id=f"{key.replace('_', '-')}-{seat}",
                    at=(x, y),
                    label=self.scene.about(self.scene.word(key), number),
                    explain=key,
                    seat=seat,
                    latest=latest,
                )
            )
        under = zone.y + 2 + ceil(len(counted) / across) * 28
        private = player.private_card
        return group(
            *drawn,
            self.medals(seat, zone.x + 6, under, zone.width - 12),
            self.private_of_another(seat, private, zone.x, under + 36) if private else None,
        )

    # -- goals --------------------------------------------------------------------------------------------------------

    def goal_card(self) -> Element:
        """Both sides with their goals; who goes for which, and at the end who has met what."""
        latest = "goals" in self.latest
        return part(
            panel(self.theme, GOALS),
            gilt(self.theme, GOALS.x, GOALS.y, GOALS.width, GOALS.height) if latest else None,
            *(self.goal_side(side, GOALS.x + at * GOALS.width / 2) for at, side in enumerate(("a", "b"))),
            id="goals",
            label=self.scene.word("ultimate_goal"),
            explain="goal_side",
            latest=latest,
        )

    def goal_side(self, side: str, x: float) -> Element:
        theme, players = self.theme, self.view.players
        choosing = self.view.phase == "choose_goal"
        chosen = [seat for seat, player in enumerate(players) if player.goal_side == side]
        step = 24 if len(chosen) < 3 else 15
        drawn: list[Element] = []
        for at, seat in enumerate(chosen):
            right = x + GOALS.width / 2 - 18 - at * step
            drawn.append(
                token(theme, seat, 15, latest=True)
                if f"goal-{seat}" in self.latest
                else token(theme, seat, 16)
            )
            drawn[-1] = part(drawn[-1], at=(right, GOALS.y + 20), latest=f"goal-{seat}" in self.latest)
        for at, goal in enumerate(self.box.ultimate_goal_card["a" if side == "a" else "b"]):
            y = GOALS.y + 58 + at * 44
            met = [
                seat
                for seat, player in enumerate(players)
                if player.score and goal.id in player.score.goals_met
            ]
            drawn.append(
                part(
                    badge(theme, x + 22, y, goal.points, size=15),
                    lines(theme, x + 42, y - 3, self.scene.word(goal.id), 184, size=15),
                    explain=goal.id,
                )
            )
            drawn += [
                seat_mark(theme, seat, x + GOALS.width / 2 - 18 - place * 17, y + 11, 13)
                for place, seat in enumerate(met)
            ]
        room = GOALS.width / 2 - 24 - step * len(chosen)
        return part(
            rect(x + 4, GOALS.y + 4, GOALS.width / 2 - 8, GOALS.height - 8, rx=6, fill=theme.raised),
            words(
                theme, x + 12, GOALS.y + 26, self.scene.word(side), size=17, serif=True, bold=True, width=room
            ),
            *drawn,
            id=f"goal-{side}",
            names={"side": side} if choosing else None,
        )

"""The board of Sa-Ré for a phone: the others as strips that open, the season or the supply, one's own city across."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from games.kernel import Seat
from games.pictures import (
    TARGET,
    Zone,
    centred,
    gilt,
    lines,
    panel,
    part,
    seat_mark,
    sign,
    strip,
    tall_heading,
    words,
)
from games.sa_re.board.captions import WORDS, moment
from games.sa_re.board.cities import Cities
from games.sa_re.board.plans import Plan
from games.sa_re.board.stamps import SIGNS, degree, nile, resource, season_card
from games.sa_re.board.tall_supply import TallSupply
from games.sa_re.box import TOKENS
from games.svg import Element, Print, polygon, rect

STRIP, SEASON, CITY, LARGE_CITY = 74, 148, 268, 346
"""How high the strip of a player, the season and the spaces of a city are; with a single opponent a city has more room."""
TOP, LEFT, WIDTH = 58, 6, 588
ACROSS = 141.0
CARD = (68, 70)


class Tall(Cities, TallSupply):
    """The whole board, 600 wide."""

    @property
    def others(self) -> list[Seat]:
        seats = len(self.view.players)
        return [(self.near + step) % seats for step in range(1, seats)]

    @property
    def season_y(self) -> float:
        return TOP + len(self.others) * (STRIP + 4)

    @property
    def own_y(self) -> float:
        return self.season_y + SEASON + 4

    @property
    def goods_y(self) -> float:
        return self.own_y + STRIP + self.city_height + 8

    @property
    def city_height(self) -> float:
        return CITY if len(self.others) > 1 else LARGE_CITY

    @property
    def height(self) -> float:
        return self.goods_y + 78 + 104 + 48

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        title = f"{scene.say('round', WORDS, round=view.round)} · {scene.word(view.phase)} · {scene.word('sa_re')}"
        yield tall_heading(scene, title, moment(view, scene), view.phase, "round")
        for at, seat in enumerate(self.others):
            yield self.other(seat, Zone(LEFT, TOP + at * (STRIP + 4), WIDTH, STRIP))
        middle = Zone(LEFT, self.season_y, WIDTH, SEASON)
        yield self.supply_cells(middle) if view.phase == "sites" else self.tall_season(middle)
        yield self.own_city()
        bottom = Zone(LEFT, self.height - 46, WIDTH, 42)
        yield self.supply_button(bottom)
        for seat in self.others:
            yield self.sheet(seat)
        yield self.supply_sheet(Zone(LEFT, 4, WIDTH, self.height - 54))

    # -- players --------------------------------------------------------------------------------------------------------

    def other(self, seat: Seat, zone: Zone) -> Element:
        """Name and gauge, the obelisk, the cards in front; it opens the sheet with the city."""
        player = self.view.players[seat]
        plan = self.plan(zone.y, Zone(zone.x + 262, zone.y + 2, 322, STRIP - 4))
        note = self.note(seat) if self.view.outcome or player.vacated else ""
        return part(
            strip(
                self.scene,
                seat,
                zone,
                None if note else self.bar(seat, Zone(zone.x + 44, zone.y + 44, 158, 24)),
                self.obelisk(seat, (zone.x + 232, zone.y + STRIP / 2, 54)),
                self.first_token(zone.x + 24, zone.y + 60) if seat == self.view.first_seat else None,
                polygon([(zone.x + 186, zone.y + 18), (zone.x + 202, zone.y + 18), (zone.x + 194, zone.y + 30)],
                        fill=self.theme.quiet),
                self.to_place(seat, plan) if player.to_place else self.cards(seat, plan),
                to_act=seat in self.view.to_act,
                room=182,
                note=note or " ",
                explain=self.note_key() if note else None,
            ),
            data_opens=f"sheet-{seat}",
            **self.aimed_at(seat),
        )  # fmt: skip

    def plan(self, y: float, cards: Zone) -> Plan:
        """Where the things of a city lie that begins at a height."""
        nowhere, height = Zone(0, 0, 0, 0), self.city_height
        return Plan(
            plate=nowhere,
            gauge=nowhere,
            grid=Zone(LEFT, y, ACROSS * 4, height),
            river=Zone(LEFT + ACROSS * 4 + 2, y, 20, height),
            obelisk=(0, 0, 0),
            caravans=Zone(LEFT + 74, y + height + 8, 80, 70),
            stock=Zone(LEFT + 164, y + height + 8, 420, 70),
            cards=cards,
            card=CARD,
        )

    def bar(self, seat: Seat, zone: Zone) -> Element:
        """The revolt gauge lying down: red up to where it is, a flame where revolt breaks out."""
        player, theme, latest = self.view.players[seat], self.theme, f"gauge-{seat}" in self.latest
        most = self.box.revolt_gauge.revolt_at
        step, middle = zone.width / most, zone.y + zone.height / 2
        drawn: list[Element] = []
        for number in range(1, most + 1):
            x, reached = zone.x + (number - 1) * step, number <= player.revolt
            how = "walled" if number > player.revolt_limit else "reached" if reached else "free"
            drawn.append(Print(degree(theme.name, step - 1, zone.height, how), x=x, y=zone.y))
            ink = theme.on(theme.danger) if reached else theme.danger
            if number == player.revolt_limit:
                drawn.append(sign(SIGNS["trouble"], x + step / 2, middle, min(24, step - 2), ink))
            elif number == player.revolt and step > 20:
                drawn.append(centred(theme, x + step / 2, middle, number, 19, bold=True, fill=ink))
            elif player.penalty and number <= player.penalty:
                drawn.append(sign(SIGNS["new"], x + step / 2, middle, 14, theme.danger))
        own = seat == self.scene.viewer
        area = rect(zone.x, middle - TARGET / 2, zone.width, TARGET, fill="#000", fill_opacity=0)
        return part(
            area if own else None,
            gilt(theme, zone.x, zone.y, zone.width, zone.height, 5) if latest else None,
            *drawn,
            id=f"gauge-{seat}",
            label=self.scene.say("gauge", WORDS, revolt=player.revolt, limit=player.revolt_limit),
            actions=("stay",) if own else (),
            explain="revolt",
            seat=seat,
            latest=latest,
        )

    def own_city(self) -> Element:
        """The gauge beside the name, the spaces on the Nile, then goods and cards."""
        seat, y = self.near, self.own_y
        player, zone = self.view.players[seat], Zone(LEFT, y, WIDTH, STRIP)
        note = self.note(seat) or self.scene.say(
            "gauge", WORDS, revolt=player.revolt, limit=player.revolt_limit
        )
        plan = self.plan(y + STRIP + 4, Zone(LEFT, self.goods_y + 76, WIDTH, 104))
        plan = plan._replace(card=(74, 98))
        inside = [
            self.bar(seat, Zone(zone.x + 256, zone.y + 20, 296, 34)),
            self.first_token(zone.x + 24, zone.y + 60) if seat == self.view.first_seat else None,
        ]
        return part(
            strip(self.scene, seat, zone, *inside, to_act=seat in self.view.to_act, room=250, note=note,
                  explain=self.note_key() if self.note(seat) else "revolt"),
            *self.spaces(seat, plan),
            self.own_obelisk(seat),
            self.caravans(seat, plan.caravans),
            self.goods(seat, plan.stock),
            self.to_place(seat, plan) if player.to_place else self.cards(seat, plan),
            id=f"city-{seat}",
        )  # fmt: skip

    def own_obelisk(self, seat: Seat) -> Element:
        middle = self.goods_y + 35
        return self.obelisk(seat, (LEFT + 36, middle, 66))

    def spaces(self, seat: Seat, plan: Plan) -> Iterator[Element]:
        yield Print(
            nile(self.theme.name, plan.river.width, plan.river.height), x=plan.river.x, y=plan.river.y
        )
        for at, tiles in enumerate(self.view.players[seat].spaces):
            yield self.space(seat, at, tiles, plan)

    def goods(self, seat: Seat, zone: Zone) -> Element:
        """What lies in the warehouses, a place for each resource, and how full they are."""
        player, own, latest = self.view.players[seat], self.paying(seat), f"stock-{seat}" in self.latest
        drawn = []
        for at, name in enumerate(TOKENS):
            number = player.stock.of(name)
            named: dict[str, Any] = {
                "names": {"source": {"stock": name}, "take": name},
                "actions": ("pay", "store"),
            }
            drawn.append(
                part(
                    rect(0, 0, 76, 70, rx=6, fill=self.theme.panel, stroke=self.theme.line),
                    Print(resource(self.theme.name, name, 30), x=24, y=35),
                    words(self.theme, 48, 43, number, size=22, bold=bool(number), quiet=not number),
                    at=(zone.x + at * 79, zone.y),
                    label=self.scene.about(self.scene.word(name), number),
                    explain=name,
                    seat=seat,
                    **(named if own else {}),
                )
            )
        return part(
            gilt(self.theme, zone.x, zone.y, 4 * 79 - 3, 70) if latest else None,
            *drawn,
            lines(
                self.theme, zone.x + 324, zone.y + 22, self.capacity(seat), 96, size=19, most=3, quiet=True
            ),
            id=f"stock-{seat}",
            label=self.scene.about(self.scene.word("stock"), self.capacity(seat)),
            explain="stock",
            seat=seat,
            latest=latest,
        )

    def sheet(self, seat: Seat) -> Element:
        """Another player's city, over the near one's until it is closed again."""
        zone = Zone(LEFT - 4, self.own_y - 4, WIDTH + 8, STRIP + self.city_height + 96)
        plan = self.plan(self.own_y + STRIP + 4, Zone(0, 0, 0, 0))
        return part(
            panel(self.theme, zone, accent=self.theme.seats[seat]),
            seat_mark(self.theme, seat, zone.x + 28, zone.y + 40, 26),
            words(self.theme, zone.x + 52, zone.y + 48, self.scene.player(seat), size=24, bold=True, width=500, smallest=19),
            *self.spaces(seat, plan),
            self.caravans(seat, plan.caravans),
            self.goods(seat, plan.stock),
            id=f"sheet-{seat}",
            explain="spaces",
            seat=seat,
            display="none",
            data_opens=f"sheet-{seat}",
        )  # fmt: skip

    # -- the season -----------------------------------------------------------------------------------------------------

    def tall_season(self, zone: Zone) -> Element:
        """Deck, discards, and the sequence that is going on or the work that is being paid for; the directive below."""
        theme, mode = self.theme, self.view.options.mode
        directive = self.scene.about(self.scene.word(mode), self.scene.say(mode, WORDS))
        drawn = self.drawn_cards(zone) if self.view.phase == "season" else self.paid_work(zone)
        return part(
            panel(theme, zone),
            self.deck((zone.x + 14, zone.y + 8), (68, 86)),
            self.discard((zone.x + 100, zone.y + 8), (60, 86)),
            *drawn,
            part(
                words(theme, zone.x + 12, zone.y + zone.height - 10, directive, size=19, quiet=True, width=zone.width - 20,
                      smallest=19),
                id="directive",
                explain="directive",
            ),
            id="season",
        )  # fmt: skip

    def drawn_cards(self, zone: Zone) -> Iterator[Element]:
        """Whose sequence it is, what was drawn and waits, who has still to react."""
        sequence, theme, x = self.view.sequence, self.theme, zone.x + 182
        if sequence is None:
            return
        yield seat_mark(theme, sequence.seat, x + 10, zone.y + 20, 20)
        caption = self.sequence_caption(sequence)
        yield part(
            words(theme, x + 28, zone.y + 27, caption, size=19, width=368, smallest=19),
            explain="sequence",
            seat=sequence.seat,
        )
        shown: list[tuple[str | None, int | None]] = [
            (each.id, None if each.level is UNSET else each.level) for each in sequence.pending
        ]
        shown += [(each.id, None) for each in sequence.temple]
        step = min(74, (394 - 70) / max(1, len(shown) - 1))
        for at, (name, level) in enumerate(shown):
            yield self.drawn_card(name, level, (x + 4 + at * step, zone.y + 38))
        left = x + 10 + len(shown) * step
        if self.view.reactions and left < zone.x + 480:
            yield words(theme, left, zone.y + 64, self.scene.say("react", WORDS), size=19, quiet=True, width=zone.x + 584 - left,
                        smallest=19)  # fmt: skip
            for at, seat in enumerate(self.view.reactions):
                yield seat_mark(theme, seat, left + 14 + at * 28, zone.y + 88, 22)

    def drawn_card(self, name: str | None, level: int | None, at: tuple[float, float]) -> Element:
        if name is None:
            return part(self.card_back(CARD), at=at, explain="season_card")
        shown, latest = self.box.cards[name], name in self.latest
        degree_ = shown.level if level is None else level
        return part(
            Print(season_card(self.theme.name, shown.kind, shown.gives, degree_, *CARD, latest)),
            id=f"card-{name}",
            at=at,
            label=self.scene.word(name),
            names={"card": name},
            explain=self.card_key(name),
            latest=latest,
        )

    def paid_work(self, zone: Zone) -> Iterator[Element]:
        """What is being paid for, what was paid, what is lacking."""
        work, theme, x, y = self.view.work, self.theme, zone.x + 182, zone.y
        if work is None or self.view.phase != "construction":
            return
        name, mark = self.work_name(work)
        latest = "work" in self.latest
        gives = [name_ for payment in work.paid for name_ in payment.gives]
        yield part(
            gilt(theme, x, y + 8, 394, 100) if latest else None,
            seat_mark(theme, work.seat, x + 16, y + 30, 20),
            sign(mark, x + 48, y + 30, 30, theme.text),
            words(theme, x + 72, y + 37, name, size=20, bold=True, width=150, smallest=19),
            words(theme, x + 388, y + 37, self.scene.say("uncovered", WORDS, number=work.uncovered), size=19, anchor="end",
                  width=180, smallest=19),
            words(theme, x + 8, y + 84, self.scene.say("paid", WORDS), size=19, quiet=True),
            *(
                Print(resource(theme.name, each, 28), x=x + 84 + at * min(36, 310 / max(1, len(gives))), y=y + 78)
                for at, each in enumerate(gives)
            ),
            id="work",
            explain="work",
            seat=work.seat,
            latest=latest,
        )  # fmt: skip

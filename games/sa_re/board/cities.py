"""Cities: plate, gauge, obelisk, caravans, stock and cards around the spaces."""

from typing import Any

from games.kernel import Seat
from games.pictures import TARGET, ZIGGURAT, Zone, centred, gilt, part, plate, sign, words
from games.sa_re.board.buildings import Buildings
from games.sa_re.board.captions import WORDS
from games.sa_re.board.plans import Plan
from games.sa_re.board.stamps import SIGNS, camel, degree, nile, resource
from games.sa_re.box import TOKENS
from games.sa_re.state import Card, Tile
from games.svg import Element, Print, circle, group, rect


class Cities(Buildings):
    """The drawing of cities."""

    def city(self, seat: Seat, plan: Plan) -> Element:
        player = self.view.players[seat]
        return part(
            self.plate(seat, plan.plate),
            self.gauge(seat, plan.gauge),
            Print(nile(self.theme.name, plan.river.width, plan.river.height), x=plan.river.x, y=plan.river.y),
            *(self.space(seat, at, tiles, plan) for at, tiles in enumerate(player.spaces)),
            self.obelisk(seat, plan.obelisk),
            self.caravans(seat, plan.caravans),
            self.stock(seat, plan.stock),
            self.to_place(seat, plan) if player.to_place else self.cards(seat, plan),
            id=f"city-{seat}",
        )

    def plate(self, seat: Seat, zone: Zone) -> Element:
        """A player's name, and what there is to say of the city."""
        to_act, note = seat in self.view.to_act, self.note(seat)
        first = None
        if seat == self.view.first_seat and not note:
            first = self.first_token(zone.x + zone.width - (58 if to_act else 24), zone.y + zone.height / 2)
        return part(
            plate(self.scene, seat, zone, to_act=to_act, note=note, explain=self.note_key()),
            first,
            **self.aimed_at(seat),
        )

    def note_key(self) -> str:
        return "score" if self.view.outcome else "penalty"

    def aimed_at(self, seat: Seat) -> dict[str, Any]:
        """An opponent is who Troubles are sent to, and who a power is aimed at."""
        if self.scene.viewer is None or seat == self.scene.viewer:
            return {}
        return {
            "names": {"to": seat, "target": seat, "from": seat},
            "actions": ("pass_trouble", "use_barracks", "use_market"),
        }

    def note(self, seat: Seat) -> str:
        player = self.view.players[seat]
        if self.view.outcome and self.view.outcome.scores:
            return self.scene.say("score", WORDS, score=self.view.outcome.scores[seat])
        if player.penalty:
            return self.scene.say("penalty", WORDS, penalty=player.penalty)
        return self.scene.word(player.vacated).lower() if player.vacated else ""

    def first_token(self, x: float, y: float) -> Element:
        """The token of who is first in this round."""
        return part(
            sign(ZIGGURAT, 0, 0, 22, self.theme.gold, stroke=self.theme.edge, stroke_width=1.2),
            id="first-seat",
            at=(x, y),
            label=self.scene.word("first_seat"),
            explain="round",
        )

    def gauge(self, seat: Seat, zone: Zone) -> Element:
        """Fills red from below; revolt breaks out at the flame, growth has walled up what lies above it."""
        player, theme = self.view.players[seat], self.theme
        most = self.box.revolt_gauge.revolt_at
        step = zone.height / most
        middle = zone.x + zone.width / 2
        latest = f"gauge-{seat}" in self.latest
        drawn: list[Element | None] = [
            gilt(theme, zone.x, zone.y, zone.width, zone.height, 5) if latest else None
        ]
        for number in range(1, most + 1):
            y = zone.y + zone.height - number * step
            reached = number <= player.revolt
            how = "walled" if number > player.revolt_limit else "reached" if reached else "free"
            drawn.append(Print(degree(theme.name, zone.width, step, how), x=zone.x, y=y))
            if number == player.revolt_limit:
                ink = theme.on(theme.danger) if reached else theme.danger
                drawn.append(sign(SIGNS["trouble"], middle, y + step / 2, min(22, step - 4), ink))
            elif number == player.revolt:
                ink = theme.on(theme.danger)
                drawn.append(centred(theme, middle, y + step / 2, number, 15, bold=True, fill=ink))
            elif player.penalty and number <= player.penalty:
                drawn.append(circle(middle, y + step / 2, 4, fill=theme.danger))
        own = seat == self.scene.viewer
        return part(
            *drawn,
            id=f"gauge-{seat}",
            label=self.scene.say("gauge", WORDS, revolt=player.revolt, limit=player.revolt_limit),
            actions=("stay",) if own else (),
            explain="revolt",
            seat=seat,
            latest=latest,
        )

    def obelisk(self, seat: Seat, where: tuple[float, float, float]) -> Element:
        """Standing, laid down, or broken by revolt."""
        x, y, size = where
        state, theme = self.view.players[seat].obelisk, self.theme
        latest = f"obelisk-{seat}" in self.latest
        fill = theme.danger if state == "revolt" else theme.hues["sand"]
        shape = sign(SIGNS["obelisk"], 0, 0, size if state == "standing" else size * 0.64, fill)
        turned = {"standing": None, "down": "rotate(90)", "revolt": "rotate(48)"}[state]
        half = size * 0.5
        return part(
            self.area(TARGET / 2) if self.scene.shape == "tall" and seat == self.scene.viewer else None,
            gilt(theme, -half * 0.6, -half, half * 1.2, size) if latest else None,
            group(shape, transform=turned),
            sign(SIGNS["trouble"], 0, -size * 0.34, size * 0.36, theme.danger) if state == "revolt" else None,
            id=f"obelisk-{seat}",
            at=(x, y),
            label=self.scene.about(self.scene.word("obelisk"), self.scene.value("obelisk", state).lower()),
            actions=("stop",) if seat == self.scene.viewer else (),
            explain="obelisk",
            seat=seat,
            latest=latest,
        )  # fmt: skip

    def area(self, half: float) -> Element:
        """What can be clicked around 0, 0 though it is not all filled."""
        return rect(-half, -half, half * 2, half * 2, fill="#000", fill_opacity=0)

    def caravans(self, seat: Seat, zone: Zone) -> Element:
        """One place above the other; a caravan that has just set out is hollow until the next round."""
        player, theme, most = self.view.players[seat], self.theme, self.box.caravan_track.max
        latest = f"caravans-{seat}" in self.latest
        step = zone.height / most
        places = ["ready"] * (player.caravans - player.caravans_new) + ["new"] * player.caravans_new
        places += ["empty"] * (most - player.caravans)
        size = min(26, step - 2)
        drawn = [
            Print(
                camel(theme.name, size, how),
                x=zone.x + zone.width / 2,
                y=zone.y + zone.height - (at + 0.5) * step,
            )
            for at, how in enumerate(places)
        ]
        own = self.paying(seat)
        return part(
            rect(zone.x, zone.y, zone.width, zone.height, fill="#000", fill_opacity=0) if own else None,
            gilt(theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
            *drawn,
            id=f"caravans-{seat}",
            label=self.scene.about(self.scene.word("caravans"), player.caravans),
            names={"source": {"caravan": True}, "kind": "caravan"} if own else None,
            actions=("pay", "store", "start_work") if own else (),
            explain="caravans",
            seat=seat,
            latest=latest,
        )

    def stock(self, seat: Seat, zone: Zone) -> Element:
        """What lies in the warehouses, and how much they hold."""
        player, theme = self.view.players[seat], self.theme
        latest = f"stock-{seat}" in self.latest
        across = 2 if zone.height > 100 else len(TOKENS)
        below = zone.height > 50
        margin = 0 if below else 100
        room = (zone.width if across == 2 else zone.width - margin) / across
        tall = min(44, zone.height)
        drawn = []
        for at, name in enumerate(TOKENS):
            number = player.stock.of(name)
            x, y = zone.x + at % across * room, zone.y + at // across * 48 + tall / 2
            drawn.append(self.stored(seat, name, number, (x, y), large=zone.height > 50))
        words_at = (zone.x + zone.width / 2, zone.y + (120 if across == 2 else 62), "middle") if below else (
            zone.x + zone.width - 4, zone.y + tall / 2 + 6, "end")  # fmt: skip
        filled = self.capacity(seat)
        return part(
            gilt(theme, zone.x, zone.y, zone.width, min(zone.height, 100)) if latest else None,
            *drawn,
            words(
                theme,
                words_at[0],
                words_at[1],
                filled,
                size=15,
                anchor=words_at[2],
                quiet=True,
                width=zone.width + 20 if below else 100,
            ),
            id=f"stock-{seat}",
            label=self.scene.about(self.scene.word("stock"), filled),
            explain="stock",
            seat=seat,
            latest=latest,
        )

    def capacity(self, seat: Seat) -> str:
        """How full the warehouses are."""
        player = self.view.players[seat]
        tiles = [tile for tiles in player.spaces for tile in tiles if tile.built]
        warehouses = sum(tile.building == "warehouse" for tile in tiles)
        room, total = warehouses * self.box.warehouse_capacity.value, player.stock.total
        if not room:
            return self.scene.say("stored" if total else "no_capacity", WORDS, total=total)
        return self.scene.say("filled", WORDS, total=total, capacity=room)

    def stored(self, seat: Seat, name: str, number: int, at: tuple[float, float], *, large: bool) -> Element:
        own, side = self.paying(seat), 28 if large else 21
        mark = Print(resource(self.theme.name, name, side), x=18)
        return part(
            mark if number else group(mark, opacity=0.35),
            words(
                self.theme,
                18 + side * 0.78,
                6,
                number,
                size=18 if large else 16,
                bold=bool(number),
                quiet=not number,
            ),
            at=at,
            label=self.scene.about(self.scene.word(name), number) if own else None,
            names={"source": {"stock": name}, "take": name} if own else None,
            actions=("pay", "store") if own else (),
            explain=name,
            seat=seat,
        )

    # -- cards in front of players --------------------------------------------------------------------------------------

    def cards(self, seat: Seat, plan: Plan) -> Element:
        """Oldest first; one that has changed hands this season, or was kept from an earlier round, is marked."""
        cards, zone, (width, height) = self.view.players[seat].cards, plan.cards, plan.card
        step = min(width + 8, (zone.width - width - 4) / max(1, len(cards) - 1))
        own = seat == self.scene.viewer
        drawn = [
            part(
                self.face(each.id, plan.card, latest=each.id in self.latest, joker=each.joker),
                sign(SIGNS["exchanged"], width - 12, height - 12, 16, self.theme.text) if each.exchanged else None,
                sign(SIGNS["kept"], 12, height - 12, 16, self.theme.text) if each.kept is True else None,
                id=f"card-{each.id}",
                at=(zone.x + 2 + at * step, zone.y + (zone.height - height) / 2),
                label=self.card_label(each),
                explain="joker" if each.joker else self.card_key(each.id),
                latest=each.id in self.latest,
                **(self.own_card(each) if own else self.card_of_another(each)),
            )
            for at, each in enumerate(cards)
        ]  # fmt: skip
        return part(*drawn, id=f"cards-{seat}", label=self.scene.word("cards"), explain="cards", seat=seat)

    def own_card(self, each: Card) -> dict[str, Any]:
        if self.view.phase == "season":
            return {"names": {"give": each.id}, "actions": ("use_market",)}
        if self.view.phase == "construction":
            names = {"source": {"card": each.id}, "keep": each.id}
            return {"names": names, "actions": ("pay", "store", "end_construction")}
        return {}

    def card_of_another(self, each: Card) -> dict[str, Any]:
        if self.view.phase != "season" or self.scene.viewer is None:
            return {}
        return {"names": {"take": each.id}, "actions": ("use_market",)}

    def card_label(self, each: Card) -> str:
        label = self.scene.word("joker") if each.joker else self.scene.word(each.id)
        return f"{label} ({self.scene.word('kept')})" if each.kept is True else label

    def to_place(self, seat: Seat, plan: Plan) -> Element:
        """The buildings that a city is founded with, until they lie."""
        zone, own = plan.cards, seat == self.scene.viewer
        width, height = (104, 86) if zone.height > 80 else (64, 46)
        if self.scene.shape == "tall" and zone.height > 80:
            width, height = 141, 96
        drawn = []
        for at, building in enumerate(self.view.players[seat].to_place):
            drawn.append(
                part(
                    *self.building(seat, at, Tile(building, True), (width, height)),
                    id=f"to-place-{seat}-{building}",
                    at=(zone.x + 4 + at * (width + 10), zone.y + 4),
                    label=self.scene.word(building),
                    explain=building,
                    names={"building": building} if own else None,
                    actions=("place_building",) if own else (),
                )
            )
        label = self.scene.word("to_place")
        return part(*drawn, id=f"to-place-{seat}", label=label, explain="to_place", seat=seat)

"""The board of Sa-Ré: the others' cities above, the season in the middle, the near city and the supply below."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import UNSET

from games.kernel import Seat
from games.pictures import (
    WIDTH,
    ZIGGURAT,
    Layout,
    Scene,
    Theme,
    Zone,
    badge,
    board,
    card_back,
    centred,
    colours,
    gilt,
    heading,
    lines,
    panel,
    part,
    pile,
    plate,
    seat_mark,
    sign,
    words,
)
from games.sa_re.box import RESOURCES, TOKENS, Price, box_of
from games.sa_re.stamps import (
    HUES,
    SIGNS,
    camel,
    chip,
    degree,
    house,
    nile,
    plot,
    resource,
    roof_ink,
    scaffold,
    season_card,
    stripe,
)
from games.sa_re.state import Card, Cost, Player, State, Tile
from games.svg import Element, Print, circle, group, line, rect, width_of

HEIGHT = 936
OTHERS = Zone(20, 56, 960, 288)
SEASON = Zone(20, 354, 960, 130)
CITY = Zone(20, 494, 640, 432)
SUPPLY = Zone(672, 494, 308, 432)
ROWS, COLUMNS = 3, 4
PILE = (60, 84)

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "side": "{who}: revolt {revolt} of {limit}, obelisk {obelisk}; built: {built}; sites: {sites}; stock {stock}; cards: {cards}.",
        "none": "none",
        "season": "Deck of {deck}, {how}; discards {discards}.",
        "open": "face up, {top} on top",
        "empty": "empty",
        "closed": "face down",
        "sequence": "{who}: {drawn} drawn",
        "owed": "{owed} owed to Horus",
        "final": "last sequence",
        "react": "still to react:",
        "uncovered": "still to pay: {number}",
        "paid": "paid:",
        "capacity": "{total} of {capacity}",
        "space": "space {space}",
        "scribe": "Build the pyramid.",
        "architect": "Fill all 12 spaces, the pyramid begun.",
        "priest": "Port, pyramid and 3 administrative buildings.",
        "pharaoh": "Port, pyramid and all 6 administrative buildings.",
        "round": "Round {round}",
        "deck": "deck",
        "discard": "discard",
        "penalty": "launches: revolt {penalty}",
        "score": "towards the directive: {score}",
    },
    "fr": {
        "title": "{game}, tour {round}, {moment}",
        "side": "{who} : révolte {revolt} sur {limit}, obélisque {obelisk} ; bâtis : {built} ; chantiers : {sites} ; réserve {stock} ; cartes : {cards}.",
        "none": "aucun",
        "season": "Pioche de {deck}, {how} ; défausse {discards}.",
        "open": "face visible, {top} dessus",
        "empty": "vide",
        "closed": "face cachée",
        "sequence": "{who} : {drawn} piochées",
        "owed": "{owed} dues à Horus",
        "final": "dernière séquence",
        "react": "doivent réagir :",
        "uncovered": "reste à payer : {number}",
        "paid": "payé :",
        "capacity": "{total} sur {capacity}",
        "space": "case {space}",
        "scribe": "Bâtir la pyramide.",
        "architect": "Remplir les 12 cases, la pyramide commencée.",
        "priest": "Port, pyramide et 3 bâtiments administratifs.",
        "pharaoh": "Port, pyramide et les 6 bâtiments administratifs.",
        "round": "Tour {round}",
        "deck": "pioche",
        "discard": "défausse",
        "penalty": "chantiers : révolte {penalty}",
        "score": "vers la directive : {score}",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "building_placed": ("space-{seat}-{space}",),
    "site_launched": ("space-{seat}-{space}",),
    "site_cancelled": ("space-{seat}-{space}", "supply-{building}"),
    "site_moved": ("space-{seat}-{from}", "space-{seat}-{to}"),
    "building_demolished": ("space-{seat}-{space}", "supply-{building}"),
    "sites_ended": ("gauge-{seat}",),
    "hoshekh_appeared": ("deck", "discard"),
    "season_started": ("deck",),
    "card_drawn": ("{card}",),
    "temple_chosen": ("{card}",),
    "palace_used": ("discard", "power-{seat}-palace"),
    "gardens_used": ("{card}", "power-{seat}-gardens"),
    "library_used": ("{card}", "power-{seat}-library"),
    "temple_used": ("power-{seat}-temple",),
    "barracks_used": ("gauge-{seat}", "gauge-{target}", "power-{seat}-barracks"),
    "market_used": ("{give}", "{take}", "power-{seat}-market"),
    "card_taken": ("{card}",),
    "trouble_passed": ("gauge-{to}", "discard"),
    "trouble_discarded": ("discard",),
    "revolt_broke_out": ("gauge-{victim}", "obelisk-{victim}"),
    "obelisk_laid": ("obelisk-{seat}",),
    "work_started": ("space-{seat}-{space}", "work"),
    "source_paid": ("work",),
    "work_cancelled": ("space-{seat}-{space}",),
    "pyramid_step_completed": ("power-{seat}-pyramid",),
    "building_completed": ("space-{seat}-{space}",),
    "growth_reached": ("gauge-{seat}",),
    "caravan_chartered": ("caravans-{seat}",),
    "resource_stored": ("stock-{seat}",),
    "construction_ended": ("discard",),
}
"""What each fact touches (the gauges that a wind or Troubles raise are added)."""


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    return board(scene, HEIGHT, _title(view, scene), _description(view, scene), _Drawing(view, scene).parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    zones = {
        "others": OTHERS,
        "season": SEASON,
        "near-city": CITY,
        "supply": SUPPLY,
        "near-spaces": _near().grid,
    }
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


# -- in words ---------------------------------------------------------------------------------------------------------


def _moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    return scene.moment(view.to_act, scene.word(view.decision or view.phase).lower())


def _title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("sa_re"), round=view.round, moment=_moment(view, scene))


def _description(view: State, scene: Scene) -> str:
    sides = [_side(player, scene, seat) for seat, player in enumerate(view.players)]
    how = scene.say("closed", WORDS)
    if view.deck_face_up:
        how = (
            scene.say("open", WORDS, top=scene.word(view.top_card))
            if view.top_card
            else scene.say("empty", WORDS)
        )
    season = scene.say("season", WORDS, deck=view.deck_count, how=how, discards=len(view.discard))
    return " ".join((*sides, season))


def _side(player: Player, scene: Scene, seat: Seat) -> str:
    none = scene.say("none", WORDS)
    tiles = [tile for tiles in player.spaces for tile in tiles]
    stock = [
        f"{player.stock.of(each)} {scene.word(each).lower()}" for each in TOKENS if player.stock.of(each)
    ]
    return scene.say(
        "side",
        WORDS,
        who=scene.player(seat),
        revolt=player.revolt,
        limit=player.revolt_limit,
        obelisk=scene.word(player.obelisk).lower(),
        built=scene.listed([scene.word(tile.building) for tile in tiles if tile.built]) or none,
        sites=scene.listed([scene.word(tile.building) for tile in tiles if not tile.built]) or none,
        stock=", ".join(stock) or none,
        cards=scene.listed([scene.word(each.id) for each in player.cards]) or none,
    )


# -- where a city's things lie ----------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """Where the things of one city lie."""

    plate: Zone
    gauge: Zone
    grid: Zone
    river: Zone
    obelisk: tuple[float, float, float]
    """Its middle, and how large it is."""
    caravans: Zone
    stock: Zone
    cards: Zone
    card: tuple[float, float]

    @property
    def cell(self) -> tuple[float, float]:
        return self.grid.width / COLUMNS, self.grid.height / ROWS


@cache
def _near() -> Plan:
    x, y = CITY.x, CITY.y
    return Plan(
        plate=Zone(x, y, CITY.width, 42),
        gauge=Zone(x + 6, y + 52, 34, 252),
        grid=Zone(x + 48, y + 52, 424, 252),
        river=Zone(x + 476, y + 52, 26, 252),
        obelisk=(x + 540, y + 96, 88),
        caravans=Zone(x + 586, y + 56, 50, 84),
        stock=Zone(x + 514, y + 152, 122, 150),
        cards=Zone(x + 6, y + 316, 628, 110),
        card=(74, 104),
    )


@cache
def _far(at: int, others: int) -> Plan:
    """Columns of equal width; the only opponent has the whole width."""
    gap = 12
    width = (OTHERS.width - (others - 1) * gap) / others
    x, y = OTHERS.x + at * (width + gap), OTHERS.y
    top = y + 44
    if others == 1:
        return Plan(
            plate=Zone(x, y, width, 36),
            gauge=Zone(x + 4, top, 30, 240),
            grid=Zone(x + 42, top, 424, 240),
            river=Zone(x + 470, top, 24, 240),
            obelisk=(x + 530, top + 44, 80),
            caravans=Zone(x + 578, top + 4, 50, 84),
            stock=Zone(x + 650, top, 300, 64),
            cards=Zone(x + 510, top + 104, 444, 132),
            card=(66, 94),
        )
    cell = (width - 76) / COLUMNS
    grid = Zone(x + 30, top, cell * COLUMNS, 150)
    right = grid.x + grid.width
    return Plan(
        plate=Zone(x, y, width, 36),
        gauge=Zone(x + 2, top, 24, 150),
        grid=grid,
        river=Zone(right + 2, top, 14, 150),
        obelisk=(right + 32, top + 28, 54),
        caravans=Zone(right + 20, top + 62, 24, 84),
        stock=Zone(x + 2, top + 154, width - 4, 34),
        cards=Zone(x + 2, top + 190, width - 4, 54),
        card=(38, 52),
    )


# -- the drawing ------------------------------------------------------------------------------------------------------


class _Drawing:
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        self.box = box_of(view)
        self.latest = scene.touched(PLACES) | _raised(scene)

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("sa_re"), _moment(view, scene))
        seats = [(self.near + step) % len(view.players) for step in range(1, len(view.players))]
        for at, seat in enumerate(seats):
            yield self.city(seat, _far(at, len(seats)))
        yield self.season()
        yield self.city(self.near, _near())
        yield self.supply()

    def hue_name(self, building: str) -> str:
        return HUES[self.box.buildings[building].class_]

    def paying(self, seat: Seat) -> bool:
        """It is the viewer's city, in the phase in which resources are spent."""
        return seat == self.scene.viewer and self.view.phase == "construction"

    # -- cities -------------------------------------------------------------------------------------------------------

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
        """An opponent's is where Troubles are sent, and who a power is aimed at."""
        player = self.view.players[seat]
        to_act = seat in self.view.to_act
        note = self.scene.word(player.vacated).lower() if player.vacated else ""
        if self.view.outcome and self.view.outcome.scores:
            note = self.scene.say("score", WORDS, score=self.view.outcome.scores[seat])
        elif player.penalty:
            note = self.scene.say("penalty", WORDS, penalty=player.penalty)
        other = self.scene.viewer is not None and seat != self.scene.viewer
        first = None
        if seat == self.view.first_seat and not note:
            x = zone.x + zone.width - (58 if to_act else 24)
            first = part(
                sign(ZIGGURAT, 0, 0, 22, self.theme.gold, stroke=self.theme.edge, stroke_width=1.2),
                id="first-seat",
                at=(x, zone.y + zone.height / 2),
                label=self.scene.word("first_seat"),
            )
        return part(
            plate(self.scene, seat, zone, to_act=to_act, note=note),
            first,
            names={"to": seat, "target": seat, "from": seat} if other else None,
            actions=("pass_trouble", "use_barracks", "use_market") if other else (),
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
            label=f"{self.scene.word('revolt')}: {player.revolt}/{player.revolt_limit}",
            actions=("stay",) if own else (),
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
            gilt(theme, -half * 0.6, -half, half * 1.2, size) if latest else None,
            group(shape, transform=turned),
            sign(SIGNS["trouble"], 0, -size * 0.34, size * 0.36, theme.danger) if state == "revolt" else None,
            id=f"obelisk-{seat}",
            at=(x, y),
            label=f"{self.scene.word('obelisk')}: {self.scene.word(state).lower()}",
            actions=("stop",) if seat == self.scene.viewer else (),
            latest=latest,
        )  # fmt: skip

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
            label=f"{self.scene.word('caravans')}: {player.caravans}",
            names={"source": {"caravan": True}, "kind": "caravan"} if own else None,
            actions=("pay", "store", "start_work") if own else (),
            latest=latest,
        )

    def stock(self, seat: Seat, zone: Zone) -> Element:
        """What lies in the warehouses, and how much they hold."""
        player, theme = self.view.players[seat], self.theme
        latest = f"stock-{seat}" in self.latest
        warehouses = [
            tile for tiles in player.spaces for tile in tiles if tile.built and tile.building == "warehouse"
        ]
        capacity = len(warehouses) * self.box.warehouse_capacity.value
        across = 2 if zone.height > 100 else len(TOKENS)
        told = 46
        room = (zone.width if across == 2 else zone.width - told) / across
        tall = min(44, zone.height)
        drawn = []
        for at, name in enumerate(TOKENS):
            number = player.stock.of(name)
            x, y = zone.x + at % across * room, zone.y + at // across * 48 + tall / 2
            drawn.append(self.stored(seat, name, number, (x, y), large=zone.height > 50))
        words_at = (zone.x + zone.width / 2, zone.y + 120, "middle") if across == 2 else (
            zone.x + zone.width - 4, zone.y + tall / 2 + 6, "end")  # fmt: skip
        told_total = self.scene.say("capacity", WORDS, total=player.stock.total, capacity=capacity)
        if across != 2:
            told_total = f"{player.stock.total}/{capacity}"
        return part(
            gilt(theme, zone.x, zone.y, zone.width, min(zone.height, 100)) if latest else None,
            *drawn,
            words(theme, words_at[0], words_at[1], told_total, size=15, anchor=words_at[2], quiet=True),
            id=f"stock-{seat}",
            label=f"{self.scene.word('stock')}: {player.stock.total}/{capacity}",
            latest=latest,
        )

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
            label=f"{self.scene.word(name)}: {number}" if own else None,
            names={"source": {"stock": name}, "take": name} if own else None,
            actions=("pay", "store") if own else (),
        )

    # -- spaces -------------------------------------------------------------------------------------------------------

    def space(self, seat: Seat, at: int, tiles: tuple[Tile, ...], plan: Plan) -> Element:
        """A space of a city with what stands or is being built there."""
        width, height = plan.cell
        latest = f"space-{seat}-{at}" in self.latest
        share = width / max(1, len(tiles))
        if not tiles:
            drawn: list[Element] = [Print(plot(self.theme.name, width, height, at in self.box.bank))]
        elif len(tiles) == 1:
            drawn = list(self.tile(seat, at, tiles[0], plan.cell))
        else:
            drawn = [
                part(*self.tile(seat, at, tile, (share, height)), at=(place * share, 0), label=self.tile_label(tile),
                     **self.own_building(seat, tile))
                for place, tile in enumerate(tiles)
            ]  # fmt: skip
        if len(tiles) == 1 and (named := self.own_building(seat, tiles[0])):
            drawn = [part(*drawn, **named)]
        return part(
            gilt(self.theme, 2, 2, width - 4, height - 4, 5) if latest else None,
            *drawn,
            id=f"space-{seat}-{at}",
            at=(plan.grid.x + at % COLUMNS * width, plan.grid.y + at // COLUMNS * height),
            label=self.tile_label(tiles[0]) if len(tiles) == 1 else None,
            latest=latest,
            **(self.own_space(at, tiles) if seat == self.scene.viewer else {}),
        )

    def own_building(self, seat: Seat, tile: Tile) -> dict[str, Any]:
        """What stands in the viewer's city may be pulled down when sites are chosen."""
        if seat == self.scene.viewer and tile.built and self.view.phase == "sites":
            return {"names": {"building": tile.building}, "actions": ("demolish",)}
        return {}

    def own_space(self, at: int, tiles: tuple[Tile, ...]) -> dict[str, Any]:
        """What the phase lets the viewer do with a space of his."""
        match self.view.phase:
            case "setup":
                return {"names": {"space": at}, "actions": ("place_building",)}
            case "sites":
                actions = ("launch_site", "cancel_site", "demolish", "move_site")
                return {"names": {"space": at, "from": at, "to": at}, "actions": actions}
            case "construction" if any(not tile.built for tile in tiles):
                return {"names": {"space": at, "kind": "build"}, "actions": ("start_work",)}
        return {}

    def tile(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Iterator[Element]:
        """A building or its site; large ones wear their name."""
        yield from self.building(seat, at, tile, size) if tile.built else self.site(tile, size)
        if tile.number is not UNSET and tile.steps is not UNSET:
            yield self.steps(tile, tile.number, tile.steps, size)

    def tile_label(self, tile: Tile) -> str:
        name = self.scene.word(tile.building)
        if tile.built:
            return f"{name}: {self.scene.word('used').lower()}" if tile.used is True else name
        return f"{self.scene.word('site')}: {name}"

    def building(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Iterator[Element]:
        width, height = size
        theme, hue, used = self.theme, self.hue_name(tile.building), tile.used is True
        ink = roof_ink(theme, hue, used)
        named = (height > 70 and width > 70) or width > 90
        yield Print(house(theme.name, tile.building, hue, size, used, named))
        if f"power-{seat}-{tile.building}" in self.latest:
            yield gilt(theme, 3, 3, width - 7, height - 7, 4)
        if named:
            yield self.named(tile, size, ink)
        if tile.token is True:
            yield self.product(seat, at, tile, size)

    def named(self, tile: Tile, size: tuple[float, float], ink: str) -> Element:
        """The name in one line, or in two where that would be too long."""
        width, height = size
        name = self.scene.word(tile.building)
        if height > 70:
            rows = 2 if width < 70 or len(name) > 12 else 1
            return lines(self.theme, width / 2, height - (24 if rows == 2 else 14), name, width - 8, most=rows,
                         size=14, anchor="middle", fill=ink)  # fmt: skip
        return words(
            self.theme, width / 2, height - 8, name, size=14, anchor="middle", width=width - 8, fill=ink
        )

    def product(self, seat: Seat, at: int, tile: Tile, size: tuple[float, float]) -> Element:
        """What a craft or the Port has ready."""
        made = self.box.buildings[tile.building].produces or "joker"
        side = 26 if size[1] > 70 else 18
        mark = Print(resource(self.theme.name, made, side), x=size[0] - side * 0.62 - 2, y=side * 0.62)
        if not self.paying(seat):
            return mark
        label = f"{self.scene.word('token')}: {self.scene.word(made)}"
        return part(mark, label=label, names={"source": {"production": at}}, actions=("pay", "store"))

    def site(self, tile: Tile, size: tuple[float, float]) -> Iterator[Element]:
        """A scaffold with its sign and what is still to be paid."""
        width, height = size
        theme, hue = self.theme, self.hue_name(tile.building)
        large = height > 70
        yield Print(scaffold(theme.name, hue, width, height))
        pyramid = tile.number is not UNSET
        x = 21 if large else 15 if pyramid else width / 2
        yield sign(SIGNS[tile.building], x, 20 if large else 15, 26 if large else 19, theme.hues[hue])
        if large:
            name = self.scene.word(tile.building)
            yield words(theme, width / 2, 49, name, size=14, anchor="middle", width=width - 10)
        if tile.new is True and (large or width > 70 or not pyramid):
            yield sign(SIGNS["new"], width - 12, 13, 14, theme.gold, stroke=theme.edge, stroke_width=1.2)
        if tile.cost is not UNSET:
            yield from self.costs(tile.cost, width, height - (19 if large else 13), 20 if large else 15)

    def costs(self, cost: Cost, width: float, y: float, side: float) -> Iterator[Element]:
        """A chip for each resource that is due; what the Port waives last."""
        due = [(name, str(getattr(cost, name))) for name in RESOURCES if getattr(cost, name)]
        if cost.wild:
            due.append(("joker", "−1"))
        step = min(side * 1.35, (width - 4) / max(1, len(due)))
        left = width / 2 - step * (len(due) - 1) / 2
        for at, (name, number) in enumerate(due):
            yield Print(chip(self.theme.name, name, number, side), x=left + at * step, y=y)

    def steps(self, tile: Tile, number: int, steps: int, size: tuple[float, float]) -> Element:
        """How far a pyramid has come; in gold if a step was done this round."""
        told = f"{steps}/{len(self.box.pyramid(number).steps)}"
        width, height = size
        if tile.built:
            x, y = 24.0, 14
        elif height > 70:
            x, y = 62.0, 18
        else:
            x, y = (43.0 if width < 70 else width - 44), 13
        fill = self.theme.hues[HUES["main"]] if tile.step_done is True and not tile.built else None
        return badge(self.theme, x, y, told, size=14, fill=fill)

    # -- cards in front of players --------------------------------------------------------------------------------------

    def face(self, name: str, size: tuple[float, float], *, latest: bool, joker: bool = False) -> Element:
        shown = self.box.cards[name]
        kind, gives, level = ("single", ("joker",), 0) if joker else (shown.kind, shown.gives, shown.level)
        return Print(season_card(self.theme.name, kind, gives, level, *size, latest))

    def cards(self, seat: Seat, plan: Plan) -> Element:
        """Oldest first; one that has changed hands this season is marked."""
        cards, zone, (width, height) = self.view.players[seat].cards, plan.cards, plan.card
        step = min(width + 8, (zone.width - width - 4) / max(1, len(cards) - 1))
        own = seat == self.scene.viewer
        drawn = [
            part(
                self.face(each.id, plan.card, latest=each.id in self.latest, joker=each.joker),
                sign(SIGNS["exchanged"], width - 12, height - 12, 16, self.theme.text) if each.exchanged else None,
                id=f"card-{each.id}",
                at=(zone.x + 2 + at * step, zone.y + (zone.height - height) / 2),
                label=self.card_label(each),
                latest=each.id in self.latest,
                **(self.own_card(each) if own else self.card_of_another(each)),
            )
            for at, each in enumerate(cards)
        ]  # fmt: skip
        return part(*drawn, id=f"cards-{seat}")

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
        return self.scene.word("joker") if each.joker else self.scene.word(each.id)

    def to_place(self, seat: Seat, plan: Plan) -> Element:
        """The buildings that a city is founded with, until they lie."""
        zone, own = plan.cards, seat == self.scene.viewer
        width, height = (104, 86) if zone.height > 80 else (64, 46)
        drawn = []
        for at, building in enumerate(self.view.players[seat].to_place):
            drawn.append(
                part(
                    *self.building(seat, at, Tile(building, True), (width, height)),
                    id=f"to-place-{seat}-{building}",
                    at=(zone.x + 4 + at * (width + 10), zone.y + 4),
                    label=self.scene.word(building),
                    names={"building": building} if own else None,
                    actions=("place_building",) if own else (),
                )
            )
        return part(*drawn, id=f"to-place-{seat}", label=self.scene.word("to_place"))

    # -- the season -----------------------------------------------------------------------------------------------------

    def season(self) -> Element:
        """Deck, discards and the sequence that is going on; or the work that is being paid for."""
        return part(
            panel(self.theme, SEASON),
            *(
                words(
                    self.theme,
                    SEASON.x + x,
                    SEASON.y + 18,
                    self.scene.say(key, WORDS),
                    size=14,
                    anchor="middle",
                    quiet=True,
                    width=80,
                )
                for x, key in ((50, "deck"), (134, "discard"))
            ),
            self.deck(),
            self.discard(),
            *self.sequence(),
            *self.work(),
            self.directive(),
            id="season",
        )

    def deck(self) -> Element:
        view, size = self.view, PILE
        latest = "deck" in self.latest
        shown = view.top_card
        top = self.face(shown, size, latest=latest) if shown else card_back(self.theme, *size, latest=latest)
        if shown and view.deck_count:
            top = part(top, id=f"card-{shown}")
        return part(
            pile(self.theme, *size, view.deck_count, top, latest=latest),
            id="deck",
            at=(SEASON.x + 20, SEASON.y + 26),
            label=f"{self.scene.word('deck')}: {view.deck_count}",
            actions=("draw",),
            latest=latest,
        )

    def discard(self) -> Element:
        """The last card thrown away, and the card that is out of the season."""
        view, size = self.view, PILE
        latest = "discard" in self.latest
        last = view.discard[-1] if view.discard else None
        top = part(self.face(last, size, latest=latest), id=f"card-{last}") if last else None
        aside = None
        if view.set_aside_count:
            aside = part(
                card_back(self.theme, 40, 56),
                at=(SEASON.x + 188, SEASON.y + 40),
                label=f"{self.scene.word('set_aside')}: {view.set_aside_count}",
            )
        pile_ = part(
            pile(self.theme, *size, len(view.discard), top, latest=latest),
            id="discard",
            at=(SEASON.x + 104, SEASON.y + 26),
            label=f"{self.scene.word('discard')}: {len(view.discard)}",
            latest=latest,
        )
        return group(pile_, aside)

    def sequence(self) -> Iterator[Element]:
        """Whose it is, what was drawn and waits, who has still to react."""
        sequence, theme, x, y = self.view.sequence, self.theme, SEASON.x + 250, SEASON.y
        if sequence is None or self.view.phase != "season":
            return
        told = [self.scene.say("sequence", WORDS, who=self.scene.player(sequence.seat), drawn=sequence.drawn)]
        told += [self.scene.say("owed", WORDS, owed=sequence.owed)] if sequence.owed else []
        told += [self.scene.say("final", WORDS)] if sequence.final else []
        yield seat_mark(theme, sequence.seat, x + 10, y + 22, 18)
        yield words(theme, x + 26, y + 28, " · ".join(told), size=17, width=400)
        at = 0
        for pending in sequence.pending:
            latest = pending.id in self.latest
            level = self.box.cards[pending.id].level if pending.level is UNSET else pending.level
            shown = self.box.cards[pending.id]
            yield part(
                Print(season_card(theme.name, shown.kind, shown.gives, level, *PILE, latest)),
                id=f"card-{pending.id}",
                at=(x + 4 + at * 68, y + 38),
                label=self.scene.word(pending.id),
                names={"card": pending.id},
                latest=latest,
            )
            at += 1
        for shown_ in sequence.temple:
            place = (x + 4 + at * 68, y + 38)
            at += 1
            if shown_.id is None:
                yield part(card_back(theme, *PILE), at=place)
                continue
            latest = shown_.id in self.latest
            yield part(
                self.face(shown_.id, PILE, latest=latest),
                id=f"card-{shown_.id}",
                at=place,
                label=self.scene.word(shown_.id),
                names={"card": shown_.id},
                latest=latest,
            )
        if self.view.reactions:
            asked = self.scene.say("react", WORDS)
            left = x + 10 + at * 68
            yield words(theme, left, y + 86, asked, size=16, quiet=True)
            for place_, seat in enumerate(self.view.reactions):
                yield seat_mark(theme, seat, left + width_of(asked) * 15 + 14 + place_ * 28, y + 80, 20)

    def work(self) -> Iterator[Element]:
        """What is being paid for, what was paid, what is lacking."""
        work, theme, x, y = self.view.work, self.theme, SEASON.x + 250, SEASON.y
        if work is None or self.view.phase != "construction":
            return
        if work.space is None:
            name, mark = self.scene.word("caravan"), SIGNS["caravan"]
        else:
            site = next(tile for tile in self.view.players[work.seat].spaces[work.space] if not tile.built)
            name, mark = self.scene.word(site.building), SIGNS[site.building]
        latest = "work" in self.latest
        gives = [name_ for payment in work.paid for name_ in payment.gives]
        yield part(
            gilt(theme, x, y + 10, 420, 110) if latest else None,
            seat_mark(theme, work.seat, x + 16, y + 32, 18),
            sign(mark, x + 48, y + 32, 28, theme.text),
            words(theme, x + 70, y + 38, name, size=18, bold=True, width=160),
            words(theme, x + 408, y + 38, self.scene.say("uncovered", WORDS, number=work.uncovered), size=16, anchor="end", width=180),
            words(theme, x + 8, y + 88, self.scene.say("paid", WORDS), size=16, quiet=True),
            *(
                Print(resource(theme.name, name_, 28), x=x + 70 + at * min(36, 340 / max(1, len(gives))), y=y + 82)
                for at, name_ in enumerate(gives)
            ),
            id="work",
            latest=latest,
        )  # fmt: skip

    def directive(self) -> Element:
        """The round, and what the game is won with."""
        view, theme, x = self.view, self.theme, SEASON.x + 700
        return part(
            line(x, SEASON.y + 14, x, SEASON.y + SEASON.height - 14, stroke=theme.line),
            words(theme, x + 18, SEASON.y + 32, self.scene.say("round", WORDS, round=view.round), size=20, serif=True, bold=True),
            words(theme, x + 18, SEASON.y + 54, self.scene.word(view.phase), size=16, width=226),
            words(theme, x + 18, SEASON.y + 82, self.scene.word(view.options.mode), size=16, bold=True),
            lines(theme, x + 18, SEASON.y + 101, self.scene.say(view.options.mode, WORDS), 232, size=14, quiet=True),
            id="directive",
        )  # fmt: skip

    # -- the supply -----------------------------------------------------------------------------------------------------

    def supply(self) -> Element:
        """A sheet: every building with what it costs and how many are left; of the pyramids the next one's first step."""
        theme, zone = self.theme, SUPPLY
        columns = [
            Print(resource(theme.name, name, 19), x=zone.x + 186 + at * 32, y=zone.y + 20)
            for at, name in enumerate(RESOURCES)
        ]
        rows = [
            self.supplied(at, name, self.box.buildings[name].cost, self.view.supply[name])
            for at, name in enumerate(name for name in self.box.buildings if name != "pyramid")
        ]
        pyramids = self.view.pyramids
        first = self.box.pyramid(pyramids[0]).steps[0] if pyramids else None
        return part(
            panel(theme, zone),
            words(theme, zone.x + 12, zone.y + 26, self.scene.word("supply"), size=18, serif=True, bold=True, width=150),
            *columns,
            *rows,
            self.supplied(len(rows), "pyramid", first, len(pyramids)),
            id="supply",
        )  # fmt: skip

    def supplied(self, at: int, building: str, cost: Price | None, left: int) -> Element:
        theme, y = self.theme, SUPPLY.y + 54 + at * 30
        latest = f"supply-{building}" in self.latest
        hue = theme.hues[self.hue_name(building)] if left else theme.line
        name = self.scene.word(building)
        if building == "pyramid" and self.view.pyramids:
            number = self.view.pyramids[0]
            name = f"{name} {number} (1/{len(self.box.pyramid(number).steps)})"
        chips = [
            Print(chip(theme.name, each, str(getattr(cost, each)), 20), x=166 + place * 32)
            for place, each in enumerate(RESOURCES)
            if cost and getattr(cost, each)
        ]
        return part(
            gilt(theme, -14, -13, 300, 26, 5) if latest else None,
            Print(stripe(theme.name)) if at % 2 == 0 else None,
            sign(SIGNS[building], 0, 0, 20, hue),
            words(theme, 17, 5, name, size=15, width=132, quiet=not left),
            *(chips if left else [group(*chips, opacity=0.4)]),
            words(theme, 280, 6, f"×{left}", size=16, anchor="end", bold=bool(left), quiet=not left),
            id=f"supply-{building}",
            at=(SUPPLY.x + 18, y),
            names={"building": building} if left and self.view.phase == "sites" else None,
            actions=("launch_site",) if left and self.view.phase == "sites" else (),
            latest=latest,
        )


def _raised(scene: Scene) -> frozenset[str]:
    """The gauges that the latest entry has raised by a wind or by Troubles."""
    seats: list[int] = []
    for fact in scene.latest:
        if fact["type"] == "wind_blew":
            seats += fact["seats"]
        elif fact["type"] == "card_taken" and "level" in fact:
            seats.append(fact["seat"])
    return frozenset(f"gauge-{seat}" for seat in seats)

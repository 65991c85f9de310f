"""The board of Sa-Ré: the season above, one's own city on the Nile with the supply beside it, the others' cities below."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import UNSET

from games.kernel import Seat
from games.pictures import (
    SMALLEST,
    THEMES,
    WIDTH,
    Layout,
    Scene,
    Theme,
    Zone,
    badge,
    board,
    card,
    card_back,
    centred,
    colours,
    gauge,
    gilt,
    heading,
    mixed,
    outlined,
    panel,
    part,
    pile,
    plate,
    seat_mark,
    sign,
    words,
)
from games.sa_re.box import COMPONENT_SETS, TOKENS, Box, Price, SeasonCard
from games.sa_re.state import Card, Cost, Player, State, Tile
from games.svg import Element, Print, Stamp, Value, group, path, rect

HEIGHT = 900
SIGNS: Mapping[str, str] = {
    "wood": "M4 6a4 5 0 0 1 4-5h12a4 5 0 0 1 0 10H8a4 5 0 0 1-4-5zM8 4a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM2 18a4 5 0 0 1 4-5h12a4 5 0 0 1 0 10H6a4 5 0 0 1-4-5zM6 16a2 2 0 1 0 0 4a2 2 0 1 0 0-4z",
    "gold": "M7 4h10l6 15H1zM9 7l-3 9h12l-3-9z",
    "stone": "M3 7l9-5l9 5v10l-9 5l-9-5zM6 9v6l5 3v-6zM18 9l-5 3v6l5-3z",
    "joker": "M12 0l3 9h9l-7 5l3 10l-8-6l-8 6l3-10l-7-5h9z",
    "horus": "M0 10c6-7 18-7 24 0c-4 4-8 5-11 5l2 7l-4-1l-1-6C6 15 3 13 0 10zM12 7a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
    "hoshekh": "M16 1A11 11 0 1 0 23 16A9 9 0 0 1 16 1z",
    "trouble": "M5 23l2-9l-4 1l4-8l1 3l4-9l3 8l2-3l3 9l-3-1l1 9z",
    "warehouse": "M12 2l11 8v13H1V10zM7 13v7h10v-7zM9 15h6v3H9z",
    "master_builder": "M10 1h4v3l8 19h-4l-3-8H9l-3 8H2L10 4zM12 7l-2 5h4z",
    "carpenter": "M2 19l12-12l3 3L5 22H2zM13 2l3-1l7 7l-1 3l-2 1l-8-8z",
    "goldsmith": "M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22zM12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM12 8l4 4l-4 4l-4-4z",
    "stonecutter": "M2 14h9v9H2zM13 14h9v9h-9zM7 3h10v9H7z",
    "temple": "M12 1l11 6v3H1V7zM3 11h4v9H3zM10 11h4v9h-4zM17 11h4v9h-4zM1 21h22v2H1z",
    "barracks": "M12 1l9 3v8c0 6-4 9-9 11c-5-2-9-5-9-11V4zM12 4L6 6v6c0 4 3 6 6 8z",
    "gardens": "M11 23V12C6 14 3 12 1 8c5-2 8-1 10 2C9 6 10 3 12 0c2 3 3 6 1 10c2-3 5-4 10-2c-2 4-5 6-10 4v11z",
    "palace": "M2 7l5 5l5-9l5 9l5-5l-2 11H4zM4 20h16v3H4z",
    "market": "M11 2h2v4h8l3 9a4 4 0 0 1-8 0l3-8h-6v13h5v3H6v-3h5V7H5l3 8a4 4 0 0 1-8 0l3-9h8z",
    "library": "M5 2h15a3 3 0 0 1 0 6h-1v12a3 3 0 0 1-3 3H3a3 3 0 0 1 0-6h1V5a3 3 0 0 1 1-3zM8 8v2h8V8zM8 12v2h8v-2z",
    "port": "M12 1l8 12h-8zM10 4v9H4zM1 15h22l-4 7H5z",
    "pyramid": "M12 2l11 20H1zM12 8l-3 6h6zM7 17l-1 2h12l-1-2z",
    "caravan": "M1 20c1-7 3-9 6-9c1-4 4-4 5 0c1-4 4-4 5 0c2 0 2-2 3-5h3l-1 3c0 5-2 6-3 7l1 5h-2l-2-5H8l-3 5H3z",
    "standing": "M10 20l1-16l1-3l1 3l1 16h3v3H7v-3z",
    "down": "M3 14h14l4 2l-4 2H3v3H1V11h2z",
    "revolt": "M13 1c1 4 6 6 6 12c0 5-3 10-7 10s-7-4-7-9c0-4 2-5 3-8c1 1 2 2 2 4c2-2 3-5 3-9z",
}
HUES = {"wood": "wood", "gold": "gold", "stone": "stone", "joker": "purple", "horus": "water", "hoshekh": "black",
        "trouble": "red", "production": "sand", "administrative": "blue", "main": "purple", "nile": "water"}  # fmt: skip

SEASON = Zone(20, 56, 960, 136)
NEAR_PLATE = Zone(20, 200, 960, 42)
CITY = Zone(20, 250, 492, 302)
SUPPLY = Zone(524, 250, 456, 302)
OWN = Zone(20, 560, 960, 100)
OTHERS = Zone(20, 670, 960, 220)
CARD = (62, 88)

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "mode": "{mode}",
        "deck": "deck", "discard": "discards", "aside": "set aside {count}",
        "side": "{who}: revolt {revolt} of {limit}, obelisk {obelisk}, {cards} cards, stock {stock}.",
        "built": "Built: {buildings}.", "sites": "Sites: {buildings}.",
        "season": "Deck {deck}, discards {discard}.",
        "owed": "owed {count}", "troubles": "troubles {count}", "paying": "to pay: {what}", "nothing": "nothing",
        "supply": "Supply", "stock": "Stock", "first": "first player",
    },
    "fr": {
        "title": "{game}, tour {round}, {moment}",
        "mode": "{mode}",
        "deck": "paquet", "discard": "défausse", "aside": "écartée {count}",
        "side": "{who} : révolte {revolt} sur {limit}, obélisque {obelisk}, cartes : {cards}, stock {stock}.",
        "built": "Construits : {buildings}.", "sites": "Chantiers : {buildings}.",
        "season": "Paquet {deck}, défausse {discard}.",
        "owed": "dues {count}", "troubles": "Troubles {count}", "paying": "à payer : {what}", "nothing": "rien",
        "supply": "Réserve", "stock": "Stock", "first": "premier joueur",
    },
}  # fmt: skip

PLACES: Mapping[str, tuple[str, ...]] = {
    "building_placed": ("space-{seat}-{space}",),
    "site_launched": ("space-{seat}-{space}",),
    "site_cancelled": ("space-{seat}-{space}",),
    "site_moved": ("space-{seat}-{from}", "space-{seat}-{to}"),
    "building_demolished": ("space-{seat}-{space}",),
    "season_started": ("deck",),
    "top_revealed": ("deck",),
    "hoshekh_appeared": ("deck",),
    "card_drawn": ("sequence",),
    "card_taken": ("card-{card}",),
    "trouble_passed": ("gauge-{to}",),
    "trouble_discarded": ("discard",),
    "revolt_broke_out": ("gauge-{victim}",),
    "obelisk_laid": ("obelisk-{seat}",),
    "temple_used": ("sequence",),
    "temple_chosen": ("sequence",),
    "palace_used": ("discard",),
    "gardens_used": ("sequence",),
    "library_used": ("card-{card}",),
    "barracks_used": ("gauge-{seat}", "gauge-{target}"),
    "market_used": ("card-{give}", "card-{take}"),
    "work_started": ("space-{seat}-{space}", "work"),
    "source_paid": ("work",),
    "work_cancelled": ("space-{seat}-{space}",),
    "building_completed": ("space-{seat}-{space}",),
    "caravan_chartered": ("caravans-{seat}",),
    "resource_stored": ("stock-{seat}",),
    "growth_reached": ("gauge-{seat}",),
}
CITY_ACTIONS = ("place_building", "launch_site", "cancel_site", "demolish", "start_work")


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    return board(scene, HEIGHT, _title(view, scene), _description(view, scene), _Drawing(view, scene).parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    zones = {
        "season": SEASON,
        "near-plate": NEAR_PLATE,
        "city": CITY,
        "supply": SUPPLY,
        "own": OWN,
        "others": OTHERS,
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
    told = []
    for seat, player in enumerate(view.players):
        stock = [
            f"{scene.word(token).lower()} {player.stock.of(token)}"
            for token in TOKENS
            if player.stock.of(token)
        ]
        told.append(
            scene.say(
                "side", WORDS, who=scene.player(seat), revolt=player.revolt, limit=player.revolt_limit,
                obelisk=scene.word(player.obelisk).lower(), cards=len(player.cards),
                stock=scene.listed(stock) or scene.say("nothing", WORDS),
            )
        )  # fmt: skip
        for key, built in (("built", True), ("sites", False)):
            names = [
                scene.word(tile.building) for space in player.spaces for tile in space if tile.built == built
            ]
            if names:
                told.append(scene.say(key, WORDS, buildings=scene.listed(names)))
    return " ".join((*told, scene.say("season", WORDS, deck=view.deck_count, discard=len(view.discard))))


# -- the drawing ------------------------------------------------------------------------------------------------------


class _Drawing:
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        self.others = [(self.near + step) % len(view.players) for step in range(1, len(view.players))]
        self.box: Box = COMPONENT_SETS[view.options.component_set].box
        self.latest = scene.touched(PLACES) | _blown(scene) | _stepped(view, scene)

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("sa_re"), f"{scene.word(view.options.mode)} · {_moment(view, scene)}")
        yield self.season()
        yield self.plate(self.near, NEAR_PLATE)
        yield self.near_city()
        yield self.supply()
        yield self.own()
        for at, seat in enumerate(self.others):
            yield self.other(seat, at)

    def hue(self, kind: str) -> str:
        return self.theme.hues[HUES[kind]]

    def plate(self, seat: Seat, zone: Zone) -> Element:
        """A name plate; the others' name whom an action is aimed at."""
        note = self.scene.say("first", WORDS) if seat == self.view.first_seat and zone.width > 400 else ""
        drawn = plate(self.scene, seat, zone, to_act=seat in self.view.to_act, note=note)
        if self.scene.viewer in (None, seat):
            return drawn
        names = dict.fromkeys(("to", "target", "from"), seat)
        return part(drawn, names=names, actions=("pass_trouble", "use_barracks", "use_market"))

    # -- the season ---------------------------------------------------------------------------------------------------

    def season(self) -> Element:
        """Deck and discards at the left, then what the sequence has drawn, or the work that is being paid for."""
        view, theme, zone = self.view, self.theme, SEASON
        top = None
        if view.deck_count:
            known = view.top_card if view.top_card else None
            top = (
                self.card(known, latest="deck" in self.latest)
                if known
                else card_back(theme, *CARD, latest="deck" in self.latest)
            )
        last = self.card(view.discard[-1], latest="discard" in self.latest) if view.discard else None
        y = zone.y + 14
        return part(
            panel(theme, zone),
            part(pile(theme, *CARD, view.deck_count, top), id="deck", at=(zone.x + 14, y), label=self.scene.word("deck"),
                 actions=("draw", "use_temple") if self.scene.viewer is not None else (), latest="deck" in self.latest),
            words(theme, zone.x + 45, zone.y + 129, self.scene.say("deck", WORDS), size=SMALLEST, anchor="middle", quiet=True),
            part(pile(theme, *CARD, len(view.discard), last, latest="discard" in self.latest), id="discard", at=(zone.x + 98, y),
                 label=self.scene.word("discard"), latest="discard" in self.latest),
            words(theme, zone.x + 129, zone.y + 129, self.scene.say("discard", WORDS), size=SMALLEST, anchor="middle", quiet=True),
            self.work() if view.work else self.sequence(),
            id="season",
        )  # fmt: skip

    def sequence(self) -> Element | None:
        """The cards that were drawn and are not resolved yet, of the seat that works."""
        view, theme, sequence = self.view, self.theme, self.view.sequence
        if sequence is None:
            return None
        x, latest = SEASON.x + 200, "sequence" in self.latest
        shown: list[tuple[str | None, int | None]] = [
            (each.id, self.level(each.level)) for each in sequence.pending
        ]
        shown += [(each.id, None) for each in sequence.temple]
        step = min(CARD[0] + 8, 600 / max(1, len(shown)))
        cards = [
            self.drawn_card(name, level, x + 44 + at * step, latest) for at, (name, level) in enumerate(shown)
        ]
        told = [self.scene.say("troubles", WORDS, count=sequence.troubles)]
        if sequence.owed:
            told.append(self.scene.say("owed", WORDS, count=sequence.owed))
        return part(
            seat_mark(theme, sequence.seat, x + 16, SEASON.y + 30, 22),
            *cards,
            words(theme, x + 8, SEASON.y + 128, f"{self.scene.word('sequence')} · {' · '.join(told)}", size=15, quiet=True, width=700),
            id="sequence",
            latest=latest,
        ) if view.phase == "season" else None  # fmt: skip

    def level(self, level: Any) -> int | None:
        return None if level is UNSET else int(level)

    def drawn_card(self, name: str | None, level: int | None, x: float, latest: bool) -> Element:
        at = (x, SEASON.y + 14)
        if name is None:
            return part(card_back(self.theme, *CARD, latest=latest), at=at)
        return part(
            self.card(name, latest=latest, level=level),
            id=f"card-{name}",
            at=at,
            label=self.scene.word(name),
            names={"card": name} if self.scene.viewer is not None else None,
        )

    def work(self) -> Element:
        """What is being built, what was paid for it, and what is still wanting."""
        work, theme = self.view.work, self.theme
        assert work is not None
        x, y = SEASON.x + 200, SEASON.y + 20
        player = self.view.players[work.seat]
        name = "caravan"
        if work.space is not None:
            name = next((tile.building for tile in player.spaces[work.space] if not tile.built), "pyramid")
        paid = [token for payment in work.paid for token in payment.gives]
        latest = "work" in self.latest
        what = f"{self.scene.word(name)} · {self.scene.word('uncovered').lower()} {work.uncovered}"
        return part(
            gilt(theme, x, y - 6, 560, 108) if latest else None,
            seat_mark(theme, work.seat, x + 18, y + 14, 22),
            sign(SIGNS[name], x + 62, y + 34, 52, theme.text),
            words(theme, x + 110, y + 22, what, size=18, bold=True, width=440),
            *(self.token(token, x + 124 + at * 34, y + 64, 28) for at, token in enumerate(paid[:13])),
            id="work",
            actions=("cancel_work",) if work.seat == self.scene.viewer else (),
            latest=latest,
        )

    def card(
        self,
        name: str,
        *,
        latest: bool = False,
        level: int | None = None,
        joker: bool = False,
        size: tuple[float, float] = CARD,
    ) -> Element:
        kind, gives = self.kind(self.box.cards[name], level, joker)
        return Print(_season_card(self.theme.name, kind, gives, *size, latest))

    def kind(self, season_card: SeasonCard, level: int | None, joker: bool) -> tuple[str, tuple[str, ...]]:
        """What a card shows: the resources it gives, or its sign and how often."""
        if joker:
            return "joker", ("joker",)
        if season_card.gives:
            return season_card.gives[0], season_card.gives
        return season_card.kind, (season_card.kind,) * (level or season_card.level or 1)

    # -- cities -------------------------------------------------------------------------------------------------------

    def near_city(self) -> Element:
        """Three rows of four spaces on the bank of the Nile; gauge and obelisk at the left."""
        player, seat, zone = self.view.players[self.near], self.near, CITY
        columns, rows = self.box.board.columns, self.box.board.rows
        width, height = 404 / columns, (zone.height - 12) / rows
        spaces = [
            self.space(seat, number, Zone(zone.x + 60 + number % columns * width, zone.y + 6 + number // columns * height, width - 5, height - 5))
            for number in self.box.spaces
        ]  # fmt: skip
        return part(
            panel(self.theme, zone),
            self.gauge(seat, Zone(zone.x + 10, zone.y + 44, 22, zone.height - 86)),
            self.obelisk(seat, zone.x + 24, zone.y + 24, 30),
            self.nile(zone.x + zone.width - 26, zone.y + 6, 20, zone.height - 12),
            *spaces,
            id=f"city-{seat}",
            label=f"{self.scene.word('spaces')}: {self.scene.player(seat)} ({player.revolt}/{player.revolt_limit})",
        )

    def gauge(self, seat: Seat, zone: Zone) -> Element:
        """The people's anger, red up to the limit where they revolt."""
        player, latest = self.view.players[seat], f"gauge-{seat}" in self.latest
        most = self.box.revolt_gauge.revolt_at
        return part(
            gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
            gauge(self.theme, zone, player.revolt, most, (player.revolt_limit,), self.theme.danger),
            centred(
                self.theme,
                zone.x + zone.width / 2,
                zone.y + zone.height + 14,
                f"{player.revolt}",
                18,
                bold=True,
            ),
            id=f"gauge-{seat}",
            label=f"{self.scene.word('revolt')}: {player.revolt}/{player.revolt_limit}",
            latest=latest,
        )

    def obelisk(self, seat: Seat, x: float, y: float, size: float) -> Element:
        state, latest = self.view.players[seat].obelisk, f"obelisk-{seat}" in self.latest
        fill = self.theme.danger if state == "revolt" else self.theme.seats[seat]
        return part(
            gilt(self.theme, x - size / 2, y - size / 2, size, size) if latest else None,
            sign(SIGNS[state], x, y, size, fill),
            id=f"obelisk-{seat}",
            label=f"{self.scene.word('obelisk')}: {self.scene.word(state)}",
            actions=("stop",) if seat == self.scene.viewer else (),
            latest=latest,
        )

    def nile(self, x: float, y: float, width: float, height: float) -> Element:
        """Waves along the bank."""
        waves = "".join(
            f"M{x + 2:g} {y + 10 + at * 16:g}q{width / 4:g} -8 {width / 2 - 2:g} 0t{width / 2 - 2:g} 0"
            for at in range(int((height - 6) // 16))
        )
        return group(
            rect(x, y, width, height, rx=6, fill=mixed(self.theme.panel, self.hue("nile"), 0.25)),
            path(waves, fill="none", stroke=self.hue("nile"), stroke_width=2),
        )  # fmt: skip

    def space(self, seat: Seat, number: int, zone: Zone) -> Element:
        """A space and what stands on it; two start buildings may share one."""
        tiles = self.view.players[seat].spaces[number]
        latest, own = f"space-{seat}-{number}" in self.latest, seat == self.scene.viewer
        half = zone.width / max(1, len(tiles))
        drawn = [self.tile(tile, number, Zone(at * half, 0, half - (2 if len(tiles) > 1 else 0), zone.height), own)
                 for at, tile in enumerate(tiles)]  # fmt: skip
        ground = rect(0, 0, zone.width, zone.height, rx=6, fill=self.theme.ground, stroke=self.theme.line)
        inner = (
            part(ground, *drawn, names={"from": number, "to": number}, actions=("move_site",))
            if own
            else group(ground, *drawn)
        )
        return part(
            gilt(self.theme, 0, 0, zone.width, zone.height, 6) if latest else None,
            inner,
            id=f"space-{seat}-{number}",
            at=(zone.x, zone.y),
            names={"space": number} if own else None,
            actions=CITY_ACTIONS if own else (),
            latest=latest,
        )

    def tile(self, tile: Tile, number: int, zone: Zone, own: bool) -> Element:
        """A building with its roof, or a scaffold with what it still costs."""
        theme, hue = self.theme, self.hue(self.box.buildings[tile.building].class_)
        x, middle = zone.x + zone.width / 2, zone.y + 30
        edge: dict[str, Value] = {"stroke": hue, "stroke_width": 2, "rx": 6}
        frame = (
            rect(zone.x, zone.y, zone.width, zone.height, fill=mixed(theme.raised, hue, 0.22), **edge)
            if tile.built
            else rect(
                zone.x + 3,
                zone.y + 3,
                zone.width - 6,
                zone.height - 6,
                fill="none",
                stroke_dasharray="7 4",
                **edge,
            )
        )
        foot = zone.y + zone.height - 8
        names: dict[str, Any] = {"building": tile.building}
        inside: list[Element | None] = [
            frame,
            sign(SIGNS[tile.building], x, middle, 38 if zone.width > 60 else 30, hue),
        ]
        if tile.built:
            inside.append(
                words(theme, x, foot - 2, self.label(tile), size=15, anchor="middle", width=zone.width - 8)
                if zone.width > 60
                else None
            )
            inside.append(self.ready(tile, number, zone, own))
        else:
            inside.append(self.cost(tile, zone))
        action = ("demolish",) if tile.built else ()
        drawn = part(
            *inside,
            names=names if own and tile.built else None,
            actions=action if own else (),
            label=self.label(tile),
        )
        return (
            drawn if tile.built or not own else part(drawn, names={"kind": "build"}, actions=("start_work",))
        )

    def label(self, tile: Tile) -> str:
        name = self.scene.word(tile.building)
        return f"{name} {tile.number}" if tile.number is not UNSET else name

    def ready(self, tile: Tile, number: int, zone: Zone, own: bool) -> Element | None:
        """A resource that lies ready, a power that was used, the steps of a pyramid."""
        x, y = zone.x + zone.width - 14, zone.y + 14
        made = self.box.buildings[tile.building].produces
        if tile.steps is not UNSET and tile.number is not UNSET:
            steps = f"{tile.steps}/{len(self.box.pyramid(tile.number).steps)}"
            return badge(self.theme, x - 8, y, steps, size=14)
        if made and tile.token is True:
            drawn = self.token(made, x, y, 22)
            return part(drawn, names={"source": {"production": number}}) if own else drawn
        if tile.used is True:
            return centred(self.theme, x, y, "✓", 18, bold=True)
        return None

    def cost(self, tile: Tile, zone: Zone) -> Element | None:
        """What a site costs now."""
        price = tile.cost
        if price is UNSET:
            return None
        x, y = zone.x + zone.width / 2, zone.y + zone.height - 16
        return self.price(price, x, y, 26)

    def price(self, price: Cost | Price, x: float, y: float, step: float) -> Element:
        """Resources in a row around a point, each with its number."""
        owed = [
            (token, getattr(price, token)) for token in ("wood", "gold", "stone") if getattr(price, token)
        ]
        left = x - (len(owed) - 1) * step / 2
        return group(
            *(
                group(
                    sign(SIGNS[token], left + at * step - 6, y, 14, self.hue(token)),
                    words(self.theme, left + at * step + 3, y + 5, number, size=SMALLEST, bold=True),
                )
                for at, (token, number) in enumerate(owed)
            )
        )

    def token(self, kind: str, x: float, y: float, size: float) -> Element:
        return Print(_token(self.theme.name, kind, size), x=x, y=y)

    # -- supply and one's own -----------------------------------------------------------------------------------------

    def supply(self) -> Element:
        """What can still be built: how many tiles are left, and the printed cost."""
        zone, theme, own = SUPPLY, self.theme, self.scene.viewer is not None
        kinds = [kind for kind in self.box.buildings if kind != "pyramid"]
        rows = []
        for at, kind in enumerate([*kinds, "pyramid"]):
            x, y = zone.x + 10 + at % 2 * 222, zone.y + 8 + at // 2 * 41.5
            left = len(self.view.pyramids) if kind == "pyramid" else self.view.supply.get(kind, 0)
            rows.append(self.offer(kind, left, x, y, own))
        return part(panel(theme, zone), *rows, id="supply", label=self.scene.word("supply"))

    def offer(self, kind: str, left: int, x: float, y: float, own: bool) -> Element:
        theme = self.theme
        building = self.box.buildings[kind]
        hue = self.hue(building.class_)
        name = self.scene.word(kind)
        if kind == "pyramid" and self.view.pyramids:
            name = f"{name} {self.view.pyramids[0]}"
        return part(
            rect(0, 0, 214, 37, rx=5, fill=theme.raised, stroke=theme.line, fill_opacity=1 if left else 0.3),
            sign(SIGNS[kind], 19, 18, 24, hue),
            words(theme, 36, 17, name, size=15, width=138, quiet=not left),
            self.price(building.cost, 92, 27, 34) if building.cost else None,
            badge(theme, 196, 18, left, size=14),
            id=f"supply-{kind}",
            at=(x, y),
            label=f"{name}: {left}",
            names={"building": kind} if own else None,
            actions=("launch_site", "place_building") if own else (),
        )

    def own(self) -> Element:
        """Cards before the near seat, its stock, caravans, and what it has still to place."""
        player, seat, zone, theme = self.view.players[self.near], self.near, OWN, self.theme
        own = seat == self.scene.viewer
        step = min(66, 520 / max(1, len(player.cards)))
        cards = [
            part(
                self.card(each.id, joker=each.joker, size=(58, 82), latest=f"card-{each.id}" in self.latest),
                id=f"card-{each.id}",
                latest=f"card-{each.id}" in self.latest,
                at=(zone.x + 12 + at * step, zone.y + 9),
                label=self.scene.word("joker" if each.joker else each.id),
                names={"source": {"card": each.id}, "give": each.id, "keep": each.id} if own else None,
            )
            for at, each in enumerate(player.cards)
        ]
        return part(
            panel(theme, zone),
            part(*cards, id=f"cards-{seat}"),
            self.stock(seat, zone.x + 640, zone.y + 22, 60, own=own),
            self.caravans(seat, zone.x + 660, zone.y + 76, own=own),
            *self.to_place(player, zone.x + 14, zone.y + 30),
            id=f"own-{seat}",
        )

    def stock(self, seat: Seat, x: float, y: float, step: float, *, own: bool, size: float = 30) -> Element:
        """The tokens in the warehouses."""
        stock, latest = self.view.players[seat].stock, f"stock-{seat}" in self.latest
        shown = [
            part(
                self.token(token, 0, 0, size),
                words(self.theme, size * 0.62, 6, stock.of(token), size=max(SMALLEST, size * 0.6), bold=True),
                at=(x + at * step, y),
                label=self.scene.word(token),
                names={"source": {"stock": token}, "take": token} if own else None,
                actions=("pay", "store") if own else (),
            )
            for at, token in enumerate(TOKENS)
        ]
        return part(
            gilt(self.theme, x - size * 0.7, y - size * 0.7, step * 4, size * 1.4) if latest else None,
            *shown,
            id=f"stock-{seat}",
            latest=latest,
        )

    def caravans(self, seat: Seat, x: float, y: float, *, own: bool) -> Element:
        """Caravans that are here, and those on their way."""
        player, latest = self.view.players[seat], f"caravans-{seat}" in self.latest
        coming = f" (+{player.caravans_new})" if player.caravans_new else ""
        told = f"{player.caravans}{coming} / {self.box.caravan_track.max}"
        drawn = part(
            gilt(self.theme, x - 20, y - 18, 130, 36) if latest else None,
            sign(SIGNS["caravan"], x, y, 30, self.theme.text),
            words(self.theme, x + 22, y + 6, told, size=17, bold=True),
            id=f"caravans-{seat}",
            label=self.scene.word("caravans"),
            names={"source": {"caravan": True}} if own else None,
            latest=latest,
        )
        return part(drawn, names={"kind": "caravan"}, actions=("start_work",)) if own else drawn

    def to_place(self, player: Player, x: float, y: float) -> Iterator[Element]:
        for at, kind in enumerate(player.to_place):
            yield part(
                rect(0, -18, 150, 56, rx=6, fill=self.theme.raised, stroke=self.theme.line),
                sign(SIGNS[kind], 24, 10, 34, self.hue(self.box.buildings[kind].class_)),
                words(self.theme, 48, 16, self.scene.word(kind), size=15, width=98),
                at=(x + at * 160, y),
            )

    # -- the others ---------------------------------------------------------------------------------------------------

    def other(self, seat: Seat, at: int) -> Element:
        """Another city, small: plate, gauge, spaces, cards, stock."""
        player, theme = self.view.players[seat], self.theme
        x, y, width = OTHERS.x + at * 324, OTHERS.y, 312
        columns = self.box.board.columns
        cell_width, cell_height = 54, 40
        spaces = [
            self.small_space(seat, number, x + 46 + number % columns * cell_width, y + 46 + number // columns * cell_height, (cell_width - 3, cell_height - 3))
            for number in self.box.spaces
        ]  # fmt: skip
        step = min(36, (width - 40) / max(1, len(player.cards)))
        cards = [
            self.other_card(each, x + card_at * step, y + 172) for card_at, each in enumerate(player.cards)
        ]
        return part(
            self.plate(seat, Zone(x, y, width, 38)),
            self.gauge(seat, Zone(x + 6, y + 46, 16, 96)),
            *spaces,
            self.nile(x + 46 + columns * cell_width, y + 46, 12, 117),
            self.obelisk(seat, x + 290, y + 60, 24),
            self.small_stock(seat, x + 286, y + 90),
            part(*cards, id=f"cards-{seat}"),
            id=f"city-{seat}",
            label=f"{self.scene.word('spaces')}: {self.scene.player(seat)}",
        )

    def small_stock(self, seat: Seat, x: float, y: float) -> Element:
        stock = self.view.players[seat].stock
        latest = f"stock-{seat}" in self.latest or f"caravans-{seat}" in self.latest
        held = [(token, stock.of(token)) for token in TOKENS if stock.of(token)]
        return part(
            gilt(self.theme, x - 12, y - 8, 38, 78) if latest else None,
            *(
                group(self.token(token, x, y + row * 19, 16), words(self.theme, x + 12, y + row * 19 + 5, number, size=SMALLEST))
                for row, (token, number) in enumerate(held)
            ),
            id=f"stock-{seat}",
            latest=latest,
        )  # fmt: skip

    def small_space(self, seat: Seat, number: int, x: float, y: float, size: tuple[float, float]) -> Element:
        """A space of another city: signs alone."""
        latest = f"space-{seat}-{number}" in self.latest
        tiles = self.view.players[seat].spaces[number]
        half = size[0] / max(1, len(tiles))
        return part(
            gilt(self.theme, 0, 0, *size, 4) if latest else None,
            rect(0, 0, *size, rx=4, fill=self.theme.panel, stroke=self.theme.line),
            *(
                Print(_small_tile(self.theme.name, tile.building, self.hue(self.box.buildings[tile.building].class_), half, size[1], tile.built), x=at * half)
                for at, tile in enumerate(tiles)
            ),
            id=f"space-{seat}-{number}",
            at=(x, y),
            label=self.scene.listed([self.label(tile) for tile in tiles]) if tiles else None,
            latest=latest,
        )  # fmt: skip

    def other_card(self, each: Card, x: float, y: float) -> Element:
        return part(
            self.card(each.id, joker=each.joker, size=(34, 46), latest=f"card-{each.id}" in self.latest),
            id=f"card-{each.id}",
            latest=f"card-{each.id}" in self.latest,
            at=(x, y),
            label=self.scene.word("joker" if each.joker else each.id),
            names={"take": each.id} if self.scene.viewer is not None else None,
            actions=("use_market",) if self.scene.viewer is not None else (),
        )


def _blown(scene: Scene) -> frozenset[str]:
    """The wind of revolt raises several gauges at once."""
    return frozenset(
        f"gauge-{seat}" for fact in scene.latest if fact["type"] == "wind_blew" for seat in fact["seats"]
    )


def _stepped(view: State, scene: Scene) -> frozenset[str]:
    """The space of a pyramid that has grown by a step."""
    grown = {
        (fact["seat"], fact["number"]) for fact in scene.latest if fact["type"] == "pyramid_step_completed"
    }
    return frozenset(
        f"space-{seat}-{space}"
        for seat, number in grown
        for space, tiles in enumerate(view.players[seat].spaces)
        if any(tile.number == number for tile in tiles)
    )


# -- drawings that come again and again -------------------------------------------------------------------------------


@cache
def _token(theme_name: str, kind: str, size: float) -> Stamp:
    """A token of a resource around 0, 0."""
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[kind]]
    half = size / 2
    return Stamp(
        group(
            rect(-half, -half, size, size, rx=size * 0.25, fill=hue, stroke=theme.raised),
            outlined(SIGNS[kind], 0, 0, size * 0.72, theme.on(hue)),
        )
    )


@cache
def _season_card(
    theme_name: str, kind: str, shown: Sequence[str], width: float, height: float, latest: bool
) -> Stamp:
    """A season card: the resources it gives, or the sign of what it does."""
    theme = THEMES[theme_name]
    size = width * (0.62 if len(shown) == 1 else 0.48)
    step = height * 0.36
    signs = [
        outlined(SIGNS[each], width / 2, height / 2 + (at - (len(shown) - 1) / 2) * step + height * 0.04, size, theme.hues[HUES[each]])
        for at, each in enumerate(shown)
    ]  # fmt: skip
    band = rect(0, 0, width, height * 0.1, rx=min(4, width * 0.1), fill=theme.hues[HUES[kind]])
    fill = mixed(theme.raised, theme.danger, 0.16) if kind == "trouble" else None
    return Stamp(card(theme, width, height, band, *signs, fill=fill, latest=latest))


@cache
def _small_tile(theme_name: str, building: str, hue: str, width: float, height: float, built: bool) -> Stamp:
    theme = THEMES[theme_name]
    frame = (
        rect(1, 1, width - 2, height - 2, rx=4, fill=mixed(theme.raised, hue, 0.25), stroke=hue)
        if built
        else rect(2, 2, width - 4, height - 4, rx=4, fill="none", stroke=hue, stroke_dasharray="4 3")
    )
    return Stamp(
        group(frame, outlined(SIGNS[building], width / 2, height / 2, min(width, height) * 0.66, hue))
    )

"""The board of Babel: five sites in a row, the far player's side above them, the near player's below."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from games.babel.box import COMPONENT_SETS, NATIONS, Nation
from games.babel.state import Levels, Nations, State
from games.kernel import Seat
from games.pictures import (
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
    lines,
    outlined,
    panel,
    part,
    pile,
    plate,
    seat_mark,
    sign,
    token,
    words,
)
from games.svg import Element, Print, Stamp, group, polygon, rect

HEIGHT = 850
SIGNS: Mapping[str, str] = {
    "assyrians": "M12 8a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM0 7c4-1 6 0 7 2a6 6 0 0 0 0 6c-4 0-6-3-7-8zM24 7c-4-1-6 0-7 2a6 6 0 0 1 0 6c4 0 6-3 7-8zM10 17h4l2 5H8z",
    "hittites": "M11 7c-2 1-4 0-6-4c-4 4-4 10 0 14c2-4 4-5 6-4v10h2V13c2-1 4 0 6 4c4-4 4-10 0-14c-2 4-4 5-6 4V2h-2z",
    "medes": "M12 1c5 4 7 8 6 13c-1 3-3 4-5 4v5h-2v-5c-2 0-4-1-5-4c-1-5 1-9 6-13z",
    "persians": "M13 1c1 4 6 6 6 12c0 4-3 6-5 6h-4c-2 0-5-2-5-6c0-3 2-4 3-7c1 1 2 2 2 4c2-2 3-5 3-9zM6 21h12v2H6z",
    "sumerians": "M12 0l2 8l7-5l-5 7l8 2l-8 2l5 7l-7-5l-2 8l-2-8l-7 5l5-7l-8-2l8-2l-5-7l7 5z",
}
"""Winged disc, double axe, cypress, flame, star."""

SITES_X, SITE_WIDTH = 190, 126
FAR_SIDE, PLINTH, NEAR_SIDE = Zone(0, 112, 0, 238), Zone(0, 358, 0, 64), Zone(0, 430, 0, 238)
TEMPLES = Zone(20, 112, 152, 556)
GAUGES = Zone(836, 112, 144, 330)
NATIONS_ZONE = Zone(836, 458, 144, 210)
FAR_HAND, NEAR_HAND = Zone(420, 54, 560, 48), Zone(20, 724, 960, 116)
FAR_PLATE, NEAR_PLATE = Zone(20, 56, 380, 44), Zone(20, 676, 960, 42)
CARD_WIDTH, LAID_HEIGHT = 46, 34
LANE = 8
"""Temple cards in one lane of a temple column."""

WORDS = {
    "en": {
        "title": "{game}, turn {turn}, {moment}",
        "migrated": "migration used",
        "known": "on top: {levels}",
        "side": "{who}: total {total}, cards in hand: {cards}, pawn {place}.",
        "place": "at the {site}' site",
        "quarry": "in the quarry",
        "site": "{site}: temple {level}, column of {cards}",
        "piles": "Temple pile {temples}, nation pile {nations}, discards {discards}.",
        "level": "level {level}",
    },
    "fr": {
        "title": "{game}, tour {turn}, {moment}",
        "migrated": "migration faite",
        "known": "dessus : {levels}",
        "side": "{who} : total {total}, cartes en main : {cards}, pion {place}.",
        "place": "sur le chantier des {site}",
        "quarry": "dans la carrière",
        "site": "{site} : temple {level}, colonne de {cards}",
        "piles": "Pile Temple {temples}, pioche Nation {nations}, défausse {discards}.",
        "level": "niveau {level}",
    },
}


PLACES: Mapping[str, tuple[str, ...]] = {
    "travelled": ("pawn-{seat}", "discard"),
    "deployed": ("column-{seat}-{site}",),
    "temple_built": ("temple-{seat}-{site}",),
    "migrated": ("column-{seat}-{from}", "column-{seat}-{to}"),
    "ability_used": ("discard",),
    "temple_destroyed": ("temple-{victim}-{site}", "temple-pile"),
    "level_stolen": ("temple-{victim}-{site}", "temple-{seat}-{site}"),
    "nation_expelled": ("column-{victim}-{site}", "discard"),
    "sides_changed": ("column-{victim}-{site}", "column-{seat}-{site}"),
    "discard_demanded": ("hand-{victim}",),
    "nations_discarded": ("discard",),
    "nation_pile_reshuffled": ("nation-pile",),
}
"""What each fact touches (the cards that `temples_revealed` and `nations_drawn` bring are counted)."""


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    return board(scene, HEIGHT, _title(view, scene), _description(view, scene), _Drawing(view, scene).parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    box = COMPONENT_SETS[component_set].box
    zones = {f"site-{nation}": _plinth(nation) for nation in NATIONS} | {
        "temples": TEMPLES, "gauges": GAUGES, "nations": NATIONS_ZONE,
        "far-hand": FAR_HAND, "near-hand": NEAR_HAND, "far-plate": FAR_PLATE, "near-plate": NEAR_PLATE,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours({n: box.nations[n].colour for n in NATIONS}))


def _plinth(nation: Nation) -> Zone:
    return Zone(SITES_X + NATIONS.index(nation) * SITE_WIDTH + 4, PLINTH.y, SITE_WIDTH - 8, PLINTH.height)


# -- in words ---------------------------------------------------------------------------------------------------------


def _moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    doing = scene.word("discard_half" if view.pending else "actions")
    moment = scene.moment(view.to_act, doing.lower())
    return f"{moment} · {scene.word('endgame').lower()}" if view.endgame else moment


def _title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("babel"), turn=view.turn, moment=_moment(view, scene))


def _description(view: State, scene: Scene) -> str:
    return " ".join((*(_side(view, scene, seat) for seat in (0, 1)), _piles(view, scene)))


def _side(view: State, scene: Scene, seat: Seat) -> str:
    player = view.players[seat]
    place = (
        scene.say("place", WORDS, site=scene.word(player.pawn)) if player.pawn else scene.say("quarry", WORDS)
    )
    told = scene.say(
        "side", WORDS, who=scene.player(seat), total=player.total, cards=player.hand_count, place=place
    )
    sites = [
        scene.say("site", WORDS, site=scene.word(nation), level=site.top, cards=len(site.column))
        for nation, site in player.sites.items()
        if site.temple or site.column
    ]
    return f"{told} {scene.say(';').join(sites)}." if sites else told


def _piles(view: State, scene: Scene) -> str:
    return scene.say(
        "piles",
        WORDS,
        temples=view.temple_pile_count,
        nations=view.nation_pile_count,
        discards=len(view.nation_discard),
    )


# -- the drawing ------------------------------------------------------------------------------------------------------


class _Drawing:
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        self.far: Seat = 1 - self.near
        self.box = COMPONENT_SETS[view.options.component_set].box
        self.latest = scene.touched(PLACES)

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("babel"), _moment(view, scene))
        for nation in NATIONS:
            yield self.side(self.far, nation)
            yield self.plinth(nation)
            yield self.side(self.near, nation)
        yield self.temple_zone()
        yield self.gauges()
        yield self.nation_zone()
        yield self.plate(self.far, FAR_PLATE)
        yield self.far_hand()
        yield self.plate(self.near, NEAR_PLATE)
        yield self.near_hand()
        for seat in (self.far, self.near):
            yield self.pawn(seat)

    def hue(self, nation: Nation) -> str:
        return self.theme.hues[self.box.nations[nation].colour]

    def plate(self, seat: Seat, zone: Zone) -> Element:
        migrated = self.view.migrated and seat == self.view.active_seat
        note = self.scene.say("migrated", WORDS) if migrated else ""
        return plate(self.scene, seat, zone, to_act=seat in self.view.to_act, note=note)

    # -- sites --------------------------------------------------------------------------------------------------------

    def plinth(self, nation: Nation) -> Element:
        """The stone that both sides of a site share."""
        zone, hue = _plinth(nation), self.hue(nation)
        x, y, middle = zone.x, zone.y, zone.x + zone.width / 2
        return part(
            polygon(
                [(x - 3, y + 12), (x + 8, y), (x + zone.width - 8, y), (x + zone.width + 3, y + 12),
                 (x + zone.width + 3, y + 52), (x + zone.width - 8, y + 64), (x + 8, y + 64), (x - 3, y + 52)],
                fill=self.theme.panel, stroke=hue, stroke_width=2,
            ),
            sign(SIGNS[nation], middle, y + 20, 30, hue),
            words(self.theme, middle, y + 52, self.scene.word(nation), size=16, anchor="middle", bold=True,
                  width=zone.width - 8),
            id=f"site-{nation}",
            label=self.scene.word(nation),
            names={"site": nation},
        )  # fmt: skip

    def side(self, seat: Seat, nation: Nation) -> Element:
        """One player's temple and column at a site; the viewer's own is where migrations begin and end."""
        near = seat == self.near
        zone = NEAR_SIDE if near else FAR_SIDE
        left = SITES_X + NATIONS.index(nation) * SITE_WIDTH
        site = self.view.players[seat].sites[nation]
        own = seat == self.scene.viewer
        return part(
            rect(
                left + 2, zone.y, SITE_WIDTH - 4, zone.height, rx=6, fill=self.theme.panel, fill_opacity=0.55
            ),
            self.temple(seat, nation, site.temple, left + 38, near),
            self.column(seat, nation, site.column, left + 74, near),
            self.size(site.column, left + 38, near) if site.column else None,
            id=f"side-{seat}-{nation}",
            label=f"{self.scene.player(seat)}, "
            + self.scene.say(
                "site", WORDS, site=self.scene.word(nation), level=site.top, cards=len(site.column)
            ),
            names={"from": nation, "to": nation} if own else None,
        )

    def temple(self, seat: Seat, nation: Nation, levels: Levels, x: float, near: bool) -> Element:
        """A stepped tower with the level on each step; it rises away from the plinth."""
        step = 34
        steps = []
        for height, level in enumerate(levels):
            half = 34 - height * 3.5
            top = (
                NEAR_SIDE.y + 4 + height * step
                if near
                else FAR_SIDE.y + FAR_SIDE.height - 4 - (height + 1) * step
            )
            last = height == len(levels) - 1
            latest = last and f"temple-{seat}-{nation}" in self.latest
            steps.append(
                part(
                    gilt(self.theme, -half, 0, half * 2, step - 3, 3) if latest else None,
                    rect(-half, 0, half * 2, step - 3, rx=3, fill=self.theme.seats[seat] if last else self.theme.raised,
                         stroke=self.theme.seats[seat], stroke_width=1.5),
                    centred(self.theme, 0, step / 2 - 1, level, 19, bold=True,
                            fill=self.theme.on(self.theme.seats[seat]) if last else None),
                    id=f"temple-{seat}-{nation}-{level}",
                    at=(x, top),
                    latest=latest,
                )
            )  # fmt: skip
        return group(
            *steps, self.bare_ground(f"temple-{seat}-{nation}", x - 34, near) if not levels else None
        )

    def bare_ground(self, place: str, x: float, near: bool) -> Element | None:
        """Where the latest entry has left nothing."""
        y = NEAR_SIDE.y + 6 if near else FAR_SIDE.y + FAR_SIDE.height - 34
        return gilt(self.theme, x, y, CARD_WIDTH, 28) if place in self.latest else None

    def column(self, seat: Seat, nation: Nation, column: Nations, x: float, near: bool) -> Element:
        """Nation cards, the last one in full; each lies on the one before it, away from the plinth."""
        height = LAID_HEIGHT
        step = min(25, (FAR_SIDE.height - 8 - height) / max(1, len(column) - 1))
        cards = []
        seen: Counter[Nation] = Counter()
        for at, kind in enumerate(column):
            seen[kind] += 1
            last = at == len(column) - 1
            latest = last and f"column-{seat}-{nation}" in self.latest
            shown = height if last else round(step)
            y = NEAR_SIDE.y + 4 + at * step if near else FAR_SIDE.y + FAR_SIDE.height - 4 - height - at * step
            cards.append(
                part(
                    Print(_laid_card(self.theme.name, kind, self.hue(kind), shown, near, latest)),
                    id=f"column-{seat}-{nation}-{kind}-{seen[kind]}",
                    at=(x, y),
                    label=self.scene.word(kind),
                    latest=latest,
                    **self.named_in_column(seat, nation, kind, at),
                )
            )  # fmt: skip
        bare = self.bare_ground(f"column-{seat}-{nation}", x, near) if not column else None
        return group(*cards, *self.runs(column, x, step, near), bare)

    def size(self, column: Nations, x: float, near: bool) -> Element:
        """How many cards a column has, which is the level that it can carry."""
        y = NEAR_SIDE.y + NEAR_SIDE.height - 14 if near else FAR_SIDE.y + 14
        return group(
            rect(x - 18, y - 8, 12, 16, rx=2, fill="none", stroke=self.theme.quiet, stroke_width=1.5),
            words(self.theme, x, y + 5, len(column), size=15, quiet=True),
        )

    def runs(self, column: Nations, x: float, step: float, near: bool) -> Iterator[Element]:
        """A bar beside as many equal cards in a row as an ability needs, or more."""
        at = 0
        for kind, cards in groupby(column):
            length = len(tuple(cards))
            if length >= self.box.run_length:
                first, last = at * step + 3, (at + length - 1) * step + LAID_HEIGHT - 3
                begin = NEAR_SIDE.y + 4 + first if near else FAR_SIDE.y + FAR_SIDE.height - 4 - last
                yield rect(x + CARD_WIDTH + 2, begin, 4, last - first, rx=2, fill=self.hue(kind))
            at += length

    def named_in_column(self, seat: Seat, nation: Nation, kind: Nation, at: int) -> dict[str, Any]:
        """Under the viewer's pawn the own cards name runs, the opposite ones nations to expel."""
        viewer = self.scene.viewer
        if viewer is None or self.view.players[viewer].pawn != nation:
            return {}
        if seat == viewer:
            return {"names": {"run": at}}
        return {"names": {"nation": kind}, "actions": ("expel_nation",)}

    def pawn(self, seat: Seat) -> Element:
        """On the edge of the plinth that is the seat's own; before the first travel in the quarry."""
        place = self.view.players[seat].pawn
        near = seat == self.near
        x: float = SITES_X - 22
        if place is None:
            y = PLINTH.y + (48 if near else 16)
        else:
            x, y = _plinth(place).x + SITE_WIDTH - 18, PLINTH.y + (PLINTH.height - 2 if near else 2)
        return part(
            token(self.theme, seat, 30, latest=f"pawn-{seat}" in self.latest),
            id=f"pawn-{seat}",
            at=(x, y),
            latest=f"pawn-{seat}" in self.latest,
            label=f"{self.scene.word('pawn')}: {self.scene.player(seat)}",
        )

    # -- temple cards -------------------------------------------------------------------------------------------------

    def temple_zone(self) -> Element:
        """The temple pile in the middle, the column of each player towards him."""
        view, theme = self.view, self.theme
        x, middle = TEMPLES.x, PLINTH.y
        top = card_back(theme, 50, 64, latest="temple-pile" in self.latest)
        known = self.scene.say("known", WORDS, levels=" ".join(map(str, view.temple_pile_known[:6])))
        return part(
            panel(theme, TEMPLES),
            part(pile(theme, 50, 64, view.temple_pile_count, top), id="temple-pile", at=(x + 12, middle - 6),
                 label=self.scene.word("temple_pile"), latest="temple-pile" in self.latest),
            lines(theme, x + 74, middle + 8, self.scene.word("temple_pile"), 74, quiet=True),
            lines(theme, x + 74, middle + 44, known, 74) if view.temple_pile_known else None,
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
            face = _temple_card(
                self.theme.name, level, 40 if whole else round(step), near, last, at >= len(levels) - fresh
            )
            cards.append(
                part(
                    Print(face),
                    id=f"temple-column-{seat}-{at}",
                    at=(TEMPLES.x + 10 + at // lane * 70, foot + away if near else foot - away),
                    label=self.scene.say("level", WORDS, level=level),
                    names=self.source(seat) if last else None,
                    latest=at >= len(levels) - fresh,
                )
            )
        return part(
            *cards,
            self.start_card(seat, near) if player.start_card else None,
            seat_mark(self.theme, seat, TEMPLES.x + 136, PLINTH.y + (74 if near else -10), 18),
            id=f"temple-column-{seat}",
            label=f"{self.scene.word('temple_column')}: {self.scene.player(seat)}",
        )

    def revealed(self, seat: Seat) -> int:
        """How many cards the latest entry has laid at the end of a temple column."""
        return sum(
            len(fact["levels"])
            for fact in self.scene.latest
            if fact["type"] == "temples_revealed" and fact["seat"] == seat
        )

    def start_card(self, seat: Seat, near: bool) -> Element:
        return part(
            Print(_temple_card(self.theme.name, 1, 40, near, top=True, latest=False)),
            lines(self.theme, 31, 58, self.scene.word("start_card"), 68, anchor="middle", quiet=True),
            id=f"start-card-{seat}",
            at=(TEMPLES.x + 12, PLINTH.y + (84 if near else -86)),
            label=self.scene.word("start_card"),
            names={"source": "start"} if seat == self.scene.viewer else None,
        )

    def source(self, seat: Seat) -> dict[str, str] | None:
        """What a builder calls this seat's temple column."""
        if self.scene.viewer is None:
            return None
        return {"source": "own" if seat == self.scene.viewer else "opponent"}

    # -- totals and nation cards --------------------------------------------------------------------------------------

    def gauges(self) -> Element:
        """Both totals on one scale, with the marks that decide the game."""
        theme, limits = self.theme, self.box.thresholds
        marks = (limits.too_low, limits.too_low + 1, limits.endgame, limits.win)
        upright = []
        for seat, x in ((self.near, GAUGES.x + 14), (self.far, GAUGES.x + 84)):
            total = self.view.players[seat].total
            zone = Zone(x, GAUGES.y + 52, 28, GAUGES.height - 64)
            upright.append(
                part(
                    gauge(theme, zone, total, limits.win + 2, marks, theme.seats[seat]),
                    seat_mark(theme, seat, x + 4, GAUGES.y + 26, 20),
                    words(theme, x + 20, GAUGES.y + 34, total, size=24, bold=True),
                    id=f"total-{seat}",
                    label=f"{self.scene.word('total')}, {self.scene.player(seat)}: {total}",
                )
            )
        return part(panel(theme, GAUGES), *upright, id="gauges")

    def nation_zone(self) -> Element:
        """The nation pile and the discard, its last card on top."""
        view, theme, zone = self.view, self.theme, NATIONS_ZONE
        discard = view.nation_discard
        top = self.nation_card(discard[-1], 58, 82, latest="discard" in self.latest) if discard else None
        back = card_back(theme, 58, 82, latest="nation-pile" in self.latest)
        return part(
            panel(theme, zone),
            part(pile(theme, 58, 82, view.nation_pile_count, back), id="nation-pile", at=(zone.x + 10, zone.y + 48),
                 label=self.scene.word("nation_pile"), latest="nation-pile" in self.latest),
            part(pile(theme, 58, 82, len(discard), top, latest="discard" in self.latest), id="discard",
                 at=(zone.x + 76, zone.y + 48), label=self.scene.word("nation_discard"), latest="discard" in self.latest),
            lines(theme, zone.x + 39, zone.y + 20, self.scene.word("nation_pile"), 68, anchor="middle", quiet=True),
            *self.discarded(),
            lines(theme, zone.x + 106, zone.y + 20, self.scene.word("nation_discard"), 68, anchor="middle", quiet=True),
            id="nations",
        )  # fmt: skip

    def discarded(self) -> Iterator[Element]:
        """How many cards of each nation lie in the discard."""
        lying = Counter(self.view.nation_discard)
        for at, nation in enumerate(NATIONS):
            x = NATIONS_ZONE.x + 17 + at * 27.5
            yield sign(SIGNS[nation], x, NATIONS_ZONE.y + 168, 18, self.hue(nation))
            yield centred(self.theme, x, NATIONS_ZONE.y + 191, lying[nation], 15)

    def nation_card(self, nation: Nation, width: float, height: float, *, latest: bool = False) -> Element:
        return Print(_nation_card(self.theme.name, nation, self.hue(nation), width, height, latest))

    # -- hands --------------------------------------------------------------------------------------------------------

    def near_hand(self) -> Element:
        """Large, fanned by nation, each with its count."""
        seat = self.near
        hand = self.view.players[seat].hand
        if hand is None:
            drawn = [self.backs(seat, NEAR_HAND, 68, 92)]
        else:
            held, fresh = Counter(hand), self.drawn_by(seat)
            drawn = [self.fan(seat, nation, held[nation], fresh[nation]) for nation in NATIONS]
        return self.hand(seat, NEAR_HAND, drawn)

    def hand(self, seat: Seat, zone: Zone, drawn: Iterable[Element]) -> Element:
        """A hand in its panel; gold around it if it was robbed of its half."""
        latest = f"hand-{seat}" in self.latest
        return part(
            panel(self.theme, zone),
            gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
            *drawn,
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            latest=latest,
        )

    def drawn_by(self, seat: Seat) -> Counter[str | None]:
        """The cards that the latest entry has brought to a hand, as far as they are seen."""
        drawn: Counter[str | None] = Counter()
        for fact in self.scene.latest:
            if fact["type"] == "nations_drawn" and fact["seat"] == seat:
                drawn.update(fact["nations"] or [None] * fact["count"])
        return drawn

    def fan(self, seat: Seat, nation: Nation, number: int, fresh: int) -> Element:
        """The cards of one nation in the near hand, in a place of their own."""
        slot = NEAR_HAND.width / len(NATIONS)
        left = NEAR_HAND.x + NATIONS.index(nation) * slot + 14
        if not number:
            return sign(SIGNS[nation], left + 34, NEAR_HAND.y + 58, 40, self.theme.line, fill_opacity=0.6)
        step = min(26, 88 / max(1, number - 1))
        own = seat == self.scene.viewer
        cards = [
            part(
                self.nation_card(nation, 68, 92, latest=at >= number - fresh),
                id=f"hand-{seat}-{nation}-{at + 1}",
                at=(left + at * step, NEAR_HAND.y + 10),
                label=self.scene.word(nation),
                names={"nation": nation, "nations": nation} if own else None,
                actions=("deploy", "discard") if own else (),
                latest=at >= number - fresh,
            )
            for at in range(number)
        ]
        count = badge(
            self.theme, left + (number - 1) * step + 58, NEAR_HAND.y + 96, number, fill=self.hue(nation)
        )
        return group(*cards, count)

    def far_hand(self) -> Element:
        """Small: backs with a number, or what the viewer may see of it."""
        seat = self.far
        hand = self.view.players[seat].hand
        if hand is None:
            return self.hand(seat, FAR_HAND, [self.backs(seat, FAR_HAND, 32, 40)])
        fresh = self.drawn_by(seat)
        drawn = [
            part(
                self.nation_card(nation, 32, 40, latest=bool(fresh[nation])),
                badge(self.theme, 46, 24, number, fill=self.hue(nation), size=15),
                at=(FAR_HAND.x + 10 + place * 84, FAR_HAND.y + 4),
                latest=bool(fresh[nation]),
            )
            for place, (nation, number) in enumerate(_by_nation(hand))
        ]
        return self.hand(seat, FAR_HAND, drawn)

    def backs(self, seat: Seat, zone: Zone, width: float, height: float) -> Element:
        """A hand that is not seen; which cards are new may be."""
        number = self.view.players[seat].hand_count
        fresh = self.drawn_by(seat).total()
        step = min(width * 0.6, (zone.width - width - 70) / max(1, number - 1))
        y = zone.y + (zone.height - height) / 2
        cards = [
            part(
                card_back(self.theme, width, height, latest=at >= number - fresh),
                at=(zone.x + 10 + at * step, y),
                latest=at >= number - fresh,
            )
            for at in range(number)
        ]
        return group(*cards, badge(self.theme, zone.x + zone.width - 30, zone.y + zone.height / 2, number))


def _by_nation(hand: Sequence[Nation]) -> Iterator[tuple[Nation, int]]:
    held = Counter(hand)
    return ((nation, held[nation]) for nation in NATIONS if held[nation])


@cache
def _nation_card(
    theme_name: str, nation: Nation, hue: str, width: float, height: float, latest: bool
) -> Stamp:
    """A nation card in full."""
    size = min(width, height) * 0.62
    return Stamp(
        card(
            THEMES[theme_name], width, height,
            rect(0, 0, width, height * 0.14, rx=min(4, width * 0.1), fill=hue),
            outlined(SIGNS[nation], width / 2, height * 0.53, size, hue),
            latest=latest,
        )
    )  # fmt: skip


@cache
def _laid_card(theme_name: str, nation: Nation, hue: str, seen: float, near: bool, latest: bool) -> Stamp:
    """A nation card in a column; the next one leaves `seen` units of it to be seen, on the side of the plinth."""
    middle = seen / 2 if near else LAID_HEIGHT - seen / 2
    return Stamp(
        card(
            THEMES[theme_name], CARD_WIDTH, LAID_HEIGHT,
            rect(0, 0, 9, LAID_HEIGHT, rx=4, fill=hue),
            outlined(SIGNS[nation], 27, middle, min(22, seen), hue),
            latest=latest,
        )
    )  # fmt: skip


@cache
def _temple_card(theme_name: str, level: int, seen: float, near: bool, top: bool, latest: bool) -> Stamp:
    """A temple card, 62 by 40: its level where `seen` units of it stay to be seen, and steps as high as it is."""
    theme = THEMES[theme_name]
    ink = theme.text if top else theme.quiet
    middle = seen / 2 if near else 40 - seen / 2
    steps = [rect(44 - width / 2, 31 - height * 5, width, 4, fill=ink)
             for height, width in enumerate(range(22, 22 - level * 3, -3))]  # fmt: skip
    size = 20 if seen > 22 else 16
    number = centred(theme, 18, middle, level, size, bold=top, fill=ink)
    return Stamp(card(theme, 62, 40, number, *(steps if seen == 40 else ()), latest=latest))

"""The board of Aton: four temples two by two, the cartouches of both seats beside them, the way to forty below."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.aton.box import BOARDS, TEMPLES, Space
from games.aton.state import Player, State, board_of, laid
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
    gilt,
    heading,
    lines,
    mixed,
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
from games.svg import Element, Print, Stamp, circle, group, line, rect

HEIGHT = 838
SIGNS: Mapping[str, str] = {
    "yellow": "M12 7a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM11 0h2v5h-2zM11 19h2v5h-2zM0 11h5v2H0zM19 11h5v2h-5zM3 4.500l1.500-1.500l3 3l-1.500 1.500zM16.500 18l1.500-1.500l3 3l-1.500 1.500zM19.500 3l1.500 1.500l-3 3l-1.500-1.500zM6 16.500l1.500 1.500l-3 3l-1.500-1.500z",
    "green": "M11 24V9h2v15zM10 11c-6 0-8-4-8-9c6 0 8 4 8 9zM14 15c6 0 8-4 8-9c-6 0-8 4-8 9zM10 22c-5 0-7-3-7-7c5 0 7 3 7 7z",
    "black": "M4 23V13L3 1l4 6h5l9 4v3l-7 1v3l3 5zM9.500 9.500a1.200 1.200 0 1 0 0 2.400a1.200 1.200 0 1 0 0-2.400z",
    "blue": "M0 8l4-4l4 4l4-4l4 4l4-4l4 4v3l-4-4l-4 4l-4-4l-4 4l-4-4l-4 4zM0 16l4-4l4 4l4-4l4 4l4-4l4 4v3l-4-4l-4 4l-4-4l-4 4l-4-4l-4 4z",
    "bonus": "M9 1h6v8h8v6h-8v8H9v-8H1V9h8z",
    "lamp": "M1 13h16l5-4l1 2l-5 6c-2 3-4 4-6 4H8c-4 0-7-3-7-8zM7 22h6v2H7zM20 0c2 3 3 4 2 7h-3c-1-3 0-4 1-7z",
    "trade_token": "M4 8h10V3l8 7l-8 0H4zM20 16H10v5l-8-7l8 0h10z",
}
"""Sun, reed, jackal, water, more; the lamp of an open temple, the token that exchanges a hand."""
HUES = {"yellow": "yellow", "green": "green", "black": "black", "blue": "blue", "bonus": "purple"}

CELL, GAP_ACROSS, GAP_DOWN = 62, 26, 58
BOARD_X, BOARD_Y = 244, 144
CARTOUCHES = Zone(20, 108, 208, 486)
BESIDE = Zone(776, 108, 204, 486)
DEAD = Zone(776, 292, 204, 118)
TRACK = Zone(20, 606, 960, 56)
FAR_PLATE, NEAR_PLATE = Zone(20, 56, 960, 44), Zone(20, 674, 960, 42)
HAND = Zone(20, 722, 960, 106)
POINTS = 40

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "left": "{moment} ({left} left)",
        "first": "acts first",
        "points": "{score} VP",
        "side": "{who}: {score} VP, pieces in the supply: {supply}, cards in hand: {cards}.",
        "laid": "Cartouches: {cards}.",
        "down": "Cartouches laid face down.",
        "temple": "{temple}: {counts}",
        "empty": "empty",
        "dead": "Realm of the dead: {count} of {most}.",
        "1": "points",
        "2": "order, removal",
        "3": "temples",
        "4": "placing",
        "quota": "−{number}",
        "deck": "deck",
        "discard": "discard",
        "exchanged": "traded",
    },
    "fr": {
        "title": "{game}, tour {round}, {moment}",
        "left": "{moment} (encore {left})",
        "first": "joue en premier",
        "points": "{score} PV",
        "side": "{who} : {score} PV, pions en réserve : {supply}, cartes en main : {cards}.",
        "laid": "Cartouches : {cards}.",
        "down": "Cartes posées face cachée.",
        "temple": "{temple} : {counts}",
        "empty": "vide",
        "dead": "Royaume des morts : {count} sur {most}.",
        "1": "points",
        "2": "ordre, retrait",
        "3": "temples",
        "4": "pose",
        "quota": "−{number}",
        "deck": "pioche",
        "discard": "défausse",
        "exchanged": "troquées",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "hand_exchanged": ("exchanged-{seat}",),
    "cards_allocated": ("cartouches-{seat}",),
    "cartouches_revealed": ("cartouches-0", "cartouches-1"),
    "points_scored": ("score-{seat}",),
    "piece_removed": ("{space}",),
    "piece_placed": ("{space}",),
    "piece_not_placed": ("dead",),
    "piece_culled": ("{space}",),
    "temples_scored": ("score-0", "score-1"),
    "dead_returned": ("dead",),
    "deck_reshuffled": ("deck-{seat}",),
    "round_ended": ("discard-0", "discard-1"),
}


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    return board(scene, HEIGHT, _title(view, scene), _description(view, scene), _Drawing(view, scene).parts())


def layout(component_set: str) -> Layout:
    """Where things lie; spaces by their ids."""
    zones = _space_zones(component_set) | {
        "cartouches": CARTOUCHES, "beside": BESIDE, "dead": DEAD, "track": TRACK, "hand": HAND,
        "far-plate": FAR_PLATE, "near-plate": NEAR_PLATE,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


@cache
def _space_zones(component_set: str) -> dict[str, Zone]:
    """Where the spaces lie: in the grid of the component set, an empty row or column being a narrow lane."""
    spaces = BOARDS[component_set].box.spaces
    columns, rows = {space.x for space in spaces}, {space.y for space in spaces}
    across = {x: sum(CELL if each in columns else GAP_ACROSS for each in range(x)) for x in columns}
    down = {y: sum(CELL if each in rows else GAP_DOWN for each in range(y)) for y in rows}
    return {
        space.id: Zone(BOARD_X + across[space.x], BOARD_Y + down[space.y], CELL - 5, CELL - 5)
        for space in spaces
    }


# -- in words ---------------------------------------------------------------------------------------------------------


def _moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    moment = scene.moment(view.to_act, scene.word(view.phase).lower())
    left = view.remaining or sum(map(sum, view.cull_quota or ()))
    return scene.say("left", WORDS, moment=moment, left=left) if left else moment


def _title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("aton"), round=view.round, moment=_moment(view, scene))


def _description(view: State, scene: Scene) -> str:
    told = [sentence for player in view.players for sentence in _side(player, scene)]
    for temple, spaces in board_of(view).temples.items():
        held = [view.board[space] for space in spaces]
        counts = [f"{scene.player(seat)} ({held.count(seat)})" for seat in (0, 1) if held.count(seat)]
        told.append(
            scene.say(
                "temple",
                WORDS,
                temple=scene.word(f"temple_{temple}"),
                counts=scene.listed(counts) or scene.say("empty", WORDS),
            )
            + "."
        )
    dead = scene.say("dead", WORDS, count=len(view.dead), most=board_of(view).box.dead_spaces)
    return " ".join((*told, dead))


def _side(player: Player, scene: Scene) -> Iterator[str]:
    yield scene.say(
        "side",
        WORDS,
        who=scene.player(player.seat),
        score=player.score,
        supply=player.supply,
        cards=player.hand_count,
    )
    if player.cartouches:
        yield scene.say("laid", WORDS, cards=", ".join(map(str, player.cartouches)))
    elif player.cartouches_count:
        yield scene.say("down", WORDS)


# -- the drawing ------------------------------------------------------------------------------------------------------


class _Drawing:
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        self.far: Seat = 1 - self.near
        self.board = board_of(view)
        self.zones = _space_zones(view.options.component_set)
        self.latest = scene.touched(PLACES) | _buried(scene)

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        yield heading(scene, scene.word("aton"), _moment(view, scene))
        yield self.cartouches()
        for temple in TEMPLES:
            yield self.temple(temple)
        yield self.beside()
        yield self.track()
        for seat, zone in ((self.far, FAR_PLATE), (self.near, NEAR_PLATE)):
            note = scene.say("points", WORDS, score=view.players[seat].score)
            if view.first_seat == seat:
                note = f"{scene.say('first', WORDS)} · {note}"
            yield plate(scene, seat, zone, to_act=seat in view.to_act, note=note)
        yield self.hand()
        yield self.far_hand()

    # -- temples ------------------------------------------------------------------------------------------------------

    def temple(self, temple: int) -> Element:
        """A temple's spaces in their frame, its title and lamps above."""
        spaces = [space for space in self.board.box.spaces if space.temple == temple]
        zones = [self.zones[space.id] for space in spaces]
        left, top = min(zone.x for zone in zones) - 8, min(zone.y for zone in zones) - 8
        width = max(zone.x + zone.width for zone in zones) + 8 - left
        height = max(zone.y + zone.height for zone in zones) + 8 - top
        return part(
            panel(self.theme, Zone(left, top, width, height)),
            words(self.theme, left + 4, top - 8, self.scene.word(f"temple_{temple}").capitalize(), size=17, serif=True,
                  bold=True, width=92),
            *self.lamps(temple, left + width, top - 13),
            *(self.space(space, zone) for space, zone in zip(spaces, zones, strict=True)),
            id=f"temple-{temple}",
        )  # fmt: skip

    def lamps(self, temple: int, right: float, y: float) -> Iterator[Element]:
        """For each seat whether its card at cartouche 3 opens this temple, and how many pieces it must take back."""
        for at, seat in enumerate((self.far, self.near)):
            x = right - 50 * (2 - at) + 6
            cards = laid(self.view, seat)
            opened = len(cards) > 2 and cards[2] >= temple
            yield seat_mark(self.theme, seat, x, y, 13, fill_opacity=None if opened else 0.45)
            if self.view.cull_quota and self.view.cull_quota[seat][temple - 1]:
                quota = self.scene.say("quota", WORDS, number=self.view.cull_quota[seat][temple - 1])
                yield badge(self.theme, x + 22, y, quota, fill=self.theme.seats[seat], size=14)
            elif opened:
                yield sign(
                    SIGNS["lamp"],
                    x + 20,
                    y - 2,
                    22,
                    self.theme.gold,
                    stroke=self.theme.edge,
                    stroke_width=1.2,
                )
            else:
                yield sign(SIGNS["lamp"], x + 20, y - 2, 22, "none", stroke=self.theme.line, stroke_width=1.5)

    def space(self, space: Space, zone: Zone) -> Element:
        """A space wears its colour and sign; a piece leaves the sign to be seen in a corner."""
        holder = self.view.board[space.id]
        latest = space.id in self.latest
        side = zone.width
        return part(
            gilt(self.theme, 0, 0, side, side, 6) if latest else None,
            Print(_space(self.theme.name, space.colour, space.bonus, side, holder is not None)),
            part(token(self.theme, holder, 31), id=f"piece-{space.id}", at=(side / 2 + 5, side / 2 + 5))
            if holder is not None
            else None,
            id=space.id,
            at=(zone.x, zone.y),
            label=self.space_label(space, holder),
            latest=latest,
            names={"space": space.id},
        )

    def space_label(self, space: Space, holder: Seat | None) -> str:
        kind = self.scene.word(f"{space.colour}_space") + (f" +{space.bonus}" if space.bonus else "")
        return f"{space.id}, {kind}" + ("" if holder is None else f": {self.scene.player(holder)}")

    # -- cartouches ---------------------------------------------------------------------------------------------------

    def cartouches(self) -> Element:
        """Four rows, the near seat's card at the left, the other's at the right, what they are for between them."""
        zone = CARTOUCHES
        rows = []
        for number in range(1, 5):
            y = zone.y + 42 + (number - 1) * 110
            rows.append(
                centred(self.theme, zone.x + zone.width / 2, y + 26, number, 30, serif=True, bold=True)
            )
            rows.append(
                lines(self.theme, zone.x + zone.width / 2, y + 62, self.scene.say(str(number), WORDS), 70,
                      anchor="middle", quiet=True)
            )  # fmt: skip
            rows += [
                self.cartouche(self.near, number, zone.x + 10, y),
                self.cartouche(self.far, number, zone.x + 138, y),
            ]
        return part(
            panel(self.theme, zone),
            seat_mark(self.theme, self.near, zone.x + 38, zone.y + 22, 20),
            seat_mark(self.theme, self.far, zone.x + 170, zone.y + 22, 20),
            *rows,
            id="cartouches",
        )

    def cartouche(self, seat: Seat, number: int, x: float, y: float) -> Element:
        player = self.view.players[seat]
        latest = f"cartouches-{seat}" in self.latest
        drawn: Element
        if player.cartouches:
            down = self.view.phase == "allocate"
            drawn = Print(_card(self.theme.name, player.cartouches[number - 1], 60, 84, latest, down))
        elif player.cartouches_count:
            drawn = card_back(self.theme, 60, 84, latest=latest)
        else:
            drawn = rect(0, 0, 60, 84, rx=26, fill="none", stroke=self.theme.line, stroke_width=2)
        return part(
            drawn,
            at=(x, y),
            id=f"cartouche-{seat}-{number}",
            label=f"{self.scene.player(seat)}, {self.scene.word(f'cartouche_{number}')}",
            latest=latest and bool(player.cartouches_count),
            data_cartouche=number if seat == self.scene.viewer else None,
        )

    # -- beside the board ---------------------------------------------------------------------------------------------

    def beside(self) -> Element:
        """The dead in the middle; each player's piles towards him."""
        return part(
            panel(self.theme, BESIDE),
            self.piles(self.far, BESIDE.y + 8),
            self.dead(),
            self.piles(self.near, DEAD.y + DEAD.height + 10),
            id="beside",
        )

    def piles(self, seat: Seat, y: float) -> Element:
        """Draw pile, discards and exchanged cards; supply and trade token above them."""
        player, theme, x = self.view.players[seat], self.theme, BESIDE.x + 10
        discard = player.discard
        top = (
            Print(_card(theme.name, discard[-1], 46, 62, f"discard-{seat}" in self.latest, False))
            if discard
            else None
        )
        piles = [
            self.pile(
                seat,
                "deck",
                player.deck_count,
                card_back(theme, 46, 62, latest=f"deck-{seat}" in self.latest),
                x,
            ),
            self.pile(seat, "discard", len(discard), top, x + 66),
        ]
        if player.exchanged_count:
            back = card_back(theme, 46, 62, latest=f"exchanged-{seat}" in self.latest)
            piles.append(self.pile(seat, "exchanged", player.exchanged_count, back, x + 132))
        return part(
            part(
                token(theme, seat, 26),
                words(theme, 22, 7, player.supply, size=20, bold=True),
                id=f"supply-{seat}",
                at=(x + 16, y + 20),
                label=f"{self.scene.word('supply')}: {self.scene.player(seat)}",
            ),
            self.trade_token(seat, x + 158, y + 22) if player.trade_token else None,
            *(group(each, transform=f"translate(0 {y + 56:g})") for each in piles),
            id=f"piles-{seat}",
        )

    def pile(self, seat: Seat, zone: str, count: int, top: Element | None, x: float) -> Element:
        return part(
            pile(self.theme, 46, 62, count, top),
            words(
                self.theme,
                23,
                88,
                self.scene.say(zone, WORDS),
                size=SMALLEST,
                anchor="middle",
                quiet=True,
                width=66,
            ),
            id=f"{zone}-{seat}",
            at=(x, 0),
            label=f"{self.scene.word(zone)}: {self.scene.player(seat)}",
            latest=f"{zone}-{seat}" in self.latest and count > 0,
        )

    def trade_token(self, seat: Seat, x: float, y: float) -> Element:
        own = seat == self.scene.viewer
        return part(
            circle(0, 0, 19, fill=self.theme.raised, stroke=self.theme.seats[seat], stroke_width=3),
            sign(SIGNS["trade_token"], 0, 0, 22, self.theme.seats[seat]),
            id=f"trade-token-{seat}",
            at=(x, y),
            label=f"{self.scene.word('trade_token')}: {self.scene.player(seat)}",
            actions=("exchange",) if own else (),
        )

    def dead(self) -> Element:
        """The realm of the dead, a track of eight."""
        most = self.board.box.dead_spaces
        across = (most + 1) // 2
        spaces = []
        step = min(46, (DEAD.width - 20) / across)
        for at in range(most):
            x, y = DEAD.x + 32 + at % across * step, DEAD.y + 46 + at // across * 44
            spaces.append(circle(x, y, 17, fill=self.theme.ground, stroke=self.theme.line, stroke_width=1.5))
            if at < len(self.view.dead):
                spaces.append(part(token(self.theme, self.view.dead[at], 24), at=(x, y), id=f"dead-{at}"))
        title = f"{self.scene.word('dead').capitalize()} · {len(self.view.dead)}/{most}"
        return part(
            gilt(self.theme, DEAD.x + 4, DEAD.y + 2, DEAD.width - 8, DEAD.height - 4) if "dead" in self.latest else None,
            line(DEAD.x, DEAD.y, DEAD.x + DEAD.width, DEAD.y, stroke=self.theme.line),
            line(DEAD.x, DEAD.y + DEAD.height, DEAD.x + DEAD.width, DEAD.y + DEAD.height, stroke=self.theme.line),
            words(self.theme, DEAD.x + DEAD.width / 2, DEAD.y + 18, title, size=15, anchor="middle", width=190),
            *spaces,
            id="dead",
            label=title,
            latest="dead" in self.latest,
        )  # fmt: skip

    # -- points and hand ----------------------------------------------------------------------------------------------

    def track(self) -> Element:
        """The way to the points that win: the near seat's marker below the line, the other's above."""
        theme, zone = self.theme, TRACK
        winning = self.board.box.winning_score
        step = (zone.width - 40) / winning
        middle = zone.y + zone.height / 2
        marks = [
            group(
                line(zone.x + 20 + at * step, middle - (8 if at % 5 == 0 else 4), zone.x + 20 + at * step,
                     middle + (8 if at % 5 == 0 else 4), stroke=theme.quiet, stroke_width=2 if at % 5 == 0 else 1),
                centred(theme, zone.x + 20 + at * step, middle + (-17 if at % 10 == 0 else 17), at, SMALLEST, quiet=True)
                if at % 5 == 0 else None,
            )
            for at in range(winning + 1)
        ]  # fmt: skip
        markers = []
        for seat, y in ((self.far, middle - 12), (self.near, middle + 12)):
            score = self.view.players[seat].score
            markers.append(
                part(
                    token(theme, seat, 20, latest=f"score-{seat}" in self.latest),
                    id=f"score-{seat}",
                    at=(zone.x + 20 + min(score, winning) * step, y),
                    label=f"{self.scene.word('score')}, {self.scene.player(seat)}: {score}",
                    latest=f"score-{seat}" in self.latest,
                )
            )
        way = line(zone.x + 20, middle, zone.x + zone.width - 20, middle, stroke=theme.line, stroke_width=3)
        return part(panel(theme, zone), way, *marks, *markers, id="track")

    def hand(self) -> Element:
        """The near seat's cards, large."""
        zone, seat = HAND, self.near
        cards = [
            self.held(seat, at, 66, 88, (zone.x + 16 + at * 84, zone.y + 9))
            for at in range(self.view.players[seat].hand_count)
        ]
        return part(panel(self.theme, zone), *cards, id=f"hand-{seat}", label=self.scene.word("hand"))

    def far_hand(self) -> Element:
        """The other's cards, small, at the end of the same panel."""
        zone, seat = HAND, self.far
        count = self.view.players[seat].hand_count
        end = zone.x + zone.width
        cards = [
            self.held(seat, at, 44, 58, (end - 60 - (count - 1 - at) * 52, zone.y + 36))
            for at in range(count)
        ]
        return part(
            *cards,
            seat_mark(self.theme, seat, end - 28, zone.y + 18, 16),
            words(self.theme, end - 44, zone.y + 23, self.scene.word("hand"), size=SMALLEST, anchor="end", quiet=True),
            id=f"hand-{seat}",
            label=f"{self.scene.word('hand')}: {self.scene.player(seat)}",
        )  # fmt: skip

    def held(self, seat: Seat, at: int, width: float, height: float, place: tuple[float, float]) -> Element:
        """A card in a hand, as far as it is seen; new cards come to the end."""
        player = self.view.players[seat]
        latest = at >= player.hand_count - self.drawn_by(seat)
        if player.hand is None:
            return part(card_back(self.theme, width, height, latest=latest), at=place, latest=latest)
        value = player.hand[at]
        return part(
            Print(_card(self.theme.name, value, width, height, latest, False)),
            id=f"hand-{seat}-{at}",
            at=place,
            label=f"{self.scene.word('card')} {value}",
            names={"cards": value} if seat == self.scene.viewer else None,
            latest=latest,
        )

    def drawn_by(self, seat: Seat) -> int:
        """How many cards the latest entry has brought to a hand."""
        drawn = (fact for fact in self.scene.latest if fact["type"] == "cards_drawn" and fact["seat"] == seat)
        return sum(fact["cards_count"] for fact in drawn)


def _buried(scene: Scene) -> frozenset[str]:
    """A removed piece goes to the dead or back to its owner."""
    return frozenset("dead" for fact in scene.latest if fact.get("to") == "dead")


# -- drawings that come again and again -------------------------------------------------------------------------------


@cache
def _space(theme_name: str, colour: str, bonus: int, side: float, taken: bool) -> Stamp:
    theme = THEMES[theme_name]
    hue = theme.hues[HUES[colour]]
    x, y, size = (11.0, 11.0, 15.0) if taken else (side / 2, side / 2, 26.0)
    inside: Element
    if bonus:
        inside = centred(theme, x + (2 if taken else 0), y, f"+{bonus}", SMALLEST if taken else 22, bold=True)
    else:
        inside = outlined(SIGNS[colour], x, y, size, mixed(hue, theme.text, 0.25))
    return Stamp(
        group(
            rect(0, 0, side, side, rx=6, fill=mixed(theme.raised, hue, 0.24), stroke=hue, stroke_width=1.5),
            inside,
        )
    )


@cache
def _card(theme_name: str, value: int, width: float, height: float, latest: bool, down: bool) -> Stamp:
    """A card of a value: its number, and as many strokes below; `down` lies face down before the others."""
    theme = THEMES[theme_name]
    middle, foot = width / 2, height * 0.84
    gap = width * 0.14
    strokes = [
        rect(middle + (at - (value - 1) / 2) * gap - 2, foot - height * 0.1, 4, height * 0.14, fill=theme.gold,
             stroke=theme.edge, stroke_width=0.7)
        for at in range(value)
    ]  # fmt: skip
    frame: dict[str, Any] = {"rx": width * 0.08, "fill": "none"}
    edge = rect(
        3.5,
        3.5,
        width - 7,
        height - 7,
        stroke=theme.back if down else theme.line,
        stroke_width=5 if down else 1,
        **frame,
    )
    number = centred(theme, middle, height * 0.4, value, round(height * 0.46), serif=True, bold=True)
    return Stamp(card(theme, width, height, edge, number, *strokes, latest=latest))

"""The board of Temple of Five: the gods' cards in a row, the near player's pyramid large, the others' small and equal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import ceil
from typing import Any, NamedTuple

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
    plate,
    seat_mark,
    sign,
    token,
    words,
)
from games.svg import Element, Print, group, path, rect, width_of
from games.temple_of_five.contents import GODS, God, Space
from games.temple_of_five.contents import Card as Printed
from games.temple_of_five.stamps import (
    CARD,
    CELL,
    DARK,
    HUES,
    SIGNS,
    THREAD,
    bars,
    blank,
    card_face,
    card_space,
    effect,
    ground,
    length,
    medal,
    piece,
    price,
    slab,
    spaces,
    stitches,
    thread_end,
    tile_back,
)
from games.temple_of_five.state import (
    DECKS,
    Blessing,
    Chain,
    PlacedPiece,
    PlacedTile,
    Player,
    Special,
    State,
    box_of,
)

HEIGHT = 946
CARDS = Zone(20, 56, 960, 140)
NEAR_PLATE = Zone(20, 206, 476, 42)
PYRAMID = Zone(20, 254, 476, 476)
RESERVE = Zone(20, 736, 476, 40)
OTHERS = Zone(508, 206, 472, 570)
GOALS = Zone(508, 602, 472, 174)
HAND = Zone(20, 786, 960, 150)
DESTINATIONS, BONUS, PILES = Zone(362, 796, 150, 130), Zone(524, 786, 330, 150), Zone(862, 786, 118, 150)
SPACES = 8
NEAR_SPACES = Zone(PYRAMID.x + 10, PYRAMID.y + 10, SPACES * CELL, SPACES * CELL)
LARGEST_FAR = 46
"""The largest space of another player's pyramid."""

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "turn": "{moment} ({used} of {limit} chains used)",
        "round": "round {round} of 6",
        "level": "level {level}",
        "side": "{who}: {priests} priests in reserve, cards won: {cards}.",
        "chains": "Open chains of {who}: {chains}.",
        "god": "{god}: {points} points, {incomplete} if incomplete; {spaces}.",
        "free": "{value} free",
        "taken": "{value} {who}",
        "none": "none",
        "no_card": "no card left",
        "slot": "slot {slot}",
        "card_space": "space {number}: {value}",
        "to": "to {who}",
        "keep": "keep",
        "points": "{points} points",
        "score_completed": "cards",
        "score_incomplete": "part",
        "score_bonus": "bonus",
        "score_goals": "goals",
        "score_total": "total",
    },
    "fr": {
        "title": "{game}, manche {round}, {moment}",
        "turn": "{moment} (chaînes utilisées : {used} sur {limit})",
        "round": "manche {round} sur 6",
        "level": "niveau {level}",
        "side": "{who} : {priests} prêtres en réserve, cartes gagnées : {cards}.",
        "chains": "Chaînes ouvertes de {who} : {chains}.",
        "god": "{god} : {points} points, incomplète {incomplete} ; {spaces}.",
        "free": "{value} libre",
        "taken": "{value} {who}",
        "none": "aucune",
        "no_card": "plus de carte",
        "slot": "emplacement {slot}",
        "card_space": "case {number} : {value}",
        "to": "à {who}",
        "keep": "garder",
        "points": "{points} points",
        "score_completed": "cartes",
        "score_incomplete": "partiel",
        "score_bonus": "bonus",
        "score_goals": "objectifs",
        "score_total": "total",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "goal_chosen": ("goal-{seat}",),
    "goals_revealed": ("goals",),
    "tiles_dealt": ("hand-{seat}",),
    "tile_revealed": ("hand-{seat}",),
    "tile_allotted": ("hand-{seat}",),
    "exchange_chosen": ("hand-{seat}",),
    "tile_placed": ("{tile}",),
    "special_placed": ("special-{seat}",),
    "bonus_placed": ("{bonus}",),
    "chain_used": ("priest-{seat}-{priest}",),
    "bonus_drawn": ("bonus-{seat}-{size}",),
    "card_completed": ("{card}", "completed-{winner}"),
    "card_revealed": ("god-{god}",),
    "blessing_taken": ("private-{seat}",),
    "first_player_passed": ("first-player",),
    "turn_started": ("turn-{seat}",),
    "incomplete_awarded": ("card-{target}",),
    "game_ended": ("score",),
}
"""What each fact touches (the spaces of a card that `chain_used` takes are added)."""


def draw(view: State, scene: Scene) -> str:
    """The table as the viewer sees it; a spectator sits with seat 0."""
    return board(scene, HEIGHT, _title(view, scene), _description(view, scene), _Drawing(view, scene).parts())


def layout(component_set: str) -> Layout:
    """Where things lie; the same for every component set."""
    zones = {f"god-{god}": _card_zone(at) for at, god in enumerate(GODS)} | {
        "near-plate": NEAR_PLATE, "near-pyramid": PYRAMID, "near-spaces": NEAR_SPACES, "near-reserve": RESERVE, "others": OTHERS, "goals": GOALS,
        "hand": HAND, "destinations": DESTINATIONS, "bonus": BONUS, "piles": PILES,
    }  # fmt: skip
    return Layout(WIDTH, HEIGHT, zones, SIGNS, colours(HUES))


def _card_zone(at: int) -> Zone:
    return Zone(CARDS.x + at * 194, CARDS.y, CARD.width, CARD.height)


# -- in words ---------------------------------------------------------------------------------------------------------


def _moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    moment = scene.moment(view.to_act, scene.word(view.phase).lower())
    turn = view.turn_state
    if turn is None:
        return moment
    return scene.say("turn", WORDS, moment=moment, used=turn.chains_used, limit=turn.chain_limit)


def _title(view: State, scene: Scene) -> str:
    return scene.say(
        "title", WORDS, game=scene.word("temple_of_five"), round=view.round, moment=_moment(view, scene)
    )


def _description(view: State, scene: Scene) -> str:
    told = [sentence for seat in range(view.seats) for sentence in _side(view, scene, seat)]
    return " ".join((*told, *(_god(view, scene, god) for god in GODS)))


def _side(view: State, scene: Scene, seat: Seat) -> Iterator[str]:
    player, none = view.players[seat], scene.say("none", WORDS)
    won = [scene.word(box_of(view).cards_by_id[card].god) for card in player.completed]
    yield scene.say(
        "side",
        WORDS,
        who=scene.player(seat),
        priests=player.priests_reserve,
        cards=scene.listed(won) or none,
    )
    chains = [
        f"{chain.length} ({scene.word(f'{chain.colour}_decoration').lower()})"
        for chain in _open_chains(player)
    ]
    yield scene.say("chains", WORDS, who=scene.player(seat), chains=", ".join(chains) or none)


def _open_chains(player: Player) -> list[Chain]:
    """The longest first."""
    return sorted((chain for chain in player.chains if not chain.closed), key=lambda each: -each.length)


def _god(view: State, scene: Scene, god: str) -> str:
    blessing = view.display.of(god)
    if blessing is None:
        return f"{scene.word(god)}: {scene.say('no_card', WORDS)}."
    printed = box_of(view).cards_by_id[blessing.card]
    spaces = [
        scene.say("free", WORDS, value=value)
        if seat is None
        else scene.say("taken", WORDS, value=value, who=scene.player(seat))
        for value, seat in zip(printed.values, blessing.priests, strict=True)
    ]
    return scene.say("god", WORDS, god=scene.word(god), points=printed.points, incomplete=printed.points_incomplete,
                     spaces=", ".join(spaces))  # fmt: skip


# -- where the others sit ---------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where another player's things lie: the plate, the pyramid's corner and space, and what is told of him."""

    plate: Zone
    corner: tuple[float, float]
    cell: float
    notes: Zone


@cache
def _places(others: int, height: float, notes: float) -> tuple[Place, ...]:
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


# -- the drawing ------------------------------------------------------------------------------------------------------


class _Drawing:
    """One picture on its way."""

    def __init__(self, view: State, scene: Scene) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        self.box = box_of(view)
        self.latest = scene.touched(PLACES) | _taken(scene)
        self.goals = view.options.ultimate_goal

    def parts(self) -> Iterator[Element]:
        view, scene = self.view, self.scene
        level, round_ = (
            scene.say("level", WORDS, level=view.level),
            scene.say("round", WORDS, round=view.round),
        )
        yield heading(scene, scene.word("temple_of_five"), f"{_moment(view, scene)} · {round_}, {level}")
        for at, god in enumerate(GODS):
            yield self.god(god, _card_zone(at))
        yield self.plate(self.near, NEAR_PLATE)
        yield self.near_pyramid()
        yield self.near_reserve()
        yield from self.others()
        if self.goals:
            yield self.goal_card()
        yield self.hand()

    def hue(self, god: str) -> str:
        return self.theme.hues[HUES[god]]

    def plate(self, seat: Seat, zone: Zone) -> Element:
        player, to_act = self.view.players[seat], seat in self.view.to_act
        note = self.scene.word(player.vacated).lower() if player.vacated else ""
        if player.score:
            note = self.scene.say("points", WORDS, points=player.score.total)
        first = "first-player" in self.latest
        drawn = [plate(self.scene, seat, zone, to_act=to_act, note=note)]
        if f"turn-{seat}" in self.latest:
            drawn.append(rect(zone.x - 3, zone.y - 3, zone.width + 6, zone.height + 6, rx=10, fill="none",
                              stroke=self.theme.edge, stroke_width=1.5, data_latest="true"))  # fmt: skip
        if seat == self.view.first_player and not player.score:
            x = zone.x + zone.width - (58 if to_act else 24)
            drawn.append(
                part(
                    gilt(self.theme, -13, -13, 26, 26) if first else None,
                    sign(ZIGGURAT, 0, 0, 22, self.theme.gold, stroke=self.theme.edge, stroke_width=1.2),
                    id="first-player",
                    at=(x, zone.y + zone.height / 2),
                    label=self.scene.word("first_player"),
                    latest=first,
                )
            )
        return group(*drawn)

    # -- blessing cards -----------------------------------------------------------------------------------------------

    def god(self, god: God, zone: Zone) -> Element:
        """The god's card in play, and his deck."""
        blessing = self.view.display.of(god)
        count = self.view.count(DECKS[god])
        latest = f"god-{god}" in self.latest
        deck = part(
            card_back(self.theme, 24, 32) if count else None,
            badge(self.theme, 12, 32, count, size=14),
            id=f"deck-{god}",
            at=(zone.x + 150, zone.y + 34),
            label=self.scene.word(DECKS[god]),
            names={"god": god} if count else None,
            actions=("take_blessing",),
        )
        if blessing is None:
            hollow = rect(zone.x, zone.y, zone.width, zone.height, rx=8, fill="none", stroke=self.theme.line,
                          stroke_width=2, stroke_dasharray="5 5")  # fmt: skip
            outline = sign(SIGNS[god], zone.x + zone.width / 2, zone.y + 70, 48, self.theme.line)
            return part(
                gilt(self.theme, zone.x, zone.y, zone.width, zone.height) if latest else None,
                hollow,
                outline,
                id=f"god-{god}",
                label=f"{self.scene.word(god)}: {self.scene.say('no_card', WORDS)}",
                latest=latest,
            )
        return part(self.blessing(blessing, god, zone, latest=latest), deck, id=f"god-{god}")

    def blessing(self, blessing: Blessing, target: str, zone: Zone, *, latest: bool) -> Element:
        """A card in play: what is printed on it, and the priests on its spaces."""
        printed = self.box.cards_by_id[blessing.card]
        latest = latest or f"card-{target}" in self.latest
        face = card_face(self.theme.name, printed.god, printed.points, printed.points_incomplete, latest)
        ink, name = self.theme.on(self.hue(printed.god)), self.scene.word(printed.god)
        return part(
            Print(face),
            words(self.theme, 30, 20, name, size=16, bold=width_of(name) < 9, width=152, fill=ink),
            *(self.card_space(printed, target, at, seat) for at, seat in enumerate(blessing.priests)),
            id=f"card-{blessing.card}",
            at=(zone.x, zone.y),
            label=self.scene.word(printed.god),
            names={"target": target},
            latest=latest,
        )  # fmt: skip

    def card_space(self, printed: Printed, target: str, at: int, seat: Seat | None) -> Element:
        zone = card_space(len(printed.values), at)
        value = printed.values[at]
        latest = f"{printed.id}-{at}" in self.latest
        label = self.scene.say("card_space", WORDS, number=at + 1, value=value)
        return part(
            gilt(self.theme, 3, 3, zone.width - 6, zone.height - 6, 5) if latest else None,
            Print(price(self.theme.name, zone.width, value, printed.bonus[at] if seat is None else None)),
            part(token(self.theme, seat, 24), at=(zone.width / 2, 42)) if seat is not None else None,
            id=f"{target}-space-{at}",
            at=(zone.x, zone.y),
            label=label if seat is None else f"{label}, {self.scene.player(seat)}",
            names={"card_spaces": at},
            latest=latest,
        )

    # -- pyramids -----------------------------------------------------------------------------------------------------

    def near_pyramid(self) -> Element:
        seat = self.near
        player = self.view.players[seat]
        return part(
            panel(self.theme, PYRAMID),
            part(
                *self.pyramid(seat),
                self.next_frame(player),
                *self.lengths(player),
                self.own_spaces(player) if seat == self.scene.viewer else None,
                at=(NEAR_SPACES.x, NEAR_SPACES.y),
            ),
            id=f"pyramid-{seat}",
            label=f"{self.scene.word('pyramid')}: {self.scene.player(seat)}",
        )

    def pyramid(self, seat: Seat) -> Iterator[Element]:
        """From below to above: the board, tiles and bonus decorations; then threads and priests."""
        player = self.view.players[seat]
        yield Print(ground(self.theme.name, self.printed(player)))
        tiles = sorted(player.tiles, key=lambda each: each.slot)
        for level in (0, 1, 2, 3):
            for placed in tiles:
                if placed.level == level:
                    yield self.placed(player, placed)
            if level == 3 and player.special:
                yield self.crown(seat, player.special)
            for laid in player.pieces:
                if laid.level == level:
                    yield self.laid(laid)
        yield from self.rings(seat, player)
        yield from self.threads(seat, player)
        yield from self.priests(seat)

    def printed(self, player: Player) -> tuple[tuple[str | None, ...], ...]:
        """The colours that a board is printed with, row by row."""
        rows = self.box.printed_by_id[player.board]
        return tuple([tuple([self.box.colour_of.get(letter) for letter in row]) for row in rows])

    def placed(self, player: Player, placed: PlacedTile) -> Element:
        """A tile with the decorations that are not covered."""
        at = self.box.slots[placed.level][placed.slot]
        level, latest = str(placed.level), placed.tile in self.latest
        face = self.face(placed.tile, placed.rotation)
        seen = [
            (x, y, colour)
            for (x, y, colour), space in zip(face, at, strict=True)
            if player.top_level(space) == level
        ]
        return part(
            Print(slab(self.theme.name, placed.level)),
            *spaces(self.theme, [(x, y, colour) for x, y, colour in seen if colour]),
            id=f"tile-{placed.tile}",
            at=(at[0][1] * CELL, at[0][0] * CELL),
            latest=latest,
        )

    def face(self, name: str, rotation: int = 0) -> list[tuple[int, int, Any]]:
        """What a tile shows, by column and row: a colour or nothing."""
        letters = self.box.faces[name][rotation]
        return [(at % 2, at // 2, self.box.colour_of.get(letter)) for at, letter in enumerate(letters)]

    def laid(self, laid: PlacedPiece) -> Element:
        (row, column), (last, _) = laid.spaces[0], laid.spaces[-1]
        bonus, latest = self.box.pieces_by_id[laid.bonus], laid.bonus in self.latest
        return part(
            Print(piece(self.theme.name, bonus.colour, bonus.size, last > row)),
            id=f"piece-{laid.bonus}",
            at=(column * CELL, row * CELL),
            latest=latest,
        )

    def crown(self, seat: Seat, special: Special) -> Element:
        """The top of a pyramid; one that lies face down is blank, to its owner too."""
        latest = f"special-{seat}" in self.latest
        row, column = self.box.slots[3][0][0]
        name = special.tile if special.face_up else None
        return part(
            Print(slab(self.theme.name, 3)),
            *self.special_face(name),
            id=f"special-{seat}",
            at=(column * CELL, row * CELL),
            label=self.tile_label(name) if name else self.scene.word("face_down"),
            latest=latest,
        )

    def special_face(self, name: str | None) -> list[Element]:
        if name is None:
            return [Print(blank(self.theme.name))]
        tile = self.box.specials_by_id[name]
        if tile.effect:
            return [Print(effect(self.theme.name, tile.effect))]
        return spaces(self.theme, [(x, y, str(tile.colour)) for y in (0, 1) for x in (0, 1)])

    def rings(self, seat: Seat, player: Player) -> Iterator[Element]:
        """Gold around the stones of the latest entry, above their neighbours."""
        slots = [self.box.slots[each.level][each.slot] for each in player.tiles if each.tile in self.latest]
        slots += [self.box.slots[3][0]] if f"special-{seat}" in self.latest else []
        laid = [each.spaces for each in player.pieces if each.bonus in self.latest]
        wide = 1 if seat == self.near else 2
        for spaces_ in (*slots, *laid):
            (top, left), (bottom, right) = spaces_[0], spaces_[-1]
            ring: dict[str, Any] = {"rx": 8, "fill": "none"}
            zone = (
                left * CELL - 1,
                top * CELL - 1,
                (right - left + 1) * CELL + 2,
                (bottom - top + 1) * CELL + 2,
            )
            yield rect(*zone, stroke=self.theme.edge, stroke_width=8 * wide, **ring)
            yield rect(*zone, stroke=self.theme.gold, stroke_width=4.5 * wide, **ring)

    def next_frame(self, player: Player) -> Element | None:
        """Where the next level will lie."""
        at = self.view.level + 1 if self.view.phase != "build" else self.view.level
        if at > 3 or at == 1 or player.special or self.view.phase in ("choose_goal", "exchange"):
            return None
        side = (SPACES - 2 * at) * CELL
        frame: dict[str, Any] = {"rx": 4, "fill": "none", "stroke_dasharray": "9 6"}
        return group(
            rect(at * CELL, at * CELL, side, side, stroke=DARK, stroke_width=4, **frame),
            rect(at * CELL, at * CELL, side, side, stroke=THREAD, stroke_width=2.2, **frame),
        )

    def threads(self, seat: Seat, player: Player) -> Iterator[Element]:
        """Gold through open chains; a closed one is sewn with dark thread."""
        opened = "".join([stitches(chain.spaces) for chain in player.chains if not chain.closed])
        closed = "".join([stitches(chain.spaces) for chain in player.chains if chain.closed])
        if closed:
            yield path(closed, stroke=DARK, stroke_width=4, stroke_linecap="round")
        if opened:
            if seat == self.near:
                yield path(opened, stroke=DARK, stroke_width=8, stroke_linecap="round")
            yield path(opened, stroke=THREAD, stroke_width=4.5 if seat == self.near else 7)

    def lengths(self, player: Player) -> Iterator[Element]:
        """The length of every open chain, on its first space."""
        for chain in player.chains:
            if not chain.closed:
                row, column = chain.spaces[0]
                yield Print(length(self.theme.name, chain.length), x=column * CELL + 10, y=row * CELL + 10)

    def priests(self, seat: Seat) -> Iterator[Element]:
        for row, column in self.view.players[seat].board_priests:
            latest = f"priest-{seat}-{[row, column]}" in self.latest
            yield part(
                token(self.theme, seat, 30, latest=latest),
                id=f"priest-{seat}-{row}-{column}",
                at=(column * CELL + 35, row * CELL + 35),
                latest=latest,
            )

    def own_spaces(self, player: Player) -> Element:
        """What the viewer can point at: slots to build on, chains to use, spaces to decorate."""
        phase, bonus = self.view.phase, bool(player.bonus_reserve)
        building = phase == "build" and self.view.level < 3
        slots = self.box.slots[self.view.level] if building else ()
        areas = [self.area(slot[0], 2, "data-slot", str(at)) for at, slot in enumerate(slots)]
        if phase == "place_priests":
            again = self.view.effect_of(self.near) == "reuse_chain"
            usable = [chain for chain in player.chains if again or not chain.closed]
            linked = [space for chain in usable for space in chain.spaces]
            areas += [self.area(space, 1, "data-space", _pair(space)) for space in linked]
        if bonus and phase in ("build", "place_priests"):
            empty = [space for space in self.box.spaces if player.sign(space) == self.box.empty]
            areas += [self.area(space, 1, "data-spaces", _pair(space)) for space in empty]
        return group(*areas, fill=DARK, fill_opacity=0)

    def area(self, space: Space, size: int, name: str, value: str) -> Element:
        side = size * CELL
        named: dict[str, Any] = {name: value}
        return rect(space[1] * CELL, space[0] * CELL, side, side, **named)

    # -- what players have --------------------------------------------------------------------------------------------

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
            label=f"{self.scene.word('priests_reserve')}: {player.priests_reserve}",
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
                        16,
                        bold=True,
                        fill=self.theme.on(self.hue(printed.god)),
                    ),
                    id=f"card-{name}",
                    at=(x + at * step, y),
                    label=f"{self.scene.word(printed.god)}: {printed.points}",
                    latest=latest,
                )
            )
        return part(*drawn, id=f"completed-{seat}", label=self.scene.word("completed"))

    def others(self) -> Iterator[Element]:
        """In turn order from the near seat on."""
        height = GOALS.y - 10 - OTHERS.y if self.goals else OTHERS.height
        notes = 62 if self.view.options.special_tiles == "single_colour" else 98
        seats = [(self.near + step) % self.view.seats for step in range(1, self.view.seats)]
        for seat, place in zip(seats, _places(len(seats), height, notes), strict=True):
            yield self.plate(seat, place.plate)
            yield part(
                group(*self.pyramid(seat), transform=f"scale({place.cell / CELL:.3f})"),
                id=f"pyramid-{seat}",
                at=place.corner,
                label=f"{self.scene.word('pyramid')}: {self.scene.player(seat)}",
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
                    label=f"{self.scene.word(key)}: {number}",
                    latest=latest,
                )
            )
        under = zone.y + 2 + ceil(len(counted) / across) * 28
        private = player.private_card
        return group(
            *drawn,
            self.medals(seat, zone.x, under, zone.width),
            self.private_of_another(seat, private, zone.x, under + 36) if private else None,
        )

    def private_of_another(self, seat: Seat, private: Blessing, x: float, y: float) -> Element:
        """A small row: the god, and each space with its price or the priest on it."""
        printed = self.box.cards_by_id[private.card]
        latest = f"private-{seat}" in self.latest
        spaces = []
        for at, (value, holder) in enumerate(zip(printed.values, private.priests, strict=True)):
            left = x + 32 + at * 24
            mark = (
                centred(self.theme, left + 10, y + 14, value, 15)
                if holder is None
                else seat_mark(self.theme, holder, left + 10, y + 14, 14)
            )
            spaces += [rect(left, y + 3, 21, 22, rx=3, fill=self.theme.raised, stroke=self.theme.line), mark]
        return part(
            gilt(self.theme, x, y, 34 + len(printed.values) * 24, 28) if latest else None,
            sign(SIGNS[printed.god], x + 15, y + 14, 22, self.hue(printed.god)),
            *spaces,
            id=f"private-{seat}",
            label=f"{self.scene.word('private_card')}: {self.scene.word(printed.god)}",
            latest=latest,
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
            latest=latest,
        )

    def goal_side(self, side: str, x: float) -> Element:
        theme, players = self.theme, self.view.players
        choosing = self.view.phase == "choose_goal"
        chosen = [seat for seat, player in enumerate(players) if player.goal_side == side]
        drawn: list[Element] = []
        for at, seat in enumerate(chosen):
            right = x + GOALS.width / 2 - 22 - at * 24
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
            drawn += [
                badge(theme, x + 22, y, goal.points, size=15),
                lines(theme, x + 42, y - 3, self.scene.word(goal.id), 184, size=15),
            ]
            drawn += [
                seat_mark(theme, seat, x + GOALS.width / 2 - 18 - place * 17, y + 11, 13)
                for place, seat in enumerate(met)
            ]
        return part(
            rect(x + 4, GOALS.y + 4, GOALS.width / 2 - 8, GOALS.height - 8, rx=6, fill=theme.raised),
            words(
                theme, x + 14, GOALS.y + 26, self.scene.word(side), size=17, serif=True, bold=True, width=150
            ),
            *drawn,
            id=f"goal-{side}",
            names={"side": side} if choosing else None,
        )

    # -- the hand -----------------------------------------------------------------------------------------------------

    def hand(self) -> Element:
        """The tiles to come, where they may go, bonus decorations, and the piles; at the end the scores."""
        seat = self.near
        player = self.view.players[seat]
        private = player.private_card
        latest = f"hand-{seat}" in self.latest
        if player.score:
            shown: Iterable[Element] = self.scores()
        elif private:
            zone = Zone(HAND.x + 12, HAND.y + 5, 0, 0)
            shown = [self.blessing(private, "private", zone, latest=f"private-{seat}" in self.latest)]
        else:
            shown = (
                *self.tiles(seat, latest),
                *(self.destinations(seat) if self.view.phase == "exchange" else ()),
                *(self.chains(player) if self.view.phase == "place_priests" else ()),
            )
        return part(
            panel(self.theme, HAND),
            *shown,
            self.bonus(seat),
            self.piles(),
            id=f"hand-{seat}",
            label=self.scene.word("hand"),
            latest=latest,
        )

    def chains(self, player: Player) -> Iterator[Element]:
        """The open chains, longest first: what a turn may be played with."""
        opened = _open_chains(player)
        yield words(self.theme, HAND.x + 14, HAND.y + 26, self.scene.word("chains"), size=15, quiet=True)
        for at, chain in enumerate(opened[:18]):
            x, y = HAND.x + 14 + at % 6 * 80, HAND.y + 38 + at // 6 * 36
            yield Print(thread_end(self.theme.name, chain.colour), x=x, y=y)
            yield Print(length(self.theme.name, chain.length), x=x + 52, y=y + 15)

    def tiles(self, seat: Seat, latest: bool) -> Iterator[Element]:
        """Those in hand, then those that are not yet turned up."""
        player, own = self.view.players[seat], seat == self.scene.viewer
        x, y = HAND.x + 14, HAND.y + 14
        for name in player.hand or ():
            yield part(
                gilt(self.theme, 0, 0, 92, 92) if latest else None,
                group(*self.tile_in_hand(name), transform="scale(0.81)"),
                self.promise(player, name),
                id=f"tile-{name}",
                at=(x, y),
                label=self.tile_label(name),
                names={"tile": name, "keep": name, "left": name, "right": name} if own else None,
                latest=latest,
            )
            x += 108
        backs = player.unseen_count + (player.hand_count if player.hand is None else 0)
        for at in range(backs):
            gold = latest and player.hand is None
            yield part(Print(tile_back(self.theme.name, 92, gold)), at=(x + at * 108, y), latest=gold)

    def tile_in_hand(self, name: str) -> list[Element]:
        if name in self.box.specials_by_id:
            return [Print(slab(self.theme.name, 3)), *self.special_face(name)]
        shown = [(x, y, colour) for x, y, colour in self.face(name) if colour]
        return [Print(slab(self.theme.name, self.view.level)), *spaces(self.theme, shown)]

    def tile_label(self, name: str) -> str:
        special = self.box.specials_by_id.get(name)
        if special:
            key = f"{special.colour}_decoration" if special.colour else str(special.effect)
            return self.scene.word(key)
        return f"{self.scene.word('tile')} {name}"

    def promise(self, player: Player, name: str) -> Element | None:
        """Where a tile of the exchange will go."""
        choice = player.choice
        if choice is None:
            return None
        for to in ("keep", "left", "right"):
            if name in choice.going(to):
                return words(
                    self.theme, 46, 116, self.destination(to), size=15, anchor="middle", bold=True, width=104
                )
        return None

    def destination(self, to: str) -> str:
        if to == "keep":
            return self.scene.say("keep", WORDS)
        step = 1 if to == "left" else -1
        return self.scene.say("to", WORDS, who=self.scene.player((self.near + step) % self.view.seats))

    def destinations(self, seat: Seat) -> Iterator[Element]:
        """Keep, to the left, to the right: where a tile may be allotted."""
        both = self.view.seats > 2 and self.view.level == 1
        allotting = self.view.options.will_of_the_gods and seat == self.scene.viewer
        for at, to in enumerate(("keep", "left", "right") if both else ("keep", "left")):
            zone = Zone(DESTINATIONS.x, DESTINATIONS.y + at * 44, DESTINATIONS.width, 38)
            giver = (seat + (1 if to == "left" else -1)) % self.view.seats if to != "keep" else seat
            yield part(
                rect(zone.x, zone.y, zone.width, zone.height, rx=6, fill=self.theme.raised, stroke=self.theme.line),
                seat_mark(self.theme, giver, zone.x + 20, zone.y + 19, 18),
                words(self.theme, zone.x + 38, zone.y + 25, self.destination(to), size=16, width=108),
                id=f"destination-{to}",
                names={"to": to} if allotting else None,
                actions=("allot",) if allotting else (),
            )  # fmt: skip

    def bonus(self, seat: Seat) -> Element:
        """Bonus decorations in reserve: those of two spaces above, of three below, equal ones counted."""
        player, own = self.view.players[seat], seat == self.scene.viewer
        drawn: list[Element] = []
        for row, (size, reserve, number) in enumerate(
            ((2, player.bonus_2, player.bonus_2_count), (3, player.bonus_3, player.bonus_3_count))
        ):
            y = BONUS.y + 22 + row * 62
            latest = f"bonus-{seat}-{size}" in self.latest
            if not number:
                drawn.append(self.no_bonus(size, y))
            elif reserve is None:
                drawn += [
                    Print(bars(size, 22), transform=f"translate({BONUS.x + 44} {y + 20})"),
                    words(self.theme, BONUS.x + 90, y + 26, number, size=20, bold=True),
                ]
            else:
                drawn += self.pieces_in_reserve(size, reserve, y, own=own, latest=latest)
        return part(*drawn, id=f"bonus-{seat}", label=self.scene.word("bonus"))

    def no_bonus(self, size: int, y: float) -> Element:
        return rect(BONUS.x + 6, y + 4, size * 25, 27, rx=10, fill="none", stroke=self.theme.line,
                    stroke_width=1.5, stroke_dasharray="4 4")  # fmt: skip

    def pieces_in_reserve(
        self, size: int, reserve: tuple[str, ...], y: float, *, own: bool, latest: bool
    ) -> Iterator[Element]:
        """Equal pieces lie on one another; the first of them is the one that is named."""
        kinds: dict[str, str] = {}
        for name in reserve:
            kinds.setdefault(self.box.pieces_by_id[name].colour, name)
        numbers = Counter(self.box.pieces_by_id[name].colour for name in reserve)
        newest = self.box.pieces_by_id[reserve[-1]].colour if latest else None
        cell, x = 26, BONUS.x + 4
        for colour, name in kinds.items():
            gold = colour == newest
            yield part(
                group(
                    gilt(self.theme, 4, 4, size * CELL - 8, CELL - 8, 20) if gold else None,
                    Print(piece(self.theme.name, colour, size, False)),
                    transform=f"scale({cell / CELL:.3f})",
                ),
                badge(self.theme, size * cell - 4, cell + 2, numbers[colour], size=14)
                if numbers[colour] > 1
                else None,
                id=f"piece-{name}",
                at=(x, y + 4),
                label=f"{self.scene.word(f'{colour}_decoration')} ({size})",
                names={"bonus": name} if own else None,
                latest=gold,
            )
            x += size * cell + 4

    def piles(self) -> Element:
        """How many tiles and bonus decorations are left to be drawn."""
        name, view, zone = self.theme.name, self.view, PILES
        counted = (
            (Print(tile_back(name, 24, False), transform="translate(-12 -12)"), view.tile_pile_count, "tile_pile"),
            (Print(blank(name), transform="translate(-15 -15) scale(0.26)"), view.special_pile_count,
             "special_pile"),
            (Print(bars(2, 12)), view.bonus_2_pile_count, "bonus_2_pile"),
            (Print(bars(3, 12)), view.bonus_3_pile_count, "bonus_3_pile"),
        )  # fmt: skip
        return part(
            *(
                part(
                    mark,
                    words(self.theme, 32, 6, number, size=17),
                    at=(zone.x + 34, zone.y + 24 + at * 34),
                    id=key.replace("_", "-"),
                    label=f"{self.scene.word(key)}: {number}",
                )
                for at, (mark, number, key) in enumerate(counted)
            ),
            id="piles",
        )

    def scores(self) -> Iterator[Element]:
        """A row for every player, in the order of the seats."""
        columns = ("completed", "incomplete", "bonus", *(("goals",) if self.goals else ()), "total")
        theme, best = self.theme, self.view.outcome.winners if self.view.outcome else ()
        for at, column in enumerate(columns):
            x = HAND.x + 196 + at * 68
            yield words(theme, x, HAND.y + 26, self.scene.say(f"score_{column}", WORDS), size=14, anchor="end",
                        quiet=True, width=66)  # fmt: skip
        for row, player in enumerate(self.view.players):
            y = HAND.y + 52 + row * 27
            if player.score is None:
                continue
            yield seat_mark(theme, row, HAND.x + 22, y - 6, 16)
            yield words(theme, HAND.x + 38, y, self.scene.player(row), size=16, bold=row in best, width=104)
            for at, column in enumerate(columns):
                yield words(theme, HAND.x + 196 + at * 68, y, getattr(player.score, column), size=17, anchor="end",
                            bold=column == "total" or row in best)  # fmt: skip


def _pair(space: Space) -> str:
    """A space as actions write it."""
    return f"[{space[0]},{space[1]}]"


def _taken(scene: Scene) -> frozenset[str]:
    """The spaces of cards that the latest entry has put priests on."""
    return frozenset(
        f"{fact['card']}-{at}"
        for fact in scene.latest
        if fact["type"] == "chain_used"
        for at in fact["card_spaces"]
    )

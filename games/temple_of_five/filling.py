"""Filling what a position leaves out as setup would, from what it has not used (4.3, steps 2–9)."""

from collections.abc import Iterable, Iterator
from itertools import islice

from games.temple_of_five.contents import GODS, SIZES, God
from games.temple_of_five.given import (
    GivenBlessing,
    GivenPlayer,
    Position,
    Table,
    cards_of,
    demand,
    pieces_of,
)
from games.temple_of_five.state import (
    DEALT,
    DECKS,
    LEVELS,
    PILES,
    Blessing,
    Ids,
    Phase,
    PlacedTile,
    blank_spaces,
    replace,
)

Players = tuple[GivenPlayer, ...]
Pyramid = tuple[PlacedTile, ...]


class Filling:
    """A position on its way to a state: what it has used, and the piles as they come to lie."""

    def __init__(self, table: Table, given: Position, players: Players, used: frozenset[str]) -> None:
        self.table = table
        self.given = given
        self.players = players
        self.tops = given.tops or {}
        self.kept_for_tops = frozenset(component for ids in self.tops.values() for component in ids)
        self.used = used
        self.piles: dict[str, Ids] = {}
        self.display: dict[God, Blessing | None] = {}

    def fill(self, phase: Phase, number: int) -> None:
        """Every zone that is left out, in the order of the specification."""
        self.fill_boards()
        for god in GODS:
            self.fill_cards(god)
        for size in SIZES:
            self.fill_pile(f"bonus_{size}_pile", f"bonus_{size}/0", pieces_of(self.table.box, size))
        self.fill_pyramids(phase, number)
        self.fill_pile("tile_pile", "tiles/0", tuple(self.table.box.faces))
        self.fill_specials()
        for pile, ids in self.tops.items():
            self.put_on_top(pile, ids)

    def unused(self, ids: Iterable[str]) -> Ids:
        """Those that lie in no zone yet."""
        return tuple(component for component in ids if component not in self.used)

    def fill_pile(self, pile: str, label: str, ids: Ids) -> None:
        """A missing pile is what is left, shuffled (steps 4 and 6)."""
        given = self.given.pile(pile)
        self.piles[pile] = self.table.chance.shuffle(label, self.unused(ids)) if given is None else given

    def fill_boards(self) -> None:
        """Boards left out are the unused ones, shuffled, in seat order (step 2)."""
        if all(player.board is not None for player in self.players):
            return
        boards = iter(self.table.chance.shuffle("boards/0", self.unused(self.table.box.printed_by_id)))
        self.players = tuple(
            player if player.board is not None else replace(player, board=next(boards))
            for player in self.players
        )

    def fill_cards(self, god: God) -> None:
        """A god's deck is shuffled from its unused cards, and its first card is face up (step 3)."""
        unused = self.unused(cards_of(self.table.box, god))
        deck, shown = self.given.pile(DECKS[god]), self.given.shown(god)
        face_up: str | None = None
        if deck is None:
            deck = self.table.chance.shuffle(f"{DECKS[god]}/0", unused)
            if shown is None:
                face_up = next((card for card in deck if card not in self.kept_for_tops), None)
                deck = tuple(card for card in deck if card != face_up)
        elif shown is None:
            demand(len(unused) <= 1, f"Cards of the god `{god}` are in no zone.")
            face_up = next(iter(unused), None)
        if face_up is not None:
            shown = GivenBlessing(face_up)
        demand(shown is not None or not deck, f"The god `{god}` has a deck but no card on display.")
        self.piles[DECKS[god]] = deck
        self.display[god] = self.blessing(shown)

    def blessing(self, given: GivenBlessing | None) -> Blessing | None:
        """A card in play; priests left out are none."""
        if given is None:
            return None
        spaces = blank_spaces(self.table.box, given.card)
        if given.priests is None:
            return Blessing(given.card, spaces)
        demand(len(given.priests) == len(spaces), f"{given.card} has {len(spaces)} spaces.")
        seats = range(self.table.seats)
        known = all(priest is None or priest in seats for priest in given.priests)
        demand(known, f"A priest on {given.card} belongs to no seat.")
        return Blessing(given.card, given.priests)

    def fill_pyramids(self, phase: Phase, number: int) -> None:
        """Tiles left out are the lowest-numbered unused ones, seat by seat, slot by slot (step 5)."""
        spare = iter([tile for tile in self.unused(self.table.box.faces) if tile not in self.kept_for_tops])
        self.players = tuple(
            player
            if player.tiles is not None
            else replace(player, tiles=self.pyramid(player, phase, number, spare))
            for player in self.players
        )

    def pyramid(self, player: GivenPlayer, phase: Phase, number: int, spare: Iterator[str]) -> Pyramid:
        """The tiles that are due on one board."""
        due = tiles_due(phase, number, tiles_left(player, LEVELS[number]))
        slots = [(level, slot) for level in (1, 2) for slot in range(due[level])]
        tiles = tuple(islice(spare, len(slots)))
        demand(len(tiles) == len(slots), "Too few tiles are left for the boards.")
        self.used |= set(tiles)
        return tuple(PlacedTile(*place, tile, 0) for place, tile in zip(slots, tiles, strict=True))

    def fill_specials(self) -> None:
        """As many special tiles are discarded as lie on boards; the others are the pile (step 6)."""
        discard, pile = self.given.special_discard, self.given.special_pile
        if discard is None or pile is None:
            option = self.table.options.special_tiles
            unused = self.unused(tile.id for tile in self.table.box.selected_specials(option))
            shuffled = self.table.chance.shuffle("special/0", unused)
            if discard is None:
                placed = sum(player.special is not None for player in self.players)
                discard = tuple(tile for tile in shuffled if tile not in self.kept_for_tops)[:placed]
            if pile is None:
                pile = tuple(tile for tile in shuffled if tile not in discard)
        self.piles["special_discard"], self.piles["special_pile"] = discard, pile

    def put_on_top(self, pile: str, ids: Ids) -> None:
        """The components that `tops` names lie on top, in that order (step 7)."""
        demand(pile in (*PILES, *DECKS.values()), f"`tops` names no pile or deck with `{pile}`.")
        demand(len(set(ids)) == len(ids), f"`tops` names a component of {pile} twice.")
        for component in ids:
            demand(component in self.piles[pile], f"`{component}` is not in {pile}.")
        self.piles[pile] = ids + tuple(other for other in self.piles[pile] if other not in ids)

    def reserve_of(self, seat: int) -> int:
        """A seat's priests that are neither on its board nor on cards (step 9)."""
        player = self.players[seat]
        if player.priests_reserve is not None:
            return player.priests_reserve
        cards = [*self.display.values(), self.blessing(player.private_card)]
        on_cards = sum(card.priests.count(seat) for card in cards if card is not None)
        return self.table.box.priests_per_player - len(player.board_priests or ()) - on_cards


def tiles_left(player: GivenPlayer, level: int) -> int:
    """How many tiles of this round a seat has still to place; a hand left out is dealt in full."""
    return DEALT[level] if player.waits_for_deal else len(player.tiles_in_hand)


def tiles_due(phase: str, number: int, left: int) -> dict[int, int]:
    """How many tiles lie on each level, given how many of this round are still to be placed (step 5)."""
    due = {1: min(3 * (number - 1), 9), 2: max(0, 2 * (number - 4))}
    level = LEVELS[number]
    if level < 3 and phase in ("build", "place_priests"):
        due[level] += DEALT[level] - (left if phase == "build" else 0)
    return due

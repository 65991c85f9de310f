"""A position as a caller gives it: any part of a full state (4.3)."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, NamedTuple, NoReturn

import msgspec

from games.chance import Chance
from games.kernel import InvalidSetup
from games.temple_of_five.box import ROTATIONS, Box
from games.temple_of_five.contents import GODS, SIZES, Side, Space
from games.temple_of_five.state import (
    DECKS,
    Choice,
    Ids,
    Options,
    Phase,
    PlacedPiece,
    PlacedTile,
    Special,
)

Ignored = Any
"""A derived member: it may be present, and is worked out anew."""


class GivenBlessing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    priests: tuple[int | None, ...] | None = None


class GivenDisplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    red: GivenBlessing | None = None
    gold: GivenBlessing | None = None
    blue: GivenBlessing | None = None
    green: GivenBlessing | None = None
    supreme: GivenBlessing | None = None


class GivenTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chains_used: int | None = None
    chain_limit: int | None = None
    effect_used: bool | None = None


class GivenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    board: str | None = None
    vacated: Literal["resigned", "timed_out"] | None = None
    priests_reserve: int | None = None
    hand: Ids | None = None
    hand_count: Ignored = None
    unseen: Ids | None = None
    unseen_count: Ignored = None
    choice: Choice | None = None
    tiles: tuple[PlacedTile, ...] | None = None
    special: Special | None = None
    pieces: tuple[PlacedPiece, ...] | None = None
    board_priests: tuple[Space, ...] | None = None
    bonus_2: Ids | None = None
    bonus_2_count: Ignored = None
    bonus_3: Ids | None = None
    bonus_3_count: Ignored = None
    completed: Ids | None = None
    private_card: GivenBlessing | None = None
    goal_side: Side | None = None
    score: Ignored = None
    surface: Ignored = None
    levels: Ignored = None
    chains: Ignored = None

    @property
    def waits_for_deal(self) -> bool:
        """Whether its hand is left out."""
        return self.hand is None and self.unseen is None

    @property
    def tiles_in_hand(self) -> Ids:
        return (self.hand or ()) + (self.unseen or ())


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: Options | None = None
    phase: Phase | None = None
    round: int | None = None
    level: int | None = None
    first_player: int | None = None
    active_seat: int | None = None
    to_act: Ignored = None
    turn_state: GivenTurn | None = None
    players: tuple[GivenPlayer, ...] | None = None
    display: GivenDisplay | None = None
    deck_red: Ids | None = None
    deck_red_count: Ignored = None
    deck_gold: Ids | None = None
    deck_gold_count: Ignored = None
    deck_blue: Ids | None = None
    deck_blue_count: Ignored = None
    deck_green: Ids | None = None
    deck_green_count: Ignored = None
    deck_supreme: Ids | None = None
    deck_supreme_count: Ignored = None
    tile_pile: Ids | None = None
    tile_pile_count: Ignored = None
    special_pile: Ids | None = None
    special_pile_count: Ignored = None
    special_discard: Ids | None = None
    special_discard_count: Ignored = None
    bonus_2_pile: Ids | None = None
    bonus_2_pile_count: Ignored = None
    bonus_3_pile: Ids | None = None
    bonus_3_pile_count: Ignored = None
    outcome: Ignored = None
    tops: dict[str, Ids] | None = None

    def pile(self, name: str) -> Ids | None:
        """A pile or deck, if it is given."""
        ids: Ids | None = getattr(self, name)
        return ids

    def shown(self, god: str) -> GivenBlessing | None:
        """The card on display for a god, if it is given."""
        blessing: GivenBlessing | None = getattr(self.display, god, None)
        return blessing


class Table(NamedTuple):
    """What a position is laid out with."""

    options: Options
    seats: int
    box: Box
    chance: Chance


def fail(fault: str) -> NoReturn:
    """Refuse the position, naming its fault."""
    raise InvalidSetup("invalid_position", fault)


def demand(fulfilled: bool, fault: str) -> None:
    """Refuse the position unless this is fulfilled."""
    if not fulfilled:
        fail(fault)


def read_position(raw: Mapping[str, Any]) -> Position:
    """A position from its JSON value; members nobody knows are refused."""
    try:
        return msgspec.convert(raw, Position)
    except msgspec.ValidationError as error:
        fail(f"Position of temple_of_five: {error}.")


Zone = tuple[str, Ids, Collection[str]]
"""A zone's name, what is given there, and what may lie there."""


def given_zones(
    table: Table, given: Position, players: tuple[GivenPlayer, ...], level: int
) -> Iterator[Zone]:
    """Every zone in which the position names a component."""
    box = table.box
    tiles = box.faces
    specials = {tile.id for tile in box.selected_specials(table.options.special_tiles)}
    for name, ids in (("tile_pile", tiles), ("special_pile", specials), ("special_discard", specials)):
        yield name, given.pile(name) or (), ids
    for size in SIZES:
        yield f"bonus_{size}_pile", given.pile(f"bonus_{size}_pile") or (), pieces_of(box, size)
    for god in GODS:
        yield DECKS[god], given.pile(DECKS[god]) or (), cards_of(box, god)
        yield f"display/{god}", card_ids(given.shown(god)), cards_of(box, god)
    for seat, player in enumerate(players):
        at = f"players/{seat}"
        yield f"{at}/board", () if player.board is None else (player.board,), box.printed_by_id
        yield f"{at}/hand", player.tiles_in_hand, specials if level == 3 else tiles
        yield f"{at}/tiles", tuple(tile.tile for tile in player.tiles or ()), tiles
        yield f"{at}/special", special_ids(player), specials
        yield f"{at}/bonus_2", player.bonus_2 or (), pieces_of(box, 2)
        yield f"{at}/bonus_3", player.bonus_3 or (), pieces_of(box, 3)
        yield f"{at}/pieces", tuple(piece.bonus for piece in player.pieces or ()), box.pieces_by_id
        yield f"{at}/completed", player.completed or (), box.cards_by_id
        yield f"{at}/private_card", card_ids(player.private_card), box.cards_by_id


def pieces_of(box: Box, size: int) -> Ids:
    """The bonus decorations of one size."""
    return tuple(piece.id for piece in box.bonus_decorations if piece.size == size)


def cards_of(box: Box, god: str) -> Ids:
    """The cards of one god."""
    return tuple(card.id for card in box.cards if card.god == god)


def card_ids(blessing: GivenBlessing | None) -> Ids:
    return () if blessing is None else (blessing.card,)


def special_ids(player: GivenPlayer) -> Ids:
    if player.special is None:
        return ()
    return (player.special.tile or fail("A special tile on a board has an id."),)


def used_components(zones: Iterator[Zone]) -> frozenset[str]:
    """Every component that the position names, each known, in its place, and named once."""
    used: Counter[str] = Counter()
    for name, ids, allowed in zones:
        for component in ids:
            demand(component in allowed, f"`{component}` does not belong in {name}.")
        used.update(ids)
    twice = [component for component, times in used.items() if times > 1]
    demand(not twice, f"`{''.join(twice[:1])}` is in two places.")
    return frozenset(used)


def check_places(table: Table, players: tuple[GivenPlayer, ...]) -> None:
    """Whatever lies on a board lies where such a thing can lie."""
    box = table.box
    for seat, player in enumerate(players):
        for tile in player.tiles or ():
            known = tile.level in (1, 2) and 0 <= tile.slot < len(box.slots[tile.level])
            demand(known, f"Seat {seat}: level {tile.level} has no slot {tile.slot}.")
            demand(tile.rotation in ROTATIONS, f"Seat {seat}: {tile.tile} is not turned by a quarter.")
        slots = [(tile.level, tile.slot) for tile in player.tiles or ()]
        demand(len(set(slots)) == len(slots), f"Seat {seat} has two tiles in one slot.")
        for piece in player.pieces or ():
            line = piece.spaces in box.lines[box.pieces_by_id[piece.bonus].size]
            demand(line, f"Seat {seat}: {piece.bonus} does not lie in a straight line of its size, in order.")
        for space in player.board_priests or ():
            demand(space in box.spaces, f"Seat {seat} has a priest beyond the board.")

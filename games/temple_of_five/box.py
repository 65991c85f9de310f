"""The box a game is played with: a component set, and what the rules look up in it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files

from games.components import ComponentSet, InvalidComponentSet, load_component_sets
from games.temple_of_five.constraints import check
from games.temple_of_five.contents import (
    COLOURS,
    EFFECTS,
    GODS,
    SIZES,
    Card,
    Colour,
    Contents,
    Piece,
    Space,
    SpecialTile,
    tile_spaces,
)

ROTATIONS = (0, 90, 180, 270)
TURNED = {0: (0, 1, 2, 3), 90: (2, 0, 3, 1), 180: (3, 2, 1, 0), 270: (1, 3, 0, 2)}
"""Which of a tile's own spaces (nw, ne, sw, se) is seen in each place (4.1)."""

BESIDE_CORNER = ((1, 2), (0, 3), (0, 3), (1, 2))
"""Which of a tile's spaces share a side with each of them."""
Part = tuple[str, tuple[int, ...]]


class Box(Contents, frozen=True, dict=True, forbid_unknown_fields=True):
    """A component set that fulfils every constraint, with everything at hand by its id."""

    def __post_init__(self) -> None:
        check(self)

    @cached_property
    def cards_by_id(self) -> dict[str, Card]:
        return {card.id: card for card in self.cards}

    @cached_property
    def pieces_by_id(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.bonus_decorations}

    @cached_property
    def specials_by_id(self) -> dict[str, SpecialTile]:
        return {tile.id: tile for tile in self.special_tiles}

    @cached_property
    def components(self) -> dict[str, tuple[str, ...]]:
        """Every tile, every bonus decoration by its size, every card by its god."""
        pieces, cards = self.bonus_decorations, self.cards
        return {
            "tiles": tuple(tile.id for tile in self.tiles),
            **{f"bonus_{size}": tuple(each.id for each in pieces if each.size == size) for size in SIZES},
            **{str(god): tuple(card.id for card in cards if card.god == god) for god in GODS},
        }

    @cached_property
    def specials_by_option(self) -> dict[str, tuple[str, ...]]:
        """The special tiles that each option selects; the mixed set has one of each colour and effect (Q27)."""
        tiles = self.special_tiles
        first = {tile.face: tile.id for tile in reversed(tiles)}
        return {
            "single_colour": tuple(tile.id for tile in tiles if tile.kind == "single_colour"),
            "effect": tuple(tile.id for tile in tiles if tile.kind == "effect"),
            "mixed": tuple(first[face] for face in (*COLOURS, *EFFECTS)),
        }

    @cached_property
    def printed_by_id(self) -> dict[str, tuple[str, ...]]:
        return {board.id: board.printed for board in self.boards}

    @cached_property
    def faces(self) -> dict[str, dict[int, str]]:
        """What each tile shows in each rotation: the letters of nw, ne, sw, se."""
        return {
            tile.id: {
                rotation: "".join(self.letter(tile.spaces[own]) for own in TURNED[rotation])
                for rotation in ROTATIONS
            }
            for tile in self.tiles
        }

    @cached_property
    def parts(self) -> dict[str, tuple[Part, ...]]:
        """Each face as what hangs together on it: a colour's letter, and which of nw, ne, sw, se it covers."""
        faces = {face for faces in self.faces.values() for face in faces.values()}
        return {face: tuple(self._parts_of(face)) for face in sorted(faces)}

    def _parts_of(self, face: str) -> Iterator[Part]:
        left = [corner for corner in range(4) if face[corner] in self.colour_of]
        while left:
            part = [left[0]]
            for corner in part:
                part += [
                    other
                    for other in BESIDE_CORNER[corner]
                    if other not in part and face[other] == face[corner]
                ]
            left = [corner for corner in left if corner not in part]
            yield face[part[0]], tuple(sorted(part))

    @cached_property
    def different_rotations(self) -> dict[str, tuple[int, ...]]:
        """The smallest rotation of each different face of a tile (13.2)."""
        return {
            tile: tuple(sorted({face: rotation for rotation, face in reversed(faces.items())}.values()))
            for tile, faces in self.faces.items()
        }

    @cached_property
    def slots(self) -> dict[int, tuple[tuple[Space, ...], ...]]:
        """The four spaces of every slot, by level."""
        return {
            int(level): tuple(tile_spaces(corner) for corner in places.slots)
            for level, places in self.levels.items()
        }

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """Every space of a board, by row, then column."""
        size = range(self.board_size)
        return tuple((row, column) for row in size for column in size)

    @cached_property
    def place_of(self) -> dict[Space, int]:
        """Where each space is in `spaces`."""
        return {space: place for place, space in enumerate(self.spaces)}

    @cached_property
    def slot_places(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        """The four spaces of every slot, by level, as places in `spaces`."""
        return {
            level: tuple(tuple(self.place_of[space] for space in slot) for slot in slots)
            for level, slots in self.slots.items()
        }

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The spaces that share a side with each space, as places in `spaces`."""
        place_of = self.place_of
        beside = (((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) for r, c in self.spaces)
        return tuple(tuple(place_of[space] for space in four if space in place_of) for four in beside)

    @cached_property
    def buried(self) -> dict[int, frozenset[int]]:
        """The places that the levels above each level will cover."""
        slots = self.slot_places
        return {
            level: frozenset(
                place for above in slots if above > level for slot in slots[above] for place in slot
            )
            for level in slots
        }

    @cached_property
    def beside_slots(self) -> dict[int, tuple[tuple[tuple[int, ...], ...], ...]]:
        """The places outside of a slot that share a side with each of its four, by level and slot."""
        return {
            level: tuple(
                tuple(tuple(near for near in self.neighbours[place] if near not in slot) for place in slot)
                for slot in slots
            )
            for level, slots in self.slot_places.items()
        }

    @cached_property
    def lines(self) -> dict[int, tuple[tuple[Space, ...], ...]]:
        """Every straight place for a piece of each size, in the order of their spaces."""
        size = self.board_size
        places: dict[int, tuple[tuple[Space, ...], ...]] = {}
        for length in SIZES:
            rows = [tuple((r, c + i) for i in range(length)) for r, c in self.spaces if c + length <= size]
            columns = [tuple((r + i, c) for i in range(length)) for r, c in self.spaces if r + length <= size]
            places[length] = tuple(sorted(rows + columns))
        return places

    @cached_property
    def lines_beside(
        self,
    ) -> dict[int, tuple[tuple[tuple[Space, ...], tuple[int, ...], tuple[int, ...]], ...]]:
        """Every line, its places, and those that share a side with it."""
        return {
            size: tuple(
                (line, places, self._around(places)) for line in lines for places in [self._places(line)]
            )
            for size, lines in self.lines.items()
        }

    def _places(self, spaces: tuple[Space, ...]) -> tuple[int, ...]:
        return tuple(self.place_of[space] for space in spaces)

    def _around(self, places: tuple[int, ...]) -> tuple[int, ...]:
        near = {beside for place in places for beside in self.neighbours[place]}
        return tuple(sorted(near.difference(places)))

    @cached_property
    def straight(self) -> dict[int, frozenset[tuple[Space, ...]]]:
        """The places of `lines` as sets, to look one up."""
        return {size: frozenset(places) for size, places in self.lines.items()}

    @cached_property
    def colour_of(self) -> dict[str, Colour]:
        """The colour that a letter of a surface stands for; letters of empty and blocked spaces are not in it."""
        return {self.surface_letters[colour]: colour for colour in COLOURS}

    @property
    def empty(self) -> str:
        return self.surface_letters["empty"]

    @property
    def blocked(self) -> str:
        return self.surface_letters["blocked"]

    def letter(self, colour: str | None) -> str:
        """How a surface shows a colour, or an empty space."""
        return self.empty if colour is None else self.surface_letters[colour]

    def special_face(self, tile: str | None, face_up: bool) -> str:
        """The four letters of the top: face down empty, an effect blocked (Q22, Q23)."""
        if tile is None or not face_up:
            return self.empty * 4
        shown = self.specials_by_id[tile]
        return self.blocked * 4 if shown.kind == "effect" else self.letter(shown.colour) * 4


COMPONENT_SETS = load_component_sets(files(__package__) / "components", Box)

SHELF: dict[str, ComponentSet[Box]] = {**COMPONENT_SETS}
"""Every box that games are played with here, by its name in their options."""


def put_on_shelf(component_sets: Mapping[str, ComponentSet[Box]]) -> None:
    """Let states find these sets by the name in their options; a name never means two different sets."""
    for name, component_set in component_sets.items():
        if SHELF.setdefault(name, component_set).sha256 != component_set.sha256:
            raise InvalidComponentSet(f"{name}: another component set has this name already")

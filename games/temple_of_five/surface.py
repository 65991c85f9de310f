"""A board and its pyramid seen from above, and the chains there (4.1)."""

from bisect import insort
from collections.abc import Collection, Iterable, Set
from operator import attrgetter, itemgetter

from games.kernel import replace
from games.temple_of_five.box import Box
from games.temple_of_five.contents import Space
from games.temple_of_five.state import Chain, PlacedPiece, PlacedTile, Player, Rows, Special

LEVEL_SIGNS = ("0000", "1111", "2222", "3333")
"""What a tile writes into the levels of its four spaces."""
TAKEN_OFF = ""
"""Where a decoration was, once it has been counted with its group."""
by_spaces = attrgetter("spaces")


def covered(rows: Rows, corner: Space, face: str) -> Rows:
    """The rows with a tile's four signs on the 2×2 place with this top-left corner."""
    row, column = corner
    end = column + 2
    upper, lower = rows[row], rows[row + 1]
    changed = list(rows)
    changed[row] = f"{upper[:column]}{face[:2]}{upper[end:]}"
    changed[row + 1] = f"{lower[:column]}{face[2:]}{lower[end:]}"
    return tuple(changed)


def decorated(rows: Rows, spaces: Iterable[Space], sign: str) -> Rows:
    """The rows with this sign on each of these spaces."""
    changed = list(rows)
    for row, column in spaces:
        line = changed[row]
        changed[row] = line[:column] + sign + line[column + 1 :]
    return tuple(changed)


def after_covering(box: Box, player: Player, level: int, slot: int, face: str) -> Player:
    """A player whose pyramid has grown by a tile: priests under it come home, chains are seen anew (6.5)."""
    spaces, priests = box.slots[level][slot], player.board_priests
    staying = tuple([space for space in priests if space not in spaces])
    surface = covered(player.surface, spaces[0], face)
    return replace(
        player,
        surface=surface,
        levels=covered(player.levels, spaces[0], LEVEL_SIGNS[level]),
        board_priests=staying,
        priests_reserve=player.priests_reserve + len(priests) - len(staying),
        chains=chains_after(box, player, surface, box.slot_places[level][slot], staying),
    )


def after_decorating(box: Box, player: Player, piece: str, spaces: tuple[Space, ...]) -> Player:
    """A player who has laid a bonus decoration on empty spaces."""
    surface = decorated(player.surface, spaces, box.letter(box.pieces_by_id[piece].colour))
    places = [box.place_of[space] for space in spaces]
    chains = chains_after(box, player, surface, places, player.board_priests)
    return replace(player, surface=surface, chains=chains)


def chains_of(box: Box, surface: Rows, priests: Collection[Space]) -> tuple[Chain, ...]:
    """All chains of a board, in the order of their first space; a priest on one closes it."""
    signs, standing = list("".join(surface)), frozenset(priests)
    groups = connected(box, signs, range(len(signs)))
    return tuple([chain_on(box, surface, places, standing) for places in groups])


def chains_after(
    box: Box, player: Player, surface: Rows, changed: Iterable[int], priests: Collection[Space]
) -> tuple[Chain, ...]:
    """`chains_of` a surface that has changed in these places alone: chains that they do not touch stay."""
    place_of, colours, neighbours = box.place_of, box.colour_of, box.neighbours
    before, left = "".join(player.surface), list("".join(surface))
    look_at = list(changed)
    for place in changed:
        gone = before[place]
        if gone in colours:
            look_at += [beside for beside in neighbours[place] if left[beside] == gone]
    groups = connected(box, left, look_at)
    # whatever is left of a chain that has changed was taken off, so those that still show their first space stay
    chains = [chain for chain in player.chains if left[place_of[chain.spaces[0]]] in colours]
    if groups:
        standing = frozenset(priests)
        for places in groups:
            insort(chains, chain_on(box, surface, places, standing), key=by_spaces)
    return tuple(chains)


def chain_on(box: Box, surface: Rows, places: Iterable[int], priests: Set[Space]) -> Chain:
    """The chain that lies on these places."""
    spaces = itemgetter(*places)(box.spaces)
    row, column = spaces[0]
    return Chain(box.colour_of[surface[row][column]], len(spaces), spaces, not priests.isdisjoint(spaces))


def connected(box: Box, left: list[str], starts: Iterable[int]) -> list[list[int]]:
    """Every group of at least two decorations of one colour that hang together by their sides, whatever the level.

    Groups are found from their first place among `starts`; each decoration that was looked at is taken off what is left.
    """
    neighbours, colours = box.neighbours, box.colour_of
    groups = []
    for first in starts:
        sign = left[first]
        if sign not in colours:
            continue
        left[first] = TAKEN_OFF
        group = [first]
        for place in group:
            for beside in neighbours[place]:
                if left[beside] == sign:
                    left[beside] = TAKEN_OFF
                    group.append(beside)
        if len(group) > 1:
            group.sort()
            groups.append(group)
    return groups


def seen_from_above(
    box: Box, board: str, tiles: Iterable[PlacedTile], special: Special | None, pieces: Iterable[PlacedPiece]
) -> tuple[Rows, Rows]:
    """Surface and levels of a whole board, laid level by level: on each the tiles, then the pieces."""
    surface = box.printed_by_id[board]
    levels: Rows = ("0" * box.board_size,) * box.board_size
    tiles, pieces = tuple(tiles), tuple(pieces)
    for level in range(4):
        laid = [
            (box.slots[level][tile.slot], box.faces[tile.tile][tile.rotation])
            for tile in tiles
            if tile.level == level
        ]
        if level == 3 and special is not None:
            laid.append((box.slots[3][0], box.special_face(special.tile, special.face_up)))
        for spaces, face in laid:
            surface = covered(surface, spaces[0], face)
            levels = covered(levels, spaces[0], LEVEL_SIGNS[level])
        for piece in pieces:
            if piece.level == level:
                letter = box.letter(box.pieces_by_id[piece.bonus].colour)
                surface = decorated(surface, piece.spaces, letter)
    return surface, levels

"""A board and its pyramid seen from above, and the chains there (4.1)."""

from collections.abc import Collection, Iterable

from games.temple_of_five.box import Box
from games.temple_of_five.contents import Space
from games.temple_of_five.state import Chain, PlacedPiece, PlacedTile, Player, Rows, Special, replace


def painted(rows: Rows, spaces: Iterable[Space], signs: str) -> Rows:
    """The rows with these signs on these spaces."""
    changed = list(rows)
    for (row, column), sign in zip(spaces, signs, strict=True):
        line = changed[row]
        changed[row] = line[:column] + sign + line[column + 1 :]
    return tuple(changed)


def after_covering(box: Box, player: Player, level: int, spaces: tuple[Space, ...], signs: str) -> Player:
    """A player whose pyramid has grown by a tile: priests under it come home, chains are seen anew (6.5)."""
    staying = tuple(space for space in player.board_priests if space not in spaces)
    surface = painted(player.surface, spaces, signs)
    return replace(
        player,
        surface=surface,
        levels=painted(player.levels, spaces, str(level) * len(spaces)),
        board_priests=staying,
        priests_reserve=player.priests_reserve + len(player.board_priests) - len(staying),
        chains=chains_of(box, surface, staying),
    )


def after_decorating(box: Box, player: Player, piece: str, spaces: tuple[Space, ...]) -> Player:
    """A player who has laid a bonus decoration on empty spaces."""
    signs = box.letter(box.pieces_by_id[piece].colour) * len(spaces)
    surface = painted(player.surface, spaces, signs)
    return replace(player, surface=surface, chains=chains_of(box, surface, player.board_priests))


def chains_of(box: Box, surface: Rows, priests: Collection[Space]) -> tuple[Chain, ...]:
    """All chains of a board, in the order of their first space; a priest on one closes it."""
    found = []
    for places in connected("".join(surface), box):
        spaces = tuple(box.spaces[place] for place in places)
        colour = box.colour_of[surface[spaces[0][0]][spaces[0][1]]]
        closed = any(space in priests for space in spaces)
        found.append(Chain(colour, len(spaces), spaces, closed))
    return tuple(found)


def connected(signs: str, box: Box) -> list[list[int]]:
    """Every group of at least two decorations of one colour that hang together by their sides, whatever the level."""
    neighbours, decorated = box.neighbours, box.colour_of
    seen = bytearray(len(signs))
    groups = []
    for first, sign in enumerate(signs):
        if seen[first] or sign not in decorated:
            continue
        seen[first] = 1
        group = [first]
        for place in group:
            for beside in neighbours[place]:
                if signs[beside] == sign and not seen[beside]:
                    seen[beside] = 1
                    group.append(beside)
        if len(group) > 1:
            groups.append(sorted(group))
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
        for spaces, signs in laid:
            surface = painted(surface, spaces, signs)
            levels = painted(levels, spaces, str(level) * 4)
        for piece in pieces:
            if piece.level == level:
                letter = box.letter(box.pieces_by_id[piece.bonus].colour)
                surface = painted(surface, piece.spaces, letter * len(piece.spaces))
    return surface, levels

"""What every component set of Temple of Five must fulfil (1.1). The first fault found is told by name."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from games.temple_of_five.contents import (
    COLOURS,
    EFFECTS,
    GODS,
    SIZES,
    Board,
    Card,
    Contents,
    Space,
    SpecialTile,
    tile_spaces,
)

SLOTS = {"1": 9, "2": 4, "3": 1}
MOST_SEATS = 4
TILES_PER_SEAT = SLOTS["1"] + SLOTS["2"]
SPECIALS_PER_SEAT = 2


class Fault(ValueError):
    """A constraint that a component set breaks, in a sentence."""


def check(contents: Contents) -> None:
    """Refuse a set that the rules could not be played with."""
    check_frame(contents)
    check_counts(contents)
    check_ids(contents)
    check_levels(contents)
    for board in contents.boards:
        check_board(contents, board)
    check_tiles(contents)
    check_pieces(contents)
    for card in contents.cards:
        check_card(card)
    check_goals(contents)


def check_frame(contents: Contents) -> None:
    """The words that the rules themselves use."""
    demand(contents.ruleset == "temple_of_five", f"it is made for the ruleset `{contents.ruleset}`")
    demand(bool(contents.provenance), "it does not say where its figures come from (`provenance`)")
    demand(contents.colours == COLOURS, f"the colours are {', '.join(COLOURS)}")
    demand(contents.gods == GODS, f"the gods are {', '.join(GODS)}")
    demand(contents.space_order == ("nw", "ne", "sw", "se"), "the order of a tile's spaces is nw, ne, sw, se")
    shapes = {str(size): "straight" for size in SIZES}
    demand(contents.bonus_shapes == shapes, "bonus decorations of 2 and 3 spaces are straight")
    letters = contents.surface_letters
    demand(set(letters) == {*COLOURS, "empty", "blocked"}, "each colour, `empty` and `blocked` has a letter")
    clear = len(set(letters.values())) == len(letters) and all(
        len(letter) == 1 for letter in letters.values()
    )
    demand(clear, "the letters of a surface are single and all different")
    demand(contents.priests_per_player >= 2, "a player needs at least 2 priests to use a chain")


def check_counts(contents: Contents) -> None:
    """As many of each thing as the set says, and enough for four players."""
    said = contents.counts
    special = Counter(tile.kind for tile in contents.special_tiles)
    agree("boards", said.boards, len(contents.boards), MOST_SEATS)
    agree("decoration tiles", said.tiles, len(contents.tiles), MOST_SEATS * TILES_PER_SEAT)
    agree("single-colour tiles", said.single_colour, special["single_colour"], MOST_SEATS * SPECIALS_PER_SEAT)
    agree("effect tiles", said.effect, special["effect"], MOST_SEATS * SPECIALS_PER_SEAT)
    cards = Counter(card.god for card in contents.cards)
    for god in GODS:
        agree(f"cards of the god `{god}`", said.cards_per_god, cards[god], 1)
    pieces = Counter((piece.colour, piece.size) for piece in contents.bonus_decorations)
    for colour in COLOURS:
        agree(f"{colour} pieces of 2 spaces", said.bonus_2_per_colour, pieces[colour, 2], 0)
        agree(f"{colour} pieces of 3 spaces", said.bonus_3_per_colour, pieces[colour, 3], 0)


def agree(what: str, said: int, listed: int, needed: int) -> None:
    """One count, as said, as listed, and as four players need it."""
    demand(listed == said, f"{listed} {what} are listed where `counts` says {said}")
    demand(listed >= needed, f"{listed} {what} are too few: four players need {needed}")


def check_ids(contents: Contents) -> None:
    """Every component has a name of its own."""
    goals = [goal.id for side in contents.ultimate_goal_card.values() for goal in side]
    tiles = [tile.id for tile in contents.tiles] + [tile.id for tile in contents.special_tiles]
    boards = [board.id for board in contents.boards]
    cards = [card.id for card in contents.cards]
    pieces = [piece.id for piece in contents.bonus_decorations]
    for names in (goals, tiles, boards, cards, pieces):
        twice = [name for name, times in Counter(names).items() if times > 1]
        demand(not twice, f"the id `{''.join(twice[:1])}` is used twice")


def check_levels(contents: Contents) -> None:
    """Nine, four and one places, each level resting on the one below it."""
    demand(set(contents.levels) == set(SLOTS), "there are the levels 1, 2 and 3")
    size = range(contents.board_size)
    below = {(row, column) for row in size for column in size}
    for name, number in SLOTS.items():
        slots = contents.levels[name].slots
        demand(len(slots) == number, f"level {name} has {len(slots)} slots, not {number}")
        covered = [space for corner in slots for space in tile_spaces(corner)]
        demand(len(set(covered)) == len(covered), f"two slots of level {name} overlap")
        demand(set(covered) <= below, f"level {name} reaches beyond what lies below it")
        below = set(covered)


def check_board(contents: Contents, board: Board) -> None:
    """Square, with no chain at the start and none that a single tile or piece at a corner would join."""
    size, letters = contents.board_size, contents.surface_letters
    square = len(board.printed) == size and all(len(row) == size for row in board.printed)
    demand(square, f"{board.id} is not {size} by {size} spaces")
    empty = letters["empty"]
    printable = {empty, *(letters[colour] for colour in COLOURS)}
    strange = sorted(set("".join(board.printed)) - printable)
    demand(not strange, f"{board.id} shows `{''.join(strange)}`, which is no colour")
    columns = tuple("".join(column) for column in zip(*board.printed, strict=True))
    for line in (*board.printed, *columns):
        pairs = [a for a, b in pairwise(line) if a == b != empty]
        demand(not pairs, f"{board.id} shows two decorations of one colour side by side")
    for row, beside_row in ((0, 1), (-1, -2)):
        for column, beside_column in ((0, 1), (-1, -2)):
            demand(board.printed[row][column] == empty, f"{board.id} has a decoration in a corner")
            across, along = board.printed[row][beside_column], board.printed[beside_row][column]
            demand(empty == across or across != along, f"{board.id} has matching colours beside a corner")
    for row, column in path_spaces(contents):
        demand(board.printed[row][column] == empty, f"{board.id} has a decoration on a path")


def path_spaces(contents: Contents) -> list[Space]:
    """The border in line with the outer rows and columns of level 2, where golden lines mark its width."""
    frame = {space for corner in contents.levels["1"].slots for space in tile_spaces(corner)}
    second = [space for corner in contents.levels["2"].slots for space in tile_spaces(corner)]
    rows, columns = ({space[axis] for space in second} for axis in (0, 1))
    edges = {min(rows), max(rows)}, {min(columns), max(columns)}
    size = range(contents.board_size)
    border = [(r, c) for r in size for c in size if (r, c) not in frame]
    return [(r, c) for r, c in border if r in edges[0] or c in edges[1]]


def check_tiles(contents: Contents) -> None:
    """Every tile is 2×2 and shows nothing but colours and empty spaces; each kind of special tile is there."""
    for tile in contents.tiles:
        check_face(tile.id, tile.spaces)
    for special in contents.special_tiles:
        check_special(special)
    faces = {tile.face for tile in contents.special_tiles}
    missing = [face for face in (*COLOURS, *EFFECTS) if face not in faces]
    demand(not missing, f"no special tile for `{''.join(missing[:1])}`, which the mixed set needs")


def check_special(tile: SpecialTile) -> None:
    """Four times its colour, or one of the four effects."""
    if tile.kind == "single_colour":
        check_face(tile.id, tile.spaces)
        demand(set(tile.spaces) == {tile.colour}, f"{tile.id} is not of one colour")
        demand(tile.effect is None, f"{tile.id} has a colour and an effect")
    else:
        demand(tile.effect is not None, f"{tile.id} is an effect tile without an effect")
        plain = tile.colour is None and not tile.spaces
        demand(plain, f"{tile.id} has an effect and decorations")


def check_face(tile: str, spaces: tuple[str | None, ...]) -> None:
    """Four spaces, each empty or of a colour."""
    demand(len(spaces) == 4, f"{tile} has {len(spaces)} spaces: a tile is 2×2")
    check_colours(tile, (shown for shown in spaces if shown is not None))


def check_colours(what: str, shown: Iterable[str]) -> None:
    """Only the four colours."""
    for colour in shown:
        demand(colour in COLOURS, f"{what} shows the unknown colour `{colour}`")


def check_pieces(contents: Contents) -> None:
    """Two or three spaces of one of the four colours."""
    for piece in contents.bonus_decorations:
        check_colours(piece.id, [piece.colour])
        demand(piece.size in SIZES, f"{piece.id} has {piece.size} spaces, not 2 or 3")


def check_card(card: Card) -> None:
    """A value and perhaps a symbol on each space; the corner number is their sum and never scores (Q34)."""
    demand(card.god in GODS, f"{card.id} belongs to the unknown god `{card.god}`")
    demand(bool(card.values) and min(card.values) > 0, f"{card.id} has a space without a value")
    demand(len(card.bonus) == len(card.values), f"{card.id} has not one entry of `bonus` for each space")
    demand(
        card.sum == sum(card.values),
        f"{card.id} says {card.sum} where its values add up to {sum(card.values)}",
    )
    demand(0 <= card.points_incomplete < card.points, f"{card.id} is worth no less while it is incomplete")


def check_goals(contents: Contents) -> None:
    """A card with two sides."""
    demand(set(contents.ultimate_goal_card) == {"a", "b"}, "the ultimate goal card has the sides a and b")


def demand(fulfilled: bool, fault: str) -> None:
    """Name a fault unless the constraint is fulfilled."""
    if not fulfilled:
        raise Fault(fault)

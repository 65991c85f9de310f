"""How a game begins (3): from the box, or from a position (4.3)."""

from functools import cache
from itertools import islice

from games.begins import check_begins, who_begins
from games.chance import Chance
from games.kernel import Course, Position, replace
from games.temple_of_five.box import SHELF
from games.temple_of_five.contents import GODS, SIZES
from games.temple_of_five.position import blank, read_position, seen_on_board
from games.temple_of_five.rounds import deal
from games.temple_of_five.state import COUNTS, DECKS, Display, Ids, Options, Player, State, fresh
from games.temple_of_five.surface import chains_of


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """The game stands at its first decision."""
    check_begins(options, seats)
    if position is None:
        state = dealt(options, seats, chance)
    else:
        state = read_position(options, seats, chance, position)
    return Course.opened_by(state, chance)


def dealt(options: Options, seats: int, chance: Chance) -> State:
    """An ordinary game: boards and piles are shuffled, each god shows a card, and all get the tiles of round 1."""
    box = SHELF[options.component_set].box
    boards = chance.shuffle("boards/0", box.printed_by_id)
    decks = {god: chance.shuffle(f"{DECKS[god]}/0", box.components[god]) for god in GODS}
    piles = {DECKS[god]: deck[1:] for god, deck in decks.items()}
    for size in SIZES:
        piles[f"bonus_{size}_pile"] = chance.shuffle(f"bonus_{size}/0", box.components[f"bonus_{size}"])
    piles["tile_pile"] = chance.shuffle("tiles/0", box.components["tiles"])
    piles["special_pile"] = chance.shuffle("special/0", box.specials_by_option[options.special_tiles])
    table = replace(
        blank(options, seats),
        turn_state=None,
        first_player=who_begins(options, seats, chance),
        to_act=tuple(range(seats)),
        players=tuple(beginner(options.component_set, board) for board in islice(boards, seats)),
        display=Display(**{god: fresh(box, deck[0]) for god, deck in decks.items() if deck}),
        special_discard=(),
        **piles,
        **counts(piles),
    )
    course = Course(table, chance)
    for seat in table.turn_order if table.phase == "exchange" else ():
        deal(course, seat)
    return course.state


def counts(piles: dict[str, Ids]) -> dict[str, int]:
    return {COUNTS[pile]: len(ids) for pile, ids in piles.items()}


@cache
def beginner(component_set: str, board: str) -> Player:
    """A player before an empty board, with all priests in reserve."""
    box = SHELF[component_set].box
    player = seen_on_board(box, Player(hand=(), unseen=(), priests_reserve=box.priests_per_player), board)
    return replace(player, chains=chains_of(box, player.surface, ()))

"""The state of a game of Aton (4). A null list is a zone that the viewer may not see; its count stays."""

import msgspec

from games.aton.box import BOARDS, Board
from games.kernel import GameState, Outcome, Seat, replace

SEATS = (0, 1)

Cards = tuple[int, ...]
Quota = tuple[int, int, int, int]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which component set to play with; the game has no variants (2)."""

    component_set: str = "aton_standard"


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's marker, pieces beside the board, and cards; a deck that is null is still to be shuffled."""

    seat: int
    colour: str
    score: int = 0
    supply: int
    trade_token: bool = True
    rebuilds: int = 0
    hand: Cards | None = ()
    hand_count: int = 0
    deck: Cards | None = None
    deck_count: int = 0
    discard: Cards = ()
    exchanged: Cards | None = ()
    exchanged_count: int = 0
    cartouches: Cards | None = ()
    cartouches_count: int = 0


class State(GameState, frozen=True, kw_only=True):
    """The whole game, or a viewer's view of it."""

    options: Options
    phase: str = "allocate"
    round: int = 1
    active_seat: int | None = None
    to_act: tuple[int, ...] = ()
    first_seat: int | None = None
    remaining: int = 0
    target_seat: int | None = None
    cull_quota: tuple[Quota, Quota] | None = None
    players: tuple[Player, Player]
    board: dict[str, int | None]
    dead: tuple[int, ...] = ()
    outcome: Outcome | None = None

    def cleared(self) -> "State":
        return replace(self, target_seat=None, cull_quota=None, remaining=0)


def other(seat: Seat) -> Seat:
    """The opponent."""
    return 1 - seat


def board_of(state: State) -> Board:
    """The board that this game is played on."""
    return BOARDS[state.options.component_set]


def scores(state: State) -> tuple[int, int]:
    """The points of both seats."""
    red, blue = state.players
    return red.score, blue.score


def laid(state: State, seat: Seat) -> Cards:
    """The cards at a seat's cartouches, where they are known."""
    return state.players[seat].cartouches or ()


def dead_is_full(state: State) -> bool:
    """Whether every space of the realm of the dead is taken."""
    return len(state.dead) >= board_of(state).box.dead_spaces

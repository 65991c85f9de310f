"""Facts about the game as a whole: its founding, its rounds, its end."""

from msgspec import UNSET, UnsetType

from games import kernel
from games.kernel import replace
from games.sa_re.city import laid, new_tile, priced, with_city
from games.sa_re.facts.happening import Happening, SeatHappening
from games.sa_re.state import Player, Space, State, Tile, box_of, next_to_found


class BuildingPlaced(SeatHappening, frozen=True):
    """A start building lies on the board, built; the next seat with something to place follows."""

    building: str
    space: int

    def change(self, state: State) -> State:
        box = box_of(state)
        me = state.players[self.seat]
        at = me.to_place.index(self.building)
        is_first = self.building in box.unique
        state = with_city(
            state,
            self.seat,
            priced(box, laid(me.spaces, self.space, new_tile(box, self.building, built=True))),
            to_place=me.to_place[:at] + me.to_place[at + 1 :],
            ever_built=(*me.ever_built, self.building) if is_first else me.ever_built,
        )
        following = next_to_found(state)
        return replace(state, active_seat=self.seat if following is None else following)


class RoundStarted(Happening, frozen=True):
    """A new round: gauges at 0, obelisks up, powers and production ready again (5.2)."""

    round: int
    first_seat: int

    def change(self, state: State) -> State:
        gauge = box_of(state).revolt_gauge.start
        marks = {"kept": True} if state.options.rules > 1 else {}
        players = tuple([_refreshed(player, gauge, marks) for player in state.players])
        return replace(
            state,
            players=players,
            phase="sites",
            round=self.round,
            first_seat=self.first_seat,
            active_seat=self.first_seat,
        )


def _refreshed(player: Player, gauge: int, marks: dict[str, bool]) -> Player:
    """Nothing is launched yet, so that nothing is due; what sites cost has not changed."""
    return replace(
        player,
        spaces=tuple([_readied(tiles) if tiles else tiles for tiles in player.spaces]),
        revolt=gauge,
        penalty=0,
        obelisk="standing",
        built_this_round=0,
        caravans_new=0,
        undone=(),
        cards=tuple([replace(card, exchanged=False, **marks) for card in player.cards]),
    )


def _readied(tiles: Space) -> Space:
    return tuple([_ready(tile) for tile in tiles])


def _ready(tile: Tile) -> Tile:
    """A built craft has its resource ready, and no mark of the last round is left."""
    lacks_token = tile.built and tile.token is False
    if not (lacks_token or tile.used or tile.new or tile.moved or tile.step_done):
        return tile
    return replace(  # a mark that a tile does not have stays unset
        tile,
        token=True if lacks_token else tile.token,
        used=tile.used and False,
        new=tile.new and False,
        moved=tile.moved and False,
        step_done=tile.step_done and False,
    )


class RoundEnded(Happening, frozen=True):
    """Every seat has ended its construction."""

    round: int

    def apply(self, state: State) -> State:
        return state


class GameEnded(kernel.GameEnded[State], frozen=True, kw_only=True):
    """The game is over; `auto` if the rules have led to it by themselves."""

    auto: bool | UnsetType = UNSET

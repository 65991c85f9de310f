"""Puppet, a ruleset without rules: the game goes wherever the action says. For tests of who is asked, and since when."""

from typing import Any

import msgspec

from games.chance import Chance
from games.components import read_component_set
from games.kernel import (
    Action,
    Course,
    Fact,
    GameEnded,
    GameSetUp,
    GameState,
    Outcome,
    Position,
    RandomBot,
    Registry,
    Ruleset,
    Seat,
    SeatVacated,
    Zones,
    replace,
)
from games.words import Words


class Box(msgspec.Struct, frozen=True):
    id: str


STRINGS = read_component_set(b'{"id": "strings"}', Box, origin="puppet")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component_set: str = "strings"


class Player(msgspec.Struct, frozen=True):
    vacated: str | None = None


class State(GameState, frozen=True):
    options: Options
    players: tuple[Player, ...]
    to_act: tuple[int, ...]
    phase: str = "dance"
    turn: int = 1
    round: int = 1
    active_seat: int | None = None
    outcome: Outcome | None = None


class Pull(Action[State], frozen=True):
    """Pull the strings: from now on these seats are to act, in this phase, turn and round."""

    phases = frozenset({"dance", "rest"})
    to_act: tuple[int, ...]
    phase: str = "dance"
    turn: int = 1
    round: int = 1

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(Pulled(self.to_act, self.phase, self.turn, self.round))


class Pulled(Fact[State], frozen=True):
    to_act: tuple[int, ...]
    phase: str
    turn: int
    round: int

    def apply(self, state: State) -> State:
        return replace(state, to_act=self.to_act, phase=self.phase, turn=self.turn, round=self.round)


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded[State]:
    return GameEnded(Outcome(winners, reason, (0,) * len(state.players)))


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    return Course.opened_by(State(options, (Player(),) * seats, to_act=(0,)), chance)


def choices(state: State, seat: Seat) -> list[Pull]:
    return [Pull(state.to_act)]


def box(state: State) -> dict[str, tuple[str, ...]]:
    return {}


PUPPET = Ruleset[State, Pull](
    name="puppet",
    version=1,
    seat_counts=range(2, 5),
    words={"en": Words({"puppet": "Puppet"}), "fr": Words({"puppet": "Pantin"})},
    state_type=State,
    options_type=Options,
    action_types=(Pull,),
    fact_types=(GameSetUp, Pulled, SeatVacated, GameEnded),
    component_sets={"strings": STRINGS},
    zones=Zones(box=box),
    opening=opening,
    choices=choices,
    ending=ending,
    greedy=RandomBot(choices),
)
PUPPETS = Registry([PUPPET])


def pull(*to_act: int, **moment: Any) -> dict[str, Any]:
    """An action after which these seats are to act."""
    return {"type": "pull", "to_act": list(to_act), **moment}

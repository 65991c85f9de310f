"""Puppet, a ruleset without rules: the game goes wherever the action says. For tests of who is asked, and since when."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from games.chance import Chance
from games.components import read_component_set
from games.kernel import Action, Bot, Course, Fact, Outcome, Registry, Ruleset, Seat, Viewer

replace = msgspec.structs.replace


class Box(msgspec.Struct, frozen=True):
    id: str


STRINGS = read_component_set(b'{"id": "strings"}', Box, origin="puppet")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component_set: str = "strings"


class Player(msgspec.Struct, frozen=True):
    vacated: str | None = None


class State(msgspec.Struct, frozen=True):
    options: Options
    players: tuple[Player, ...]
    to_act: tuple[int, ...]
    phase: str = "dance"
    turn: int = 1
    round: int = 1
    outcome: Outcome | None = None


class Pull(Action, frozen=True):
    """Pull the strings: from now on these seats are to act, in this phase, turn and round."""

    phases = frozenset({"dance", "rest"})
    to_act: tuple[int, ...]
    phase: str = "dance"
    turn: int = 1
    round: int = 1


class SetUp(Fact[State], frozen=True, tag="game_set_up"):
    state: State

    def apply(self, state: State) -> State:
        return self.state


class Pulled(Fact[State], frozen=True):
    to_act: tuple[int, ...]
    phase: str
    turn: int
    round: int

    def apply(self, state: State) -> State:
        return replace(state, to_act=self.to_act, phase=self.phase, turn=self.turn, round=self.round)


class SeatVacated(Fact[State], frozen=True):
    seat: int
    cause: str

    def apply(self, state: State) -> State:
        players = list(state.players)
        players[self.seat] = Player(self.cause)
        return replace(state, players=tuple(players))


class GameEnded(Fact[State], frozen=True):
    outcome: Outcome

    def apply(self, state: State) -> State:
        return replace(state, outcome=self.outcome, phase="ended", to_act=())


class Puppet(Ruleset[State, Pull]):
    name = "puppet"
    version = 1
    seat_counts = range(2, 5)
    names = MappingProxyType({"en": {"puppet": "Puppet"}, "fr": {"puppet": "Pantin"}})
    state_type = State
    options_type = Options
    action_types = (Pull,)
    fact_types = (SetUp, Pulled, SeatVacated, GameEnded)
    component_sets = MappingProxyType({"strings": STRINGS})

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        return [SetUp(State(options, (Player(),) * seats, to_act=(0,)))]

    def carry_out(self, state: State, seat: Seat, action: Pull, chance: Chance) -> Course[State]:
        course = Course(state)
        course.happens(Pulled(action.to_act, action.phase, action.turn, action.round))
        return course

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        return GameEnded(Outcome(winners, reason, (0,) * len(state.players)))

    def legal_actions(self, state: State, seat: Seat) -> list[Pull]:
        return [Pull(state.to_act)] if seat in state.to_act else []

    def view(self, state: State, viewer: Viewer) -> State:
        return state

    def greedy_bot(self) -> Bot[State, Pull]:
        raise NotImplementedError("nobody plays Puppet to win")


PUPPETS = Registry([Puppet()])


def pull(*to_act: int, **moment: Any) -> dict[str, Any]:
    """An action after which these seats are to act."""
    return {"type": "pull", "to_act": list(to_act), **moment}

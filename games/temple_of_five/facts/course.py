"""What happens to the game as a whole: its beginning, its rounds and turns, its end (7)."""

from games import kernel
from games.kernel import Fact, SeatFact, replace
from games.temple_of_five.contents import Effect, Side
from games.temple_of_five.state import Score, State, Target, TurnState


class GoalChosen(SeatFact[State], frozen=True):
    """A seat has chosen its side of the goal card."""

    for_the_seat = ("side",)
    side: Side | None

    def apply(self, state: State) -> State:
        me = replace(state.players[self.seat], goal_side=self.side)
        return state.seated(self.seat, me, to_act=state.waiting_without(self.seat))


class GoalsRevealed(Fact[State], frozen=True):
    """All goal cards are shown together."""

    sides: tuple[Side, ...]

    def apply(self, state: State) -> State:
        shown = zip(state.players, self.sides, strict=True)
        players = tuple(replace(player, goal_side=side) for player, side in shown)
        return replace(state, phase="exchange", players=players)


class RoundStarted(Fact[State], frozen=True):
    """A round begins."""

    round: int
    level: int
    first_player: int

    def apply(self, state: State) -> State:
        return replace(
            state,
            round=self.round,
            level=self.level,
            first_player=self.first_player,
            phase="build" if self.level == 3 else "exchange",
            active_seat=None,
            to_act=tuple(range(state.seats)),
        )


class TurnStarted(SeatFact[State], frozen=True):
    """A seat's priest turn begins; `effect` is that of its face-up special tile."""

    chain_limit: int
    effect: Effect | None

    def apply(self, state: State) -> State:
        turn = TurnState(chain_limit=self.chain_limit, effect_used=self.effect == "two_bonus")
        return replace(
            state, phase="place_priests", active_seat=self.seat, to_act=(self.seat,), turn_state=turn
        )


class TurnEnded(SeatFact[State], frozen=True):
    """A priest turn is over."""

    def apply(self, state: State) -> State:
        return replace(state, turn_state=None, active_seat=None, to_act=())


class FirstPlayerPassed(Fact[State], frozen=True):
    """The first player token goes to the next seat."""

    to: int

    def apply(self, state: State) -> State:
        return replace(state, first_player=self.to)


class IncompleteAwarded(Fact[State], frozen=True):
    """At the end an incomplete card gives its smaller points to whoever has most priests on it."""

    target: Target
    card: str
    winner: int
    points: int
    tie_broken: bool

    def apply(self, state: State) -> State:
        return state


class GameEnded(kernel.GameEnded[State], frozen=True):
    """The game is over, and every seat has its points."""

    breakdown: tuple[Score, ...]

    def apply(self, state: State) -> State:
        state = super().apply(state)
        scored = zip(state.players, self.breakdown, strict=True)
        return replace(state, players=tuple(replace(player, score=score) for player, score in scored))

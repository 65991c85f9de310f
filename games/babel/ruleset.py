"""Babel, for two: the rules as the rest of the system plays them."""

from collections.abc import Mapping
from typing import Any

from games.babel.abilities import (
    ChangeSides,
    DestroyTemple,
    ExpelNation,
    HalveHand,
    SkipLevel,
    StealLevel,
)
from games.babel.actions import BabelAction, Build, Deploy, Discard, EndTurn, Migrate, Move, Travel
from games.babel.bot import GreedyBot
from games.babel.box import COMPONENT_SETS, Options
from games.babel.facts import FACTS, GameEnded
from games.babel.legal import SENTENCES, legal_actions, refusal
from games.babel.position import set_up
from games.babel.state import State
from games.babel.table import Table
from games.babel.turns import check_end, end_turn
from games.babel.views import view
from games.chance import Chance
from games.kernel import Bot, Course, Fact, IllegalAction, Outcome, Ruleset, Seat, Viewer
from games.words import read_words


class Babel(Ruleset[State, BabelAction]):
    """Five sites, two builders; nations carry the temples, and tear them down."""

    name = "babel"
    version = 1
    seat_counts = range(2, 3)
    names = read_words("babel", "names.json")
    sentences = read_words("babel", "sentences.json")
    state_type = State
    options_type = Options
    action_types = (
        Travel,
        Deploy,
        Build,
        Migrate,
        DestroyTemple,
        StealLevel,
        ChangeSides,
        ExpelNation,
        SkipLevel,
        HalveHand,
        Discard,
        EndTurn,
    )
    fact_types = FACTS
    component_sets = COMPONENT_SETS

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        return set_up(options, position, chance)

    def carry_out(self, state: State, seat: Seat, action: BabelAction, chance: Chance) -> Course[State]:
        table = Table(state, seat)
        code = refusal(action, table)
        if code:
            raise IllegalAction(code, SENTENCES[code])
        course = Course(state)
        if isinstance(action, Move):
            for fact in action.facts(table):
                course.happens(fact)
            check_end(course)
        else:
            end_turn(course, chance)
        return course

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        return GameEnded(Outcome(winners, reason, tuple(player.total for player in state.players)))

    def legal_actions(self, state: State, seat: Seat) -> list[BabelAction]:
        return legal_actions(state, seat)

    def canonical(self, state: State, seat: Seat, action: BabelAction) -> BabelAction:
        """The order in which cards to discard are named does not matter (6.6)."""
        return Discard(tuple(sorted(action.nations))) if isinstance(action, Discard) else action

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """An action holds nothing hidden: everyone may see it whole (7)."""
        return action

    def view(self, state: State, viewer: Viewer) -> State:
        return view(state, viewer)

    def greedy_bot(self) -> Bot[State, BabelAction]:
        return GreedyBot()

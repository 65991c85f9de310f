"""Sa-Ré as the rest of the system plays it."""

from collections.abc import Mapping
from typing import Any

from games.chance import Chance
from games.kernel import Action, Bot, Course, Fact, IllegalAction, Outcome, Ruleset, Seat, Viewer
from games.sa_re import legal
from games.sa_re.actions import ACTION_TYPES
from games.sa_re.bot import GreedyBot
from games.sa_re.box import COMPONENT_SETS
from games.sa_re.end import score
from games.sa_re.facts import FACT_TYPES
from games.sa_re.facts.game import GameEnded, GameSetUp
from games.sa_re.flow import begin, go_on
from games.sa_re.legal import RULES
from games.sa_re.play import Play
from games.sa_re.position import opening_state
from games.sa_re.state import Options, State
from games.sa_re.views import view
from games.words import read_words

PLAYERS = COMPONENT_SETS[Options().component_set].box.players


class SaRe(Ruleset[State, Action]):
    """Build cities along the Nile, season by season, without driving the people to revolt."""

    name = "sa_re"
    version = 1
    seat_counts = range(PLAYERS.min, PLAYERS.max + 1)
    names = read_words("sa_re", "names.json")
    sentences = read_words("sa_re", "sentences.json")
    state_type = State
    options_type = Options
    action_types = ACTION_TYPES
    fact_types = FACT_TYPES
    component_sets = COMPONENT_SETS

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        state = opening_state(options, seats, chance, position)
        play = Play(state, chance)
        play.happens(GameSetUp(state))
        begin(play)
        return play.facts

    def carry_out(self, state: State, seat: Seat, action: Action, chance: Chance) -> Course[State]:
        rule = RULES[type(action)]
        objection = rule.against(state, seat, action)
        if objection:
            raise IllegalAction(*objection)
        play = Play(state, chance)
        rule.effect(play, seat, action)
        go_on(play)
        return play

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        scores = tuple(score(state, seat) for seat in range(len(state.players)))
        return GameEnded(Outcome(winners, reason, scores))

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        return list(legal.legal_actions(state, seat))

    def canonical(self, state: State, seat: Seat, action: Action) -> Action:
        return legal.canonical(action)

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """Every action is done in the open."""
        return action

    def view(self, state: State, viewer: Viewer) -> State:
        return view(state, viewer)

    def greedy_bot(self) -> Bot[State, Action]:
        return GreedyBot()

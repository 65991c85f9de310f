"""Aton by Thorsten Gimmler, for two: four cartouches, four temples."""

from games.aton import actions, facts
from games.aton.actions import AtonAction
from games.aton.bot import Greedy
from games.aton.box import COMPONENT_SETS
from games.aton.end import ending
from games.aton.legal import choices
from games.aton.prospects import PROSPECTS
from games.aton.setup import opening
from games.aton.state import Options, State
from games.aton.zones import ZONES
from games.kernel import Action, Fact, GameEnded, GameSetUp, Ruleset, kinds_in
from games.words import read_words

ATON = Ruleset[State, AtonAction](
    name="aton",
    version=1,
    seat_counts=range(2, 3),
    words=read_words("aton"),
    state_type=State,
    options_type=Options,
    action_types=kinds_in(Action, actions),
    fact_types=(GameSetUp, *kinds_in(Fact, facts), GameEnded),
    component_sets=COMPONENT_SETS,
    zones=ZONES,
    opening=opening,
    choices=choices,
    ending=ending,
    greedy=Greedy(),
    prospects=PROSPECTS,
)

"""Babel, for two: five sites, two builders; nations carry the temples, and tear them down."""

from dataclasses import replace

from games.babel import actions, facts, state, version_2
from games.babel.actions import BabelAction
from games.babel.bot import Greedy
from games.babel.box import COMPONENT_SETS
from games.babel.end import check_end, ending
from games.babel.legal import choices
from games.babel.prospects import PROSPECTS
from games.babel.setup import opening
from games.babel.zones import ZONES
from games.kernel import Fact, GameEnded, GameSetUp, Ruleset, kinds_in
from games.words import read_words

BABEL = Ruleset[state.State, BabelAction](
    name="babel",
    version=2,
    seat_counts=range(2, 3),
    words=read_words("babel"),
    state_type=version_2.State,
    options_type=version_2.Options,
    action_types=kinds_in(BabelAction, actions),
    fact_types=(GameSetUp, *kinds_in(Fact, facts), GameEnded),
    component_sets=COMPONENT_SETS,
    zones=ZONES,
    opening=opening,
    choices=choices,
    afterwards=check_end,
    ending=ending,
    greedy=Greedy(),
    prospects=PROSPECTS,
)

BABEL_1 = replace(BABEL, version=1, state_type=state.State, options_type=state.Options)
"""Without the option `begins`."""

"""Babel, for two: five sites, two builders; nations carry the temples, and tear them down."""

from games.babel.abilities import (
    ChangeSides,
    DestroyTemple,
    ExpelNation,
    HalveHand,
    SkipLevel,
    StealLevel,
)
from games.babel.actions import BabelAction, Build, Deploy, Discard, EndTurn, Migrate, Travel
from games.babel.bot import Greedy
from games.babel.box import COMPONENT_SETS
from games.babel.end import check_end, ending
from games.babel.facts import FACTS
from games.babel.legal import choices
from games.babel.setup import opening
from games.babel.state import Options, State
from games.babel.zones import ZONES
from games.kernel import Ruleset
from games.words import read_words

BABEL = Ruleset[State, BabelAction](
    name="babel",
    version=1,
    seat_counts=range(2, 3),
    words=read_words("babel"),
    state_type=State,
    options_type=Options,
    action_types=(
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
    ),
    fact_types=FACTS,
    component_sets=COMPONENT_SETS,
    zones=ZONES,
    opening=opening,
    choices=choices,
    afterwards=check_end,
    ending=ending,
    greedy=Greedy(),
)

"""Sa-Ré, for two to four: cities along the Nile, season by season, without driving the people to revolt."""

from dataclasses import replace

from games.kernel import Ruleset
from games.sa_re import state, version_2
from games.sa_re.actions import ACTIONS, SaReAction
from games.sa_re.bot import Greedy
from games.sa_re.box import COMPONENT_SETS
from games.sa_re.end import ending
from games.sa_re.facts import FACTS
from games.sa_re.flow import go_on
from games.sa_re.legal import choices
from games.sa_re.prospects import PROSPECTS
from games.sa_re.setup import opening
from games.sa_re.zones import ZONES
from games.words import read_words

SA_RE = Ruleset[state.State, SaReAction](
    name="sa_re",
    version=2,
    seat_counts=range(2, 5),
    words=read_words("sa_re"),
    state_type=version_2.State,
    options_type=version_2.Options,
    action_types=ACTIONS,
    fact_types=FACTS,
    component_sets=COMPONENT_SETS,
    zones=ZONES,
    opening=opening,
    choices=choices,
    afterwards=go_on,
    ending=ending,
    greedy=Greedy(),
    prospects=PROSPECTS,
)

SA_RE_1 = replace(SA_RE, version=1, state_type=state.State, options_type=state.Options)
"""Without the option `begins`, and with the first rulings on revolts and growth (Q33, Q36)."""

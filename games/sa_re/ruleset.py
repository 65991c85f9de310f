"""Sa-Ré, for two to four: cities along the Nile, season by season, without driving the people to revolt."""

from games.kernel import Ruleset
from games.sa_re.actions import ACTIONS, SaReAction
from games.sa_re.bot import Greedy
from games.sa_re.box import COMPONENT_SETS
from games.sa_re.end import ending
from games.sa_re.facts import FACTS
from games.sa_re.flow import go_on
from games.sa_re.legal import choices
from games.sa_re.prospects import PROSPECTS
from games.sa_re.setup import opening
from games.sa_re.state import Options, State
from games.sa_re.zones import ZONES
from games.words import read_words

SA_RE = Ruleset[State, SaReAction](
    name="sa_re",
    version=1,
    seat_counts=range(2, 5),
    words=read_words("sa_re"),
    state_type=State,
    options_type=Options,
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

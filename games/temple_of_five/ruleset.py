"""Temple of Five, for two to four: six rounds of building, and chains that send priests to the gods."""

from collections.abc import Mapping
from dataclasses import replace

from games.components import ComponentSet
from games.kernel import Action, Ruleset
from games.temple_of_five import state, version_2
from games.temple_of_five.actions import ACTIONS
from games.temple_of_five.bot import Greedy
from games.temple_of_five.box import COMPONENT_SETS, Box, put_on_shelf
from games.temple_of_five.end import ending
from games.temple_of_five.facts import FACTS
from games.temple_of_five.legal import choices
from games.temple_of_five.prospects import PROSPECTS
from games.temple_of_five.setup import opening
from games.temple_of_five.zones import ZONES
from games.words import read_words


def temple_of_five(
    component_sets: Mapping[str, ComponentSet[Box]] = COMPONENT_SETS,
) -> Ruleset[state.State, Action[state.State]]:
    """The game with the published component sets, and with others beside them."""
    put_on_shelf(component_sets)
    return Ruleset(
        name="temple_of_five",
        version=2,
        seat_counts=range(2, 5),
        words=read_words("temple_of_five"),
        state_type=version_2.State,
        options_type=version_2.Options,
        action_types=ACTIONS,
        fact_types=FACTS,
        component_sets={**COMPONENT_SETS, **component_sets},
        zones=ZONES,
        opening=opening,
        choices=choices,
        ending=ending,
        greedy=Greedy(),
        prospects=PROSPECTS,
    )


TEMPLE_OF_FIVE = temple_of_five()
TEMPLE_OF_FIVE_1 = replace(TEMPLE_OF_FIVE, version=1, state_type=state.State, options_type=state.Options)
"""Without the option `begins`."""

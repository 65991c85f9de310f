"""Words for people, in both languages."""

from games.temple_of_five.contents import EFFECTS, GODS
from games.temple_of_five.state import Player, State
from tests.games.temple_of_five.tables import RULESET

WORDLESS = {"options", "to_act", "turn_state", "players", "outcome", "surface", "levels"}
"""Members that a front end draws and never names."""


def test_everything_a_player_sees_has_a_word() -> None:
    zones = {*State.__struct_fields__, *Player.__struct_fields__} - WORDLESS
    zones = {zone for zone in zones if not zone.endswith("_count")} - {"phase"}
    phases = {"choose_goal", "exchange", "build", "place_priests", "ended"}
    reasons = {"symbol", "last_space", "effect", "final_scoring", "last_player", "resigned", "timed_out"}
    ties = {"priests_in_reserve", "shared"}
    options = set(RULESET.options_type.__struct_fields__) | {"single_colour", "effect", "mixed"}
    box = RULESET.component_sets["reconstructed_1"].box
    goals = {goal.id for side in box.ultimate_goal_card.values() for goal in side}
    wanted = zones | phases | reasons | ties | options | goals | {*GODS, *EFFECTS, *RULESET.component_sets}
    for language in ("en", "fr"):
        assert wanted - RULESET.names[language].keys() == set()

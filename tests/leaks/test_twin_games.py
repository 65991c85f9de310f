"""Two games that differ only in what a viewer cannot know look the same to it, byte for byte, at every step."""

import re
from itertools import count

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.api.client import Api
from tests.leaks.twins import PLACES, twins_at
from tests.rulesets.kit import Kit
from tests.rulesets.playing import each_kit, moments, randoms, unhurried

STEPS = 3
without_shrinking = (Phase.explicit, Phase.reuse, Phase.generate)
a_few_twins = settings(unhurried, max_examples=5, phases=without_shrinking)
games_made = count()


@each_kit
@a_few_twins
@given(data=st.data())
def test_nobody_can_tell_twin_games_apart(servers: tuple[Api, Api], kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    viewer = data.draw(st.sampled_from(moment.game.viewers))
    twins = twins_at(servers, moment, viewer, random, f"twins-{next(games_made)}")
    if twins is None:
        return
    twins.look()
    for _ in range(STEPS):
        step = next(twins.next_steps(), None)
        if step is None:
            break
        twins.act(*step)
        twins.glance()
    if twins.resign(random.randrange(moment.game.setting.seats)):
        twins.look()


def test_every_place_where_a_game_is_shown_is_looked_at(servers: tuple[Api, Api]) -> None:
    looked_at = {re.sub(r"/\d+", "/<>", place.partition("?")[0]) for place in PLACES}
    for route in servers[0].application.table.routes:
        if route.path.startswith("/v1/games/<game_id>") and route.method == "GET":
            path = route.path.partition("<game_id>")[2]
            assert re.sub(r"<[^>]*>", "<>", path) in looked_at, f"add {path} to PLACES"

"""What can happen in a game of Sa-Ré: one class a fact, as the specification's table lists them (7)."""

from typing import Any

from games.kernel import Fact, GameSetUp, SeatVacated, kinds_in
from games.sa_re.facts import construction, game, powers, season, sites

FACTS: tuple[type[Fact[Any]], ...] = (
    GameSetUp,
    SeatVacated,
    *kinds_in(Fact, game, sites, season, powers, construction),
)

"""What can happen, what it does to a state, and what of it is hidden from whom: the table of facts (7)."""

from typing import Any

from games.kernel import Fact, GameSetUp, SeatVacated, kinds_in
from games.temple_of_five.facts import building, course, priests

FACTS: tuple[type[Fact[Any]], ...] = (GameSetUp, SeatVacated, *kinds_in(Fact, course, building, priests))

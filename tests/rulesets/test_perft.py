"""The number of ways to play on from pinned positions."""

import pytest

from tests.rulesets.kit import Kit, Perft
from tests.rulesets.kits import KITS
from tests.rulesets.perft import perft

PINNED = [pytest.param(kit, pin, id=f"{kit}-{pin.name}") for kit in KITS for pin in kit.perft]


@pytest.mark.parametrize(("kit", "pin"), PINNED)
def test_there_are_as_many_sequences_of_actions_as_were_counted(kit: Kit, pin: Perft) -> None:
    assert perft(kit.ruleset, pin.setting, len(pin.counts)) == pin.counts

"""Types that many threads read for the first time at once."""

import pytest

from tests.crowd import survives

PREPARATION = """
import msgspec
from games import RULESETS
from services.core.warm_decoders import warm_decoders

warm_decoders(RULESETS)
types = [t for each in RULESETS for t in (each.state_type, each.options_type, each.facts_of_an_entry)]
"""


@pytest.mark.parametrize("_", range(3))
def test_threads_that_read_a_type_first_at_the_same_moment_do_not_end_the_process(_: int) -> None:
    """Without the look beforehand, nearly every such process dies of a segmentation fault."""
    assert survives(
        PREPARATION,
        first="types",
        attempt='msgspec.convert({"facts": [{"type": "none"}]}, each)',
        refusal="msgspec.ValidationError",
    )

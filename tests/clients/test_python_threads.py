"""The Python client in many threads that read each shape for the first time at once."""

import pytest

from tests.crowd import survives

PREPARATION = """
from msgspec import Struct
from stele_client import SteleError, models
from stele_client.calls import decoded

shapes = [each for each in vars(models).values() if isinstance(each, type) and issubclass(each, Struct)]
nested = b'{"curve": [{}], "decisions": [{}], "turning_points": [{}], "seats": [{}]}'
"""


@pytest.mark.parametrize("_", range(3))
def test_bots_in_threads_that_read_a_shape_first_at_the_same_moment_live_on(_: int) -> None:
    """Without the lock in `decoded`, nearly every such process dies of a segmentation fault."""
    assert survives(
        PREPARATION,
        first="(models.Review, *shapes)",
        attempt="decoded(nested, each)",
        refusal="SteleError",
    )

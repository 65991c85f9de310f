"""The Python client in many threads that read each shape for the first time at once: in a process of their own."""

import subprocess
import sys

import pytest

CROWD = """
import sys, threading
from msgspec import Struct
from stele_client import SteleError, models
from stele_client.calls import decoded

shapes = [each for each in vars(models).values() if isinstance(each, type) and issubclass(each, Struct)]
nested = b'{"curve": [{}], "decisions": [{}], "turning_points": [{}], "seats": [{}]}'
sys.setswitchinterval(5e-5)
together = threading.Barrier(8)

def read():
    together.wait()
    for shape in (models.Review, *shapes):
        try:
            decoded(nested, shape)
        except SteleError:
            pass

threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.parametrize("_", range(3))
def test_bots_in_threads_that_read_a_shape_first_at_the_same_moment_live_on(_: int) -> None:
    """Without the lock in `decoded`, nearly every such process dies of a segmentation fault."""
    ended = subprocess.run(
        [sys.executable, "-c", CROWD], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")

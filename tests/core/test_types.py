"""Types that many threads read for the first time at once: each in a process of its own, as a type is looked at only once."""

import subprocess
import sys

import pytest

CROWD = """
import sys, threading
import msgspec
from games import RULESETS
from services.core.types import look_at_all_types

look_at_all_types(RULESETS)
types = [t for each in RULESETS for t in (each.state_type, each.options_type, each.facts_of_an_entry)]
sys.setswitchinterval(5e-5)
together = threading.Barrier(4)

def read():
    together.wait()
    for each in types:
        try:
            msgspec.convert({"facts": [{"type": "none"}]}, each)
        except msgspec.ValidationError:
            pass

threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.parametrize("_", range(3))
def test_threads_that_read_a_type_first_at_the_same_moment_do_not_end_the_process(_: int) -> None:
    """Without the look beforehand, nearly every such process dies of a segmentation fault."""
    ended = subprocess.run(
        [sys.executable, "-c", CROWD], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")

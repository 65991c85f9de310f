"""Node and boardgame.io for the benchmarks."""

import sys
from functools import cache
from pathlib import Path

from tests.node import CannotFetch, bring_packages
from tests.node import node as find_node

LOADER = Path(__file__).parent / "loader"
HOME = Path(sys.prefix) / "bench"
"""Where the packages of npm are kept between runs: beside those of Python."""
PACKAGES = {"BENCH_PACKAGES": f"{HOME}/", "NODE_ENV": "production"}
"""What programs that need them find them by."""


class CannotMeasure(Exception):
    """Something is missing that a measurement needs; one sentence says what to do."""


@cache
def node() -> str:
    """The command `node`."""
    try:
        return find_node()
    except CannotFetch as problem:
        raise CannotMeasure(str(problem)) from None


def install() -> None:
    """Bring boardgame.io and its client, as the lock file has them, unless they are there."""
    try:
        bring_packages(LOADER, HOME)
    except CannotFetch as problem:
        raise CannotMeasure(str(problem)) from None

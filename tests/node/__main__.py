"""Brings what the tests need from npm, and unpacks the browser."""

import shutil
import sys

from tests.chromium import INSTALLED
from tests.node import HERE, PACKAGES, CannotFetch, bring_packages, fetch, node, node_environment


def main() -> None:
    bring_packages(HERE, PACKAGES)
    script = shutil.copy(HERE / "unpack.mjs", PACKAGES)  # it finds the package from there
    fetch([node(), str(script), str(INSTALLED)], node_environment(), "The browser could not be unpacked")


if __name__ == "__main__":
    try:
        main()
    except CannotFetch as problem:
        sys.exit(str(problem))

"""`make release`: build every artefact into a folder, and try each from there. `python -m tests.release dist`."""

import sys
import tempfile
from pathlib import Path

from tests.release.artefacts import build_all
from tests.release.trial import try_all


def main(folder: Path) -> None:
    for artefact in build_all(folder):
        print(f"built {artefact}")
    with tempfile.TemporaryDirectory() as scratch:
        for tried in try_all(folder, Path(scratch)):
            print(f"works {tried}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

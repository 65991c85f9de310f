"""Writes stele-board.js, as the server serves it: into this package, before `npm publish`, or into another folder."""

import sys
from pathlib import Path

from services.api.page import ELEMENT, site

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / Path(ELEMENT).name).write_bytes(site().files[ELEMENT].body)

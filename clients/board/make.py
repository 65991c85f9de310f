"""Writes stele-board.js, as the server serves it, into this package: `npm pack` calls it."""

from pathlib import Path

from services.api.page import ELEMENT, site

if __name__ == "__main__":
    Path(__file__).with_name(Path(ELEMENT).name).write_bytes(site().files[ELEMENT].body)

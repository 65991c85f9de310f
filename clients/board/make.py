"""Writes stele-board.js, as the server serves it, into this package: `npm pack` calls it."""

from pathlib import Path

from services.api.element import NAME, element_file

if __name__ == "__main__":
    Path(__file__).with_name(NAME).write_bytes(element_file().body)

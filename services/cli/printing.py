"""Board images as files: SVG as it is, or rendered to PNG."""

from pathlib import Path

from services.core.rasterizing import pixels

STILLS = (".svg", ".png")
FILMS = (".gif", ".webp")


def print_still(svg: str, file: Path, width: int) -> None:
    """One picture, as the file's name says."""
    if file.suffix == ".svg":
        file.write_text(svg, encoding="utf-8")
    else:
        file.write_bytes(pixels(svg, width))

"""Board images as files: SVG as it is, or rendered to PNG. Fonts are a dependency, so that every machine prints the same."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import resvg_py

STILLS = (".svg", ".png")
FILMS = (".gif", ".webp")
FONTS = {"font_source_sans_pro": "SourceSansPro-{}.ttf", "font_source_serif_pro": "SourceSerifPro-{}.ttf"}


def pixels(svg: str, width: int) -> bytes:
    """A picture as PNG. What our fonts cannot write (they know Latin letters) is left to those of the machine."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=_fonts(),
        skip_system_fonts=all(ord(letter) < 0x250 or letter in "–—−…·’" for letter in svg),
        sans_serif_family="Source Sans Pro",
        serif_family="Source Serif Pro",
    )


@cache
def _fonts() -> list[str]:
    files = []
    for package, file in FONTS.items():
        spec = find_spec(package)
        assert spec is not None  # a dependency
        assert spec.origin is not None
        folder = Path(spec.origin).parent / "files"
        files += [str(folder / file.format(weight)) for weight in ("Regular", "Bold")]
    return files


def print_still(svg: str, file: Path, width: int) -> None:
    """One picture, as the file's name says."""
    if file.suffix == ".svg":
        file.write_text(svg, encoding="utf-8")
    else:
        file.write_bytes(pixels(svg, width))

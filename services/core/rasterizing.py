"""SVG to PNG, by resvg. Fonts are a dependency, so that every machine draws the same."""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import resvg_py

from games.kernel import Refusal
from services.core.child_process import ChildFailed, ChildProcess

FONTS = {"font_source_sans_pro": "SourceSansPro-{}.ttf", "font_source_serif_pro": "SourceSerifPro-{}.ttf"}
MAX_SECONDS = 20.0
MAX_MEMORY = 1 << 30

Rasterizer = Callable[[str, int], bytes]
"""Makes a PNG of an SVG, so many pixels wide."""


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


class SandboxedRasterizer:
    """Rasterizes in a process of its own: resvg holds the interpreter's lock, and with it the event loop."""

    def __init__(self) -> None:
        self._process = ChildProcess(MAX_SECONDS, MAX_MEMORY)

    def __call__(self, svg: str, width: int) -> bytes:
        try:
            return self._process.run(pixels, svg, width)
        except ChildFailed:
            raise Refusal("busy", "The picture could not be drawn in time. Try again soon.") from None

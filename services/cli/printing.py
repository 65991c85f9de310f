"""Pictures as files: an SVG as it is or as pixels, a whole game as a film. Fonts come with us, so that every machine
prints the same."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image

STILLS = (".svg", ".png")
FILMS = (".gif", ".webp")
FONTS = {"font_source_sans_pro": "SourceSansPro-{}.ttf", "font_source_serif_pro": "SourceSerifPro-{}.ttf"}
LAST_SECONDS = 4.0
"""How long a film rests on its end."""


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


def print_film(draw: Callable[[int], str], count: int, file: Path, width: int, seconds: float) -> None:
    """Pictures 0 to `count` one after another, each for so long, over and over; drawn while the film is written."""
    durations = [round(seconds * 1000)] * (count - 1) + [round(LAST_SECONDS * 1000)]
    frames = (_image(draw(at), width) for at in range(count))
    how: dict[str, Any] = {"quality": 85, "method": 3}
    if file.suffix == ".gif":
        palette = _palette([_image(draw(at), width) for at in sorted({0, count // 2, count - 1})])
        frames = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in frames)
        how = {"optimize": False}
    next(frames).save(file, save_all=True, append_images=frames, duration=durations, loop=0, **how)


def _image(svg: str, width: int) -> Image.Image:
    return Image.open(BytesIO(pixels(svg, width))).convert("RGB")


def _palette(images: Sequence[Image.Image]) -> Image.Image:
    """The 256 colours of a GIF: one choice for all its pictures, which keeps what rests at rest."""
    width, height = images[0].size
    together = Image.new("RGB", (width, height * len(images)))
    for at, image in enumerate(images):
        together.paste(image, (0, height * at))
    return together.quantize(256, dither=Image.Dither.NONE)

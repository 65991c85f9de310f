"""Films of games: animated GIF and WebP files, one frame per version."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from services.core.rasterizing import pixels

LAST_SECONDS = 4.0
"""How long a film rests on its end."""


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

"""The emblem of a game: a small square SVG (`emblem.svg` in its package); a game without one of its own has a stele."""

from functools import cache
from importlib.resources import files
from importlib.util import find_spec


@cache
def emblem_of(game: str) -> str:
    """The emblem of a game as SVG text."""
    own = f"games.{game}"
    package = own if find_spec(own) and files(own).joinpath("emblem.svg").is_file() else "games"
    return files(package).joinpath("emblem.svg").read_text(encoding="utf-8")

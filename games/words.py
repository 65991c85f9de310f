"""Words for people, as data beside the rules: what things are called, and how facts are told."""

from importlib.resources import files
from typing import Any

import msgspec


def read_words(game: str, file: str) -> dict[str, dict[str, Any]]:
    """A file of words in a game's package: by language, then by what they are for."""
    source = files(f"games.{game}").joinpath(file).read_bytes()
    return msgspec.json.decode(source, type=dict[str, dict[str, Any]])

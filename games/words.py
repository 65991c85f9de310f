"""Words for people, as data beside the rules: what things are called, how facts are told, why actions are refused."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from games.kernel import Ruleset


class Words(NamedTuple):
    """All the words of one game in one language."""

    names: Mapping[str, str]
    """Labels, by id: what stands on a button or above a pile. `obelisk.revolt` is the value `revolt` of `obelisk`."""
    nouns: Mapping[str, Any]
    """Things as they stand inside a sentence, by id: one, several, and how they are counted."""
    sentences: Mapping[str, Any]
    """How facts are told, by type; parts of sentences begin with a dot (see docs/sentences.md)."""
    refusals: Mapping[str, Any]
    """Why an action is refused, by code."""


def read_words(game: str, file: str) -> dict[str, dict[str, Any]]:
    """A file of words in a game's package: by language, then by what they are for."""
    source = files(f"games.{game}").joinpath(file).read_bytes()
    return msgspec.json.decode(source, type=dict[str, dict[str, Any]])


def words_of(ruleset: Ruleset[Any, Any], language: str) -> Words:
    """The words of a ruleset: those it names, and the files that lie in its package."""
    return Words(
        ruleset.names.get(language, {}),
        _beside(ruleset.name, "nouns.json").get(language, {}),
        ruleset.sentences.get(language, {}),
        _beside(ruleset.name, "refusals.json").get(language, {}),
    )


@cache
def _beside(game: str, file: str) -> dict[str, dict[str, Any]]:
    """A file of words, or nothing if a game has none."""
    return read_words(game, file) if find_spec(f"games.{game}") else {}

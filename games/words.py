"""Words for people, as data beside the rules: what things are called, how facts are told, why actions are refused."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
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
    return _read(f"games.{game}", file)


def words_of(ruleset: Ruleset[Any, Any], language: str) -> Words:
    """The words of a ruleset: those it names, and the files that lie beside it."""
    package = type(ruleset).__module__.rpartition(".")[0]
    return Words(
        ruleset.names.get(language, {}),
        _beside(package, "nouns.json").get(language, {}),
        ruleset.sentences.get(language, {}),
        _beside(package, "refusals.json").get(language, {}),
    )


@cache
def _beside(package: str, file: str) -> dict[str, dict[str, Any]]:
    return _read(package, file) if files(package).joinpath(file).is_file() else {}


def _read(package: str, file: str) -> dict[str, dict[str, Any]]:
    source = files(package).joinpath(file).read_bytes()
    return msgspec.json.decode(source, type=dict[str, dict[str, Any]])

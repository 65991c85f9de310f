"""Words for people, as data beside the rules: what things are called, how facts are told, why actions are refused."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

_BEFORE_HIGH_SIGNS = re.compile(r" (?=[;:!?»])|(?<=«) ")
LANGUAGES = ("en", "fr")
_NO_WORDS: Mapping[str, Any] = {}


class Words(NamedTuple):
    """All the words of one game in one language."""

    names: Mapping[str, str] = _NO_WORDS
    """Labels, by id: what stands on a button or above a pile. `obelisk.revolt` is the value `revolt` of `obelisk`."""
    nouns: Mapping[str, Any] = _NO_WORDS
    """Things as they stand inside a sentence, by id: one, several, and how they are counted."""
    sentences: Mapping[str, Any] = _NO_WORDS
    """How facts are told, by type; parts of sentences begin with a dot (see docs/sentences.md)."""
    refusals: Mapping[str, Any] = _NO_WORDS
    """Why an action is refused, by code."""


def read_words(game: str) -> dict[str, Words]:
    """The words of a game, by language, from the files in its package that are named after them."""
    texts = {kind: _read(f"games.{game}", f"{kind}.json") for kind in Words._fields}
    return {
        language: Words(**{kind: text.get(language, {}) for kind, text in texts.items()})
        for language in LANGUAGES
    }


def typeset(text: str, language: str) -> str:
    """A text as it is printed: in French the space before `; : ! ? »` and after `«` does not break."""
    return _BEFORE_HIGH_SIGNS.sub("\u00a0", text) if language == "fr" else text


def _read(package: str, file: str) -> dict[str, dict[str, Any]]:
    source = files(package).joinpath(file)
    return (
        msgspec.json.decode(source.read_bytes(), type=dict[str, dict[str, Any]]) if source.is_file() else {}
    )

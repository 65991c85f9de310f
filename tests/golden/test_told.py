"""The golden stories are what is told today, and read as text without traces of data."""

import re

import pytest

from replays.narration import LANGUAGES
from tests.golden.told import STORIES, path_of, story

ID = re.compile(r"\b[a-z]+_[a-z0-9_]+\b|\b[dts]\d-?\d\d\b|[{}|]|\bNone\b|\bnull\b|  \S.*  |\.\.")
"""What only a machine would write."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", sorted(STORIES))
def test_a_whole_game_is_told_as_it_was_read_and_found_good(ruleset: str, language: str) -> None:
    assert story(ruleset, language) == path_of(ruleset, language).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", sorted(STORIES))
def test_no_id_is_left_in_a_story(ruleset: str, language: str) -> None:
    assert ID.findall(path_of(ruleset, language).read_text(encoding="utf-8")) == []

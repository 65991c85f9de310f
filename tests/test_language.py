"""The terms of the field, not a language of our own: names and words that were replaced do not come back."""

import re

from tests.test_names import PACKAGES, ROOT, modules_by_name

RETIRED_NAMES = {
    "AWAY", "Aside", "Behind", "Copies", "Couriers", "Diverged", "Doorkeeper", "HANDOFF", "Layout", "Nowhere",
    "Pauses", "Resting", "Scribe", "Signs", "Tap", "ThisRequest", "Unwilling", "WEATHER", "Wire", "Workshop", "elsewhere",
    "governs", "leash", "sick_until",
}  # fmt: skip
"""Names that modules defined in 0.2.0."""
RETIRED_MODULES = {
    "acts", "answers", "cadence", "callers", "changing", "crowd", "door", "examining", "happenings", "holding", "lanes",
    "leash", "line", "lines", "ours", "owed", "packing", "promises", "recent", "rewinds", "rubbish", "scribe", "situation",
    "tail", "thought", "wanted", "weather", "ways",
}  # fmt: skip
RETIRED_WORDS = re.compile(r"\b(?:couriers?|doorkeeper|leash|rubbish|weather|workshop)\b", re.IGNORECASE)
"""Words that only the authors understood."""
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_no_name_that_was_replaced_is_defined_again() -> None:
    assert RETIRED_NAMES & modules_by_name().keys() == set()
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    assert [str(path.relative_to(ROOT)) for path in paths if path.stem in RETIRED_MODULES] == []


def test_no_page_uses_a_word_that_was_replaced() -> None:
    found = {page.name: RETIRED_WORDS.findall(page.read_text(encoding="utf-8")) for page in PAGES}
    assert {page: words for page, words in found.items() if words} == {}


def test_replaced_words_are_found_wherever_they_stand() -> None:
    assert RETIRED_WORDS.findall("Weather, and couriers on a leash.") == ["Weather", "couriers", "leash"]

"""Text of others for a terminal: nothing that a player or a record has written reaches it as a command."""

from unicodedata import category

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
UNPRINTABLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Control characters (escape sequences begin with one), marks that turn the direction of text, and line separators."""


def without_control(text: str) -> str:
    """The text with a mark in the place of every character that a terminal would obey."""
    return "".join(REPLACEMENT if category(letter) in UNPRINTABLE else letter for letter in text)

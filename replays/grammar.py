"""What a template cannot know of a language: articles, number, counting, lists, and in French elision.

`web/words.js` has the same rules for browsers; both are held to `docs/test-vectors/sentences.json`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from games.words import typeset


@dataclass(frozen=True)
class Noun:
    """A thing as it stands in a sentence."""

    one: str
    many: str
    feminine: bool = False
    uncounted: bool = False
    """Cannot be counted by words: some wood, 2 wood."""
    always_many: bool = False
    """Is plural even if there is one: the Gardens."""
    proper: bool = False
    """Takes no article: Hoshekh."""

    @classmethod
    def read(cls, data: str | Mapping[str, Any]) -> "Noun":
        """A noun of a file of words: text alone is a name that takes no article."""
        if isinstance(data, str):
            return cls(data, data, proper=True)
        one = data["one"]
        kind = data.get("kind")
        return cls(
            one,
            data.get("many", one if kind == "uncounted" else f"{one}s"),
            feminine=data.get("gender") == "f",
            uncounted=kind == "uncounted",
            always_many=kind == "plural",
            proper=kind == "proper",
        )

    @property
    def bare(self) -> str:
        """The noun alone, in the number it has by itself."""
        return self.many if self.always_many else self.one


class Grammar(ABC):
    """One language."""

    numbers: ClassVar[Sequence[str]]
    conjunction: ClassVar[str]
    semicolon: ClassVar[str]
    colon: ClassVar[str]

    @abstractmethod
    def indefinite(self, noun: Noun) -> str:
        """A thing, one of its kind; some of what is not counted."""

    @abstractmethod
    def definite(self, noun: Noun, *, many: bool) -> str:
        """The thing, or the things."""

    @abstractmethod
    def numeral(self, number: int, noun: Noun) -> str:
        """A number before this noun, a small one in words."""

    @abstractmethod
    def is_singular(self, number: int) -> bool:
        """Does a verb or noun stand in the singular beside this number?"""

    @abstractmethod
    def join(self, text: str, filling: str, *, article: bool, person: bool) -> str:
        """A text and what fills the blank after it; with an article it may flow into the word before."""

    @abstractmethod
    def polish(self, literal: str) -> str:
        """The fixed text of a template as it is printed."""

    def counted(self, number: int, noun: Noun) -> str:
        """So many of a thing, small numbers in words."""
        if noun.uncounted:
            return f"{number} {noun.one}"
        if number == 1 and (noun.always_many or noun.proper):
            return noun.bare
        return f"{self.numeral(number, noun)} {noun.one if self.is_singular(number) else noun.many}"

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row: one, two and three."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self.conjunction} {words[-1]}"


class English(Grammar):
    """English."""

    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")  # fmt: skip
    conjunction = "and"
    semicolon = "; "
    colon = ": "

    def indefinite(self, noun: Noun) -> str:
        if noun.proper or noun.uncounted or noun.always_many:
            return noun.bare
        return f"{'an' if noun.one[0].lower() in 'aeiou' else 'a'} {noun.one}"

    def definite(self, noun: Noun, *, many: bool) -> str:
        word = noun.many if many else noun.bare
        return word if noun.proper else f"the {word}"

    def numeral(self, number: int, noun: Noun) -> str:
        return self.numbers[number] if number < len(self.numbers) else str(number)

    def is_singular(self, number: int) -> bool:
        return number == 1

    def join(self, text: str, filling: str, *, article: bool, person: bool) -> str:
        return text + filling

    def polish(self, literal: str) -> str:
        return literal


class French(Grammar):
    """French."""

    numbers = ("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze")  # fmt: skip
    conjunction = "et"
    semicolon = "\u00a0; "
    colon = "\u00a0: "

    _vowel = re.compile(r"(?!onze\b)[aàâäeéèêëiîïoôöuùûüœæ]|y(?![aeiou])", re.IGNORECASE)
    _person = re.compile(r"[aàâäeéèêëiîïoôöuùûüœæ]|y(?![aeiou])|h[éèêeiouy]", re.IGNORECASE)
    _elided = re.compile(
        r"(?:^|(?<=[\s('’]))(d(?=e)|qu(?=e)|l(?=[ea])|s(?=e)|n(?=e)|j(?=e))[ea] $", re.IGNORECASE
    )
    _before_an_article = re.compile(r"(?:^|(?<=[\s('’]))(de|à) $", re.IGNORECASE)
    _flowing: ClassVar = {
        ("de", "le"): "du",
        ("de", "les"): "des",
        ("de", "des"): "des",
        ("à", "le"): "au",
        ("à", "les"): "aux",
    }

    def indefinite(self, noun: Noun) -> str:
        if noun.proper:
            return noun.one
        if noun.always_many:
            return f"des {noun.many}"
        if noun.uncounted:
            return (
                f"de l'{noun.one}"
                if self._vowel.match(noun.one)
                else f"{'de la' if noun.feminine else 'du'} {noun.one}"
            )
        return f"{'une' if noun.feminine else 'un'} {noun.one}"

    def definite(self, noun: Noun, *, many: bool) -> str:
        if noun.proper:
            return noun.many if many else noun.one
        if many or noun.always_many:
            return f"les {noun.many}"
        if self._vowel.match(noun.one):
            return f"l'{noun.one}"
        return f"{'la' if noun.feminine else 'le'} {noun.one}"

    def numeral(self, number: int, noun: Noun) -> str:
        word = self.numbers[number] if number < len(self.numbers) else str(number)
        return f"{word}e" if number < 2 and noun.feminine else word

    def is_singular(self, number: int) -> bool:
        return number < 2

    def join(self, text: str, filling: str, *, article: bool, person: bool) -> str:
        before = self._before_an_article.search(text) if article else None
        first, _, rest = filling.partition(" ")
        if before and (before[1].lower(), first) in self._flowing:
            return (
                f"{text[: before.start()]}{_like(before[1], self._flowing[before[1].lower(), first])} {rest}"
            )
        vowel = self._person if person else self._vowel
        elided = self._elided.search(text) if vowel.match(filling) else None
        return f"{text[: elided.start()]}{elided[1]}'{filling}" if elided else text + filling

    def polish(self, literal: str) -> str:
        return typeset(literal, "fr")


def _like(model: str, word: str) -> str:
    """A word that begins as another one does, with a capital or not."""
    return word.capitalize() if model[0].isupper() else word


GRAMMARS: Mapping[str, Grammar] = {"en": English(), "fr": French()}

"""The template language of sentences, `stele-sentences-1`; docs/sentences.md tells it to those who write or render them.

A template is text with blanks, `{path}` or `{path:way}`, or a list of cases: pairs of conditions and a template, and
last the template for all else. It is filled from *members*: those of a fact, and `view` and `before`, the game as it
stands after and before what happened.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from games.words import Words
from replays.grammar import GRAMMARS, Noun

SENTENCES_FORMAT = "stele-sentences-1"
SEAT_MEMBERS = frozenset({"seat", "victim", "owner", "winner", "first_seat", "first_player", "target_seat"})
"""Members that always name a player."""
BLANK = re.compile(r"\{([^{}:]+)(?::([^{}]*))?\}")
FINAL_NUMBER = re.compile(r"\d+$")
FINAL_FIGURE = re.compile(r"[0-9]$")

Members = Mapping[str, Any]


class Filling(NamedTuple):
    """What stands in a blank, and what the word before it must know of it."""

    text: str
    article: bool = False
    person: bool = False


class Sentences:
    """Fills templates in one language, with the words of one game and the names of its players."""

    def __init__(self, words: Words, language: str, players: Sequence[str | None]) -> None:
        self.grammar = GRAMMARS[language]
        self.names = words.names
        self.nouns = words.nouns
        self.templates = words.sentences
        self.players = players

    def sentence(self, template: Any, members: Members) -> str:
        """A filled template that begins with a capital, unless a player's name says otherwise; may be empty."""
        text = self.fill(template, members)
        begins_with_a_name = any(name and text.startswith(name) for name in self.players)
        return text if begins_with_a_name else text[:1].upper() + text[1:]

    def fill(self, template: Any, members: Members) -> str:
        """A template with everything filled in."""
        text = ""
        for literal, path, way in _parsed(_choose(template, members)):
            text += self.grammar.polish(literal)
            if path is not None:
                filling = self._blank(path, way, members)
                text = self.grammar.join(text, filling.text, article=filling.article, person=filling.person)
        return text

    # -- blanks -------------------------------------------------------------------------------------------------------

    def _blank(self, path: str, way: str, members: Members) -> Filling:
        if path.startswith("."):
            return Filling(self.fill(self.templates[path], members))
        value = look(members, path)
        if value is None:
            return Filling(self.word("hidden"))
        if way == "player" or (not way and path.rpartition(".")[2] in SEAT_MEMBERS):
            return Filling(self.player(value), person=True)
        if "|" in way:
            singular, plural = way.split("|")
            return Filling(singular if self.grammar.is_singular(_number(value)) else plural)
        kind, _, argument = way.partition(" ")
        return self._told(value, path, kind, argument, members) or Filling(
            self.thing(value, path, way), article=bool(way)
        )

    def _told(self, value: Any, path: str, kind: str, argument: str, members: Members) -> Filling | None:
        """A value told in one of the ways that are more than an article."""
        match kind:
            case "players":
                return Filling(self.grammar.listed([self.player(seat) for seat in value]), person=True)
            case "by_seat":
                return Filling(self._by_seat(value, path, argument), person=True)
            case "each":
                return Filling(self.grammar.semicolon.join(self._items(value, argument, members)))
            case "n" if argument:
                counted = look(members, argument[1:-1]) if argument.startswith("[") else argument
                return Filling(self.grammar.counted(_number(value), self.noun(counted)))
            case "n":
                return Filling(self._counted(value, path))
            case "text":
                return Filling(str(value))
            case "as":
                return Filling(self.noun(str(value), argument).bare)
        return None

    def _by_seat(self, values: Sequence[Any], path: str, member: str) -> str:
        """Each player and what is theirs, or this member of it; a name that ends in a figure is set off from numbers."""
        players = [self.player(seat) for seat in range(len(values))]
        between = self.grammar.colon if any(map(FINAL_FIGURE.search, players)) else " "
        things = [self.thing(look(each, member) if member else each, path) for each in values]
        parts = [f"{player}{between}{thing}" for player, thing in zip(players, things, strict=True)]
        return self.grammar.semicolon.join(parts)

    def _items(self, values: Sequence[Any], part: str, members: Members) -> list[str]:
        """A part of a sentence, filled for each item; those that come out empty are left out."""
        texts = []
        for index, value in enumerate(values):
            own = value if isinstance(value, Mapping) else {"value": value}
            texts.append(self.fill(self.templates[part], {**members, "index": index, **own}))
        return [text for text in texts if text]

    def _counted(self, values: Sequence[str] | Mapping[str, int], path: str) -> str:
        """Equal things together, in the order of the first of each: three Hittites and one Mede."""
        counts: dict[Noun, int] = {}
        numbers = values.items() if isinstance(values, Mapping) else ((value, 1) for value in values)
        for value, number in numbers:
            noun = self.noun(value, path)
            counts[noun] = counts.get(noun, 0) + number
        if not counts:
            return self.word("nothing")
        return self.grammar.listed([self.grammar.counted(count, noun) for noun, count in counts.items()])

    # -- words --------------------------------------------------------------------------------------------------------

    def word(self, name: str) -> str:
        """A word of the language itself."""
        return Noun.read(self.nouns[f"word.{name}"]).one

    def player(self, seat: int) -> str:
        """Who sits there; a seat whose name is not known goes by its number."""
        return self.players[seat] or self.word("seat").replace("{seat}", str(seat))

    def thing(self, value: Any, path: str, way: str = "") -> str:
        """A value inside a sentence; the items of a list one by one."""
        if value is None:
            return self.word("hidden")
        if isinstance(value, str):
            return self._article(self.noun(value, path), way)
        if isinstance(value, Sequence):
            return self.grammar.listed([self.thing(each, path, way) for each in value]) or self.word(
                "nothing"
            )
        return str(value)

    def _article(self, noun: Noun, way: str) -> str:
        match way:
            case "a":
                return self.grammar.indefinite(noun)
            case "the":
                return self.grammar.definite(noun, many=False)
            case "the many":
                return self.grammar.definite(noun, many=True)
            case "many":
                return noun.many
        return noun.bare

    def noun(self, word: str, path: str = "") -> Noun:
        """The noun of an id, as a value of its member if that has one of its own; `red_*` is red with any number."""
        for key in (*_keys(word, path), FINAL_NUMBER.sub("*", word)):
            if key in self.nouns:
                return Noun.read(self.nouns[key])
        return Noun.read(self.name(word, path))

    def name(self, word: str, path: str = "") -> str:
        """The label of an id, as a value of its member if that has one of its own."""
        return next((self.names[key] for key in _keys(word, path) if key in self.names), word)

    def label(self, word: str, path: str = "") -> str:
        """The label of an id, or of a thing that has none, the noun."""
        return next(
            (self.names[key] for key in _keys(word, path) if key in self.names), self.noun(word, path).bare
        )


def _keys(word: str, path: str) -> tuple[str, str, str]:
    """Where a word is looked up: as a value at its whole path, as a value of its member, by itself."""
    return f"{path}.{word}", f"{path.rpartition('.')[2]}.{word}", word


def look(members: Any, path: str) -> Any:
    """What a path leads to: members, items of lists, `#` for a length, `[name]` for the item that a member numbers."""
    if path.isdecimal():
        return int(path)
    value = members
    for step in path.split("."):
        key: Any = look(members, step[1:-1]) if step.startswith("[") else step
        if isinstance(value, Mapping):
            value = value.get(str(key))
        elif not isinstance(value, Sequence) or isinstance(value, str):
            return None
        elif key == "#":
            value = len(value)
        else:
            value = value[int(key)] if int(key) < len(value) else None
    return value


def _choose(template: Any, members: Members) -> str:
    """The text of the first case that fits."""
    while not isinstance(template, str):
        *cases, otherwise = template
        fitting = (text for conditions, text in cases if _holds(conditions, members))
        template = next(fitting, otherwise)
    return template


def _holds(conditions: Mapping[str, Any], members: Members) -> bool:
    """Every path leads to the value that stands beside it, or `=path`, to what another path leads to."""
    return all(look(members, path) == _wanted(value, members) for path, value in conditions.items())


def _wanted(value: Any, members: Members) -> Any:
    return look(members, value[1:]) if isinstance(value, str) and value.startswith("=") else value


def _number(value: Any) -> int:
    return value if isinstance(value, int) else len(value)


@lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Literal text, and the path and way of the blank after it; the last one has none."""
    pieces: list[tuple[str, str | None, str]] = []
    end = 0
    for blank in BLANK.finditer(template):
        pieces.append((template[end : blank.start()], blank[1], blank[2] or ""))
        end = blank.end()
    return (*pieces, (template[end:], None, ""))

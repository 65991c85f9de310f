"""Telling a game in sentences: templates in each game's `sentences.json`, words from its `names.json`.

A template is a sentence with members in braces. `{nation}` is a member as people call it, `{outcome.reason}` a member
of a member. What follows a colon says how it is told: `player` and `players` name seats, `by_seat` tells a list with
an item for each seat, `small` begins in lower case, and `card|cards` chooses by number (or by length) between one and
several. Where one sentence does not do, a list of cases stands: pairs of the members that must be equal and the
sentence for it, and last the sentence for all else. What a viewer may not see is told as hidden.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from games.kernel import Ruleset

LANGUAGES = ("en", "fr")
COMMON: Mapping[str, Any] = msgspec.json.decode(files("replays").joinpath("sentences.json").read_bytes())
SEATS = frozenset({"seat", "victim", "owner", "winner", "first_seat", "first_player", "target_seat"})
"""Members that always name a player."""
BLANK = re.compile(r"\{([a-z_.]+)(?::([^}]*))?\}")


class Untold(LookupError):
    """Something that no sentence tells."""


class Teller:
    """Tells the events of one game in one language."""

    def __init__(self, ruleset: Ruleset[Any, Any], language: str, players: Sequence[str | None]) -> None:
        self.common = COMMON[language]
        self.facts = {**self.common["facts"], **ruleset.sentences.get(language, {})}
        self.names = ruleset.names[language]
        self.language = language
        self.players = players

    # -- what happened ------------------------------------------------------------------------------------------------

    def event(self, event: Mapping[str, Any]) -> list[str]:
        """An event in sentences: what was done, then what came of it."""
        data = event["data"]
        told = [] if event["type"] == "action_taken" else [self.entry(event["type"], data)]
        return told + [self.fact(fact) for fact in data.get("facts", ())]

    def entry(self, kind: str, data: Mapping[str, Any]) -> str:
        """What an entry other than an action did to the game."""
        return self._tell(self.common["entries"], kind, data)

    def fact(self, fact: Mapping[str, Any]) -> str:
        """A fact, as a sentence."""
        return self._tell(self.facts, fact["type"], fact)

    def headline(self, event: Mapping[str, Any]) -> str:
        """Who did what kind of thing."""
        action = event["data"].get("action")
        actor = self.actor(event["actor"])
        return f"{actor} · {self.word(action['type'])}" if action else actor

    def actor(self, actor: Mapping[str, Any]) -> str:
        """Who did something."""
        ((kind, who),) = actor.items()
        match kind:
            case "seat":
                return self.player(who)
            case "host":
                return str(self.common["words"]["host"]).format(host=who)
            case "system":
                return str(self.common["words"][who])
        return str(self.common["words"][kind])

    def _tell(self, sentences: Mapping[str, Any], kind: str, members: Mapping[str, Any]) -> str:
        try:
            template = sentences[kind]
        except KeyError:
            raise Untold(f"no sentence tells {kind!r} in {self.language!r}") from None
        if not isinstance(template, str):
            template = _choose(template, members)
        told = BLANK.sub(lambda blank: self._fill(blank[1], blank[2], members), template)
        begins_with_a_name = any(name and told.startswith(name) for name in self.players)
        return told if begins_with_a_name else told[:1].upper() + told[1:]

    # -- members in words ---------------------------------------------------------------------------------------------

    def _fill(self, path: str, way: str | None, members: Mapping[str, Any]) -> str:
        value = _look(members, path)
        if value is None:
            return str(self.common["words"]["hidden"])
        if way is None:
            return self.player(value) if path in SEATS else self.word(value)
        if "|" in way:
            return self._number(value, *way.split("|"))
        ways: dict[str, Callable[[Any], str]] = {
            "player": self.player,
            "players": lambda seats: self._listed([self.player(seat) for seat in seats]),
            "by_seat": self._by_seat,
            "small": self._small,
        }
        return ways[way](value)

    def word(self, value: Any) -> str:
        """A value as people call it."""
        if value is None:
            return str(self.common["words"]["hidden"])
        if isinstance(value, str):
            return str(self.names.get(value, value))
        if isinstance(value, Sequence):
            return self._several(value, self.word)
        return str(value)

    def player(self, seat: int) -> str:
        """Who sits there; a seat whose name is not known goes by its number."""
        return self.players[seat] or str(self.common["words"]["seat"]).format(seat=seat)

    def _small(self, value: Any) -> str:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return self._several(value, self._small)
        word = self.word(value)
        return word[:1].lower() + word[1:]

    def _several(self, values: Sequence[Any], tell: Callable[[Any], str]) -> str:
        """Things in a row; a pair of coordinates is one thing."""
        return self._listed([_place(value) or tell(value) for value in values])

    def _by_seat(self, values: Sequence[Any]) -> str:
        return "; ".join(f"{self.player(seat)} {self.word(value)}" for seat, value in enumerate(values))

    def _listed(self, words: Sequence[str]) -> str:
        if not words:
            return str(self.common["words"]["nothing"])
        if len(words) == 1:
            return words[0]
        return f"{', '.join(words[:-1])} {self.common['words']['and']} {words[-1]}"

    def _number(self, value: Any, one: str, several: str) -> str:
        number = value if isinstance(value, int) else len(value)
        singular = number == 1 or (number == 0 and self.language == "fr")
        return one if singular else several


def _choose(cases: Sequence[Any], members: Mapping[str, Any]) -> str:
    *special, otherwise = cases
    for conditions, sentence in special:
        if all(_look(members, path) == wanted for path, wanted in conditions.items()):
            return str(sentence)
    return str(otherwise)


def _look(members: Mapping[str, Any], path: str) -> Any:
    value: Any = members
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _place(value: Any) -> str | None:
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(each, int) for each in value):
        return f"({value[0]}, {value[1]})"
    return None

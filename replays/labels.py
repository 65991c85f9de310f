"""Labels of actions: for each action that a seat may choose, a sentence that tells it from the others.

The sentence is the guide's, which says what a move will do. It speaks of "here" where a player points at the board, so
actions that it tells alike are told apart by their other parameters: "Launch a site for a Port here (space 4)."
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel import Ruleset, Seat
from replays.narration import narration_words
from replays.sentences import Sentences

PARAMETERS: Mapping[str, Mapping[str, str]] = {
    "en": {"space": "space {}", "spaces": "spaces {}", "slot": "place {}", "to": "to space {}", "from": "from space {}",
           "rotation": "turned by {}°", "card_spaces": "space {} of the card", "true": "yes", "false": "no"},
    "fr": {"space": "case {}", "spaces": "cases {}", "slot": "emplacement {}", "to": "vers la case {}", "from": "de la case {}",
           "rotation": "tournée de {}°", "card_spaces": "case {} de la carte", "true": "oui", "false": "non"},
}  # fmt: skip
"""What stands around the value of a parameter; others have their value alone."""
CELLS = ("space", "spaces")
"""Parameters whose pairs are a row and a column."""
COLUMNS = "ABCDEFGHIJ"


class LabelWords(NamedTuple):
    """How labels are told: in which language, and what the players are called."""

    language: str
    players: tuple[str | None, ...]


def labels_of(
    ruleset: Ruleset[Any, Any], view: Any, seat: Seat, actions: Sequence[Any], words: LabelWords
) -> list[str]:
    """A sentence for each of these actions of a seat, by what the seat sees; no two are the same."""
    if not actions:
        return []
    plain: list[dict[str, Any]] = msgspec.to_builtins(actions)
    told = ActionTeller(
        ruleset,
        words,
        {"seat": seat, "other": (seat + 1) % len(words.players), "view": msgspec.to_builtins(view)},
    )
    sentences = [told.confirmation(action) for action in plain]
    alike: dict[str, list[dict[str, Any]]] = {}
    for sentence, action in zip(sentences, plain, strict=True):
        alike.setdefault(sentence, []).append(action)
    labels = [
        with_detail(sentence, told.details(action, alike[sentence]))
        for sentence, action in zip(sentences, plain, strict=True)
    ]
    return numbered(labels)


class ActionTeller:
    """Tells the actions of one seat at one moment."""

    def __init__(self, ruleset: Ruleset[Any, Any], words: LabelWords, around: Mapping[str, Any]) -> None:
        guide = ruleset.guide(words.language)
        self._confirm = {kind: text.confirm for kind, text in guide.actions.items()} if guide else {}
        self._sentences = Sentences(narration_words(ruleset, words.language), words.language, words.players)
        self._around = around
        self._parameters = PARAMETERS[words.language]

    def confirmation(self, action: Mapping[str, Any]) -> str:
        """What an action will do; of a game without a guide, what kind of action it is."""
        kind = action["type"]
        if kind not in self._confirm:
            return self._sentences.name(kind, "action")
        return self._sentences.sentence(self._confirm[kind], {**action, **self._around})

    def details(self, action: Mapping[str, Any], alike: Sequence[Mapping[str, Any]]) -> str:
        """The parameters of an action by which it differs from those like it, as far as words can tell."""
        names = [name for name in action if len({self._detail(each, name) for each in alike}) > 1]
        return ", ".join(filter(None, (self._detail(action, name) for name in names)))

    def _detail(self, action: Mapping[str, Any], name: str) -> str:
        if action.get(name) is None:
            return ""
        return self._parameters.get(name, "{}").format(self._value(name, action[name]))

    def _value(self, name: str, value: Any) -> str:
        match value:
            case bool():
                return self._parameters[str(value).lower()]
            case int():
                return str(value if name == "rotation" else value + 1)
            case [int(row), int(column)] if name in CELLS:
                return f"{COLUMNS[column]}{row + 1}"
            case list() | tuple():
                return ", ".join(self._value(name, item) for item in value) or "–"
            case dict():
                return ", ".join(self._part(name, key, item) for key, item in value.items())
        return self._sentences.label(str(value), name)

    def _part(self, name: str, key: str, item: Any) -> str:
        """A member of a parameter: a kind of thing, how many of them, or which one."""
        match item:
            case bool():
                return self._sentences.label(key, name)
            case int():
                return f"{item} × {self._sentences.label(key, name)}"
        return self._value(key, item)


def with_detail(sentence: str, detail: str) -> str:
    """A sentence with something in brackets before its end."""
    if not detail:
        return sentence
    end = sentence[-1] if sentence[-1] in ".!?" else ""
    return f"{sentence.removesuffix(end)} ({detail}){end}"


def numbered(labels: Sequence[str]) -> list[str]:
    """Labels of things that are alike in every word, told apart by a number."""
    often, counted = Counter(labels), Counter[str]()
    told = []
    for label in labels:
        counted[label] += 1
        told.append(with_detail(label, str(counted[label])) if often[label] > 1 else label)
    return told

"""Choosing one of many actions by few keys: first its kind, then one parameter after another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

Action = Mapping[str, Any]
FEW = 9
"""So many lists can be chosen from as a whole; of more, one item after another."""


class Ended:
    """Stands where a list has no more items."""


ENDED = Ended()


class Option(NamedTuple):
    """An answer to a question, and the actions that are left if it is chosen."""

    value: Any
    actions: Sequence[Action]


class Question(NamedTuple):
    """What is asked: a member of the action, or the next item of a list."""

    member: str
    options: Sequence[Option]

    @property
    def width(self) -> int:
        """How many digits an option's number has."""
        return len(str(len(self.options)))

    def numbered(self) -> Iterator[tuple[str, Option]]:
        """Each option with the digits that choose it."""
        for number, option in enumerate(self.options, start=1):
            yield f"{number:0{self.width}}", option


def next_question(actions: Sequence[Action]) -> Question | None:
    """What is to be asked to tell these actions apart: the first member in which they differ; None if one is left."""
    if len(actions) == 1:
        return None
    names = dict.fromkeys(("type", *(name for action in actions for name in action)))
    for name in names:
        options = told_apart(actions, lambda action, name=name: action.get(name, ENDED))
        if len(options) > FEW and all(isinstance(option.value, list) for option in options):
            options = item_by_item(actions, name)
        if len(options) > 1:
            return Question(name, options)
    raise AssertionError("legal actions are told apart by their members")


def item_by_item(actions: Sequence[Action], name: str) -> list[Option]:
    """The first place at which lists differ."""
    for place in range(max(len(action[name]) for action in actions)):
        options = told_apart(
            actions, lambda action, at=place: action[name][at] if at < len(action[name]) else ENDED
        )
        if len(options) > 1:
            return options
    return []


def told_apart(actions: Sequence[Action], value: Any) -> list[Option]:
    """These actions by a value of theirs, in the order in which the values come up."""
    options: dict[bytes, Option] = {}
    for action in actions:
        chosen = value(action)
        key = b"" if chosen is ENDED else msgspec.json.encode(chosen, order="sorted")
        options.setdefault(key, Option(chosen, []))
        options[key] = Option(chosen, [*options[key].actions, action])
    return list(options.values())


class Choice:
    """A choice in the making: what was answered so far, and what is asked next."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._left = [actions]
        self.typed = ""

    @property
    def question(self) -> Question | None:
        return next_question(self._left[-1])

    @property
    def action(self) -> Action:
        """What was chosen, once nothing is asked any more."""
        (action,) = self._left[-1]
        return action

    def press(self, key: str) -> None:
        """Take a key: digits choose, backspace and the left arrow go a step back."""
        if key in ("backspace", "left"):
            if not self.typed and len(self._left) > 1:
                self._left.pop()
            self.typed = self.typed[:-1]
            return
        question = self.question
        if question is None or not (key.isascii() and key.isdecimal()):
            return
        self.typed += key
        if len(self.typed) == question.width:
            chosen = dict(question.numbered()).get(self.typed)
            self.typed = ""
            if chosen:
                self._left.append(chosen.actions)

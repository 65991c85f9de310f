"""Lessons: guided first games, as data beside the rules.

They stand in `games/<game>/lessons.json`, with each text in every language. docs/guides.md describes the format.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from games.kernel.guide import Move, Part, folder_of, read_json
from games.words import LANGUAGES, typeset

Pattern = dict[str, Any]
"""Members that an action or a fact must have, with these values; it may have others."""


class Claim(Part, frozen=True):
    """A statement about the game that a test checks: one of `path`, `legal`, `refused` and `fact`.

    `path` leads into the learner's view, in the format of sentences (`players.0.total`, `hand.#`); `is`, `has`,
    `at_least` or `at_most` says what is found there. `legal` is a pattern of actions of the learner, and `count`, if
    given, how many there are. `refused` is an action that the rules refuse the learner with `code`. `fact` is a
    pattern of a fact since the step before.
    """

    path: str | None = None
    is_: Any = msgspec.field(default=msgspec.UNSET, name="is")
    has: Any = msgspec.field(default=msgspec.UNSET)
    at_least: int | None = None
    at_most: int | None = None
    legal: Pattern | None = None
    count: int | None = None
    refused: dict[str, Any] | None = None
    code: str | None = None
    fact: Pattern | None = None


class LessonStep(Part, frozen=True):
    """One idea: what the learner reads, what the learner does, and what the others do after that."""

    text: str
    claims: list[Claim]
    """What the text says about the game at this moment, for a test."""
    show: tuple[str, ...] = ()
    """Things that the text speaks of, by their keys in the guide."""
    do: tuple[Pattern, ...] = ()
    """The moves that the step accepts, the suggested one first; none: the learner reads on."""
    then: tuple[Move, ...] = ()
    """What the other seats do next."""


class RealGame(Part, frozen=True):
    """The game that a lesson leads to, with bots at the other seats."""

    seats: int
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    bot: str = "greedy"


class Lesson(Part, frozen=True):
    """A guided game from a position that leaves nothing to chance."""

    id: str
    title: str
    about: str
    seats: int
    position: dict[str, Any]
    steps: list[LessonStep]
    end: LessonStep
    """What is said after the last step."""
    game: RealGame
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seat: int = 0
    """The learner's seat."""


@cache
def read_lessons(game: str, language: str) -> tuple[Lesson, ...]:
    """The lessons of a game with their texts in one language."""
    folder = folder_of(game)
    if folder is None or not folder.joinpath("lessons.json").is_file():
        return ()
    raw = read_json(folder.joinpath("lessons.json"))
    return msgspec.convert(_translated(raw, language), tuple[Lesson, ...])


@cache
def lesson_positions(game: str) -> tuple[dict[str, Any], ...]:
    """The positions from which the lessons of a game start."""
    return tuple(lesson.position for lesson in read_lessons(game, LANGUAGES[0]))


def is_lesson(game: str, origin: Mapping[str, Any]) -> bool:
    """Does a game of this origin start where one of its ruleset's lessons does?"""
    return origin["kind"] == "position" and origin["position"] in lesson_positions(game)


def _translated(value: Any, language: str) -> Any:
    """The same with each text, an object with one member for each language, in this one."""
    if isinstance(value, Mapping):
        if value.keys() == set(LANGUAGES):
            return typeset(value[language], language)
        return {member: _translated(inner, language) for member, inner in value.items()}
    return [_translated(inner, language) for inner in value] if isinstance(value, list) else value

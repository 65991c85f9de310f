"""Player's guides: what a game tells people who learn it or look something up, as data beside its rules.

A guide is the folder `games/<game>/guide/`: `structure.json` holds what is the same in every language, `en.json` and
`fr.json` hold the texts. docs/guides.md describes the format.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Any, Literal

import msgspec

from games.words import LANGUAGES, typeset

Kind = Literal[
    "card", "tile", "building", "god", "piece", "token", "place", "pile", "gauge", "number", "moment"
]
"""What a thing on the board is."""
Template = str | list[Any]
"""A text with blanks in the format of sentences (docs/sentences.md)."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a guide or lesson; files with unknown members are refused."""


class Step(Part, frozen=True):
    """One step of a turn, or one idea of the game."""

    title: str
    text: str


class ActionText(Part, frozen=True):
    """An action: what it is called, what it does, and what this very move will do."""

    name: str
    text: str
    confirm: Template
    """Filled with the members of the action, `seat`, the player, and `view`, the game before the move."""


class OptionText(Part, frozen=True):
    """An option of a new game, and each of its values."""

    name: str
    text: str
    values: dict[str, str]
    """By value as JSON writes it, texts without quotes: `2013`, `true`, `3`."""


class Thing(Part, frozen=True):
    """A card, tile, building, god, token, gauge or number on the board, which names it by `data-explain`."""

    kind: Kind
    name: str
    effect: str
    cost: str | None = None
    now: Template | None = None
    """What it means at this moment. Filled with `view`, `seat` (whose thing it is), `other` (the next seat) and the
    `data-` attributes of the part."""


class Move(Part, frozen=True):
    """An action of a seat."""

    seat: int
    action: dict[str, Any]


class Line(Part, frozen=True):
    """A line of the worked example, with the points of each seat."""

    id: str
    text: str
    points: list[int]


class Example(Part, frozen=True):
    """The worked example: a position, and the lines of its scoring."""

    text: str
    position: dict[str, Any]
    lines: list[Line]
    total: list[int]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    """Moves that lead from the position to the scoring, if it needs any."""


class Scoring(Part, frozen=True):
    """How points are scored, with a worked example."""

    text: str
    example: Example


class Guide(Part, frozen=True):
    """A player's guide in one language."""

    game: str
    language: str
    about: str
    minutes: tuple[int, int]
    weight: Literal[1, 2, 3, 4, 5]
    """How heavy the game is, from 1 (light) to 5."""
    players: tuple[int, int]
    goal: str
    overview: list[Step]
    turn: list[Step]
    phases: dict[str, str]
    actions: dict[str, ActionText]
    options: dict[str, OptionText]
    things: dict[str, Thing]
    components: dict[str, str | None]
    """By kind of component in the box: the thing that explains all of them, or null if each has its own by its id."""
    scoring: Scoring
    tips: list[str]
    refusals: dict[str, str]
    """By code of a refusal: the section that explains it, such as `actions.build` or `things.start_card`."""

    def section(self, reference: str) -> Any:
        """What a reference leads to: `goal`, `scoring`, `actions.build`, `things.start_card`; KeyError if nothing."""
        name, _, key = reference.partition(".")
        if name not in self.__struct_fields__:
            raise KeyError(reference)
        section = getattr(self, name)
        return section[key] if key else section


# -- reading --------------------------------------------------------------------------------------------------------------


def language_of(wanted: str) -> str:
    """The language to answer in: `fr` for `fr-CA`, English for a language that nobody has written."""
    primary = wanted.lower().replace("_", "-").partition("-")[0]
    return primary if primary in LANGUAGES else LANGUAGES[0]


@cache
def read_guide(game: str, language: str, players: tuple[int, int]) -> Guide | None:
    """The guide of a game, or None if it has none; in English if it has none in this language."""
    folder = folder_of(game)
    if folder is None or not folder.joinpath("guide/structure.json").is_file():
        return None
    if not folder.joinpath(f"guide/{language}.json").is_file():
        language = LANGUAGES[0]
    structure = read_json(folder.joinpath("guide/structure.json"))
    texts = _typeset(read_json(folder.joinpath(f"guide/{language}.json")), language)
    whole = {"game": game, "language": language, "players": players, **_joined(structure, texts)}
    try:
        return msgspec.convert(whole, Guide)
    except msgspec.ValidationError as error:
        raise ValueError(f"The guide of {game} ({language}): {error}") from None


def _joined(structure: dict[str, Any], texts: dict[str, Any]) -> dict[str, Any]:
    """The members of both files; things and lines of the example have some in each."""
    things = {key: {"kind": kind, **texts["things"][key]} for key, kind in structure["things"].items()}
    example, told = structure.pop("example"), texts["scoring"]["example"]
    lines = [{"text": told["lines"][line["id"]], **line} for line in example["lines"]]
    scoring = {**texts["scoring"], "example": {**example, **told, "lines": lines}}
    return {**structure, **texts, "things": things, "scoring": scoring}


def folder_of(game: str) -> Traversable | None:
    """The package of a game as a folder; None for a game that is a single module or lives elsewhere."""
    package = f"games.{game}"
    spec = find_spec(package)
    return files(package) if spec and spec.submodule_search_locations else None


def read_json(file: Traversable) -> Any:
    """What a file of a guide or lesson holds."""
    return msgspec.json.decode(file.read_bytes())


def _typeset(value: Any, language: str) -> Any:
    """The same with each text as it is printed."""
    if isinstance(value, str):
        return typeset(value, language)
    if isinstance(value, dict):
        return {member: _typeset(inner, language) for member, inner in value.items()}
    return [_typeset(inner, language) for inner in value] if isinstance(value, list) else value

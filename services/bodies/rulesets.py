"""The games that can be played."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import Links, NextCursor, about


class PlayersBody(Struct, kw_only=True):
    """For how many players a game is."""

    min: Annotated[int, about("At least.")]
    max: Annotated[int, about("At most.")]


class ComponentSetBody(Struct, kw_only=True):
    """What a game is played with."""

    name: Annotated[str, about("Its name, as the option `component_set` gives it.")]
    sha256: Annotated[str, about("The hash of its data as canonical JSON.")]
    provenance: Annotated[dict[str, Any] | None, about("Where its numbers come from.")]
    data: Annotated[dict[str, Any] | UnsetType, about("All of it; where one game is shown.")] = UNSET


class RulesetBody(Struct, kw_only=True):
    """A game that can be played; where games are listed, without its words, layout and the schemas of what it shows."""

    id: Annotated[str, about("Its id.")]
    names: Annotated[
        dict[str, Any], about("Its name by language; where one game is shown, all labels by language and id.")
    ]
    emblem: Annotated[str, about("A small square picture that stands for it, as SVG.")]
    guide: Annotated[
        dict[str, Any] | None,
        about(
            "What its guide says at a glance: `about` by language, `minutes` (a short and a long game), `weight` from 1 to 5."
        ),
    ]
    nouns: Annotated[
        dict[str, dict[str, Any]] | UnsetType, about("Things inside a sentence, by language and id.")
    ] = UNSET
    sentences: Annotated[
        dict[str, dict[str, Any]] | UnsetType, about("How facts are told, by language and type.")
    ] = UNSET
    sentence_format: Annotated[str | UnsetType, about("The template language of sentences and refusals.")] = (
        UNSET
    )
    refusals: Annotated[
        dict[str, dict[str, Any]] | UnsetType, about("Why an action is refused, by language and code.")
    ] = UNSET
    players: Annotated[PlayersBody, about("For how many players it is.")]
    versions: Annotated[Sequence[int], about("The versions of its rules that are here, oldest first.")]
    bots: Annotated[Sequence[str], about("The levels of its bots.")]
    options: Annotated[dict[str, Any], about("JSON Schema of its options.")]
    actions: Annotated[
        dict[str, Any], about("JSON Schema of its actions; `x-refers-to` says what a parameter names.")
    ]
    view: Annotated[
        dict[str, Any] | UnsetType, about("JSON Schema of its views; where one game is shown.")
    ] = UNSET
    facts: Annotated[
        dict[str, Any] | UnsetType, about("JSON Schema of its facts; where one game is shown.")
    ] = UNSET
    outcome: Annotated[
        dict[str, Any] | UnsetType, about("JSON Schema of its outcome; where one game is shown.")
    ] = UNSET
    component_sets: Annotated[Sequence[ComponentSetBody], about("What it can be played with.")]
    clock_restarts: Annotated[
        Sequence[str] | UnsetType,
        about("Members of the view whose change gives a seat that stays to act its time anew."),
    ] = UNSET
    layout: Annotated[
        dict[str, Any] | UnsetType, about("Where things lie, signs and colours, by component set.")
    ] = UNSET
    links: Links


class RulesetsBody(Struct, kw_only=True):
    """Every game."""

    items: Annotated[Sequence[RulesetBody], about("The games.")]
    next: NextCursor

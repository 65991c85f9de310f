"""The games that can be played."""

from marshmallow import fields

from services.api.schemas.parts import (
    Strict,
    anything,
    keyed,
    links,
    next_cursor,
    number,
    part,
    several,
    text,
)


class PlayersSchema(Strict):
    """For how many players a game is."""

    min = number("At least.")
    max = number("At most.")


class ComponentSetSchema(Strict):
    """What a game is played with."""

    name = text("Its name, as the option `component_set` gives it.")
    sha256 = text("The hash of its data as canonical JSON.")
    provenance = anything("Where its numbers come from.", null=True)
    data = anything("All of it; where one game is shown.", optional=True)


def by_language(description: str, *, optional: bool = True) -> fields.Dict:
    """Words by language, then by id."""
    words = fields.Dict(keys=fields.String(), values=fields.Raw())
    return keyed(words, description, optional=optional)


class RulesetSchema(Strict):
    """A game that can be played; where games are listed, without its words, layout and the schemas of what it shows."""

    id = text("Its id.")
    names = fields.Dict(
        required=True,
        keys=fields.String(),
        metadata={
            "description": "Its name by language; where one game is shown, all labels by language and id."
        },
    )
    emblem = text("A small square picture that stands for it, as SVG.")
    guide = anything(
        "What its guide says at a glance: `about` by language, `minutes` (a short and a long game), `weight` from 1 to 5.",
        null=True,
    )
    nouns = by_language("Things inside a sentence, by language and id.")
    sentences = by_language("How facts are told, by language and type.")
    sentence_format = text("The template language of sentences and refusals.", optional=True)
    refusals = by_language("Why an action is refused, by language and code.")
    players = part(PlayersSchema, "For how many players it is.")
    versions = several(fields.Integer(), "The versions of its rules that are here, oldest first.")
    bots = several(fields.String(), "The levels of its bots.")
    options = anything("JSON Schema of its options.")
    actions = anything("JSON Schema of its actions; `x-refers-to` says what a parameter names.")
    view = anything("JSON Schema of its views; where one game is shown.", optional=True)
    facts = anything("JSON Schema of its facts; where one game is shown.", optional=True)
    outcome = anything("JSON Schema of its outcome; where one game is shown.", optional=True)
    component_sets = several(ComponentSetSchema, "What it can be played with.")
    clock_restarts = several(
        fields.String(),
        "Members of the view whose change gives a seat that stays to act its time anew.",
        optional=True,
    )
    layout = anything("Where things lie, signs and colours, by component set.", optional=True)
    links = links()


class RulesetsSchema(Strict):
    """Every game."""

    items = several(RulesetSchema, "The games.")
    next = next_cursor()

"""What a seat may do, and what came of it."""

from services.api.schemas.games import SituationSchema
from services.api.schemas.log import EventSchema
from services.api.schemas.parts import Strict, Typed, number, of_game, part, several, text, truth, word


class LegalActionsSchema(Strict):
    """What the caller may do now."""

    version = number("The version of the game that this holds for.")
    decision = number(
        "The number of the decision: send it as `?decision=`; null if you are not to act.", null=True
    )
    seat = number("Your seat, if you have one.", null=True)
    actions = several(Typed("Action"), "Every action that the rules accept, in canonical form.")


class StoppedSchema(Strict):
    """The first action of a list that was refused; those before it stand."""

    index = number("Its place in the list, from 0 on.")
    code = text("Why, for programs.")
    detail = text("Why, for people.")


class ActedSchema(SituationSchema):
    """What came of an action: `event`; of a list of actions: `events` and where it stopped."""

    version = number("The version of the game after it.")
    hash = text("The hash of its latest entry.")
    event = part(EventSchema, "What happened; of one action.", optional=True)
    events = several(EventSchema, "What happened; of a list of actions.", optional=True)
    view = of_game("View", "The state of play as you see it now.", null=True)
    stopped = part(
        StoppedSchema, "Of a list: where it stopped; null if all stands.", null=True, optional=True
    )


class DryRunSchema(Strict):
    """Whether an action would be accepted."""

    legal = truth("Whether it would.")
    code = text("Why not, for programs.", optional=True)
    detail = text("Why not, for people.", optional=True)


class HintProgressSchema(Strict):
    """A hint that is being made."""

    status = word(("waiting",), "Ask again in a moment.")


class HintSchema(Strict):
    """A good move for the caller's seat, by what it sees."""

    action = of_game("Action", "The action, as it can be sent.")
    label = text("What it does, in words.")

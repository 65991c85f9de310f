"""Player's guides and lessons (docs/guides.md)."""

from marshmallow import fields

from services.api.schemas.parts import Strict, anything, keyed, next_cursor, number, several, text


class GuideStepSchema(Strict):
    """One step of a turn, or one idea of the game."""

    title = text("Its title.")
    text = text("What it says.")


class GuideActionSchema(Strict):
    """An action of the game."""

    name = text("Its name.")
    text = text("What it does, and when.")
    confirm = fields.Raw(
        required=True,
        metadata={"description": "A template of sentences: what this very move will do."},
    )


class GuideOptionSchema(Strict):
    """An option of a new game."""

    name = text("Its name.")
    text = text("What it changes.")
    values = keyed(fields.String(), "What each of its values means.")


class GuideThingSchema(Strict):
    """A card, tile, building, god, token, gauge or number; board parts name it by `data-explain`."""

    kind = text("What it is: `card`, `tile`, `gauge` …")
    name = text("Its name.")
    effect = text("What it does, or what it is for.")
    cost = text("What it costs.", optional=True)
    now = fields.Raw(metadata={"description": "A template of sentences: what it means at this moment."})


class GuideScoringSchema(Strict):
    """How points are scored."""

    text = text("In words.")
    example = anything("A worked example: `position`, `lines` with their points by seat, `total`.")


class GuideSchema(Strict):
    """The player's guide of a game in one language."""

    game = text("The id of the ruleset.")
    language = text("The language of its texts.")
    about = text("The game in one sentence.")
    minutes = several(fields.Integer(), "Minutes of a short and of a long game.")
    weight = number("From 1 (light) to 5 (heavy).")
    players = several(fields.Integer(), "Fewest and most players.")
    goal = text("How to win.")
    overview = several(GuideStepSchema, "The ideas of the game.")
    turn = several(GuideStepSchema, "A turn in five steps.")
    phases = keyed(fields.String(), "By phase: what is being decided, and by whom.")
    actions = keyed(fields.Nested(GuideActionSchema), "By type of action.")
    options = keyed(fields.Nested(GuideOptionSchema), "By option.")
    things = keyed(fields.Nested(GuideThingSchema), "Everything on the board, by its key.")
    components = keyed(
        fields.String(allow_none=True),
        "By kind of component: the thing that explains all of it; null if each has its own.",
    )
    scoring = fields.Nested(
        GuideScoringSchema, required=True, metadata={"description": "How points are scored."}
    )
    tips = several(fields.String(), "Advice for beginners.")
    refusals = keyed(fields.String(), "By code of a refusal: the section that explains it.")


class LessonSchema(Strict):
    """A guided game from a position that leaves nothing to chance."""

    id = text("What `lesson` in `POST /v1/games` names it by.")
    title = text("Its title.")
    about = text("What the learner will know afterwards.")
    seats = number("How many play.")
    seat = number("Where the learner sits; 0 if left out.", optional=True)
    options = anything("The options of its game; none if left out.", optional=True)
    position = anything("Where its game starts.")
    steps = several(fields.Dict(), "`text`, `show`, `do` (accepted moves), `then` (moves of the others).")
    end = anything("What is said after the last step.")
    game = anything("The real game that follows: `seats`, `options`, `bot`.")


class LessonsSchema(Strict):
    """The lessons of a game, in the order in which they are played."""

    items = several(LessonSchema, "The lessons.")
    next = next_cursor()

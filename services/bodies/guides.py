"""Player's guides and lessons (docs/guides.md)."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import NextCursor, about


class GuideStepBody(Struct, kw_only=True):
    """One step of a turn, or one idea of the game."""

    title: Annotated[str, about("Its title.")]
    text: Annotated[str, about("What it says.")]


class GuideActionBody(Struct, kw_only=True):
    """An action of the game."""

    name: Annotated[str, about("Its name.")]
    text: Annotated[str, about("What it does, and when.")]
    confirm: Annotated[Any, about("A template of sentences: what this very move will do.")]


class GuideOptionBody(Struct, kw_only=True):
    """An option of a new game."""

    name: Annotated[str, about("Its name.")]
    text: Annotated[str, about("What it changes.")]
    values: Annotated[dict[str, str], about("What each of its values means.")]


class GuideThingBody(Struct, kw_only=True):
    """A card, tile, building, god, token, gauge or number; board parts name it by `data-explain`."""

    kind: Annotated[str, about("What it is: `card`, `tile`, `gauge` …")]
    name: Annotated[str, about("Its name.")]
    effect: Annotated[str, about("What it does, or what it is for.")]
    cost: Annotated[str | UnsetType, about("What it costs.")] = UNSET
    now: Annotated[Any | UnsetType, about("A template of sentences: what it means at this moment.")] = UNSET


class GuideScoringBody(Struct, kw_only=True):
    """How points are scored."""

    text: Annotated[str, about("In words.")]
    example: Annotated[
        dict[str, Any], about("A worked example: `position`, `lines` with their points by seat, `total`.")
    ]


class GuideBody(Struct, kw_only=True):
    """The player's guide of a game in one language."""

    game: Annotated[str, about("The id of the ruleset.")]
    language: Annotated[str, about("The language of its texts.")]
    about: Annotated[str, about("The game in one sentence.")]
    minutes: Annotated[Sequence[int], about("Minutes of a short and of a long game.")]
    weight: Annotated[int, about("From 1 (light) to 5 (heavy).")]
    players: Annotated[Sequence[int], about("Fewest and most players.")]
    goal: Annotated[str, about("How to win.")]
    overview: Annotated[Sequence[GuideStepBody], about("The ideas of the game.")]
    turn: Annotated[Sequence[GuideStepBody], about("A turn in five steps.")]
    phases: Annotated[dict[str, str], about("By phase: what is being decided, and by whom.")]
    actions: Annotated[dict[str, GuideActionBody], about("By type of action.")]
    options: Annotated[dict[str, GuideOptionBody], about("By option.")]
    things: Annotated[dict[str, GuideThingBody], about("Everything on the board, by its key.")]
    components: Annotated[
        dict[str, str | None],
        about("By kind of component: the thing that explains all of it; null if each has its own."),
    ]
    scoring: Annotated[GuideScoringBody, about("How points are scored.")]
    tips: Annotated[Sequence[str], about("Advice for beginners.")]
    refusals: Annotated[dict[str, str], about("By code of a refusal: the section that explains it.")]


class LessonBody(Struct, kw_only=True):
    """A guided game from a position that leaves nothing to chance."""

    id: Annotated[str, about("What `lesson` in `POST /v1/games` names it by.")]
    title: Annotated[str, about("Its title.")]
    about: Annotated[str, about("What the learner will know afterwards.")]
    seats: Annotated[int, about("How many play.")]
    seat: Annotated[int | UnsetType, about("Where the learner sits; 0 if left out.")] = UNSET
    options: Annotated[dict[str, Any] | UnsetType, about("The options of its game; none if left out.")] = (
        UNSET
    )
    position: Annotated[dict[str, Any], about("Where its game starts.")]
    steps: Annotated[
        Sequence[dict[str, Any]],
        about("`text`, `show`, `do` (accepted moves), `then` (moves of the others)."),
    ]
    end: Annotated[dict[str, Any], about("What is said after the last step.")]
    game: Annotated[dict[str, Any], about("The real game that follows: `seats`, `options`, `bot`.")]


class LessonsBody(Struct, kw_only=True):
    """The lessons of a game, in the order in which they are played."""

    items: Annotated[Sequence[LessonBody], about("The lessons.")]
    next: NextCursor

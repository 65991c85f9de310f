"""What a seat may do, and what came of it."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.games import SituationBody
from services.bodies.parts import Labels, about, choices, component


class LegalActionsBody(Struct, kw_only=True):
    """What the caller may do now."""

    version: Annotated[int, about("The version of the game that this holds for.")]
    decision: Annotated[
        int | None, about("The number of the decision: send it as `?decision=`; null if you are not to act.")
    ]
    seat: Annotated[int | None, about("Your seat, if you have one.")]
    actions: Annotated[
        Sequence[Annotated[Any, component("Action")]],
        about("Every action that the rules accept, in canonical form."),
    ]
    labels: Labels = UNSET


class StoppedBody(Struct, kw_only=True):
    """The first action of a list that was refused; those before it stand."""

    index: Annotated[int, about("Its place in the list, from 0 on.")]
    code: Annotated[str, about("Why, for programs.")]
    detail: Annotated[str, about("Why, for people.")]


class ActedBody(SituationBody, kw_only=True):
    """What came of an action: `event`; of a list of actions: `events` and where it stopped."""

    version: Annotated[int, about("The version of the game after it.")]
    hash: Annotated[str, about("The hash of its latest entry.")]
    event: Annotated[Any | UnsetType, component("Event"), about("What happened; of one action.")] = UNSET
    events: Annotated[
        Sequence[Annotated[Any, component("Event")]] | UnsetType,
        about("What happened; of a list of actions."),
    ] = UNSET
    view: Annotated[Any, component("View", null=True), about("The state of play as you see it now.")]
    stopped: Annotated[
        StoppedBody | UnsetType | None, about("Of a list: where it stopped; null if all stands.")
    ] = UNSET


class ReachedBody(Struct, kw_only=True):
    """What an action led to, for who wants no more."""

    version: Annotated[int, about("The version of the game after it.")]
    hash: Annotated[str, about("The hash of its latest entry.")]


class DryRunBody(Struct, kw_only=True):
    """Whether an action would be accepted."""

    legal: Annotated[bool, about("Whether it would.")]
    code: Annotated[str | UnsetType, about("Why not, for programs.")] = UNSET
    detail: Annotated[str | UnsetType, about("Why not, for people.")] = UNSET


class HintProgressBody(Struct, kw_only=True):
    """A hint that is being made."""

    status: Annotated[str, choices(("waiting",)), about("Ask again in a moment.")]


class HintBody(Struct, kw_only=True):
    """A good move for the caller's seat, by what it sees."""

    action: Annotated[Any, component("Action"), about("The action, as it can be sent.")]
    label: Annotated[str, about("What it does, in words.")]

"""Reviews: how the chances of a game went, decision by decision."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import about, choices, component

REVIEW_STATUSES = ("waiting", "running", "failed", "done")

CHANCES = "How likely each seat is to win, by seat, in thousandths: together 1000."

LUCK = "What the draws of this entry gave each seat against the average of other draws, in thousandths; null if nothing was drawn."

FACT = "What it does, as a fact that `sentences` of the ruleset tell; what chance would have decided is null."


class ReviewProgressBody(Struct, kw_only=True):
    """A review that is being made, or cannot be."""

    status: Annotated[
        str,
        choices(REVIEW_STATUSES[:3]),
        about("How far it is; `failed`: it could not be made, and is made anew only if asked for."),
    ]
    progress: Annotated[int, about("How much of it is made, from 0 to 100.")]


class OptionBody(Struct, kw_only=True):
    """Something that a seat could do."""

    action: Annotated[Any, component("Action"), about("The action.")]
    chance: Annotated[int, about("How likely the seat was to win with it, in thousandths.")]
    fact: Annotated[dict[str, Any], about(FACT)]


class DecisionBody(Struct, kw_only=True):
    """What a seat decided."""

    version: Annotated[int, about("By which entry.")]
    seat: Annotated[int, about("Which seat.")]
    before: Annotated[Sequence[int], about(f"{CHANCES} Before the entry, with all hands open.")]
    after: Annotated[Sequence[int], about(f"{CHANCES} After it, with all hands open.")]
    choices: Annotated[
        int, about("How many actions there were that do not lead to the same; 1: the move was forced.")
    ]
    action: Annotated[Any, component("Action"), about("What it did.")]
    fact: Annotated[dict[str, Any], about("The same as the first fact of the entry.")]
    chance: Annotated[
        int | None,
        about(
            "How likely the seat was to win with it by what it could know, in thousandths; null if it was forced."
        ),
    ]
    better: Annotated[
        Sequence[OptionBody],
        about("What was clearly better by what the seat could know, best first, at most three."),
    ]
    lost: Annotated[int, about("By how much the best of these was better; 0 if there are none.")]
    open_chance: Annotated[int | None, about("As `chance`, if all hands had lain open.")]
    open: Annotated[Sequence[OptionBody], about("As `better`, if all hands had lain open.")]
    luck: Annotated[Sequence[int] | None, about(LUCK)]


class CurvePointBody(Struct, kw_only=True):
    """How the game stood after an entry."""

    version: Annotated[int, about("After which entry.")]
    chances: Annotated[Sequence[int], about(CHANCES)]
    luck: Annotated[Sequence[int] | None, about(LUCK)]


class TurningPointBody(Struct, kw_only=True):
    """A decision that cost much: what was played, and what would have been best."""

    version: Annotated[int, about("By which entry.")]
    seat: Annotated[int, about("Which seat.")]
    lost: Annotated[int, about("What it cost, in thousandths.")]
    played: Annotated[OptionBody, about("What was played.")]
    better: Annotated[OptionBody, about("What would have been best.")]


class SeatReviewBody(Struct, kw_only=True):
    """What became of a seat's chance."""

    seat: Annotated[int, about("Which seat.")]
    decisions: Annotated[int, about("How often it had a choice.")]
    skill: Annotated[
        int, about("What its choices cost against the best that it could know of, in thousandths: 0 at most.")
    ]
    luck: Annotated[int, about("What the deal and the draws gave it against other draws, in thousandths.")]


class ReviewBody(Struct, kw_only=True):
    """The review of a game; of one that could not be made, `status` and `progress` alone."""

    status: Annotated[str, choices(REVIEW_STATUSES[2:]), about("Whether it could be made.")]
    progress: Annotated[int, about("100.")]
    game: Annotated[str | UnsetType, about("The id of the game.")] = UNSET
    version: Annotated[int | UnsetType, about("The version that was reviewed.")] = UNSET
    hash: Annotated[str | UnsetType, about("The hash of its latest entry.")] = UNSET
    format: Annotated[int | UnsetType, about("The version of this form of review.")] = UNSET
    curve: Annotated[
        Sequence[CurvePointBody] | UnsetType, about("How the game stood after each entry that changed it.")
    ] = UNSET
    decisions: Annotated[
        Sequence[DecisionBody] | UnsetType, about("Every decision, bots' too, in order.")
    ] = UNSET
    turning_points: Annotated[
        Sequence[TurningPointBody] | UnsetType, about("The few that cost most, in order.")
    ] = UNSET
    seats: Annotated[Sequence[SeatReviewBody] | UnsetType, about("What became of each seat's chance.")] = (
        UNSET
    )

"""Reviews: how the chances of a game went, decision by decision."""

from marshmallow import fields

from services.api.schemas.parts import Strict, anything, number, of_game, part, several, text, word

REVIEW_STATUSES = ("waiting", "running", "failed", "done")
CHANCES = "How likely each seat is to win, by seat, in thousandths: together 1000."
LUCK = "What the draws of this entry gave each seat against the average of other draws, in thousandths; null if nothing was drawn."
FACT = "What it does, as a fact that `sentences` of the ruleset tell; what chance would have decided is null."


class ReviewProgressSchema(Strict):
    """A review that is being made, or cannot be."""

    status = word(
        REVIEW_STATUSES[:3],
        "How far it is; `failed`: it could not be made, and is made anew only if asked for.",
    )
    progress = number("How much of it is made, from 0 to 100.")


class OptionSchema(Strict):
    """Something that a seat could do."""

    action = of_game("Action", "The action.")
    chance = number("How likely the seat was to win with it, in thousandths.")
    fact = anything(FACT)


class DecisionSchema(Strict):
    """What a seat decided."""

    version = number("By which entry.")
    seat = number("Which seat.")
    before = several(fields.Integer(), f"{CHANCES} Before the entry, with all hands open.")
    after = several(fields.Integer(), f"{CHANCES} After it, with all hands open.")
    choices = number("How many actions there were that do not lead to the same; 1: the move was forced.")
    action = of_game("Action", "What it did.")
    fact = anything("The same as the first fact of the entry.")
    chance = number(
        "How likely the seat was to win with it by what it could know, in thousandths; null if it was forced.",
        null=True,
    )
    better = several(
        OptionSchema, "What was clearly better by what the seat could know, best first, at most three."
    )
    lost = number("By how much the best of these was better; 0 if there are none.")
    open_chance = number("As `chance`, if all hands had lain open.", null=True)
    open = several(OptionSchema, "As `better`, if all hands had lain open.")
    luck = several(fields.Integer(), LUCK, null=True)


class CurvePointSchema(Strict):
    """How the game stood after an entry."""

    version = number("After which entry.")
    chances = several(fields.Integer(), CHANCES)
    luck = several(fields.Integer(), LUCK, null=True)


class TurningPointSchema(Strict):
    """A decision that cost much: what was played, and what would have been best."""

    version = number("By which entry.")
    seat = number("Which seat.")
    lost = number("What it cost, in thousandths.")
    played = part(OptionSchema, "What was played.")
    better = part(OptionSchema, "What would have been best.")


class SeatReviewSchema(Strict):
    """What became of a seat's chance."""

    seat = number("Which seat.")
    decisions = number("How often it had a choice.")
    skill = number("What its choices cost against the best that it could know of, in thousandths: 0 at most.")
    luck = number("What the deal and the draws gave it against other draws, in thousandths.")


class ReviewSchema(Strict):
    """The review of a game; of one that could not be made, `status` and `progress` alone."""

    status = word(REVIEW_STATUSES[2:], "Whether it could be made.")
    progress = number("100.")
    game = text("The id of the game.", optional=True)
    version = number("The version that was reviewed.", optional=True)
    hash = text("The hash of its latest entry.", optional=True)
    format = number("The version of this form of review.", optional=True)
    curve = several(CurvePointSchema, "How the game stood after each entry that changed it.", optional=True)
    decisions = several(DecisionSchema, "Every decision, bots' too, in order.", optional=True)
    turning_points = several(TurningPointSchema, "The few that cost most, in order.", optional=True)
    seats = several(SeatReviewSchema, "What became of each seat's chance.", optional=True)

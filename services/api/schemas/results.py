"""Outcomes of games that count, and what players have achieved."""

from marshmallow import fields

from services.api.schemas.games import CLOCK_MEANING, HOST_MEANING, TAGS_MEANING
from services.api.schemas.parts import (
    Strict,
    links,
    missing_parts,
    next_cursor,
    number,
    of_game,
    part,
    several,
    text,
    truth,
)
from services.api.schemas.requests import ClockSchema


class ResultSchema(Strict):
    """How a game ended."""

    game = text("Its id.")
    ruleset = text("The id of its ruleset.")
    settled = text("When it was settled.")
    outcome = of_game("Outcome", "How it ended.")
    players = several(
        fields.String(allow_none=True), "The refs of its players by seat; null where there is none."
    )
    to_act = several(fields.Integer(), "Nobody: it is over.")
    clock = part(ClockSchema, CLOCK_MEANING, null=True)
    tags = several(fields.String(), TAGS_MEANING)
    host = text(HOST_MEANING, null=True)
    private = truth("Whether it was private.")
    links = links()


class PlayerStandingSchema(Strict):
    """What a player has achieved in one ruleset."""

    player = text("His ref.")
    host = text("The host that gave the ref, if one did.", null=True)
    ruleset = text("In which ruleset.")
    played = number("Games played.")
    won = number("Games won, shared ones too.")
    shared = number("Games won together with others.")


class ResultsSchema(Strict):
    """A page of results, latest first."""

    items = several(ResultSchema, "The results.")
    next = next_cursor()
    standings = several(
        PlayerStandingSchema, "Of the players on this page, by ruleset; `/v1/standings` has everyone's."
    )
    missing = missing_parts()


class StandingSchema(Strict):
    """What a player has achieved: two points for a win, one for a shared one, which counts as won, too."""

    host = text("The host that gave the ref, if one did.", null=True)
    ref = text("Who.")
    name = text("What the player was called in the latest game; null if that was forgotten.", null=True)
    played = number("Games played.")
    won = number("Games won, shared ones too.")
    won_alone = number("Games won by nobody else.")
    shared = number("Games won together with others.")
    lost = number("Games not won.")
    points = number("Two for a win, one for a shared one.")


class StandingsSchema(Strict):
    """A page of standings, most points first."""

    items = several(StandingSchema, "The standings.")
    next = next_cursor()

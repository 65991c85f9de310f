"""Outcomes of games that count, and what players have achieved."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from services.bodies.games import CLOCK_MEANING, HOST_MEANING, TAGS_MEANING
from services.bodies.parts import Links, MissingParts, NextCursor, about, component


class ResultBody(Struct, kw_only=True):
    """How a game ended."""

    game: Annotated[str, about("Its id.")]
    ruleset: Annotated[str, about("The id of its ruleset.")]
    settled: Annotated[str, about("When it was settled.")]
    outcome: Annotated[Any, component("Outcome"), about("How it ended.")]
    players: Annotated[
        Sequence[str | None], about("The refs of its players by seat; null where there is none.")
    ]
    to_act: Annotated[Sequence[int], about("Nobody: it is over.")]
    clock: Annotated[Any, component("Clock", null=True), about(CLOCK_MEANING)]
    tags: Annotated[Sequence[str], about(TAGS_MEANING)]
    host: Annotated[str | None, about(HOST_MEANING)]
    private: Annotated[bool, about("Whether it was private.")]
    links: Links


class PlayerStandingBody(Struct, kw_only=True):
    """What a player has achieved in one ruleset."""

    player: Annotated[str, about("His ref.")]
    host: Annotated[str | None, about("The host that gave the ref, if one did.")]
    ruleset: Annotated[str, about("In which ruleset.")]
    played: Annotated[int, about("Games played.")]
    won: Annotated[int, about("Games won, shared ones too.")]
    shared: Annotated[int, about("Games won together with others.")]


class ResultsBody(Struct, kw_only=True):
    """A page of results, latest first."""

    items: Annotated[Sequence[ResultBody], about("The results.")]
    next: NextCursor
    standings: Annotated[
        Sequence[PlayerStandingBody],
        about("Of the players on this page, by ruleset; `/v1/standings` has everyone's."),
    ]
    missing: MissingParts


class StandingBody(Struct, kw_only=True):
    """What a player has achieved: two points for a win, one for a shared one, which counts as won, too."""

    host: Annotated[str | None, about("The host that gave the ref, if one did.")]
    ref: Annotated[str, about("Who.")]
    name: Annotated[
        str | None, about("What the player was called in the latest game; null if that was forgotten.")
    ]
    played: Annotated[int, about("Games played.")]
    won: Annotated[int, about("Games won, shared ones too.")]
    won_alone: Annotated[int, about("Games won by nobody else.")]
    shared: Annotated[int, about("Games won together with others.")]
    lost: Annotated[int, about("Games not won.")]
    points: Annotated[int, about("Two for a win, one for a shared one.")]


class StandingsBody(Struct, kw_only=True):
    """A page of standings, most points first."""

    items: Annotated[Sequence[StandingBody], about("The standings.")]
    next: NextCursor


class RatingBody(Struct, kw_only=True):
    """How strong a player is, by OpenSkill (Plackett-Luce), to three places."""

    ref: Annotated[str, about("Who: the ref that the host gave.")]
    name: Annotated[
        str | None, about("What the player was called in the latest match; null if that was forgotten.")
    ]
    mu: Annotated[float, about("The estimated strength; everybody begins with 25.")]
    sigma: Annotated[float, about("How uncertain that is; everybody begins with 25/3.")]
    ordinal: Annotated[float, about("mu - 3 sigma: what the list is ordered by.")]
    played: Annotated[int, about("Matches that made the rating.")]


class RatingsBody(Struct, kw_only=True):
    """A page of ratings, best first."""

    items: Annotated[Sequence[RatingBody], about("The ratings.")]
    next: NextCursor

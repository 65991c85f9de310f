"""Outcomes of games that count, and the standings of their players."""

from collections.abc import Mapping, Sequence

import msgspec

from events.store_errors import UNAVAILABLE
from projections.lists import ListPosition
from projections.ranking import Rank
from projections.ratings import Rated, pool_of
from projections.results import GameResult
from projections.standings import Standing, group, player_name
from services.api.context import context
from services.api.lists import games_wanted, item_limit, next_cursor, read_cursor
from services.api.parameters import (
    CURSOR,
    HOST,
    ITEMS,
    PLAYER,
    RATED_HOST,
    RATED_RULESET,
    RULESET,
    TAG,
    TO_ACT,
)
from services.api.problems import Problem
from services.api.responses import game_links, json_response
from services.api.table import TABLE
from services.bodies.results import (
    PlayerStandingBody,
    RatingBody,
    RatingsBody,
    ResultBody,
    ResultsBody,
    StandingBody,
    StandingsBody,
)
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("results")


@route(
    "GET",
    "/v1/results",
    params=(RULESET, HOST, TAG, PLAYER, TO_ACT, CURSOR, ITEMS),
    returns={200: Returns(ResultsBody)},
    errors=("invalid_request", "unauthorized", "store_unavailable"),
)
def list_results() -> Response:
    """How settled, fresh games ended, latest first, and what their players have achieved in these rulesets.

    Public games; hosts see those of their private games too, operators all. In a settled game nobody is `to_act`.
    """
    wanted = games_wanted()
    results = context().lists.results(wanted, read_cursor(ListPosition), item_limit())
    missing = results.missing
    try:
        standings = standings_of(results.items, wanted.player)
    except UNAVAILABLE:  # they are kept in a part of their own
        standings, missing = [], [*missing, "standings"]
    rows = [result_body(result) for result in results.items]
    return json_response(
        ResultsBody(items=rows, next=next_cursor(results.next), standings=standings, missing=missing)
    )


def result_body(result: GameResult) -> ResultBody:
    return ResultBody(
        game=result.game,
        ruleset=result.ruleset,
        settled=result.settled,
        outcome=result.outcome,
        players=result.refs,
        to_act=[],
        clock=result.clock,
        tags=result.tags,
        host=result.host,
        private=result.private,
        links=game_links(result.game),
    )


def standings_of(results: Sequence[GameResult], player: str | None) -> list[PlayerStandingBody]:
    """What those who played these games, or this one of them, have achieved in the same rulesets; most wins first."""
    achievements: list[tuple[str, Standing]] = []
    for ruleset in sorted({result.ruleset for result in results}):
        players = {
            player_name(result.givers[seat] if result.givers else None, ref)
            for result in results
            for seat, ref in enumerate(result.refs)
            if result.ruleset == ruleset and ref is not None and player in (None, ref)
        }
        achieved = context().standings.of_players([(group(ruleset), each) for each in sorted(players)])
        achievements += [(ruleset, standing) for standing in achieved]
    achievements.sort(key=lambda each: (-each[1].won, each[1].played, each[1].ref, each[0]))
    return [
        PlayerStandingBody(
            player=standing.ref,
            host=standing.host,
            ruleset=ruleset,
            played=standing.played,
            won=standing.won,
            shared=standing.shared,
        )
        for ruleset, standing in achievements
    ]


@route(
    "GET",
    "/v1/standings",
    params=(RULESET, HOST, TAG, CURSOR, ITEMS),
    returns={200: Returns(StandingsBody)},
    errors=("invalid_request", "store_unavailable"),
)
def list_standings() -> Response:
    """What players have achieved in settled, fresh, public games: most points first, then fewest games."""
    of = group(*(this_request().args.get(name) for name in ("ruleset", "host", "tag")))
    page = context().standings.page(of, read_cursor(Rank), item_limit())
    people = context().store.people_of([standing.game for standing in page.items])
    rows = [standing_body(*each) for each in zip(page.items, people, strict=True)]
    return json_response(StandingsBody(items=rows, next=next_cursor(page.next)))


def standing_body(standing: Standing, people: Mapping[int, bytes]) -> StandingBody:
    """A player's standing, with the name it went by in its latest game; null if that was forgotten."""
    person = people.get(standing.seat)
    return StandingBody(
        host=standing.host,
        ref=standing.ref,
        name=msgspec.json.decode(person)["name"] if person else None,
        played=standing.played,
        won=standing.won,
        won_alone=standing.won - standing.shared,
        shared=standing.shared,
        lost=standing.lost,
        points=standing.points,
    )


@route(
    "GET",
    "/v1/ratings",
    params=(RATED_RULESET, RATED_HOST, CURSOR, ITEMS),
    returns={200: Returns(RatingsBody)},
    errors=("invalid_request", "store_unavailable"),
)
def list_ratings() -> Response:
    """How strong a host's players are in a ruleset, by OpenSkill over settled, fresh, public games; best first."""
    ruleset, host = (this_request().args.get(name) for name in ("ruleset", "host"))
    if ruleset is None:
        missing = {"query": {"ruleset": ["Missing data for required field."]}}
        raise Problem(
            "invalid_request", "Ratings are kept by ruleset: name one in `ruleset`.", errors=missing
        )
    page = context().ratings.page(pool_of(ruleset, host), read_cursor(Rank), item_limit())
    people = context().store.people_of([rated.rating.game for rated in page.items])
    rows = [rating_body(*each) for each in zip(page.items, people, strict=True)]
    return json_response(RatingsBody(items=rows, next=next_cursor(page.next)))


def rating_body(rated: Rated, people: Mapping[int, bytes]) -> RatingBody:
    """A player's rating, with the name it went by in its latest match; null if that was forgotten."""
    rating, person = rated.rating, people.get(rated.rating.seat)
    return RatingBody(
        ref=rated.player.partition(" ")[2],
        name=msgspec.json.decode(person)["name"] if person else None,
        mu=round(rating.mu, 3),
        sigma=round(rating.sigma, 3),
        ordinal=round(rating.ordinal, 3),
        played=rating.played,
    )

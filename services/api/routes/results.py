"""Outcomes of games that count, and the standings of their players."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Response, request

from events.weather import AWAY
from projections.lists import Place
from projections.results import Result
from projections.standings import Rank, Standing, group, player_name
from services.api.answers import links
from services.api.context import context
from services.api.lists import games_wanted, item_limit, listed, read_cursor
from services.api.promises import CURSOR, HOST, ITEMS, PLAYER, RULESET, TAG, TO_ACT
from services.api.requests import StrictBlueprint
from services.api.schemas.results import ResultsSchema, StandingsSchema

blueprint = StrictBlueprint("results", __name__, url_prefix="/v1", description="Outcomes and standings.")


@blueprint.route("/results")
@blueprint.takes(RULESET, HOST, TAG, PLAYER, TO_ACT, CURSOR, ITEMS)
@blueprint.refuses("invalid_request", "unauthorized", "store_unavailable")
@blueprint.response(200, ResultsSchema)
def list_results() -> Response:
    """How settled, fresh games ended, latest first, and what their players have achieved in these rulesets.

    Public games; hosts see those of their private games too, operators all. In a settled game nobody is `to_act`.
    """
    wanted = games_wanted()
    results = context().lists.results(wanted, read_cursor(Place), item_limit())
    missing = results.missing
    try:
        standings = standings_of(results.items, wanted.player)
    except AWAY:  # they are kept in a part of their own
        standings, missing = [], [*missing, "standings"]
    rows = [result_body(result) for result in results.items]
    return listed(rows, results.next, standings=standings, missing=missing)


def result_body(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "ruleset": result.ruleset,
        "settled": result.settled,
        "outcome": result.outcome,
        "players": result.refs,
        "to_act": [],
        "clock": result.clock,
        "tags": result.tags,
        "host": result.host,
        "private": result.private,
        "links": links(result.game),
    }


def standings_of(results: Sequence[Result], player: str | None) -> list[dict[str, Any]]:
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
        {
            "player": standing.ref,
            "host": standing.host,
            "ruleset": ruleset,
            "played": standing.played,
            "won": standing.won,
            "shared": standing.shared,
        }
        for ruleset, standing in achievements
    ]


@blueprint.route("/standings")
@blueprint.takes(RULESET, HOST, TAG, CURSOR, ITEMS)
@blueprint.refuses("invalid_request", "store_unavailable")
@blueprint.response(200, StandingsSchema)
def list_standings() -> Response:
    """What players have achieved in settled, fresh, public games: most points first, then fewest games."""
    of = group(*(request.args.get(name) for name in ("ruleset", "host", "tag")))
    page = context().standings.page(of, read_cursor(Rank), item_limit())
    people = context().store.people_of([standing.game for standing in page.items])
    return listed([standing_body(*each) for each in zip(page.items, people, strict=True)], page.next)


def standing_body(standing: Standing, people: Mapping[int, bytes]) -> dict[str, Any]:
    """A player's standing, with the name it went by in its latest game; null if that was forgotten."""
    person = people.get(standing.seat)
    return {
        "host": standing.host,
        "ref": standing.ref,
        "name": msgspec.json.decode(person)["name"] if person else None,
        "played": standing.played,
        "won": standing.won,
        "shared": standing.shared,
        "lost": standing.lost,
        "points": standing.points,
    }

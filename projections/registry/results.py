"""Results of settled games, and what they add to the standings, which lie in a slot of their own."""

from collections.abc import Iterator

from events.canonical import canonical
from events.store import Client
from events.times import milliseconds
from projections.projection import HashValue, Member, Places, ProjectedGame, Projection, Write
from projections.ratings import match_of
from projections.results import audit_failed, result_lists, result_of
from projections.standings import Standings, score_of


def write_result(of: ProjectedGame) -> Iterator[Write]:
    """A result may be taken back: a failover may have lost the settlement."""
    result = None if of.imported else result_of(of.game)
    score = score_of(result, match_of(of.game)) if result else None
    names = canonical(result_lists(result) if result else []).decode()
    yield Places("results:lists", names, str(milliseconds(of.game.at)))
    yield HashValue("results", canonical(result).decode() if result else None)
    scored = canonical(score).decode() if score else None
    yield HashValue("results:scored", scored, marks="standings:untold")
    yield Member("failed_audits", audit_failed(of.game))


def publish_score(client: Client, game: str) -> None:
    Standings(client).tell(game)


def drop_standings(client: Client) -> None:
    Standings(client).drop()


PROJECTION = Projection(
    name="results",
    title="how settled games ended, failed audits, and the standings and ratings",
    write=write_result,
    keys={
        "results": "hash",
        "results:lists": "places",
        "results:scored": "hash",
        "failed_audits": "set",
    },
    lists="results",
    backlog={"failed_audits": ("failed_audits", "damaged")},
    drop=drop_standings,
    marked="standings:untold",
    publish=publish_score,
)

"""The rating job: brings the ratings of a pool up to date with its matches, a batch at a time, in their order."""

from openskill.models import PlackettLuce

from projections.ratings import MatchPlace, RatedStep, Rating, Ratings
from projections.standings import RatedMatch

BATCH = 500
"""Matches that are undone, and that are rated, in one step."""
MODEL = PlackettLuce()
"""With the library's usual parameters: everybody begins with mu 25 and sigma 25/3."""
Known = dict[str, Rating | None]
"""Ratings by player; None for who has none."""


def rate_pool(ratings: Ratings, pool: str, batch: int = BATCH) -> bool:
    """Rate some matches of a pool, after undoing what was rated out of order. Is there more to do?"""
    revision, stale_from = ratings.state(pool)
    if stale_from is None:
        return False
    undone = ratings.rated_from(pool, stale_from, batch)
    known = before_all(undone)
    if len(undone) == batch:
        ratings.write(pool, revision, undone, [], known, stale_from)
        return True
    found = ratings.matches_from(pool, stale_from, batch + 1)
    matches, beyond = found[:batch], found[batch:]
    names = {player for _, match in matches for player, _, _ in match.players}
    known |= ratings.of(pool, sorted(names - known.keys()))
    done = [rate_match(place, match, known) for place, match in matches]
    written = ratings.write(pool, revision, undone, done, known, beyond[0][0] if beyond else None)
    return bool(beyond) or not written


def rate_match(place: MatchPlace, match: RatedMatch, known: Known) -> RatedStep:
    """Rate one match: its players have their new ratings in `known` afterwards."""
    before = {player: known.get(player) for player, _, _ in match.players}
    teams = [
        [MODEL.create_rating([rating.mu, rating.sigma]) if rating else MODEL.rating()]
        for rating in before.values()
    ]
    after = MODEL.rate(teams, ranks=[float(rank) for _, rank, _ in match.players])
    for (player, _, seat), (new,) in zip(match.players, after, strict=True):
        played = (rating.played if (rating := before[player]) else 0) + 1
        known[player] = Rating(new.mu, new.sigma, played, place.game, seat)
    return RatedStep(place, before)


def before_all(undone: list[RatedStep]) -> Known:
    """The ratings before the earliest of these matches, which come latest first."""
    return {player: rating for step in undone for player, rating in step.before.items()}

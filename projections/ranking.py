"""Reading a sorted set of players, best first, page by page."""

from typing import Any, NamedTuple, cast

from events.store import Client


class Rank(NamedTuple):
    """Where a player stands: the fewer the better, then by name."""

    weight: int
    player: str


class RankedPlayers(NamedTuple):
    """Some players, best first, and the rank after which the next ones begin (None: there are none)."""

    players: list[str]
    next: Rank | None


def ranked_page(client: Client, key: str, after: Rank | None, limit: int) -> RankedPlayers:
    """Some players of a sorted set; where the last one of the page before has moved, nobody is left out."""
    start = _start(client, key, after) if after else 0
    rows = cast(Any, client.zrange(key, start, start + limit, withscores=True))
    ranks = [Rank(int(weight), player.decode()) for player, weight in rows]
    players = [rank.player for rank in ranks[:limit]]
    return RankedPlayers(players, ranks[limit - 1] if len(ranks) > limit else None)


def _start(client: Client, key: str, after: Rank) -> int:
    """How many players come before the next page."""
    with client.pipeline(transaction=False) as pipe:
        pipe.zscore(key, after.player)
        pipe.zrank(key, after.player)
        pipe.zcount(key, "-inf", f"({after.weight}")
        weight, place, before = cast(list[Any], pipe.execute())
    return int(place) + 1 if weight == after.weight else int(before)

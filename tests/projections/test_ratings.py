"""Ratings: matches count in the order in which they were settled, however late the ratings hear of them."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from projections.ranking import Rank
from projections.ratings import pool_of
from projections.rebuild import Rebuild
from projections.standings import STANDINGS_PREFIX
from services.worker.rating_job import rate_pool
from tests.projections.test_filters import create, finish
from tests.worker.house import House

POOL = pool_of("babel", "club")
REFS = ("ada", "ben", "cleo", "dora")
Table = dict[str, tuple[float, float, int]]


def rate(house: House, batch: int = 500) -> None:
    ratings = house.projections.ratings
    while pools := ratings.stale_pools():
        for pool in pools:
            rate_pool(ratings, pool, batch)


def table(house: House, pool: str = POOL) -> Table:
    """By player mu, sigma and how many matches made them; best first."""
    page = house.projections.ratings.page(pool, None, 100)
    return {each.player: (each.rating.mu, each.rating.sigma, each.rating.played) for each in page.items}


def expected(house: House, games: list[str]) -> Table:
    """The same, reckoned from the logs alone."""
    model = PlackettLuce()
    known: dict[str, tuple[Any, int]] = {}
    for game in sorted((house.game(each) for each in games), key=lambda each: (each.at, each.id)):
        assert game.outcome
        people = [f"club {chair.ref}" for chair in game.chairs]
        teams = [[known.get(player, (model.rating(), 0))[0]] for player in people]
        after = model.rate(teams, ranks=[0 if seat in game.outcome.winners else 1 for seat in range(2)])
        known |= {
            player: (new, known.get(player, (None, 0))[1] + 1)
            for player, (new,) in zip(people, after, strict=True)
        }
    return {player: (rating.mu, rating.sigma, played) for player, (rating, played) in known.items()}


def assert_alike(one: Table, other: Table) -> None:
    assert one.keys() == other.keys()
    for player, figures in one.items():
        assert figures == pytest.approx(other[player])


def play_all(house: House, random: Random, number: int = 6) -> list[str]:
    """Settled games of some players against one another."""
    pairs = list(combinations(REFS, 2))
    return [
        finish(house, create(house, refs=random.choice(pairs)), loser=random.randrange(2))
        for _ in range(number)
    ]


def tell(house: House, games: list[str]) -> None:
    for game in games:
        house.projections.standings.tell(game)


def test_players_are_rated_match_by_match_best_first(house: House) -> None:
    games = play_all(house, Random(1))
    rate(house)
    assert_alike(table(house), expected(house, games))
    ordinals = [mu - 3 * sigma for mu, sigma, _ in table(house).values()]
    assert ordinals == sorted(ordinals, reverse=True)
    assert house.projections.ratings.stale_pools() == []


@pytest.mark.parametrize("batch", [1, 2, 500])
def test_matches_that_are_told_out_of_order_give_the_same_figures(house: House, batch: int) -> None:
    random = Random(batch)
    games = play_all(house, random)
    rate(house)
    before = table(house)
    house.projections.standings.drop()
    assert table(house) == {}
    for game in random.sample(games, len(games)):
        tell(house, [game])
        if random.random() < 0.7:
            rate(house, batch)
    rate(house, batch)
    assert table(house) == before, "to the last bit"


def test_a_match_that_is_taken_back_never_was(house: House) -> None:
    games = play_all(house, Random(2))
    rate(house)
    house.projections.standings.drop()
    tell(house, games[1:])
    rate(house)
    without = table(house)
    tell(house, games)
    rate(house)
    assert table(house) != without
    house.client.hdel(f"stele:{{{games[0][:2]}}}:results:scored", games[0])
    tell(house, games[:1])
    rate(house)
    assert table(house) == without


def test_a_rebuild_from_the_logs_gives_the_same_figures(house: House) -> None:
    play_all(house, Random(3))
    rate(house)
    before = table(house)
    house.client.hset(f"{STANDINGS_PREFIX}ratings:{POOL}", "club ghost", '{"mu":99}')
    run = Rebuild(house.ledger.store, house.projections, ("results",))
    assert all(problem is None for _, problem in run.run(run.survey()))
    rate(house)
    assert table(house) == before


def test_a_match_in_order_costs_the_same_however_many_came_before(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings = house.projections.ratings
    seen: list[int] = []
    write = ratings.write

    def noting(pool: str, revision: str, undone: Any, done: Any, *more: Any) -> bool:
        seen.append(len(undone) + len(done))
        return write(pool, revision, undone, done, *more)

    monkeypatch.setattr(ratings, "write", noting)
    for number in range(5):
        finish(house, create(house), loser=number % 2)
        rate(house)
    assert seen == [1] * 5


def test_what_comes_while_a_batch_is_rated_is_rated_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = play_all(house, Random(4), 3)
    rate(house)
    house.projections.standings.drop()
    tell(house, games[1:])
    ratings = house.projections.ratings
    write = ratings.write

    def late(*batch: Any) -> bool:
        monkeypatch.undo()
        tell(house, games[:1])
        return write(*batch)

    monkeypatch.setattr(ratings, "write", late)
    assert rate_pool(ratings, POOL), "nothing was kept"
    assert table(house) == {}
    rate(house)
    assert_alike(table(house), expected(house, games))


def test_bots_strangers_private_games_and_games_of_one_person_rate_nobody(house: House) -> None:
    finish(house, create(house, private=True))
    finish(house, create(house, refs=("ada", None)))
    finish(house, create(house, refs=("ada", "ada")))
    finish(house, create(house, origin={"kind": "seeded"}))
    rate(house)
    assert table(house) == {}
    assert house.projections.ratings.stale_pools() == []


def test_each_host_and_ruleset_has_a_pool_of_its_own(house: House) -> None:
    finish(house, create(house))
    finish(house, create(house, "school"))
    rate(house)
    assert set(table(house)) == {"club ada", "club ben"}
    assert set(table(house, pool_of("babel", "school"))) == {"school ada", "school ben"}
    assert table(house, pool_of("aton", "club")) == table(house, pool_of("babel", None)) == {}


def test_the_projector_has_stale_ratings_brought_up_to_date(house: House) -> None:
    finish(house, create(house))
    house.sweeper.look_at_ratings()
    house.sweeper.look_at_ratings()
    assert house.queue.patient.count == 1
    house.work()
    assert set(table(house)) == {"club ada", "club ben"}
    house.sweeper.look_at_ratings()
    assert house.queue.patient.count == 0


def test_pages_hold_everyone_once(house: House) -> None:
    play_all(house, Random(5), 8)
    rate(house)
    after: Rank | None = None
    paged: list[str] = []
    while True:
        page = house.projections.ratings.page(POOL, after, 1)
        paged += [each.player for each in page.items]
        if (after := page.next) is None:
            break
    assert paged == list(table(house))

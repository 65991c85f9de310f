"""Standings: each settled game counts once however often, and wherever, it is projected."""

import pytest
from redis.exceptions import ConnectionError as StoreAway

from projections.ranking import Rank
from projections.rebuild import Rebuild
from projections.standings import STANDINGS_PREFIX, Standing, Standings, group
from tests.projections.test_filters import create, finish
from tests.worker.house import House


def table(house: House, of: str = group()) -> list[tuple[str | None, str, int, int, int, int]]:
    """Host, ref, played, won, lost, points."""
    rows = house.projections.standings.page(of, None, 100).items
    return [(one.host, one.ref, one.played, one.won, one.lost, one.points) for one in rows]


def test_players_are_ranked_by_points_for_each_ruleset_host_and_tag(house: House) -> None:
    finish(house, create(house, tags=["cup"]), loser=0)
    finish(house, create(house), loser=0)
    finish(house, create(house, "school", refs=("ada", None)), loser=1)
    assert table(house) == [
        ("club", "ben", 2, 2, 0, 4),
        ("school", "ada", 1, 1, 0, 2),
        ("club", "ada", 2, 0, 2, 0),
    ]
    assert table(house, group("babel")) == table(house)
    assert table(house, group("aton")) == table(house, group(tag="spring")) == []
    assert table(house, group(host="school")) == [("school", "ada", 1, 1, 0, 2)]
    cup = [("club", "ben", 1, 1, 0, 2), ("club", "ada", 1, 0, 1, 0)]
    assert table(house, group("babel", "club", "cup")) == table(house, group(tag="cup")) == cup


def test_a_shared_win_is_a_win_of_one_point() -> None:
    one = Standing("club", "ada", 5, 3, 2, "", 0)
    assert (one.lost, one.points) == (2, 4)


def test_a_game_counts_once_however_often_it_is_projected(house: House) -> None:
    game = finish(house, create(house))
    before = table(house)
    for _ in range(3):
        house.workshop.project([game])
        house.projections.standings.tell(game)
    assert table(house) == before == [("club", "ben", 1, 1, 0, 2), ("club", "ada", 1, 0, 1, 0)]


def test_private_and_seeded_games_do_not_count(house: House) -> None:
    finish(house, create(house, private=True))
    finish(house, create(house, origin={"kind": "seeded"}))
    assert table(house) == []


def test_a_game_of_which_the_standings_were_not_told_is_told_of_by_the_next_sweep(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = create(house)

    def away(*_: object, **__: object) -> None:
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr("projections.standings.Script", lambda *_: away)
        finish(house, game)
        assert game not in house.projections.dirty(), "the game's own partition goes on"
        assert table(house) == []
    assert [marked for _, marked in house.projections.marked()] == [game]
    house.sweeper.sweep()
    assert len(table(house)) == 2
    assert not [marked for _, marked in house.projections.marked()]


def test_they_are_rebuilt_at_will(house: House) -> None:
    for _ in range(3):
        finish(house, create(house, tags=["cup"]))
    before = table(house, group(tag="cup"))
    house.client.hset(f"{STANDINGS_PREFIX}totals:{group()}", "club ghost", "9:9:9:9::0")
    house.client.zadd(f"{STANDINGS_PREFIX}order:{group()}", {"club ghost": -99})
    run = Rebuild(house.ledger.store, house.projections, ("results",))
    assert all(problem is None for _, problem in run.run(run.survey()))
    assert table(house, group(tag="cup")) == table(house) == before


def test_pages_hold_everyone_once_and_leave_nobody_out_who_moves_meanwhile(house: House) -> None:
    for number in range(5):
        finish(house, create(house, refs=(f"loser-{number}", f"winner-{number}")))
    standings = house.projections.standings
    everyone = [one.ref for one in standings.page(group(), None, 100).items]
    assert everyone == [f"winner-{number}" for number in range(5)] + [
        f"loser-{number}" for number in range(5)
    ]
    assert paged(standings, 3) == everyone
    first = standings.page(group(), None, 3)
    finish(house, create(house, refs=("loser-4", "winner-2")))  # the last one shown goes to the top
    rest = standings.page(group(), first.next, 100).items
    assert {one.ref for one in rest} >= {"winner-3", "winner-4", "loser-0"}


def paged(standings: Standings, limit: int) -> list[str]:
    refs: list[str] = []
    after: Rank | None = None
    while True:
        page = standings.page(group(), after, limit)
        refs += [one.ref for one in page.items]
        if (after := page.next) is None:
            return refs

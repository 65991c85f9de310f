"""Many games in one job: the store is asked once for all of them."""

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from events.keys import game_id
from services.core.connections import connect
from services.core.line import Line
from services.core.resting import in_loop
from services.worker.together import for_each
from tests.servers import ValkeyServer, running_valkey
from tests.worker.house import House


def test_many_games_are_projected_in_a_few_writes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [house.create("babel", (None, None)) for _ in range(20)]
    flushes: list[int] = []
    flush = Line._flush

    def counted(line: Line) -> None:
        flushes.append(len(line._ready))
        flush(line)

    monkeypatch.setattr(Line, "_flush", counted)
    house.workshop.project(games)
    for game in games:
        house.check_projected(game)
    assert max(flushes) >= len(games)
    assert len(flushes) < len(games) / 2


def test_a_game_that_is_not_there_any_more_hinders_no_other(house: House) -> None:
    games = [house.create("babel", (None, None)), game_id(), house.create("babel", (None, None))]
    house.workshop.project(games)
    house.check_projected(games[0])
    house.check_projected(games[2])


def test_a_store_that_goes_away_in_the_middle_is_told(store: ValkeyServer) -> None:
    with running_valkey() as doomed:
        client = connect(doomed.url)

        def work(game: str) -> None:
            doomed.kill9()
            client.get(game)

        with pytest.raises(RedisConnectionError):
            for_each(["a", "b"], work, client)


def test_where_there_is_no_line_games_come_one_after_the_other(store: ValkeyServer) -> None:
    seen: list[bool] = []
    with store.client() as client:
        for_each(["a", "b"], lambda _: seen.append(in_loop()), client)
    assert seen == [False, False]

"""Fair queueing of thoughts: whoever has many bots think delays its own games."""

from collections.abc import Iterator

import pytest

from projections.payers import note_payer, payer_of_game
from services.worker.fair_thoughts import FAIR_SECONDS, FairThoughts
from services.worker.job_handlers import JobHandlers
from services.worker.queue import WaitingJob
from tests.servers import ValkeyServer
from tests.worker.house import House


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    with store.client() as client:
        client.flushall()
        yield House(client, client)


def thought_about(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that have a turn from now on; nobody really thinks."""
    games: list[str] = []
    monkeypatch.setattr(JobHandlers, "_play", lambda _, kind, game: games.append(game))
    monkeypatch.setattr(JobHandlers, "_hand_on", lambda *_: None)
    return games


def thinking_game(house: House, payer: str | None = None, host: str | None = None) -> str:
    """A game in which a bot that searches is to act, as its projection sees."""
    game = house.create("babel", ("master", None), host=host, options={"begins": 0})
    if payer:
        note_payer(house.client, game, payer)
    house.workshop.project([game])
    return game


def test_one_game_of_a_caller_need_not_wait_for_many_of_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [thinking_game(house, "greedy") for _ in range(12)]
    hosted = thinking_game(house, host="club")
    modest = thinking_game(house, "modest")
    turns = thought_about(house, monkeypatch)
    house.work()
    assert sorted(turns) == sorted([*many, hosted, modest]), "each has its turn, once"
    assert max(turns.index(hosted), turns.index(modest)) <= 3
    assert [game for game in turns if game in many] == many, "in their order"


def test_callers_share_the_time_not_the_number_of_thoughts(house: House) -> None:
    fair = FairThoughts(house.queue.connection)
    for number in range(12):
        fair.add("long", f"long {number}")
        fair.add("short", f"short {number}")
    turns = []
    for _ in range(10):
        found = fair.next()
        assert found
        payer = found[1]
        turns.append(payer)
        fair.charge(payer, 4.0 if payer == "long" else 1.0)
    assert turns.count("short") == 4 * turns.count("long")


def test_who_was_away_is_given_no_arrears(house: House) -> None:
    fair = FairThoughts(house.queue.connection)
    for number in range(20):
        fair.add("busy", f"busy {number}")
    for _ in range(10):
        assert fair.next()
        fair.charge("busy", 1.0)
    for number in range(10):
        fair.add("newcomer", f"new {number}")
    turns = []
    for _ in range(8):
        found = fair.next()
        assert found
        turns.append(found[1])
        fair.charge(found[1], 1.0)
    assert 3 <= turns.count("busy") <= 5


def test_a_game_waits_once_and_nothing_is_kept_for_ever(house: House) -> None:
    fair = FairThoughts(house.queue.connection)
    for _ in range(3):
        fair.add("one", "game")
    for key in house.queue.connection.scan_iter("stele:thoughts:*"):
        assert 0 < house.queue.connection.ttl(key) <= FAIR_SECONDS
    assert fair.next() == ("game", "one")
    assert fair.next() is None


def test_a_turn_of_a_game_that_was_thought_about_before_is_its_own(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jobs of an earlier version have no line: each thinks about the game that it names."""
    turns = thought_about(house, monkeypatch)
    house.workshop.think("00-xvp07ck455byg7gws9sa6q9z20")
    assert turns == ["00-xvp07ck455byg7gws9sa6q9z20"]


def test_a_game_whose_thinker_was_killed_after_its_turn_began_has_another(house: House) -> None:
    game = thinking_game(house, "one")
    FairThoughts(house.queue.connection).next()
    house.clear_queue()
    house.forget_claims()
    house.sweeper.sweep()
    assert WaitingJob("think", game) in house.queue.jobs_on_games()
    assert FairThoughts(house.queue.connection).next() == (game, "one")


def test_games_of_which_nothing_is_known_have_a_payer_too(house: House) -> None:
    assert payer_of_game(house.client, "00-xvp07ck455byg7gws9sa6q9z20") == "nobody"
    assert payer_of_game(house.client, thinking_game(house, host="club")) == "host:club"
    assert payer_of_game(house.client, thinking_game(house, "address")) == "address"

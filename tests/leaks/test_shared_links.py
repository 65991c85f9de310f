"""A link to a private game, to one that is gone and to one that never was: one and the same page, as soon."""

import time
from typing import Any

import pytest

from events.keys import game_id, keys_of
from services.api.routes import sharing
from tests.api.client import Answer, Api, Table, new_game
from tests.api.finished import settled_game
from tests.round_trips import count_round_trips

HOST = {"Host": "stele.example"}


@pytest.fixture
def hidden(api: Api) -> dict[str, str]:
    """Ids of games that no link shows, by why."""
    erased, archived = new_game(api), settled_game(api, private=True)
    keys = keys_of(erased.id)
    assert api.context.store.client.delete(*{each for each in keys if each.endswith(erased.id)}, keys.stream)
    store = api.context.store
    stone: Any = {"seq": 9, "hash": "0" * 64, "at": "2026-01-01T00:00:00Z", "private": 1, "host": ""}
    store.client.hset(keys_of(archived.id).archived, mapping=stone)
    store.client.delete(keys_of(archived.id).stream)
    return {
        "private": new_game(api, private=True).id,
        "erased": erased.id,
        "archived": archived.id,
        "missing": game_id(),
        "no id": "x",
    }


def asked(api: Api, game: str, path: str) -> Answer:
    return api.get(path.format(game), **HOST)


@pytest.mark.parametrize("path", ["/g/{}", "/g/{}/2", "/g/{}/99", "/v1/oembed?url=http://stele.example/g/{}"])
def test_all_that_is_hidden_looks_alike_and_takes_as_many_round_trips(
    api: Api, hidden: dict[str, str], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips = count_round_trips(monkeypatch)
    answers, counts = set(), set()
    for why, game in hidden.items():
        trips.clear()
        answers.add(asked(api, game, path).bytes)
        if why != "no id":
            counts.add(len(trips))
    assert len(answers) == len(counts) == 1
    assert asked(api, new_game(api).id, path).bytes not in answers


def test_what_is_hidden_is_answered_at_a_moment_that_does_not_depend_on_the_reason(
    api: Api, hidden: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    waited: list[float] = []

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

    def slow(game: str) -> Any:
        now[0] += 0.001 * (1 + len(game) % 7)  # each takes its own time
        return None

    monkeypatch.setattr(sharing, "time", Clock)
    monkeypatch.setattr(sharing, "public_game", slow)
    monkeypatch.setattr(sharing, "sleep", lambda seconds: waited.append(now[0] + seconds))
    ends = set()
    for game in hidden.values():
        waited.clear()
        began = now[0]
        api.call("GET", f"/g/{game}", None, HOST)
        ends.add(round(waited[0] - began, 6))
    assert ends == {sharing.HIDDEN_SECONDS}
    assert time.monotonic() != 100.0


def test_a_seats_token_and_a_code_show_no_more_of_a_private_game(api: Api) -> None:
    game: Table = new_game(api, private=True)
    plain = asked(api, game.id, "/g/{}").bytes
    for query, token in (("", game.token(0)), (f"?join_code={game.created['join_code']}", None)):
        answer = api.get(f"/g/{game.id}{query}", token, **HOST)
        assert answer.body in plain

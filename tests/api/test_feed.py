"""The feed over HTTP: live for hosts and operators, without a gap after a cut."""

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from events.batch import EntryFactory
from projections.host_events import HOST_EVENT_TYPES, FeedCursor, Interest, current_cursor
from services.front.feed import OF_ONE_HOST
from tests.api.client import CLUB, OPERATOR, Api, build_api, new_game
from tests.api.live import live_api
from tests.servers import PATIENCE, ValkeyServer, wait_until

DATABASE = 9


@pytest.fixture
def served(valkey: ValkeyServer, tmp_path: Path) -> Iterator[tuple[Api, int]]:
    """An API, and the port of a server on the same store."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    url = f"{valkey.url}?db={DATABASE}"
    api = build_api(url, entry_factory=EntryFactory())
    with live_api(url, tmp_path) as port:
        yield api, port
    api.close()


class Listener:
    """Someone who listens to the feed."""

    def __init__(self, port: int, token: str, query: str = "", after: str | None = None) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        self.connection.request(
            "GET", f"/v1/feed{query}", headers=headers | ({"Last-Event-ID": after} if after else {})
        )
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        assert self.response.readline().startswith(b"retry:")

    def next(self, count: int) -> list[tuple[str, Any]]:
        """The next events, each with its id in the stream."""
        events: list[tuple[str, Any]] = []
        cursor = ""
        while len(events) < count:
            line = self.response.readline().decode()
            assert line, "the stream has ended"
            if line.startswith("id: "):
                cursor = line[4:].strip()
            elif line.startswith("data: "):
                events.append((cursor, json.loads(line[6:])))
        return events

    def close(self) -> None:
        self.connection.close()


def test_a_host_hears_what_happens_in_its_games_and_goes_on_after_a_cut(served: tuple[Api, int]) -> None:
    api, port = served
    listener = Listener(port, CLUB)
    other = new_game(api, "babel", token=None)
    game = new_game(api, "babel", [{"name": "Ada", "ref": "u-1"}, {"name": "Ben", "ref": "u-2"}])
    for one in (other, game):
        api.project(one.id)
    events = listener.next(5)
    assert [event["type"] for _, event in events] == [
        "game_created",
        "seat_taken",
        "seat_taken",
        "game_started",
        "turn",
    ]
    last = events[-1][1]
    assert last == {
        "id": f"{game.id}.4.turn",
        "type": "turn",
        "at": last["at"],
        "game": game.id,
        "version": 4,
        "status": "playing",
        "tags": [],
        "seats": [{"seat": 0, "ref": "u-1"}, {"seat": 1, "ref": "u-2"}],
        "to_act": game.show()["to_act"],
    }
    listener.close()
    game.post("/resignation", token=game.token(0))
    game.settle()
    api.project(game.id)
    again = Listener(port, CLUB, after=events[2][0])
    assert [event["type"] for _, event in again.next(4)] == [
        "game_started",
        "turn",
        "game_ended",
        "game_settled",
    ]
    again.close()
    chosen = Listener(port, OPERATOR, "?types=game_created,game_settled")
    late = new_game(api, "babel", token=None)
    api.project(late.id)
    assert [event["id"] for _, event in chosen.next(1)] == [f"{late.id}.1.game_created"]
    chosen.close()


def test_who_may_not_hear_it_is_told_so(api: Api) -> None:
    game = new_game(api, "babel")
    assert api.get("/v1/feed").code == "unauthorized"
    assert api.get("/v1/feed", game.token(0)).code == "unauthorized"
    assert api.get("/v1/feed?types=turn,nonsense", CLUB).code == "invalid_request"
    assert api.get("/v1/feed", CLUB, Last_Event_ID="nonsense").code == "invalid_request"
    assert api.get("/v1/feed?types=turn", CLUB).status == 200


def test_a_cursor_older_than_a_day_is_gone(api: Api) -> None:
    cursor = current_cursor(api.context.store.client, Interest("club", None, frozenset(HOST_EVENT_TYPES)))
    assert api.get("/v1/feed", CLUB, Last_Event_ID=str(cursor)).status == 200
    old = str(FeedCursor(round(time.time() * 1000) - 86_400_001, cursor.seen))
    answer = api.get("/v1/feed", CLUB, Last_Event_ID=old)
    assert (answer.status, answer.code) == (410, "cursor_expired")


@pytest.mark.parametrize("line", ["x-y", "18446744073709551616-0", "0-18446744073709551616"])
def test_a_cursor_with_lines_that_no_stream_has_is_refused(api: Api, line: str) -> None:
    cursor = current_cursor(api.context.store.client, Interest("club", None, frozenset(HOST_EVENT_TYPES)))
    junk = urlsafe_b64encode(json.dumps([cursor.at, dict.fromkeys(cursor.seen, line)]).encode()).decode()
    assert api.get("/v1/feed", CLUB, Last_Event_ID=junk).code == "invalid_request"


def test_no_host_takes_every_place_and_who_closes_gives_its_place_back(served: tuple[Api, int]) -> None:
    _, port = served
    listeners = [Listener(port, CLUB) for _ in range(OF_ONE_HOST)]
    assert status_of_feed(port, CLUB) == 503
    assert status_of_feed(port, OPERATOR) == 200, "others still find a place"
    listeners[0].response.close()
    listeners[0].close()
    wait_until(lambda: status_of_feed(port, CLUB) == 200, "the place to be free again")
    for listener in listeners[1:]:
        listener.close()


def status_of_feed(port: int, token: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/v1/feed", headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    status = response.status
    response.close()
    connection.close()
    return status

"""Streams of frames, through the real server: a client asks for nothing else, misses nothing, and sees its own alone."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, Api, Table, build_api, new_game
from tests.api.live import live_api
from tests.leaks.server import Watcher
from tests.servers import ValkeyServer, wait_until

DATABASE = 9
STREAM = "text/event-stream"
SITUATION = ("status", "to_act", "decisions", "deadlines", "left", "outcome", "paused", "pause_agreed")
OWN = ("decision_hash", "takeback")
Watch = Callable[..., Watcher]


@pytest.fixture(scope="module")
def api(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Api, int]]:
    """An API beside a live server on the same store, and that server's port."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    url = f"{valkey.url}?db={DATABASE}"
    directory: Path = tmp_path_factory.mktemp("live")
    beside = build_api(url)
    with live_api(url, directory) as port:
        yield beside, port
    beside.close()


@pytest.fixture
def table(api: tuple[Api, int]) -> Table:
    return new_game(api[0], "babel", clock={"total_seconds": 600})


@pytest.fixture
def watch(api: tuple[Api, int]) -> Iterator[Watch]:
    """Opens streams, all of which end with the test."""
    opened: list[Watcher] = []

    def begin(game: Table, token: str | None, query: str = "?frames=true") -> Watcher:
        opened.append(Watcher(api[1], f"{game.path}/events{query}", token))
        return opened[-1]

    yield begin
    for watcher in opened:
        watcher.leave()


def frames(watcher: Watcher) -> list[Any]:
    lines = watcher.got.split(b"\n")
    return [json.loads(line[6:]) for line in lines if line.startswith(b"data: ")]


def ended(watcher: Watcher) -> list[Any]:
    wait_until(lambda: not watcher.is_alive(), "the stream to end")
    return frames(watcher)


def test_a_stream_of_frames_begins_with_how_things_stand_and_goes_on_with_what_comes(
    table: Table, watch: Watch
) -> None:
    table.play(2)
    watcher = watch(table, table.token(0), "?frames=true&include=actions")
    watcher.wait_for(table.head[0])
    assert [frame["version"] for frame in frames(watcher)] == [table.head[0]]
    table.play(3)
    watcher.wait_for(table.head[0])
    shown = table.get("?include=actions", table.token(0)).json
    last = frames(watcher)[-1]
    assert [frame["version"] for frame in frames(watcher)] == list(
        range(table.head[0] - 3, table.head[0] + 1)
    )
    for member in ("version", "view", "actions", *SITUATION, *OWN):
        assert last[member] == shown[member], member
    assert last["event"] == table.get("/events?limit=1000", table.token(0)).json["items"][-1]
    assert last.keys() == {"version", "event", "view", "actions", *SITUATION, *OWN}


def test_frames_say_what_may_be_done_in_words_too(table: Table, watch: Watch) -> None:
    watcher = watch(table, table.token(0), "?frames=true&include=labels&lang=fr")
    table.play(2)
    watcher.wait_for(table.head[0])
    last, shown = frames(watcher)[-1], table.get("?include=labels&lang=fr", table.token(0)).json
    assert (last["actions"], last["labels"]) == (shown["actions"], shown["labels"])
    assert len(last["labels"]) == len(last["actions"]) > 0


def test_each_viewer_has_frames_of_its_own(table: Table, watch: Watch) -> None:
    watchers = {seat: watch(table, table.token(seat)) for seat in (None, 0, 1)}
    table.play(2)
    for seat, watcher in watchers.items():
        watcher.wait_for(table.head[0])
        for frame in frames(watcher):
            replayed = table.get(f"/replay/{frame['version']}", table.token(seat)).json
            assert frame | replayed == frame
        assert "actions" not in frames(watcher)[-1]


@pytest.mark.parametrize("behind", [0, 1, 5])
def test_a_stream_that_was_cut_goes_on_with_what_was_missed(table: Table, watch: Watch, behind: int) -> None:
    table.play(6)
    seen = table.head[0] - behind
    watcher = watch(table, table.token(1), f"?frames=true&after={seen}")
    table.play(1)
    watcher.wait_for(table.head[0])
    versions = [frame["version"] for frame in frames(watcher)]
    assert versions == list(range(seen + 1, table.head[0] + 1))


def test_who_is_further_behind_goes_on_with_the_present(api: tuple[Api, int], watch: Watch) -> None:
    game = new_game(api[0], "babel")
    game.play(65)
    last = game.head[0]
    for after, first in ((last - 64, last - 63), (last - 65, last), (0, last)):
        watcher = watch(game, game.token(0), f"?frames=true&after={after}")
        watcher.wait_for(last)
        assert [frame["version"] for frame in frames(watcher)] == list(range(first, last + 1))


def test_the_frame_of_the_settlement_is_open_and_the_last(table: Table, watch: Watch) -> None:
    watcher = watch(table, None)
    watcher.wait_for(table.head[0])
    table.post("/resignation", token=table.token(0))
    table.settle()
    *_, before, last = ended(watcher)
    assert (before["status"], before["view"]["players"][1]["hand"]) == ("ended", None)
    assert last["event"]["type"] == "game_settled"
    assert last["view"]["players"][1]["hand"] is not None
    late = watch(table, table.token(0), "?frames=true&include=actions&after=3")
    opened = ended(late)
    assert [frame["version"] for frame in opened] == list(range(4, table.head[0] + 1))
    assert all(frame["view"]["players"][1]["hand"] is not None for frame in opened)


def test_a_renewed_token_ends_its_frames(table: Table, watch: Watch) -> None:
    watcher = watch(table, table.token(0))
    watcher.wait_for(table.head[0])
    table.post("/seats/0/token", token=CLUB)
    assert [frame["version"] for frame in ended(watcher)] == [table.head[0] - 1]


def test_frames_are_told_from_the_first_seat_taken_to_the_first_move(
    api: tuple[Api, int], watch: Watch
) -> None:
    game = new_game(api[0], "babel", 0, seats=2)
    watcher = watch(game, None)
    watcher.wait_for(1)
    first = game.post("/seats", {"name": "Ada"}).json
    game.leave(first["seat"], first["token"])
    for name in ("Ben", "Cleo"):
        game.post("/seats", {"name": name})
    watcher.wait_for(game.head[0])
    statuses = [frame["status"] for frame in frames(watcher)]
    assert statuses[:4] == ["open"] * 4
    assert (statuses[-1], frames(watcher)[0]["view"]) == ("playing", None)


def test_a_guests_stream_ends_before_the_settlement(api: tuple[Api, int], watch: Watch) -> None:
    game = new_game(api[0], "babel", private=True)
    code = f"join_code={game.created['join_code']}"
    watchers = [watch(game, None, f"?{code}"), watch(game, None, f"?frames=true&{code}")]
    for watcher in watchers:
        watcher.wait_for(game.head[0])
    game.post("/abort", token=OPERATOR)
    over = game.head[0]
    for watcher in watchers:
        watcher.wait_for(over)
    game.settle()
    for watcher in watchers:
        assert ended(watcher)[-1].get("version", over) == over
        assert b"game_settled" not in watcher.got
    assert game.get(f"/events?{code}", Accept=STREAM).code == "game_not_found"


def test_frames_and_events_of_one_game_do_not_mix(table: Table, watch: Watch) -> None:
    events, with_frames, with_actions = (
        watch(table, table.token(0), query)
        for query in ("", "?frames=true&after=0", "?frames=true&include=actions&after=0")
    )
    table.play(3)
    for watcher in (events, with_frames, with_actions):
        watcher.wait_for(table.head[0])
    entries = table.get("/events?limit=1000", table.token(0)).json["items"]
    assert frames(events) == entries
    assert [frame["event"] for frame in frames(with_frames)] == entries
    with_all = frames(with_actions)
    assert all(isinstance(frame.pop("actions"), list) for frame in with_all)
    assert with_all == frames(with_frames)


def test_frames_come_as_a_stream_alone_and_actions_in_frames_alone(api: tuple[Api, int]) -> None:
    game = new_game(api[0], "babel")
    for query, headers in (("?frames=true", {}), ("?include=actions", {"Accept": STREAM}), ("?frames=1", {})):
        answer = game.get(f"/events{query}", **headers)
        assert (answer.status, answer.code) == (422, "invalid_request")

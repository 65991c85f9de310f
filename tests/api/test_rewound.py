"""A position above the head proves that entries were lost: the client is told so, whatever it asks for, and it is counted."""

from collections.abc import Iterator

import pytest

from events.keys import keys_of
from services.core import metrics
from tests.api.client import OPERATOR, Api, Table, build_api, new_game
from tests.api.refusals import assert_problem
from tests.servers import ValkeyServer

LOST = 2
STREAM = "text/event-stream"


@pytest.fixture
def api(valkey: ValkeyServer) -> Iterator[Api]:
    """An API that was started after the store had lost entries: none of its processes can know of them."""
    api = build_api(valkey.url)
    yield api
    api.close()


@pytest.fixture
def table(valkey: ValkeyServer, api: Api) -> Table:
    """A game whose log has lost its latest entries, as a table of an API that has never seen them."""
    before = build_api(valkey.url)
    game = new_game(before)
    game.play(3)
    with valkey.client() as client:
        for seq in range(game.head[0], game.head[0] - LOST, -1):
            client.xdel(keys_of(game.id).stream, f"{seq}-0")
    before.close()
    return Table(api, game.created)


@pytest.mark.parametrize("above", [1, LOST, 10**6])
@pytest.mark.parametrize(
    "query",
    ["?after={}", "?after={}&wait=5", "/events?after={}", "/replay?from={}", "/replay?from={}&to=1&limit=3"],
)
def test_a_position_above_the_head_is_refused(table: Table, query: str, above: int) -> None:
    version = table.head[0]
    position = version + above + ("from" in query)  # `from` is the first version that is wanted
    answer = table.get(query.format(position))
    assert assert_problem(answer, 409, "rewound")["version"] == version


def test_lines_of_events_above_the_head_are_refused(table: Table) -> None:
    answer = table.get(f"/events?after={table.head[0] + 1}", Accept="application/x-ndjson")
    assert (answer.status, answer.code) == (409, "rewound")


@pytest.mark.parametrize("query", ["", "?frames=true", "?frames=true&include=actions"])
def test_a_stream_that_is_resumed_above_the_head_says_rewound_and_ends(table: Table, query: str) -> None:
    for headers in ({"Last_Event_ID": str(table.head[0] + LOST)}, {}):
        ask = query if headers else f"{query or '?'}&after={table.head[0] + LOST}"
        answer = table.get(f"/events{ask}", table.token(0), Accept=STREAM, **headers)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(STREAM)
        assert answer.body == b"event: rewound\nid: 0\ndata: {}\n\n"


def test_a_settled_game_says_rewound_too(api: Api) -> None:
    game = new_game(api)
    game.post("/abort", token=OPERATOR)
    game.settle()
    version = game.head[0]
    assert game.get("/events", Accept=STREAM, Last_Event_ID=str(version)).status == 204
    assert b"event: rewound" in game.get("/events", Accept=STREAM, Last_Event_ID=str(version + 1)).body


def test_what_a_client_that_missed_nothing_knows_is_no_rewind(table: Table) -> None:
    version = table.head[0]
    for query in (f"?after={version}", f"/events?after={version}", f"/replay?from={version + 1}"):
        assert table.get(query).status == 200


def test_each_case_is_counted_and_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.api.compares = False
    counters = (metrics.LOGS_DIVERGED, metrics.POSITIONS_ABOVE_HEAD)
    before = [counter._value.get() for counter in counters]
    version = table.head[0]
    table.get(f"/events?after={version + 1}")
    table.get("/events", Accept=STREAM, Last_Event_ID=str(version + 2))
    assert [counter._value.get() for counter in counters] == [count + 2 for count in before]
    lines = [record for record in caplog.records if "rewound" in record.message]
    assert [line.members for line in lines] == [  # type: ignore[attr-defined]
        {"game": table.id, "position": version + lost, "version": version} for lost in (1, 2)
    ]

"""The socket of the Python client: an answer whose frame does not come is asked for by a request instead."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from stele_client._async.line import AsyncLine
from stele_client.calls import Call

ACTED = {"re": 2, "status": 201, "ok": {"version": 5, "hash": "ab"}}
FRAME = {"as": 1, "frame": {"version": 5, "actions": [{"type": "pass"}]}}
PING = {"ping": "now"}


class Said:
    """A connection that says these messages and is cut then."""

    def __init__(self, messages: Iterable[Any]) -> None:
        self.messages = [json.dumps(message) for message in messages]

    async def send(self, _text: str) -> None:
        pass

    async def recv(self) -> str:
        if not self.messages:
            raise EOFError
        return self.messages.pop(0)


def acted(*messages: Any) -> Any:
    line = AsyncLine(AsyncExitStack(), Said(messages), 1, is_over=False)  # type: ignore[arg-type]
    call = Call("POST", "/v1/games/x/actions", {"include": "actions"}, {}, b'{"type":"pass"}')
    return asyncio.run(line.act(call))


@pytest.mark.parametrize("between", [(), (PING,)])
def test_the_answer_to_an_action_has_what_the_seat_may_do_then(between: tuple[Any, ...]) -> None:
    assert acted(ACTED, *between, FRAME).json()["actions"] == [{"type": "pass"}]
    assert acted(FRAME, *between, ACTED).json()["actions"] == [{"type": "pass"}]


@pytest.mark.parametrize(
    "last", [(), ({"closing": "stopping", "detail": ""},), ({"as": 1, "gone": "token"},)]
)
def test_without_the_frame_of_its_version_a_request_repeats_the_action(last: tuple[Any, ...]) -> None:
    assert acted(ACTED, *last) is None

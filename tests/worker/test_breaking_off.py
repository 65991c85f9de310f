"""Work that is broken off by a signal in the midst of a question to the store confuses nobody who asks next."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.client import Pipeline
from rq.exceptions import StopRequested

from services.core.connections import connect

SECONDS = 0.05
"""How long the store takes for an answer that nobody waits for."""


@pytest.fixture
def client(url: str) -> Iterator[Redis]:
    connected = connect(url)
    assert isinstance(connected, Redis)
    connected.set("asked", "this")
    yield connected
    connected.close()


def ask(client: Redis) -> None:
    client.execute_command("DEBUG SLEEP", SECONDS)  # type: ignore[no-untyped-call]  # of redis-py


def ask_together(client: Redis, *, transaction: bool) -> None:
    with client.pipeline(transaction=transaction) as pipe:
        for number in range(3):
            pipe.set("other", number)
            pipe.execute_command("DEBUG SLEEP", SECONDS)  # type: ignore[no-untyped-call]  # of redis-py
        pipe.execute()


WAYS: dict[str, Callable[[Redis], None]] = {
    "one command": ask,
    "several": lambda client: ask_together(client, transaction=False),
    "a transaction": lambda client: ask_together(client, transaction=True),
}


@pytest.mark.parametrize("answers", [0, 1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_whoever_asks_next_gets_its_own_answer(
    client: Redis, monkeypatch: pytest.MonkeyPatch, way: str, answers: int
) -> None:
    read: Callable[..., Any] = Redis.parse_response
    left = answers

    def break_off_after_some(self: Redis, *args: Any, **options: Any) -> Any:
        nonlocal left
        if left == 0:
            raise StopRequested
        left -= 1
        return read(self, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Redis, "parse_response", break_off_after_some)
        patch.setattr(Pipeline, "parse_response", break_off_after_some)
        for _ in range(1 + answers if way == "one command" else 1):
            try:
                WAYS[way](client)
            except StopRequested:
                break
        else:
            pytest.fail("it is broken off")
    assert [client.get("asked") for _ in range(8)] == [b"this"] * 8

"""A job that takes too long is broken off, and neither the store nor whoever asks it next is confused by that."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.client import Pipeline
from rq.timeouts import JobTimeoutException

from services.core.connections import connect
from services.worker.begun import Penalty

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
            raise JobTimeoutException
        left -= 1
        return read(self, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Redis, "parse_response", break_off_after_some)
        patch.setattr(Pipeline, "parse_response", break_off_after_some)
        for _ in range(1 + answers if way == "one command" else 1):
            try:
                WAYS[way](client)
            except JobTimeoutException:
                break
        else:
            pytest.fail("it is broken off")
    assert [client.get("asked") for _ in range(8)] == [b"this"] * 8


def test_a_job_is_not_broken_off_in_the_midst_of_a_question_to_the_store(client: Redis) -> None:
    """A connection or a lock of the pool that was left behind there would be missed by all that comes after."""
    answers: list[Any] = []

    def ask_for_ever() -> None:
        with Penalty(1, JobTimeoutException):  # type: ignore[no-untyped-call]  # of RQ
            answers.append(client.execute_command("DEBUG SLEEP", 1.2))  # type: ignore[no-untyped-call]  # of redis-py
            while True:
                answers.append(client.get("asked"))

    with pytest.raises(JobTimeoutException):
        ask_for_ever()
    assert answers[0] == b"OK"
    assert set(answers[1:]) <= {b"this"}

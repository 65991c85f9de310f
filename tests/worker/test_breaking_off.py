"""Work that is broken off by a signal in the midst of a question to the store confuses nobody who asks next."""

import signal
from collections.abc import Callable, Iterator

import pytest
from redis import Redis
from rq.exceptions import StopRequested

from services.core.connections import connect

SECONDS = 0.4
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


@pytest.fixture
def _interrupted() -> Iterator[None]:
    """The alarm raises what a worker raises that is told to stop."""

    def stop(*_: object) -> None:
        raise StopRequested

    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("_interrupted")
def test_whoever_asks_next_gets_its_own_answer(client: Redis, way: str) -> None:
    signal.setitimer(signal.ITIMER_REAL, SECONDS / 2)
    with pytest.raises(StopRequested):
        WAYS[way](client)
    assert [client.get("asked") for _ in range(8)] == [b"this"] * 8

"""Fuzzing, a few seconds of each kind: rules, readers of positions and records, and the door. `make fuzz` goes on for an hour."""

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from random import Random

import pytest

from tests.api.live import live_api
from tests.fuzz.fuzzers import FUZZERS, door
from tests.fuzz.running import run
from tests.servers import PATIENCE, ValkeyServer

SECONDS = 4.0
DATABASE = 11


@pytest.fixture
def server(valkey: ValkeyServer, tmp_path: Path) -> Iterator[int]:
    with live_api(f"{valkey.url}?db={DATABASE}", tmp_path) as port:
        yield port


@pytest.mark.parametrize("name", FUZZERS)
def test_whatever_is_sent_is_accepted_or_refused_clearly(name: str) -> None:
    ran = run(name, FUZZERS[name], SECONDS)
    assert not ran.failures
    assert ran.attempts > 3


def test_whatever_comes_through_the_door_is_answered_or_sent_away(server: int, tmp_path: Path) -> None:
    ran = run("door", door(server), SECONDS)
    assert not ran.failures
    assert ran.attempts > 50
    connection = HTTPConnection("127.0.0.1", server, timeout=PATIENCE)
    connection.request("GET", "/readyz")
    assert connection.getresponse().status == 200
    connection.close()
    assert "Traceback" not in (tmp_path / "said").read_text()


def test_a_fault_is_found_and_its_number_finds_it_again() -> None:
    def faulty(random: Random) -> None:
        assert random.random() < 0.9, "one in ten"

    failure = run("faulty", faulty, 5).failures[0]
    assert "one in ten" in str(failure.error)
    again = run("faulty", faulty, 5, failure.number).failures[0]
    assert again.number == failure.number

"""Logs tell where an error came from, and nothing of what it says."""

import json
import logging
import sys

from services.core.logs import JsonLines

WORDS = ("the seven of clubs", "is in the hand of seat 1")


def fail() -> None:
    try:
        raise KeyError(WORDS[0])
    except KeyError as error:
        raise ValueError(WORDS[1]) from error


def test_a_trace_names_kinds_and_places_and_no_words() -> None:
    try:
        fail()
    except ValueError:
        record = logging.LogRecord("stele", logging.ERROR, "here", 1, "it failed", None, sys.exc_info())
    line = JsonLines().format(record)
    trace = json.loads(line)["trace"]
    assert trace.splitlines()[-1] == "ValueError"
    assert trace.index("KeyError") < trace.index("ValueError")
    assert "in fail" in trace
    assert not any(words in line for words in WORDS)

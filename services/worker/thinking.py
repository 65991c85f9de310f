"""Interruptible thinking: one bot thinks at a time, and a request to stop the process interrupts it.

A thought may take seconds and has touched nothing: whoever waits for the process to end need not wait for it, and another
process begins it anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class ThinkingInterrupted(Exception):
    """This process is to stop: what it was thinking about is left to others."""


class ThinkingGuard:
    """Whether there is one, and whether there may be."""

    def __init__(self) -> None:
        self._at_hand = self._stopped = False

    @contextmanager
    def at_hand(self) -> Iterator[None]:
        """For the length of the block there is a thought that can be broken off."""
        self._at_hand = True
        try:
            if self._stopped:
                raise ThinkingInterrupted
            yield
        finally:
            self._at_hand = False

    def break_off(self) -> None:
        """Raise BrokenOff where the thought at hand is, if there is one; from now on, at the next. (From a signal.)"""
        self._stopped = True
        if self._at_hand:
            raise ThinkingInterrupted


THINKING_GUARD = ThinkingGuard()

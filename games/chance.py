"""The only source of chance: named streams of a game's seed, which anyone who has the seed can draw again.

A label is used once in a game. Its stream is HMAC-SHA-256(seed, "stele-rng-1" ‖ length ‖ label ‖ counter),
read as 64-bit words; see docs/test-vectors/ for worked values.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Any, TypeVar

import msgspec

from games.canonical import canonical
from games.keyed import keyed

T = TypeVar("T")

_WORDS = 1 << 64
_CLOSE = _WORDS - (1 << 32)
"""Words from here on may lie beyond the last multiple of a number that is below 2³²; all others do not."""
_four_words = struct.Struct(">4Q").unpack


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One recorded use of chance: what the stream of this label gave."""

    label: str
    result: tuple[Any, ...]


class Stream:
    """The random words of one label, in order."""

    def __init__(self, seed: bytes, label: str) -> None:
        name = label.encode()
        if not 0 < len(name) < 256:
            raise ValueError(f"a label has 1 to 255 bytes, not {len(name)}")
        self._words = self._generate(seed, b"stele-rng-1" + bytes([len(name)]) + name)

    @staticmethod
    def _generate(seed: bytes, prefix: bytes) -> Iterator[int]:
        digest = keyed(seed)

        def block(number: int) -> tuple[int, ...]:
            return _four_words(digest(prefix + number.to_bytes(8, "big")))

        return chain.from_iterable(map(block, count()))

    def word(self) -> int:
        """The next 64-bit word."""
        return next(self._words)

    def below(self, n: int) -> int:
        """An unbiased integer from 0 to n − 1."""
        if not 0 < n <= _WORDS:
            raise ValueError(f"cannot draw a number below {n}")
        limit = _WORDS - _WORDS % n
        for word in self._words:
            if word < limit:
                break
        return word % n

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """The items in random order; the order they came in has no influence."""
        deck = sorted(items, key=canonical)
        words = self._words
        for i, drawn in zip(range(len(deck) - 1, 0, -1), words, strict=False):
            word = drawn
            while word >= _CLOSE and word >= _WORDS - _WORDS % (i + 1):
                word = next(words)
            j = word % (i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)


class WatchedStream(Stream):
    """The words of another stream, with a note of whether any was drawn through this one."""

    def __init__(self, stream: Stream) -> None:
        self.was_drawn_from = False
        self._words = self._watch(stream._words)

    def _watch(self, words: Iterator[int]) -> Iterator[int]:
        for word in words:
            self.was_drawn_from = True
            yield word


class Chance:
    """What one decision may draw, and the record of what it drew."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._draws: dict[str, Draw] = {}

    def shuffle(self, label: str, items: Iterable[T]) -> tuple[T, ...]:
        """Shuffle with the stream of this label; index 0 of the result is the top."""
        if label in self._draws:
            raise ValueError(f"the label {label!r} is used already")
        result = self.stream(label).shuffle(items)
        self._draws[label] = Draw(label, result)
        return result

    def stream(self, label: str) -> Stream:
        """A stream whose use is not recorded: bots draw from it, rules never do."""
        return Stream(self._seed, label)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Every recorded draw so far, sorted by label."""
        return tuple(self._draws[label] for label in sorted(self._draws)) if self._draws else ()

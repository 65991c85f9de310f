"""Leaves that the transparency log does not show yet: marks that an append leaves in the step in which it is written.

A mark goes when a checkpoint covers its leaf. So a crash anywhere in between leaves the mark, from which the leaf is
written later; the log itself sees to it that no leaf is written twice.
"""

from collections.abc import Iterable
from typing import NamedTuple

from events.keys import UNLOGGED, partition_key, partition_of
from events.store import Client
from projections.scatter_gather import ask_partitions


class LeafMark(NamedTuple):
    """What is to be logged of a game: the number and the hash of one entry."""

    game: str
    kind: str
    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.game} {self.kind} {self.seq} {self.hash}"


def read_mark(line: str) -> LeafMark:
    game, kind, seq, digest = line.split(" ")
    return LeafMark(game, kind, int(seq), digest)


class Unlogged:
    """The marks of all partitions."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def count(self) -> int:
        """How many leaves wait."""
        answers = ask_partitions(self.client, lambda pipe, part: pipe.scard(partition_key(part, UNLOGGED)))
        return sum(waiting for _, waiting in answers.each())

    def all(self) -> list[LeafMark]:
        """Every one that waits; of a game, the first leaf before the last."""
        answers = ask_partitions(self.client, lambda pipe, part: pipe.smembers(partition_key(part, UNLOGGED)))
        marks = (read_mark(line.decode()) for _, lines in answers.each() for line in lines)
        return sorted(marks, key=lambda mark: (mark.game, mark.seq))

    def add(self, marks: Iterable[LeafMark]) -> None:
        """Mark leaves again, as a restore does."""
        for mark in marks:
            self.client.sadd(partition_key(partition_of(mark.game), UNLOGGED), str(mark))

    def remove(self, marks: Iterable[LeafMark]) -> None:
        """These are covered by a checkpoint."""
        with self.client.pipeline(transaction=False) as pipe:
            for mark in marks:
                pipe.srem(partition_key(partition_of(mark.game), UNLOGGED), str(mark))
            pipe.execute()

"""Scatter-gather over all partitions in one round trip: a partition that does not answer is named and harms no other."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from events.keys import partitions
from events.store import Client
from events.store_errors import UNAVAILABLE


class PartitionAnswers(NamedTuple):
    """What the partitions that answered have said, each a list, and those that did not."""

    answers: dict[str, list[Any]]
    missing: list[str]

    def each(self, number: int = 0) -> Iterable[tuple[str, Any]]:
        """Every partition's answer to the command of this number."""
        return ((partition, answers[number]) for partition, answers in self.answers.items())


def ask_partitions(
    client: Client, ask: Callable[[Any, str], None], of: Iterable[str] | None = None
) -> PartitionAnswers:
    """Ask each partition what `ask` puts into the pipeline for it, all in one round trip. If none answers, that is raised."""
    wanted = list(partitions() if of is None else of)
    sizes = []
    with client.pipeline(transaction=False) as pipe:
        for partition in wanted:
            before = len(pipe)
            ask(pipe, partition)
            sizes.append(len(pipe) - before)
        answers: list[Any] = pipe.execute(raise_on_error=False)
    parts = PartitionAnswers({}, [])
    trouble: Exception | None = None
    for partition, size in zip(wanted, sizes, strict=True):
        mine, answers = answers[:size], answers[size:]
        errors = [answer for answer in mine if isinstance(answer, Exception)]
        for error in errors:
            if not isinstance(error, UNAVAILABLE):
                raise error
            trouble = error
        if errors:
            parts.missing.append(partition)
        else:
            parts.answers[partition] = mine
    if trouble and not parts.answers:
        raise trouble
    return parts

"""What tests of acts have in common: what was written, and that a refusal writes nothing."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from events import seeds
from events.batch import EntryBatch
from events.entries import Carved
from games.kernel import Refusal
from tests.events.logs import SITTERS, Log, created, named

ENTROPY = bytes(range(100, 132))
SEAL = seeds.seal(ENTROPY)
OPERATOR = {"operator": True}


def types(entries: list[Carved]) -> list[str]:
    return [carved.entry.type for carved in entries]


def data_of(carved: Carved) -> Any:
    """What an entry carries, as it stands in the log."""
    return json.loads(carved.raw)["data"]


def refused(
    log: Log, code: str, write: Callable[[EntryBatch], Any], kind: type[Refusal] = Refusal
) -> Refusal:
    """The act is refused with this code, and nothing is written."""
    batch = EntryBatch(log.entry_factory, log.game, log.game.id)
    with pytest.raises(kind) as refusal:
        write(batch)
    assert refusal.value.code == code, refusal.value.message
    assert refusal.value.message
    assert batch.carve() == []
    return refusal.value


def ended() -> Log:
    log = Log(created())
    log.plays_on()
    return log


def sealing() -> Log:
    """A game that waits for two seals."""
    sealed = [named(name, entropy_commitment=SEAL) for name in ("Ada", "Cleo")]
    return Log(created(sitters=(sealed[0], SITTERS[1], sealed[1])))

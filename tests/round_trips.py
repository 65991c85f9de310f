"""How often the store is spoken to, counted where it is: at the connections."""

from typing import Any

import pytest
from redis.connection import AbstractConnection


def count_round_trips(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that grows by one with whatever is sent to a store from now on."""
    trips: list[Any] = []
    send: Any = AbstractConnection.send_packed_command

    def counted(connection: AbstractConnection, command: Any, *given: Any, **options: Any) -> Any:
        trips.append(command)
        return send(connection, command, *given, **options)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    return trips

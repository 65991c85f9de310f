"""The same for many games at once: each in a greenlet of one loop, so that the store is asked, and syncs, once for all."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextvars import copy_context
from typing import Any

from events.store import Client
from services.core.cluster_clients import ClusterClient
from services.core.connections import StoreClient
from services.core.resting import run


def for_each(games: Sequence[str], work: Callable[[str], None], client: Client) -> None:
    """Do this for every game, over one line to the store where there is one. The first failure is raised at the end."""
    if len(games) == 1 or not isinstance(client, StoreClient | ClusterClient):
        for game in games:
            work(game)
        return
    asyncio.run(all_at_once([run(copy_context(), work, game) for game in games], client))


async def all_at_once(
    works: Sequence[Coroutine[Any, Any, None]], client: StoreClient | ClusterClient
) -> None:
    client.open_line()
    try:
        failures = await asyncio.gather(*works, return_exceptions=True)
    finally:
        client.close_line()
    for failure in failures:
        if failure is not None:
            raise failure

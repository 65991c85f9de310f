"""Command handling: authorisation, disk space, the write and idempotent retries of every request that changes a game.

A request with an Idempotency-Key that was carried out before is answered as it was then: from the entries that it
wrote, and from the game as it stood after them.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from events.batch import EntryBatch, IdempotencyKey
from events.entries import Carved, Data
from events.game import Game
from services.api.authentication import Caller, authorize
from services.api.context import context
from services.api.responses import json_response
from services.core.ledger import Change, Dossier, Repeat, key_reused
from services.http.messages import Response

Written = type[Data] | tuple[type[Data], ...]
"""Of what type the first entry is that a request writes."""


class CommandResult(NamedTuple):
    """A request that was carried out, now or when it came first: the entries it wrote, and the game after them."""

    game: Game
    entries: list[Carved]
    repeated: bool

    def answer(self, body: Struct, status: int = 201, **headers: str) -> Response:
        """The answer: to the same request the same one again."""
        if self.repeated:
            headers["idempotent_replayed"] = "true"
        return json_response(body, status, **headers)


def handle_command(
    game_id: str,
    caller: Caller,
    idempotency_key: IdempotencyKey | None,
    *,
    writes: Written,
    check: Callable[[Dossier], None],
    write: Callable[[EntryBatch, Dossier], None],
    admits: Callable[[Dossier], None] | None = None,
) -> CommandResult:
    """Change a game for a caller who passes `check`, by what `write` puts on a page; its first entry is of type `writes`.

    A repeated request must pass no more than `admits`, which is `authorize` if none is given.
    """
    here = context()

    def write_if_allowed(batch: EntryBatch, dossier: Dossier) -> None:
        check(dossier)
        here.check_writable()
        write(batch, dossier)

    came = here.ledger.change(game_id, write_if_allowed, idempotency_key=idempotency_key)
    if isinstance(came, Repeat):
        dossier = here.ledger.get(game_id)
        if admits:
            admits(dossier)
        else:
            authorize(caller, dossier.game)
    return command_result(game_id, came, writes)


def command_result(game_id: str, came: Change | Repeat, writes: Written) -> CommandResult:
    """What came of a request; one that first wrote something else before came with this key for another purpose."""
    if isinstance(came, Change):
        return CommandResult(came.game, came.entries, repeated=False)
    moments = list(context().past.moments(game_id, *came.request.of))
    if not isinstance(moments[0][0].data, writes):
        raise key_reused()
    return CommandResult(moments[-1][1], [carved for carved, _ in moments], repeated=True)

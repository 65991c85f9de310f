"""The one way in which a request changes a game: who may, whether the disk has room, what is written, and retries.

A request with an Idempotency-Key that was carried out before is answered as it was then: from the entries that it
wrote, and from the game as it stood after them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Response

from events.entries import TYPE_NAMES, Carved, Data
from events.game import Game
from events.scribe import Call, Page
from services.api.answers import answer
from services.api.callers import Caller, admit
from services.api.context import context
from services.core.ledger import Change, Dossier, Repeat, key_reused


class Carried(NamedTuple):
    """A request that was carried out, now or when it came first: the entries it wrote, and the game after them."""

    game: Game
    entries: list[Carved]
    repeated: bool

    def answer(self, body: Any, status: int = 201, **headers: str) -> Response:
        """The answer: to the same request the same one again."""
        if self.repeated:
            headers["Idempotent_Replayed"] = "true"
        return answer(body, status, **headers)


def change(
    game_id: str,
    caller: Caller,
    call: Call | None,
    *,
    writes: type[Data],
    check: Callable[[Dossier], None],
    write: Callable[[Page, Dossier], None],
    admits: Callable[[Dossier], None] | None = None,
) -> Carried:
    """Change a game for a caller who passes `check`, by what `write` puts on a page; its first entry is of type `writes`.

    A repeated request must pass no more than `admits`, which is `admit` if none is given.
    """
    here = context()

    def write_if_allowed(page: Page, dossier: Dossier) -> None:
        check(dossier)
        here.check_writable()
        write(page, dossier)

    came = here.ledger.change(game_id, write_if_allowed, call=call)
    if isinstance(came, Repeat):
        dossier = here.ledger.get(game_id)
        if admits:
            admits(dossier)
        else:
            admit(caller, dossier.game)
    return carried(game_id, came, writes)


def carried(game_id: str, came: Change | Repeat, writes: type[Data]) -> Carried:
    """What came of a request; one that wrote something else before came with this key for another purpose."""
    if isinstance(came, Change):
        return Carried(came.game, came.entries, repeated=False)
    moments = list(context().past.moments(game_id, *came.request.of))
    if moments[0][0].entry.type != TYPE_NAMES[writes]:
        raise key_reused()
    return Carried(moments[-1][1], [carved for carved, _ in moments], repeated=True)

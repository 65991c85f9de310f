"""Answers to requests that were carried out before: the first answer again, rebuilt as of that version."""

from events.entries import Sealed
from events.game import Game
from services.api.callers import Caller, admit
from services.api.context import context
from services.core.ledger import Repeat, key_reused
from services.core.past import Past

REPLAYED = {"Idempotent_Replayed": "true"}


def repeated_entries(game_id: str, repeat: Repeat, caller: Caller, *kinds: str) -> list[Sealed]:
    """The entries that a request wrote, if it was a request of this kind and its caller is still admitted."""
    admit(caller, context().ledger.get(game_id).game)
    return entries_of(game_id, repeat, *kinds)


def entries_of(game_id: str, repeat: Repeat, *kinds: str) -> list[Sealed]:
    """The entries that a request wrote, if it was a request of this kind."""
    first, last = repeat.request.of
    entries = context().store.read(game_id, first - 1, last - first + 1)
    if entries[0].entry.type not in kinds:
        raise key_reused()
    return entries


def repeated_game(game_id: str, repeat: Repeat, caller: Caller, *kinds: str) -> Game:
    """The game as it stood after that request."""
    repeated_entries(game_id, repeat, caller, *kinds)
    here = context()
    return Past(here.ledger).game(game_id, repeat.request.of[1])

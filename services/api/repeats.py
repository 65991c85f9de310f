"""Answers to requests that were carried out before: the first answer again, rebuilt as of that version."""

from events.entries import Sealed
from events.game import Game
from games.kernel import Refusal
from replays.history import game_at
from services.api.callers import Caller, admit
from services.api.context import context
from services.ledger import Repeat

REPLAYED = {"Idempotent_Replayed": "true"}


def repeated_entries(game_id: str, repeat: Repeat, caller: Caller, *kinds: str) -> list[Sealed]:
    """The entries that a request wrote, if it was a request of this kind and its caller is still admitted."""
    here = context()
    admit(caller, here.ledger.get(game_id).game)
    first, last = repeat.request.of
    entries = here.store.read(game_id, first - 1, last - first + 1)
    if entries[0].entry.type not in kinds:
        raise Refusal("idempotency_key_reused", "This Idempotency-Key came with another request before.")
    return entries


def repeated_game(game_id: str, repeat: Repeat, caller: Caller, *kinds: str) -> Game:
    """The game as it stood after that request."""
    repeated_entries(game_id, repeat, caller, *kinds)
    here = context()
    return game_at(here.store.walk(game_id), repeat.request.of[1], here.rulesets)

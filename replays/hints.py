"""Hints: what the search would do in a seat's place, by what the seat sees and nothing else.

The chances of a search are drawn from a hash of the view, so games that look the same to a seat give the same hint.
"""

from hashlib import sha256
from typing import Any

import msgspec

from games.canonical import canonical
from games.chance import Stream
from games.kernel import Ruleset, Seat
from games.search import worlds_seen
from replays.review.choices import first_fact

HINT_LEVEL = "strong"
"""The bot that is asked: it thinks for about half a second."""


class Hint(msgspec.Struct, frozen=True):
    """A good move of a seat, and the fact that tells what it does; what chance would decide is null there."""

    action: dict[str, Any]
    fact: dict[str, Any]


def find_hint(ruleset: Ruleset[Any, Any], view: Any, seat: Seat) -> Hint:
    """A good move of a seat that is to act, by its own view."""
    seed = sha256(b"stele-hint-1\0" + canonical(view)).digest()
    action = ruleset.bot(HINT_LEVEL).choose(view, seat, Stream(seed, "choose"))

    def dice(name: str) -> Stream:
        return Stream(seed, name)

    fact = first_fact(ruleset, worlds_seen(ruleset, view, seat), seat, action, dice)
    return Hint(msgspec.to_builtins(action), fact)

"""What a player may ask for (6)."""

from typing import Annotated

import msgspec

from games.kernel import Action

Card = Annotated[int, msgspec.Meta(ge=1, le=4)]


class Exchange(Action, frozen=True):
    """Spend the trade token: give up the four cards of the hand and draw four others."""

    phases = frozenset({"allocate"})


class Allocate(Action, frozen=True):
    """Lay the hand at cartouches 1, 2, 3, 4, face down."""

    phases = frozenset({"allocate"})
    cards: tuple[Card, Card, Card, Card]


class Remove(Action, frozen=True):
    """Take a piece off the board, as the card at cartouche 2 asks."""

    phases = frozenset({"remove"})
    space: str


class Place(Action, frozen=True):
    """Set a piece of the own supply on an empty space, as the card at cartouche 4 asks."""

    phases = frozenset({"place"})
    space: str


class Cull(Action, frozen=True):
    """Take back an own piece after a scoring."""

    phases = frozenset({"cull"})
    space: str


AtonAction = Exchange | Allocate | Remove | Place | Cull

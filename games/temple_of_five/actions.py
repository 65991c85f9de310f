"""What players may ask for (6)."""

from games.kernel import Action
from games.temple_of_five.contents import God, Side, Space
from games.temple_of_five.state import Destination, Ids, Target


class ChooseGoal(Action, frozen=True):
    """Choose a side of the ultimate goal card, in secret (6.2)."""

    phases = frozenset({"choose_goal"})
    side: Side


class Exchange(Action, frozen=True):
    """Keep one tile and give the others to the neighbours, in secret (6.3)."""

    phases = frozenset({"exchange"})
    keep: str
    left: Ids = ()
    right: Ids = ()


class Allot(Action, frozen=True):
    """Will of the gods: say where the tile turned up last goes (6.4)."""

    phases = frozenset({"exchange"})
    to: Destination


class PlaceTile(Action, frozen=True):
    """Build with a decoration tile (6.5)."""

    phases = frozenset({"build"})
    tile: str
    slot: int
    rotation: int


class PlaceSpecial(Action, frozen=True):
    """Crown the pyramid, face up or face down; the other tile is discarded (6.6)."""

    phases = frozenset({"build"})
    tile: str
    face_up: bool


class PlaceBonus(Action, frozen=True):
    """Lay a bonus decoration on empty spaces of one level (6.7)."""

    phases = frozenset({"build", "place_priests"})
    bonus: str
    spaces: tuple[Space, ...]


class UseChain(Action, frozen=True):
    """Put a priest on a chain and others on spaces of one card (6.8)."""

    phases = frozenset({"place_priests"})
    space: Space
    target: Target
    card_spaces: tuple[int, ...]


class TakeBlessing(Action, frozen=True):
    """Effect `private_card`: take the top card of a deck for oneself (6.9)."""

    phases = frozenset({"place_priests"})
    god: God


class EndTurn(Action, frozen=True):
    """End one's priest turn (6.10)."""

    phases = frozenset({"place_priests"})


TempleAction = (
    ChooseGoal | Exchange | Allot | PlaceTile | PlaceSpecial | PlaceBonus | UseChain | TakeBlessing | EndTurn
)

"""What a player may ask for (6)."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from games.kernel import Action
from games.sa_re.state import Discard, Source

SETUP = frozenset({"setup"})
SITES = frozenset({"sites"})
SEASON = frozenset({"season"})
CONSTRUCTION = frozenset({"construction"})


class PlaceBuilding(Action, frozen=True):
    """Place one of the buildings that a city starts with."""

    phases = SETUP
    building: str
    space: int


class LaunchSite(Action, frozen=True):
    """Open the site of a building."""

    phases = SITES
    building: str
    space: int


class CancelSite(Action, frozen=True):
    """Give up an open site."""

    phases = SITES
    space: int


class MoveSite(Action, frozen=True):
    """Move an older open site, free of charge."""

    phases = SITES
    from_: int = field(name="from")
    to: int


class Demolish(Action, frozen=True):
    """Pull a building down; a warehouse's surplus is given up."""

    phases = SITES
    space: int
    building: str
    discard: Discard | UnsetType = UNSET


class EndSites(Action, frozen=True):
    """Be done with the sites; each launch beyond one per master builder costs a step of revolt."""

    phases = SITES


class Stay(Action, frozen=True):
    """Remain in the season, as a reaction."""

    phases = SEASON


class Stop(Action, frozen=True):
    """Lay the obelisk down: in one's own sequence, or as a reaction."""

    phases = SEASON


class Draw(Action, frozen=True):
    """Draw from the deck: one card, or what Horus demands."""

    phases = SEASON


class EndSequence(Action, frozen=True):
    """End the sequence after its production."""

    phases = SEASON


class TakeCard(Action, frozen=True):
    """Resolve a drawn card."""

    phases = SEASON
    card: str


class PassTrouble(Action, frozen=True):
    """Pass a further Troubles card on to an opponent."""

    phases = SEASON
    card: str
    to: int


class DiscardTrouble(Action, frozen=True):
    """Throw a further Troubles card away when nobody can receive it."""

    phases = SEASON
    card: str


class UseTemple(Action, frozen=True):
    """Draw two cards, to keep one."""

    phases = SEASON


class ChooseCard(Action, frozen=True):
    """Keep one of the Temple's cards; the other goes back on top."""

    phases = SEASON
    card: str


class UsePalace(Action, frozen=True):
    """Throw a drawn card away."""

    phases = SEASON
    card: str


class UseGardens(Action, frozen=True):
    """Turn double Troubles into single."""

    phases = SEASON
    card: str


class UseLibrary(Action, frozen=True):
    """Turn single Troubles into a joker."""

    phases = SEASON
    card: str


class UseBarracks(Action, frozen=True):
    """Lower one's gauge by one and raise another's."""

    phases = SEASON
    target: int


class UseMarket(Action, frozen=True):
    """Exchange a card with one of equal value in front of another player."""

    phases = SEASON
    give: str
    take: str
    from_: int = field(name="from")


class StartWork(Action, frozen=True):
    """Begin to pay for a site or a caravan."""

    phases = CONSTRUCTION
    kind: Literal["build", "caravan"]
    space: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.kind == "build") != (self.space is not UNSET):
            raise ValueError("a building has a `space`, a caravan has none")


class Pay(Action, frozen=True):
    """Pay one source for the work that is open."""

    phases = CONSTRUCTION
    source: Source


class CancelWork(Action, frozen=True):
    """Call the open work off, once; everything paid comes back."""

    phases = CONSTRUCTION


class Store(Action, frozen=True):
    """Put what a source gives into the warehouses."""

    phases = CONSTRUCTION
    source: Source
    take: tuple[str, ...]


class EndConstruction(Action, frozen=True):
    """Be done with construction, keeping some cards."""

    phases = CONSTRUCTION
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.keep)) != len(self.keep):
            raise ValueError("a card can be kept once")


ACTION_TYPES: tuple[type[Action], ...] = (
    PlaceBuilding,
    LaunchSite,
    CancelSite,
    MoveSite,
    Demolish,
    EndSites,
    Stay,
    Stop,
    Draw,
    EndSequence,
    TakeCard,
    PassTrouble,
    DiscardTrouble,
    UseTemple,
    ChooseCard,
    UsePalace,
    UseGardens,
    UseLibrary,
    UseBarracks,
    UseMarket,
    StartWork,
    Pay,
    CancelWork,
    Store,
    EndConstruction,
)

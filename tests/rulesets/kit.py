"""What the generic suite needs to know of a game. A game joins the suite by adding its kit to `kits.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis.vendor.pretty import RepresentationPrinter

from games.chance import Chance, Stream
from games.kernel import Ruleset, Viewer


@dataclass(frozen=True)
class Setting:
    """One way to set a game up."""

    seats: int
    options: Mapping[str, Any]
    position: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.seats} seats {chosen}".strip()


@dataclass(frozen=True)
class Perft:
    """How many sequences of 1, 2, 3 … actions there are from a pinned position (see `perft.py`)."""

    name: str
    setting: Setting
    counts: tuple[int, ...]


class ShownByName:
    """What a failing example shows in one line.

    Hypothesis would write a dataclass out whole. It warns about one that is too large, and that warning, an error
    here, would take the place of the failure.
    """

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:
        printer.text(repr(self))


@dataclass(frozen=True)
class Kit(ShownByName):
    """A ruleset and what its tests know of it."""

    ruleset: Ruleset[Any, Any]
    settings: tuple[Setting, ...]
    """The settings that random play goes through: between them, every option and number of seats."""
    hidden: frozenset[str]
    """Every place that the specification hides from someone, as its path of members (`players/hand`, `deck`): the
    leak suite exchanges what the zones hide, and this says independently of them what that must be."""
    reveals: frozenset[tuple[str, str]]
    """(fact type, member) that may differ for a viewer who could not tell two states apart, because the fact
    uncovers something: a card drawn by the viewer, a card turned up. Nothing else may. Only the first fact of a
    step that uncovers something need be named: what follows from it may differ freely. (fact type, "type") says
    that it uncovers something whether this fact happens at all, here and now."""
    perft: tuple[Perft, ...]
    fleeting: frozenset[tuple[str, str]] = frozenset()
    """Those of `reveals` that leave no trace in the viewer's view, because what was shown is hidden again at once
    (cards turned up and put under the deck). Every other one must show in the view right after the fact, but for
    the order of a list."""
    alike: Callable[[list[Any]], list[Any]] = list
    """Facts, as on the wire, with one name for things that are alike (two pieces of one colour): an action and its
    canonical form give the same but for these."""

    def exchange(self, state: Any, viewer: Viewer, random: Random) -> Any:
        """Another full state that this viewer cannot tell from the given one: everything it cannot know (other hands,
        face-down orders, secret choices, what is set aside) dealt anew, by what it sees alone."""
        dice = Stream(random.randbytes(32), "exchange")
        return self.ruleset.zones.determinise(self.ruleset.view(state, viewer), viewer, dice)

    def chance(self, random: Random) -> Chance:
        """A chance that gives anything."""
        return Chance(random.randbytes(32))

    def __repr__(self) -> str:
        return f"{self.ruleset.name}-{self.ruleset.version}"

"""What all facts of Sa-Ré have in common."""

from msgspec import UNSET, UnsetType

from games.kernel import Fact, Seat
from games.sa_re.state import State, awaited


class Happening(Fact[State], frozen=True, kw_only=True, gc=False):
    """A fact; `auto` if it belongs to a step that the rules took by themselves (5.1).

    Most facts say in `change` what they do, and whom the game waits for follows. A fact after which it always
    waits for the same decision of the same seats as before carries its change out in `apply` itself.
    """

    auto: bool | UnsetType = UNSET

    def apply(self, state: State) -> State:
        return awaited(self.change(state))

    def change(self, state: State) -> State:
        """The state after this fact, all but whom it waits for."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


class SeatHappening(Happening, frozen=True):
    """Something that a seat did, or that happened to it."""

    seat: Seat

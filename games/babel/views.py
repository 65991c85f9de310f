"""Who sees what: both piles are hidden from everyone, a hand from everyone but its owner (4.2)."""

from games.babel.state import State, replace
from games.kernel import Viewer


def view(state: State, viewer: Viewer) -> State:
    """The table as a seat, or a spectator, sees it; counts stay."""
    first, second = state.players
    return replace(
        state,
        players=(
            first if viewer == 0 else replace(first, hand=None),
            second if viewer == 1 else replace(second, hand=None),
        ),
        temple_pile=None,
        nation_pile=None,
    )

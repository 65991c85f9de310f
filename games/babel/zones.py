"""Where the cards lie, and who sees them: both piles are hidden from everyone, a hand from all but its owner (4.2)."""

from games.babel.state import Levels, Player, State, box_of
from games.kernel import Seat, Viewer, Zone, Zones


def every_card(state: State) -> dict[str, tuple[int | str, ...]]:
    return {**box_of(state).components}


def start_card_of(player: Player) -> Levels:
    """A start card is a temple card of level 1."""
    return (1,) if player.start_card else ()


def temples_of(player: Player) -> list[int]:
    return [level for site in player.sites.values() for level in site.temple]


def columns_of(player: Player) -> list[str]:
    return [nation for site in player.sites.values() for nation in site.column]


def known_temples(state: State, owner: Seat, viewer: Viewer) -> Levels:
    """The cards of destroyed temples lie on top of the pile, and everybody has seen them (Q24)."""
    return state.temple_pile_known


ZONES = Zones[State](
    Zone(member="temple_pile", kind="temples", seen_by="nobody", top_seen=known_temples),
    Zone(member="temple_column", kind="temples", each_player=True),
    Zone(member="start_card", kind="temples", each_player=True, contents=start_card_of),
    Zone(member="temples", kind="temples", each_player=True, contents=temples_of),
    Zone(member="hand", kind="nations", each_player=True, seen_by="owner", order=sorted),
    Zone(member="nation_pile", kind="nations", seen_by="nobody"),
    Zone(member="nation_discard", kind="nations"),
    Zone(member="columns", kind="nations", each_player=True, contents=columns_of),
    box=every_card,
)

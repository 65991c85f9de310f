"""The duty to build the start card in the first turn, and what keeps that possible (6.0, Q14, Q15)."""

from games.babel.box import NATIONS, Box, Nation
from games.babel.state import Player


def can_build_start_card(me: Player, migrated: bool, box: Box) -> bool:
    """There is a site that I can still reach, empty of temple, with a nation card to come before it."""
    return any(
        not me.sites[site].temple and _reaches_with_a_card(me, site, migrated, box) for site in NATIONS
    )


def _reaches_with_a_card(me: Player, site: Nation, migrated: bool, box: Box) -> bool:
    hand = me.hand or ()
    if me.pawn == site:
        left_to_deploy = len(hand)
    elif site in hand:
        left_to_deploy = len(hand) - 1
    else:
        return False
    return (
        bool(me.sites[site].column) or left_to_deploy > 0 or (not migrated and _can_migrate_to(me, site, box))
    )


def _can_migrate_to(me: Player, site: Nation, box: Box) -> bool:
    return any(len(me.sites[other].column) >= box.migration_size for other in NATIONS if other != site)

"""The duty to build the start card in the first turn, and what keeps that possible (6.0, Q14, Q15)."""

from games.babel.box import NATIONS, Box, Nation
from games.babel.state import Player, State, box_of
from games.kernel import Action, Objection, Seat


def against_owed_start_card(state: State, seat: Seat) -> Objection | None:
    """A turn does not end before the start card is built, if that can be (6.0)."""
    return _must_be_built() if owes_start_card(state, seat) else None


def against_neglect(action: Action[State], state: State, seat: Seat) -> Objection | None:
    """A turn may not waste the means to build the start card before that is done (6.0)."""
    if not owes_start_card(state, seat):
        return None
    after = action.leads_to(state, seat)
    me = after.players[seat]
    is_still_possible = not me.start_card or can_build_start_card(me, after.migrated, box_of(state))
    return None if is_still_possible else _must_be_built()


def _must_be_built() -> Objection:
    return Objection(
        "start_card_must_be_built", "Your start card has to be built this turn, and this would prevent it."
    )


def owes_start_card(state: State, seat: Seat) -> bool:
    """Before this turn ends the seat has to build its start card, as long as it can."""
    me = state.players[seat]
    return (
        me.start_card
        and state.active_seat == seat
        and can_build_start_card(me, state.migrated, box_of(state))
    )


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

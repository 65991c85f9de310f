"""What lies at a site, and the rules that speak against working there (6)."""

from games.babel.box import Nation
from games.babel.facts import Source
from games.babel.state import Levels, Nations, Player, Site, State
from games.kernel import Course, Objection, Seat


def pawn_of(course: Course[State], seat: Seat) -> Nation:
    """The site where a pawn stands that has left the quarry."""
    place = course.state.players[seat].pawn
    assert place
    return place


def temple_column(state: State, seat: Seat, source: Source) -> Levels:
    """The temple column that a level is taken from: mine, or the other's."""
    return state.players[seat if source == "own" else 1 - seat].temple_column


def level_from(state: State, seat: Seat, source: Source) -> int | None:
    """The level of the temple card that lies ready there: the start card, or the last of a column."""
    if source == "start":
        me: Player = state.players[seat]
        return 1 if me.start_card else None
    column = temple_column(state, seat, source)
    return column[-1] if column else None


def starts_run(column: Nations, at: int, length: int) -> bool:
    """A maximal run of so many equal cards, or more, begins at this index of a column (6.5)."""
    run = column[at : at + length]
    if len(run) < length or run.count(run[0]) < length:
        return False
    return at == 0 or column[at - 1] != run[0]


# -- what speaks against an action ---------------------------------------------------------------------------------


def against_quarry(me: Player) -> Objection | None:
    """Only a pawn that has travelled to a site can work there."""
    if me.pawn is None:
        return Objection("pawn_in_quarry", "Your pawn is still in the quarry: travel to a site first.")
    return None


def against_cards(me: Player, *nations: Nation) -> Objection | None:
    """Cards are laid from the hand."""
    hand = me.hand or ()
    for nation in nations:
        if hand.count(nation) < nations.count(nation):
            return Objection("card_not_in_hand", "You do not hold enough cards of that nation.")
    return None


def against_height(here: Site, level: int) -> Objection | None:
    """A column carries a level if it holds as many cards (6.3)."""
    if len(here.column) < level:
        return Objection("not_enough_nations", "Your column here has fewer cards than that level needs.")
    return None


def against_nothing(target: object) -> Objection | None:
    """An ability needs something that it could act on."""
    return (
        None
        if target
        else Objection("no_target", "The other player has nothing that this ability could act on.")
    )


def no_such_temple_card() -> Objection:
    return Objection("no_such_temple_card", "There is no temple card to take from there.")

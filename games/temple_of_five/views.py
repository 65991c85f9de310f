"""What a seat or a spectator may see of a state (4.2)."""

from games.kernel import Viewer
from games.temple_of_five.state import HIDDEN_FROM_ALL, Player, Special, State, replace

UNSEEN_PILES = dict.fromkeys(HIDDEN_FROM_ALL)


def view(state: State, viewer: Viewer) -> State:
    """The state with everything null that the viewer may not see."""
    players = tuple(
        replace(player, unseen=None) if seat == viewer else from_outside(state, player)
        for seat, player in enumerate(state.players)
    )
    return replace(state, players=players, **UNSEEN_PILES)


def from_outside(state: State, player: Player) -> Player:
    """A player as the other seats and spectators see it."""
    return replace(
        player,
        hand=None,
        unseen=None,
        choice=None,
        bonus_2=None,
        bonus_3=None,
        special=top_from_outside(player.special),
        goal_side=None if state.phase == "choose_goal" else player.goal_side,
    )


def top_from_outside(special: Special | None) -> Special | None:
    """Nobody else learns which tile lies face down (Q22)."""
    if special is None or special.face_up:
        return special
    return replace(special, tile=None)

"""What each viewer may see (4.1)."""

from games.aton.state import Player, State, replace
from games.kernel import Seat, Viewer


def view(state: State, viewer: Viewer) -> State:
    """The state as a seat or a spectator sees it. The end of the game uncovers nothing."""
    red, blue = (_player_seen(state, player, viewer) for player in state.players)
    return replace(state, players=(red, blue))


def _player_seen(state: State, player: Player, viewer: Viewer) -> Player:
    if player.seat == viewer:
        return replace(player, deck=None)
    cartouches = None if lies_face_down(state, player.seat) else player.cartouches
    return replace(player, deck=None, hand=None, exchanged=None, cartouches=cartouches)


def lies_face_down(state: State, seat: Seat) -> bool:
    """Laid cards are turned up when both seats have laid; never, if a seat withdrew before that."""
    if not state.players[seat].cartouches_count:
        return False
    all_laid = all(player.cartouches_count for player in state.players)
    return state.phase == "allocate" or (state.phase == "ended" and not all_laid)

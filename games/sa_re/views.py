"""What a seat or a spectator may see (4.2): all but the deck, the card set aside and what the Temple shows in the dark."""

from games.kernel import Viewer
from games.sa_re.state import State, WorkSequence, replace


def view(state: State, viewer: Viewer) -> State:
    """The state as a viewer may see it."""
    knows_top = state.deck_face_up or (viewer is not None and viewer == state.top_known_to)
    return replace(
        state,
        deck=None,
        set_aside=None,
        top_card=state.top_card if knows_top else None,
        sequence=_sequence_seen(state.sequence, viewer),
    )


def _sequence_seen(sequence: WorkSequence | None, viewer: Viewer) -> WorkSequence | None:
    if sequence is None or not sequence.temple or viewer == sequence.seat:
        return sequence
    temple = tuple(replace(card, id=None) if card.dark else card for card in sequence.temple)
    return replace(sequence, temple=temple)

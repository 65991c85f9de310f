"""Where cards and tiles lie, and who sees them: all but the deck, the card set aside and the Temple in the dark (4.2)."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from games.kernel import Seat, Viewer, Zone, Zones, replace
from games.sa_re.city import PYRAMID, tiles_of
from games.sa_re.state import Player, State, TempleCard, box_of, sequence_of


def every_component(state: State) -> dict[str, tuple[str | int, ...]]:
    box, seats = box_of(state), len(state.players)
    return {
        "cards": tuple(box.cards),
        "tiles": tuple(
            name for name in box.buildings for _ in range(box.tiles(name, seats)) if name != PYRAMID
        ),
        "pyramids": box.pyramid_numbers(seats),
    }


# -- what is hidden -------------------------------------------------------------------------------------------------


def knows_top(state: State, owner: Seat, viewer: Viewer) -> bool:
    """The top card is open on a face-up deck; on another, to the seat that put it back from its Temple (Q17)."""
    return state.deck_face_up or (viewer is not None and viewer == state.top_known_to)


def top_of_deck(state: State, owner: Seat, viewer: Viewer) -> tuple[str, ...]:
    """What a viewer knows of the deck."""
    return (state.top_card,) if state.top_card and knows_top(state, owner, viewer) else ()


def sees_temple(state: State, owner: Seat, viewer: Viewer) -> bool:
    """The Temple shows cards in the dark to its player alone (Q17)."""
    sequence = state.sequence
    return sequence is None or not sequence.temple or viewer == sequence.seat


class TopCard(Zone[State]):
    """What shows the top of the deck: no place of its own, so that no card lies here besides."""

    def lying(self, holder: State) -> tuple[str, ...]:
        return ()

    def size(self, holder: State) -> int:
        return 0

    def filled(self, holder: State, components: tuple[Any, ...]) -> dict[str, Any]:
        return {}


class Temple(Zone[State]):
    """The Temple's cards; those from a face-up deck are open."""

    def lying(self, holder: State) -> tuple[str, ...]:
        return tuple(card.id for card in shown_by_temple(holder) if card.id)

    def size(self, holder: State) -> int:
        return sum(card.id is None for card in shown_by_temple(holder))

    def hidden(self, holder: State) -> dict[str, Any]:
        temple = tuple([replace(card, id=None) if card.dark else card for card in shown_by_temple(holder)])
        return {"sequence": replace(sequence_of(holder), temple=temple)}

    def filled(self, holder: State, components: tuple[Any, ...]) -> dict[str, Any]:
        cards = iter(components)
        temple = [card if card.id else replace(card, id=next(cards)) for card in shown_by_temple(holder)]
        return {"sequence": replace(sequence_of(holder), temple=tuple(temple))}


def shown_by_temple(state: State) -> tuple[TempleCard, ...]:
    return state.sequence.temple if state.sequence else ()


def with_top_card(state: State) -> State:
    """The state with the top of its deck shown, if anybody knows it, and with what counts its cards."""
    deck, set_aside = state.deck or (), state.set_aside or ()
    is_known = state.deck_face_up or state.top_known_to is not None
    return replace(
        state,
        deck_count=len(deck),
        set_aside_count=len(set_aside),
        top_card=deck[0] if deck and is_known else None,
    )


# -- what is open ---------------------------------------------------------------------------------------------------


def pending_cards(state: State) -> list[str]:
    return [card.id for card in state.sequence.pending] if state.sequence else []


def paid_cards(state: State) -> list[str]:
    paid = state.work.paid if state.work else ()
    return [payment.card.id for payment in paid if payment.card is not UNSET]


def cards_in_front(player: Player) -> list[str]:
    return [card.id for card in player.cards]


def tiles_on_board(player: Player) -> list[str]:
    return [tile.building for _, tile in tiles_of(player) if tile.building != PYRAMID]


def pyramids_on_board(player: Player) -> list[int]:
    return [tile.number for _, tile in tiles_of(player) if tile.number is not UNSET]


def tiles_in_supply(state: State) -> Iterator[str]:
    return (name for name, number in state.supply.items() for _ in range(number))


ZONES = Zones[State](
    Zone(member="deck", kind="cards", seen_by="nobody", top_seen=top_of_deck),
    TopCard(member="top_card", kind="cards", seen_by=knows_top),
    Zone(member="set_aside", kind="cards", seen_by="nobody"),
    Temple(member="sequence", kind="cards", seen_by=sees_temple),
    Zone(member="pending", kind="cards", contents=pending_cards),
    Zone(member="paid", kind="cards", contents=paid_cards),
    Zone(member="cards", kind="cards", each_player=True, contents=cards_in_front),
    Zone(member="discard", kind="cards"),
    Zone(member="spaces", kind="tiles", each_player=True, contents=tiles_on_board),
    Zone(member="to_place", kind="tiles", each_player=True),
    Zone(member="supply", kind="tiles", contents=tiles_in_supply),
    Zone(member="spaces", kind="pyramids", each_player=True, contents=pyramids_on_board),
    Zone(member="pyramids", kind="pyramids"),
    box=every_component,
    derive=with_top_card,
)

"""The toy game's kit: the generic suite runs on it as on every other game."""

from collections import Counter
from random import Random

import msgspec

from games.kernel import Viewer
from tests.rulesets.kit import Kit, Perft, Setting
from tests.toy import Lanterns, State

THREE = Setting(seats=3, options={})


def permute(state: State, viewer: Viewer, random: Random) -> State:
    """Deal the hands, the laid cards and the deck that a viewer cannot see anew."""
    others = [seat for seat in range(len(state.players)) if seat != viewer]
    unseen = [card for seat in others for card in (state.players[seat].hand or ())]
    unseen += [card for seat in others for card in (state.players[seat].laid or ())]
    unseen += state.deck or ()
    random.shuffle(unseen)
    players = list(state.players)
    for seat in others:
        hand = tuple(sorted(unseen.pop() for _ in range(players[seat].hand_count)))
        laid = tuple(unseen.pop() for _ in range(players[seat].laid_count))
        players[seat] = msgspec.structs.replace(players[seat], hand=hand, laid=laid)
    return msgspec.structs.replace(state, players=tuple(players), deck=tuple(unseen))


def components(state: State) -> Counter[int]:
    """Every card, wherever it lies."""
    held = [*(state.deck or ()), *state.discard]
    for player in state.players:
        held += [*(player.hand or ()), *(player.laid or ())]
    return Counter(held)


KIT = Kit(
    ruleset=Lanterns(),
    settings=(THREE,),
    permute=permute,
    reveals=frozenset({("cards_revealed", "cards"), ("card_drawn", "card")}),
    components=components,
    perft=(Perft("the first rounds", THREE, (6, 24, 48, 264, 960)),),
    takes_positions=False,
)

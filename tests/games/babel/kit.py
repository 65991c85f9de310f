"""What the generic suite needs to know of Babel."""

from collections import Counter
from random import Random
from typing import Any

from games.babel import Babel
from games.babel.box import Nation
from games.babel.state import State, replace
from games.kernel import Viewer
from tests.games.babel.invariants import count_nation_cards, count_temple_cards
from tests.games.babel.laid_out import side
from tests.rulesets.kit import Kit, Perft, Setting

NEWER = Setting(seats=2, options={"edition": "2013"})
OLDER = Setting(seats=2, options={"edition": "2000"})


def permute(state: State, viewer: Viewer, random: Random) -> State:
    """Deal the hands and the nation pile that a viewer cannot see anew; shuffle the temple pile below what is known."""
    others = [seat for seat in (0, 1) if seat != viewer]
    unseen: list[Nation] = [card for seat in others for card in state.players[seat].hand or ()]
    unseen += state.nation_pile or ()
    random.shuffle(unseen)
    players = list(state.players)
    for seat in others:
        hand = sorted(unseen.pop() for _ in range(players[seat].hand_count))
        players[seat] = replace(players[seat], hand=tuple(hand))
    known = state.temple_pile_known
    temples = list((state.temple_pile or ())[len(known) :])
    random.shuffle(temples)
    return replace(
        state, players=(players[0], players[1]), nation_pile=tuple(unseen), temple_pile=(*known, *temples)
    )


def components(state: State) -> tuple[Counter[int], Counter[Any]]:
    """Every card, wherever it lies."""
    return count_temple_cards(state), count_nation_cards(state)


LONG_EXAMPLE = {
    "turn": 13,
    "players": [
        {
            "pawn": "hittites",
            "hand": ["assyrians", "hittites", "sumerians"],
            "sites": side("hittites", column=["sumerians"] * 4 + ["assyrians", "persians", "persians"])
            | side("assyrians", column=["hittites"] * 2)
            | side("sumerians", column=["persians"] * 2),
        },
        {
            "hand": ["assyrians", "assyrians", "hittites", "medes", "medes", "persians", "sumerians"],
            "sites": side(
                "hittites",
                temple=[1, 2, 3, 4, 5, 6],
                column=["persians", "sumerians", "assyrians", "assyrians", "medes"],
            )
            | side("assyrians", temple=[1, 2, 3]),
        },
    ],
}
CLOSE_FIGHT = {
    "turn": 18,
    "endgame": True,
    "players": [
        {
            "pawn": "medes",
            "hand": ["assyrians", "medes"],
            "sites": side("assyrians", temple=[1, 2, 3, 4, 5], column=["medes"] * 5)
            | side("medes", temple=[1, 3, 4], column=["hittites", "hittites", "hittites", "persians"])
            | side("sumerians", temple=[3]),
            "temple_column": [6, 5],
        },
        {
            "pawn": "assyrians",
            "hand": ["assyrians", "persians", "sumerians"],
            "sites": side(
                "assyrians",
                temple=[2, 3],
                column=["persians", "persians", "persians", "assyrians", "assyrians", "assyrians"],
            )
            | side("medes", temple=[1, 2, 3, 4, 5], column=["medes"] * 3)
            | side("hittites", temple=[6]),
            "temple_column": [6, 4],
        },
    ],
}

KIT = Kit(
    ruleset=Babel(),
    settings=(NEWER, OLDER, Setting(seats=2, options={"edition": "2000"}, position=CLOSE_FIGHT)),
    permute=permute,
    reveals=frozenset({("nations_drawn", "nations"), ("temples_revealed", "levels")}),
    components=components,
    perft=(
        Perft("the opening", NEWER, (4, 25, 134, 588)),
        Perft("the long example", Setting(2, {"edition": "2013"}, LONG_EXAMPLE), (12, 121, 1113, 9481)),
        Perft("a close fight", Setting(2, {"edition": "2000"}, CLOSE_FIGHT), (19, 206, 1792, 13932)),
    ),
)

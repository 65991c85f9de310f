"""What the generic suite needs to know of Babel."""

from games.babel import BABEL
from tests.games.babel.laid_out import side
from tests.rulesets.kit import Kit, Perft, Setting

NEWER = Setting(seats=2, options={"edition": "2013"})
OLDER = Setting(seats=2, options={"edition": "2000", "begins": "drawn"})


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
    ruleset=BABEL,
    settings=(NEWER, OLDER, Setting(seats=2, options={"edition": "2000"}, position=CLOSE_FIGHT)),
    hidden=frozenset({"players/hand", "temple_pile", "nation_pile"}),
    reveals=frozenset({("nations_drawn", "nations"), ("temples_revealed", "levels")}),
    perft=(
        Perft("the opening", NEWER, (4, 25, 134, 588)),
        Perft("the long example", Setting(2, {"edition": "2013"}, LONG_EXAMPLE), (12, 121, 1113, 9481)),
        Perft("a close fight", Setting(2, {"edition": "2000"}, CLOSE_FIGHT), (19, 206, 1792, 13932)),
    ),
)

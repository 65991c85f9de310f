"""What the generic suite needs to know of Aton."""

from typing import Any

from games.aton import ATON
from tests.rulesets.kit import Kit, Perft, Setting

FROM_THE_BOX = Setting(seats=2, options={})
BEFORE_A_SCORING: dict[str, Any] = {
    "phase": "remove",
    "round": 7,
    "active_seat": 0,
    "dead": [0, 1, 0, 1, 0, 1, 0],
    "board": {
        **dict.fromkeys(("t1-01", "t1-02", "t1-03", "t2-05", "t2-08", "t3-04", "t4-05"), 0),
        **dict.fromkeys(("t1-09", "t1-10", "t2-07", "t2-09", "t3-05", "t3-06", "t4-04"), 1),
    },
    "players": [
        {"score": 12, "cartouches": [2, 3, 2, 2], "exchanged": [1, 1, 2, 1], "trade_token": False},
        {"score": 15, "cartouches": [3, 4, 3, 1]},
    ],
}
BEFORE_A_SCORING_SETTING = Setting(seats=2, options={}, position=BEFORE_A_SCORING)


KIT = Kit(
    ruleset=ATON,
    settings=(FROM_THE_BOX, BEFORE_A_SCORING_SETTING),
    hidden=frozenset({"players/hand", "players/deck", "players/exchanged", "players/cartouches"}),
    reveals=frozenset(
        {
            ("cards_drawn", "cards"),
            ("cartouches_revealed", "cartouches"),
            ("order_cards_drawn", "cards"),
        }
    ),
    fleeting=frozenset({("order_cards_drawn", "cards")}),
    perft=(
        Perft("the first cards", FROM_THE_BOX, (20, 200, 5514)),
        Perft("a removal before a scoring", BEFORE_A_SCORING_SETTING, (4, 64, 960, 7680)),
    ),
)
